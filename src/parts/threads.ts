import { Worker } from 'node:worker_threads';
import type { Log, LogFields } from '../base/index.ts';
import {
  type ReconcilerThread,
  type ReconcilerThreadDeps,
  startReconcilerThread,
  type ThreadPort,
  type ThreadTarget,
} from '../reconciler/index.ts';
import type { RunningSandbox } from '../session/index.ts';

/** Threads beside the extension host, a bundle of its own: the reconciler's and the sandbox's. They end with the window. */

export function startReconciler(
  target: ThreadTarget,
  file: string,
  deps: Omit<ReconcilerThreadDeps, 'spawn'>,
): Promise<ReconcilerThread> {
  return startReconcilerThread(target, { spawn: () => threadPort(new Worker(file)), ...deps });
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

/** Resolves when the clusters answer; rejects with the reason where they never will. */
export function startSandbox(file: string, log: Log): Promise<RunningSandbox> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(file);
    const ended = Promise.withResolvers<string>();
    const gone = new Promise<void>((resolveGone) => worker.once('exit', () => resolveGone()));
    // Whichever comes first counts: a promise that is settled stays as it is.
    const end = (reason: string): void => {
      reject(new Error(reason));
      ended.resolve(reason);
    };
    worker.once('error', (error: Error) => end(error.message));
    worker.once('exit', (code) => end(`The sandbox's thread ended with code ${code}.`));
    worker.on('message', (value: unknown) => {
      const message = readSandboxMessage(value);
      switch (message?.kind) {
        case 'ready':
          resolve({
            kubeconfig: message.kubeconfig,
            ended: ended.promise,
            stop: async () => {
              worker.postMessage('stop');
              await gone;
            },
          });
          return;
        case 'log':
          log[message.level](message.message, message.fields);
          return;
        case 'failed':
          end(message.message);
          void worker.terminate();
          return;
        case undefined:
          log.warn('The sandbox sent something that is no message.');
      }
    });
  });
}

type SandboxMessage =
  | { readonly kind: 'ready'; readonly kubeconfig: string }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'log'; readonly level: keyof Log; readonly message: string; readonly fields: LogFields };

function readSandboxMessage(value: unknown): SandboxMessage | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined;
  if (value.kind === 'ready' && 'kubeconfig' in value && typeof value.kubeconfig === 'string')
    return { kind: 'ready', kubeconfig: value.kubeconfig };
  if (!('message' in value) || typeof value.message !== 'string') return undefined;
  if (value.kind === 'failed') return { kind: 'failed', message: value.message };
  const level = 'level' in value ? levels.find((one) => one === value.level) : undefined;
  if (value.kind !== 'log' || level === undefined) return undefined;
  return { kind: 'log', level, message: value.message, fields: 'fields' in value ? readFields(value.fields) : {} };
}

const levels = ['debug', 'info', 'warn', 'error'] as const;

function readFields(value: unknown): LogFields {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, String(field)]));
}
