import { connect, createServer, type Socket } from 'node:net';
import { isJsonObject } from '../../src/base/index.ts';

/**
 * How a line is cut: nobody listens any more; every connection is reset; packets vanish and nobody says so; whoever
 * connects reaches a stranger.
 */
export type Cut = 'refused' | 'reset' | 'vanish' | 'stranger';

/** A line of bytes to a server. It looks at none of them, so that TLS goes through it. */
export interface Line {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  /** Cuts it, or mends it: connections of before stay as dead as the cut made them. */
  cut(how: Cut | undefined): Promise<void>;
  close(): Promise<void>;
}

/** Lays a line from loopback to `server`. Both are origins such as `https://127.0.0.1:6443`. */
export async function layLine(server: string, stranger: string): Promise<Line> {
  let state: Cut | undefined;
  let port = 0;
  const sockets = new Set<Socket>();
  const listener = createServer((near) => {
    keep(near);
    if (state === 'reset') near.resetAndDestroy();
    if (state === 'reset' || state === 'vanish') return;
    const far = connect(Number(new URL(state === 'stranger' ? stranger : server).port), '127.0.0.1');
    keep(far);
    near.pipe(far).pipe(near);
    near.once('close', () => far.destroy());
    far.once('close', () => near.destroy());
  });
  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  }
  function listen(): Promise<void> {
    return new Promise((resolve) => listener.listen(port, '127.0.0.1', resolve));
  }
  await listen();
  const address = listener.address();
  port = isJsonObject(address) ? Number(address['port']) : 0;
  return {
    url: `https://127.0.0.1:${port}`,
    async cut(how) {
      state = how;
      for (const socket of sockets) {
        // What vanishes is neither read nor written any more, and nobody hears of its end.
        if (how === 'vanish') socket.unpipe().removeAllListeners('data').pause();
        else if (how !== undefined) socket.resetAndDestroy();
      }
      if (how === 'refused') listener.close();
      else if (!listener.listening) await listen();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      if (listener.listening) await new Promise((resolve) => listener.close(resolve));
    },
  };
}
