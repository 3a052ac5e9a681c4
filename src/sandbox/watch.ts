import { type Clock, type Disposable, DisposableStore } from '../base/index.ts';
import { jsonText } from './jsonText.ts';
import type { StoredObject } from './objects.ts';
import { type Selection, selectionFilter, unparsedVersion } from './reads.ts';
import type { ResourceDefinition } from './resources.ts';
import { ApiError, expired } from './status.ts';
import type { ObjectStore, StoreChange } from './store.ts';
import type { Strategy } from './strategy.ts';

/** A resourceVersion of 0, or none, starts with all that is there. */
export interface WatchRequest extends Selection {
  readonly resourceVersion?: string;
  readonly timeoutSeconds?: number;
  readonly allowBookmarks?: boolean;
  readonly sendInitialEvents?: boolean;
}

/** Where the lines of a watch go. */
export interface WatchSink {
  /** One line of the stream, with its newline. */
  send(line: string): void;
  /** The watch is over in good order. */
  end(): void;
}

/** How the object of an event is written; tables are written differently. */
export type Render = (object: StoredObject) => string;

const bookmarkEveryMs = 60_000;

interface WatchParts {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly type: ResourceDefinition;
  readonly strategy: Strategy;
  readonly request: WatchRequest;
  readonly sink: WatchSink;
  readonly render?: Render;
}

/**
 * Starts a watch: what happened since the given resourceVersion at once, then everything as it happens. Disposing it
 * stops the events without a word. Throws `ApiError` for a request that can't be served; one that is too old is told so
 * in the stream, as the real server does.
 */
export function startWatch(parts: WatchParts): Disposable {
  const { store, clock, type, strategy, request, sink } = parts;
  const isSelected = selectionFilter(type, strategy, request);
  const owned = new DisposableStore();
  const send = (kind: string, object: StoredObject): void =>
    sink.send(`{"type":"${kind}","object":${(parts.render ?? jsonText)(object)}}\n`);

  const resourceVersion = requestedVersion(request.resourceVersion);
  const forward = (change: StoreChange): void => {
    const event = eventOf(change, isSelected);
    if (event !== undefined) send(event.kind, event.object);
  };
  const bookmark = (annotations?: { readonly [key: string]: string }): void =>
    sink.send(bookmarkLine(type, String(store.resourceVersion), annotations));

  const startsWithAll = request.sendInitialEvents ?? resourceVersion === 0;
  if (startsWithAll) {
    for (const object of store.list(type, request.namespace)) if (isSelected(object)) send('ADDED', object);
    if (request.allowBookmarks) bookmark({ 'k8s.io/initial-events-end': 'true' });
  } else if (resourceVersion !== 0) {
    const missed = store.changesSince(type, resourceVersion);
    if (missed === undefined) {
      sink.send(expiredLine(resourceVersion, store.resourceVersion));
      sink.end();
      return owned;
    }
    for (const change of missed) forward(change);
  }

  owned.add(store.onChange(type, forward));
  if (request.allowBookmarks) owned.add(every(clock, bookmarkEveryMs, () => bookmark()));
  if (request.timeoutSeconds !== undefined && request.timeoutSeconds > 0) {
    owned.add(
      clock.after(request.timeoutSeconds * 1000, () => {
        // The last word lets the client resume from here.
        if (request.allowBookmarks) bookmark();
        owned.dispose();
        sink.end();
      }),
    );
  }
  return owned;
}

/** The in-stream 410. */
export function expiredLine(wanted: number, oldest: number): string {
  const { body } = expired(`too old resource version: ${wanted} (${oldest})`);
  return `{"type":"ERROR","object":${JSON.stringify(body)}}\n`;
}

function bookmarkLine(type: ResourceDefinition, resourceVersion: string, annotations?: object): string {
  const { kind, apiVersion } = type;
  const metadata = { resourceVersion, ...(annotations === undefined ? {} : { annotations }) };
  return `{"type":"BOOKMARK","object":${JSON.stringify({ kind, apiVersion, metadata })}}\n`;
}

/** Crossing the border of the selection makes a change an arrival or a departure. */
function eventOf(
  change: StoreChange,
  isSelected: (object: StoredObject) => boolean,
): { readonly kind: string; readonly object: StoredObject } | undefined {
  const { type, object, previous } = change;
  const isIn = type !== 'DELETED' && isSelected(object);
  const wasIn = previous !== undefined && isSelected(previous);
  if (isIn) return { kind: wasIn ? 'MODIFIED' : 'ADDED', object };
  if (!wasIn) return undefined;
  if (type === 'DELETED') return { kind: 'DELETED', object };
  // What left is shown as it was, under the version of the change that made it leave.
  const { resourceVersion } = object.metadata;
  return { kind: 'DELETED', object: { ...previous, metadata: { ...previous.metadata, resourceVersion } } };
}

function requestedVersion(text: string | undefined): number {
  const version = Number(text ?? '0');
  if (!Number.isInteger(version) || version < 0)
    throw new ApiError({ code: 500, message: unparsedVersion(text ?? '') });
  return version;
}

function every(clock: Clock, periodMs: number, callback: () => void): Disposable {
  let timer: Disposable;
  const arm = (): void => {
    timer = clock.after(periodMs, () => {
      arm();
      callback();
    });
  };
  arm();
  return { dispose: () => timer.dispose() };
}
