import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Agent, request as httpsRequest } from 'node:https';
import { isJsonObject } from '../../src/base/index.ts';
import type { PlaneAddress } from './setup.ts';

/** A request that changes something, on its way. */
export interface Write {
  readonly method: string;
  readonly path: string;
}

/** What becomes of a write: it passes, it is lost on the way there, or its answer is lost on the way back. */
export type Fate = 'pass' | 'lose-request' | 'lose-answer';

/** A line to a server on which writes can be lost. It speaks plain HTTP on loopback and passes everything on. */
export interface Tap {
  readonly url: string;
  /** Ends all connections and answers every request with that status, until told otherwise. */
  refuse(status: number | undefined): void;
  /** How many requests have come so far. */
  readonly requests: () => number;
  close(): Promise<void>;
}

/**
 * Lays a line to a server. `fateOf` is asked for each write about Jobs, in the order of their coming; leases and events
 * come and go by the clock and aren't asked about. A write waits until its fate is known. `onLost` is told when the moment has come: with the request read and
 * not passed on, or carried out and not yet answered.
 */
export async function layTap(
  target: PlaneAddress,
  fateOf: (write: Write) => Fate | Promise<Fate>,
  onLost: () => void,
): Promise<Tap> {
  let requests = 0;
  let refusal: number | undefined;
  const agent = new Agent({ ca: target.authority, keepAlive: true });
  const server = createServer(async (incoming, outgoing) => {
    requests += 1;
    if (refusal !== undefined) {
      const body = {
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        code: refusal,
        message: 'refused on the way',
      };
      outgoing.writeHead(refusal, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
      return;
    }
    const write = { method: incoming.method ?? '', path: incoming.url ?? '' };
    const fate = isAboutJobs(write) ? await fateOf(write) : 'pass';
    if (fate === 'lose-request') {
      onLost();
      outgoing.destroy();
      return;
    }
    passOn(incoming, outgoing, target.server, agent, () => {
      if (fate !== 'lose-answer') return true;
      onLost();
      return false;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = isJsonObject(address) ? String(address['port']) : '';
  return {
    requests: () => requests,
    refuse(status) {
      refusal = status;
      if (status !== undefined) server.closeAllConnections();
    },
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        agent.destroy();
      }),
  };
}

function isAboutJobs({ method, path }: Write): boolean {
  return method !== 'GET' && /\/jobs(\/|\?|$)/.test(path) && !path.includes('dryRun');
}

function passOn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  server: string,
  agent: Agent,
  mayAnswer: () => boolean,
): void {
  const { host: _, ...headers } = incoming.headers;
  const onward = httpsRequest(
    `${server}${incoming.url ?? ''}`,
    { agent, method: incoming.method, headers },
    (answer) => {
      if (!mayAnswer()) {
        answer.destroy();
        outgoing.destroy();
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
    },
  );
  onward.on('error', () => outgoing.destroy());
  outgoing.on('close', () => onward.destroy());
  incoming.pipe(onward);
}
