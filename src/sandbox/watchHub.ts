import type { ServerResponse } from 'node:http';
import { type Clock, type Disposable, DisposableStore } from '../base/index.ts';
import type { IncomingCall } from './handler.ts';
import { watchRequestOf } from './requestOptions.ts';
import type { ResourceDefinition } from './resources.ts';
import type { ObjectStore } from './store.ts';
import type { Strategy } from './strategy.ts';
import { tableText, wantsTable } from './table.ts';
import { expiredLine, startWatch } from './watch.ts';

/** A client that reads too slowly is cut off at this backlog; it resumes from where it was. */
const backlogLimitBytes = 32 * 1024 * 1024;

interface OpenWatch {
  readonly response: ServerResponse;
  readonly resources: DisposableStore;
  readonly type: ResourceDefinition;
}

/** All watches of a cluster that are open over HTTP, with the ways in which a test may trouble them. */
export class WatchHub implements Disposable {
  readonly #store: ObjectStore;
  readonly #clock: Clock;
  readonly #strategyOf: (type: ResourceDefinition) => Strategy;
  readonly #open = new Set<OpenWatch>();
  /** While set, lines wait this long before they go out. */
  #delayMs = 0;
  #isStalled = false;

  constructor(store: ObjectStore, clock: Clock, strategyOf: (type: ResourceDefinition) => Strategy) {
    this.#store = store;
    this.#clock = clock;
    this.#strategyOf = strategyOf;
  }

  get count(): number {
    return this.#open.size;
  }

  /** Throws `ApiError` before anything is sent if the watch can't be served. */
  open(call: IncomingCall, response: ServerResponse): void {
    const { type } = call.info;
    const entry: OpenWatch = { response, resources: new DisposableStore(), type };
    const close = (): void => {
      this.#open.delete(entry);
      entry.resources.dispose();
    };
    const lines: string[] = [];
    let isBegun = false;
    const write = (line: string): void => {
      if (isBegun) this.#write(entry, line);
      else lines.push(line);
    };
    let isOver = false;
    entry.resources.add(
      startWatch({
        store: this.#store,
        clock: this.#clock,
        type,
        strategy: this.#strategyOf(type),
        request: watchRequestOf(call.query, call.info.namespace),
        sink: {
          send: write,
          end: () => {
            isOver = true;
            if (isBegun) {
              close();
              response.end();
            }
          },
        },
        ...(wantsTable(call.accept)
          ? {
              render: (object) =>
                tableText(type, [object], { resourceVersion: object.metadata.resourceVersion }, this.#clock.now()),
            }
          : {}),
      }),
    );
    this.#open.add(entry);
    response.once('close', close);
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' });
    response.flushHeaders();
    isBegun = true;
    for (const line of lines) this.#write(entry, line);
    if (isOver) {
      close();
      response.end();
    }
  }

  /** Breaks every open watch off, as a lost connection does. */
  cut(resource?: string): void {
    for (const entry of this.#of(resource)) entry.response.socket?.destroy();
  }

  /** Tells every open watch that its resourceVersion is too old, and forgets the past, so that resuming fails too. */
  expire(resource?: string): void {
    this.#store.compact();
    for (const { response } of this.#of(resource)) {
      response.end(expiredLine(1, this.#store.resourceVersion));
    }
  }

  /** Open watches fall silent without ending, until the result is disposed; what happened meanwhile is lost to them. */
  stall(): Disposable {
    this.#isStalled = true;
    return {
      dispose: () => {
        this.#isStalled = false;
      },
    };
  }

  /** From now on events arrive this much later. */
  delay(ms: number): Disposable {
    this.#delayMs = ms;
    return {
      dispose: () => {
        this.#delayMs = 0;
      },
    };
  }

  dispose(): void {
    for (const entry of [...this.#open]) entry.resources.dispose();
    this.#open.clear();
  }

  #of(resource: string | undefined): OpenWatch[] {
    return [...this.#open].filter(({ type }) => resource === undefined || type.plural === resource);
  }

  #write(entry: OpenWatch, line: string): void {
    if (this.#isStalled) return;
    const put = (): void => {
      const { response } = entry;
      if (response.writableEnded || response.destroyed) return;
      if (response.writableLength > backlogLimitBytes) response.socket?.destroy();
      else response.write(line);
    };
    if (this.#delayMs === 0) put();
    else entry.resources.add(this.#clock.after(this.#delayMs, put));
  }
}
