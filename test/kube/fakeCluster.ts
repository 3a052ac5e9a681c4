import type { ServerResponse } from 'node:http';
import type { Clock } from '../../src/base/index.ts';
import {
  type FakeServer,
  jobList,
  jobObject,
  json,
  type SeenRequest,
  startFakeServer,
  status,
  statusBody,
  watchLine,
} from './fakeServer.ts';

/** Makes an hour pass in a few seconds: every delay is that many times shorter, and so are all durations. */
export function fastClock(factor: number, startAt = 1_700_000_000_000): Clock {
  const start = performance.now();
  const elapsed = (): number => (performance.now() - start) * factor;
  return {
    now: () => startAt + elapsed(),
    monotonicMs: elapsed,
    after(delayMs, callback) {
      const handle = setTimeout(callback, delayMs / factor);
      return { dispose: () => clearTimeout(handle) };
    },
  };
}

/** What goes wrong with one request. */
export type Fault =
  | 'none'
  | 'reset' // before anything was answered
  | 'unavailable' // 503
  | 'slow-down' // 429 with Retry-After
  | 'expired' // 410
  | 'cut' // the answer breaks off in the middle
  | 'event-expired' // 410 as an event of the watch
  | 'event-error' // 500 as an event of the watch
  | 'garbage' // a line that is no JSON
  | 'close'; // a watch that ends in good order after what it had to say

interface Logged {
  readonly resourceVersion: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: object;
}

/** The Jobs of one namespace, served by list and watch, with faults on request. */
export class FakeCluster implements AsyncDisposable {
  readonly objects = new Map<string, object>();
  /** Asked for each request; `none` when it is empty. */
  faults: Fault[] = [];
  /** Jobs to a page, whatever the client asks for. */
  pageSize = 2;
  #resourceVersion = 100;
  #log: Logged[] = [];
  /** Versions up to this one are forgotten: a watch from before it gets 410. */
  #forgotten = 0;
  readonly #watchers = new Set<{ response: ServerResponse; at: number }>();
  #server: FakeServer | undefined;
  #uid = 0;

  async start(): Promise<void> {
    this.#server = await startFakeServer((request, response) => this.#answer(request, response));
  }

  get server(): FakeServer {
    if (this.#server === undefined) throw new Error('The cluster was not started.');
    return this.#server;
  }

  /** Creates the Job, or changes it if there is one. */
  put(name: string): void {
    const known = this.objects.get(name);
    const uid = known === undefined ? `uid-${++this.#uid}` : uidOf(known);
    this.#store(known === undefined ? 'ADDED' : 'MODIFIED', name, uid);
  }

  delete(name: string): void {
    const known = this.objects.get(name);
    if (known === undefined) return;
    this.#resourceVersion += 1;
    this.objects.delete(name);
    this.#append('DELETED', jobObject(name, uidOf(known), String(this.#resourceVersion)));
  }

  recreate(name: string): void {
    this.delete(name);
    this.put(name);
  }

  /** Compacts the history, as etcd does. */
  forget(): void {
    this.#forgotten = this.#resourceVersion;
  }

  /** Name → `uid/resourceVersion` of what is stored. */
  contents(): Record<string, string> {
    return Object.fromEntries([...this.objects].map(([name, object]) => [name, versionOf(object)]).sort());
  }

  /** Breaks all watches: resets, or ends them in good order. */
  dropWatches(how: 'reset' | 'end'): void {
    for (const { response } of this.#watchers) {
      if (how === 'reset') response.destroy();
      else response.end();
    }
    this.#watchers.clear();
  }

  get watches(): number {
    return this.#watchers.size;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
  }

  #store(type: 'ADDED' | 'MODIFIED', name: string, uid: string): void {
    this.#resourceVersion += 1;
    const object = jobObject(name, uid, String(this.#resourceVersion));
    this.objects.set(name, object);
    this.#append(type, object);
  }

  #append(type: Logged['type'], object: object): void {
    this.#log.push({ resourceVersion: this.#resourceVersion, type, object });
    for (const watcher of this.#watchers) this.#feed(watcher);
  }

  #feed(watcher: { response: ServerResponse; at: number }): void {
    for (const entry of this.#log) {
      if (entry.resourceVersion <= watcher.at) continue;
      watcher.response.write(watchLine(entry.type, entry.object));
      watcher.at = entry.resourceVersion;
    }
  }

  #answer(request: SeenRequest, response: ServerResponse): void {
    // Asked over a quiet watch, out of turn.
    if (request.path === '/version') {
      json(response, {});
      return;
    }
    const fault = this.faults.shift() ?? 'none';
    switch (fault) {
      case 'reset':
        response.socket?.resetAndDestroy();
        return;
      case 'unavailable':
        status(response, 503, 'ServiceUnavailable', 'not now');
        return;
      case 'slow-down':
        status(response, 429, 'TooManyRequests', 'not so fast', {}, { 'Retry-After': '1' });
        return;
      case 'expired':
        status(response, 410, 'Expired', 'too old resource version');
        return;
      default:
        if (request.query.get('watch') === 'true') this.#watch(request, response, fault);
        else this.#list(request, response, fault);
    }
  }

  #list(request: SeenRequest, response: ServerResponse, fault: Fault): void {
    const [version, offset] = (request.query.get('continue') ?? `${this.#resourceVersion}:0`).split(':').map(Number);
    const start = offset ?? 0;
    // A simplification: later pages show the present, so a token is good for as long as nothing changed.
    if (version !== this.#resourceVersion) {
      status(response, 410, 'Expired', 'The provided continue parameter is too old');
      return;
    }
    const all = [...this.objects.values()];
    const next = start + this.pageSize;
    const page = jobList(all.slice(start, next), String(version), next < all.length ? `${version}:${next}` : undefined);
    if (fault === 'cut') {
      response.writeHead(200, { 'Content-Length': '100000' });
      response.write(JSON.stringify(page).slice(0, 40), () => response.destroy());
      return;
    }
    json(response, page);
  }

  #watch(request: SeenRequest, response: ServerResponse, fault: Fault): void {
    const at = Number(request.query.get('resourceVersion'));
    response.writeHead(200);
    response.flushHeaders();
    if (at < this.#forgotten || fault === 'event-expired') {
      response.end(watchLine('ERROR', statusBody(410, 'Expired', 'too old resource version')));
      return;
    }
    const watcher = { response, at };
    this.#watchers.add(watcher);
    response.once('close', () => this.#watchers.delete(watcher));
    this.#feed(watcher);
    if (fault === 'event-error') response.end(watchLine('ERROR', statusBody(500, 'InternalError', 'oops')));
    if (fault === 'garbage') response.end('no JSON\n');
    if (fault === 'cut') response.write('{"type":"MODI', () => response.destroy());
    if (fault === 'close') response.end();
    if (fault !== 'none') this.#watchers.delete(watcher);
  }
}

function uidOf(object: object): string {
  return versionOf(object).split('/')[0] ?? '';
}

function versionOf(object: object): string {
  const { metadata } = object as { metadata: { uid: string; resourceVersion: string } };
  return `${metadata.uid}/${metadata.resourceVersion}`;
}
