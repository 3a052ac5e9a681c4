import { type Clock, type Disposable, Emitter, type Event, isJsonObject, type JsonObject } from '../base/index.ts';

/** Names an object of the management cluster that a text may speak of. */
export interface LiveKey {
  readonly kind: 'Job' | 'CronJob';
  readonly namespace: string;
  readonly name: string;
}

export interface LiveObjectsPorts {
  /** Asks the cluster; undefined where there is no such object. */
  readonly fetch: (key: LiveKey, signal: AbortSignal) => Promise<JsonObject | undefined>;
  /** What the window's watch knows of the object, as a word that changes when it becomes another one. */
  readonly stampOf: (key: LiveKey) => string | undefined;
  readonly clock: Clock;
  /** Told of an object that could not be read: nothing is then known of it. */
  readonly onProblem: (key: LiveKey, error: unknown) => void;
  readonly onError: (error: unknown) => void;
}

interface Entry {
  readonly key: LiveKey;
  readonly readers: Set<string>;
  object: JsonObject | undefined;
  stamp: string | undefined;
  state: 'waiting' | 'asking' | 'rested';
  /** Something happened while it was being asked for: ask once more. */
  isOutdated: boolean;
}

/** Several that come one after the other are asked for together. */
const gatherMs = 100;
const requestsAtOnce = 3;
/** A text of more objects is not made by hand, nor applied object by object. */
const keysOfReader = 200;

/**
 * The stored objects that open texts speak of, looked up one by one: when a text first names one, when it is saved, and
 * when the watch says that the object has become another. Everything ends with `dispose`.
 *
 * Invariants: an entry exists as long as somebody reads it; at most `requestsAtOnce` are being asked for; listeners hear
 * of a key only if its resourceVersion is another than before.
 */
export class LiveObjects implements Disposable {
  readonly #ports: LiveObjectsPorts;
  readonly #entries = new Map<string, Entry>();
  readonly #queue: string[] = [];
  readonly #stop = new AbortController();
  readonly #changed: Emitter<ReadonlySet<string>>;
  #asking = 0;
  #timer: Disposable | undefined;

  constructor(ports: LiveObjectsPorts) {
    this.#ports = ports;
    this.#changed = new Emitter(ports.onError);
  }

  /** Announces readers for whom an object has become another. */
  get onDidChange(): Event<ReadonlySet<string>> {
    return this.#changed.event;
  }

  /** The object as it was last read; undefined where there is none, or none is known yet. */
  get(key: LiveKey): JsonObject | undefined {
    return this.#entries.get(idOf(key))?.object;
  }

  /** From now on the reader looks at these objects, and at no others. */
  want(reader: string, keys: readonly LiveKey[]): void {
    const wanted = new Map(keys.slice(0, keysOfReader).map((key) => [idOf(key), key]));
    for (const [id, { readers }] of this.#entries) {
      if (!wanted.has(id) && readers.delete(reader) && readers.size === 0) this.#entries.delete(id);
    }
    for (const [id, key] of wanted) {
      const known = this.#entries.get(id);
      if (known !== undefined) {
        known.readers.add(reader);
        continue;
      }
      const readers = new Set([reader]);
      this.#entries.set(id, { key, readers, object: undefined, stamp: undefined, state: 'rested', isOutdated: false });
      this.#ask(id);
    }
  }

  /** Looks again at all that the reader looks at. */
  refresh(reader: string): void {
    for (const [id, { readers }] of this.#entries) if (readers.has(reader)) this.#ask(id);
  }

  /** The watch has news: looks again at what it says has changed. */
  noteNews(): void {
    for (const [id, { key, stamp, state }] of this.#entries) {
      if (state === 'rested' && this.#ports.stampOf(key) !== stamp) this.#ask(id);
    }
  }

  dispose(): void {
    this.#stop.abort(new DOMException('The clusters were disconnected.', 'AbortError'));
    this.#timer?.dispose();
    this.#entries.clear();
    this.#queue.length = 0;
    this.#changed.dispose();
  }

  #ask(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.state === 'waiting' || this.#stop.signal.aborted) return;
    if (entry.state === 'asking') {
      entry.isOutdated = true;
      return;
    }
    entry.state = 'waiting';
    this.#queue.push(id);
    this.#timer ??= this.#ports.clock.after(gatherMs, () => {
      this.#timer = undefined;
      this.#pump();
    });
  }

  #pump(): void {
    while (this.#asking < requestsAtOnce) {
      const id = this.#queue.shift();
      if (id === undefined) return;
      const entry = this.#entries.get(id);
      // Nobody reads it any more, or it was dropped and wanted anew, and so stands in the queue twice.
      if (entry?.state === 'waiting') void this.#fetch(entry);
    }
  }

  /** Never rejects. */
  async #fetch(entry: Entry): Promise<void> {
    const { fetch, stampOf, onProblem } = this.#ports;
    this.#asking++;
    entry.state = 'asking';
    entry.isOutdated = false;
    // Taken beforehand: what happens meanwhile is then seen as news.
    entry.stamp = stampOf(entry.key);
    let object: JsonObject | undefined;
    try {
      object = await fetch(entry.key, this.#stop.signal);
    } catch (error) {
      if (!this.#stop.signal.aborted) onProblem(entry.key, error);
    }
    this.#asking--;
    if (this.#stop.signal.aborted) return;
    entry.state = 'rested';
    if (versionOf(object) !== versionOf(entry.object)) {
      entry.object = object;
      this.#changed.fire(new Set(entry.readers));
    }
    if (entry.isOutdated) this.#ask(idOf(entry.key));
    this.#pump();
  }
}

function idOf({ kind, namespace, name }: LiveKey): string {
  return `${kind}/${namespace}/${name}`;
}

/** Tells two states of an object apart, and an object from none. */
function versionOf(object: JsonObject | undefined): string {
  const metadata = object?.['metadata'];
  if (!isJsonObject(metadata)) return '';
  return `${String(metadata['uid'])}/${String(metadata['resourceVersion'])}`;
}
