import { Worker } from 'node:worker_threads';
import type { Clock, Log } from '../base/index.ts';
import {
  type ReconcilerThread,
  startReconcilerThread,
  type ThreadPort,
  type ThreadTarget,
} from '../reconciler/index.ts';
import type { RunningSandbox } from '../session/index.ts';

/** Threads beside the extension host, a bundle of its own: the reconciler's and the sandbox's. They end with the window. */

export function startReconciler(target: ThreadTarget, file: string, clock: Clock, log: Log): Promise<ReconcilerThread> {
  return startReconcilerThread(target, { spawn: () => threadPort(new Worker(file)), clock, log });
}

function threadPort(worker: Worker): ThreadPort {
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => {
      worker.on('message', listener);
      return { dispose: () => void worker.off('message', listener) };
    },
    onExit: (listener) => {
      const onError = (error: Error): void => listener(error.message);
      const onExit = (code: number): void => listener(`Its thread ended with code ${code}.`);
      worker.once('error', onError).once('exit', onExit);
      return { dispose: () => void worker.off('error', onError).off('exit', onExit) };
    },
    terminate: async () => {
      await worker.terminate();
    },
  };
}

/** Resolves when the clusters answer. */
export function startSandbox(file: string): Promise<RunningSandbox> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(file);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`The sandbox's thread ended with code ${code}.`)));
    worker.once('message', (message: unknown) => {
      if (
        typeof message === 'object' &&
        message !== null &&
        'kubeconfig' in message &&
        typeof message.kubeconfig === 'string'
      ) {
        resolve({
          kubeconfig: message.kubeconfig,
          stop: async () => {
            worker.postMessage('stop');
            await new Promise((ended) => worker.once('exit', ended));
          },
        });
        return;
      }
      const reason =
        typeof message === 'object' && message !== null && 'message' in message
          ? String(message.message)
          : 'It said nothing.';
      reject(new Error(reason));
      void worker.terminate();
    });
  });
}
