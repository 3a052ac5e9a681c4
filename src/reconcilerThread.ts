import { parentPort } from 'node:worker_threads';
import { describeError, systemClock, systemRandom } from './base/index.ts';
import { ThreadHost } from './reconciler/index.ts';

/**
 * Composition root of the thread that the editor's reconciler runs in: a blocked extension host must not stall its
 * leases. It ends with the window, since a worker thread never outlives its process.
 */
if (parentPort !== null) {
  const port = parentPort;
  const host = new ThreadHost({
    post: (message) => port.postMessage(message),
    env: process.env,
    clock: systemClock,
    random: systemRandom,
  });
  port.on('message', (message: unknown) => {
    host.receive(message).catch((error: unknown) => {
      port.postMessage({ kind: 'failed', reason: describeError(error) });
    });
  });
}
