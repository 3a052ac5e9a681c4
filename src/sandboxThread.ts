import { parentPort } from 'node:worker_threads';
import { startSandbox } from './sandbox/index.ts';

/**
 * Composition root of the thread in which the editor's sandbox clusters live, apart from the extension host. Tells
 * `{ kind: 'ready', kubeconfig }` or `{ kind: 'failed', message }`; a message of any kind stops it.
 */
async function main(port: NonNullable<typeof parentPort>): Promise<void> {
  try {
    const sandbox = await startSandbox({ workers: 2 });
    port.once('message', () => {
      sandbox.stop().finally(() => port.close());
    });
    port.postMessage({ kind: 'ready', kubeconfig: sandbox.kubeconfig });
  } catch (error) {
    port.postMessage({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

if (parentPort !== null) void main(parentPort);
