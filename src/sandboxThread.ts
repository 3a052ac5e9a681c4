import { parentPort } from 'node:worker_threads';
import { describeError, type Log } from './base/index.ts';
import { startSandbox } from './sandbox/index.ts';

/**
 * Composition root of the thread in which the editor's sandbox clusters live, apart from the extension host. Tells
 * `{ kind: 'ready', kubeconfig }` or `{ kind: 'failed', message }`, and `{ kind: 'log', level, message, fields }` at any
 * time; a message of any kind stops it.
 */
async function main(port: NonNullable<typeof parentPort>): Promise<void> {
  const at = (level: keyof Log): Log['info'] => {
    return (message, fields = {}) => port.postMessage({ kind: 'log', level, message, fields });
  };
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  try {
    const sandbox = await startSandbox({ workers: 2, log });
    port.once('message', () => {
      sandbox.stop().finally(() => port.close());
    });
    port.postMessage({ kind: 'ready', kubeconfig: sandbox.kubeconfig });
  } catch (error) {
    port.postMessage({ kind: 'failed', message: describeError(error) });
  }
}

if (parentPort !== null) void main(parentPort);
