import { connect } from 'node:net';
import type { Clock } from '../base/index.ts';

const patienceMs = 5_000;

/** Whether something accepts connections at that address: true, or the error. No byte is sent. */
export function isReachable(address: URL, clock: Clock, signal: AbortSignal): Promise<true | Error> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const host = address.hostname.replace(/^\[|\]$/g, '');
    const port = Number(address.port) || (address.protocol === 'https:' ? 443 : 80);
    const socket = connect({ host, port });
    const finish = (conclude: () => void): void => {
      timer.dispose();
      signal.removeEventListener('abort', onAbort);
      socket.destroy();
      conclude();
    };
    const onAbort = (): void => finish(() => reject(signal.reason));
    const timer = clock.after(patienceMs, () => finish(() => resolve(new Error('No connection within 5 s.'))));
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('connect', () => finish(() => resolve(true)));
    socket.once('error', (error) => finish(() => resolve(error)));
  });
}
