import type { Clock } from '../base/index.ts';
import type { Labels, StoredObject } from './objects.ts';
import type { ResourceDefinition } from './resources.ts';
import { parseFieldSelector, parseLabelSelector } from './selectors.ts';
import { ApiError, badRequest, expired } from './status.ts';
import { keyOf, type ObjectStore } from './store.ts';
import type { Strategy } from './strategy.ts';

/** Which objects of a type. No namespace: of all. */
export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** A limit of 0 asks for all at once. The token of an earlier page makes its resourceVersion count for nothing. */
export interface ListRequest extends Selection {
  readonly limit?: number;
  readonly continueToken?: string;
  readonly resourceVersion?: string;
}

/** `continueToken` is there while further pages follow. */
export interface ListPage {
  readonly items: readonly StoredObject[];
  readonly resourceVersion: string;
  readonly continueToken?: string;
  readonly remainingItemCount?: number;
}

/** Whether an object belongs to a selection. Throws the 400 of a selector that can't be read. */
export function selectionFilter(
  type: ResourceDefinition,
  strategy: Strategy,
  selection: Selection,
): (object: StoredObject) => boolean {
  const labelsMatch = parseLabelSelector(selection.labelSelector);
  const fieldsMatch = parseFieldSelector(
    selection.fieldSelector,
    ['metadata.name', 'metadata.namespace', ...strategy.selectableFields],
    type.kind,
  );
  const { namespace } = selection;
  return (object) => {
    const { metadata } = object;
    if (namespace !== undefined && metadata.namespace !== namespace) return false;
    if (labelsMatch !== undefined && !labelsMatch(metadata.labels ?? {})) return false;
    if (fieldsMatch === undefined) return true;
    const fields: Labels = {
      ...strategy.fieldsOf(object),
      'metadata.name': metadata.name,
      'metadata.namespace': metadata.namespace ?? '',
    };
    return fieldsMatch(fields);
  };
}

/** Consistent pages: all pages of a list show the moment of its first. */
interface Snapshot {
  readonly items: readonly StoredObject[];
  readonly resourceVersion: number;
  readonly takenAt: number;
}

interface Continue {
  readonly rv: number;
  /** Key of the last object that was given out. */
  readonly after: string;
}

/** As long as etcd keeps what it compacts, by default. */
const snapshotLifeMs = 5 * 60_000;
/** So many lists may be under way; the oldest is forgotten for a new one. */
const snapshotLimit = 100;

/** The reading half of an API server: lists, in pages if asked. */
export class ListReader {
  readonly #store: ObjectStore;
  readonly #clock: Clock;
  readonly #snapshots = new Map<string, Snapshot>();

  constructor(store: ObjectStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  list(type: ResourceDefinition, strategy: Strategy, request: ListRequest): ListPage {
    const isSelected = selectionFilter(type, strategy, request);
    const { limit = 0 } = request;
    const token = request.continueToken === undefined ? undefined : readToken(request.continueToken);
    if (token === undefined) this.#requireReached(request.resourceVersion);
    const { items, resourceVersion } = this.#source(type, request, token);
    const from = token === undefined ? 0 : items.findIndex((item) => keyOf(item) > token.after);
    const page: StoredObject[] = [];
    let next = from < 0 ? items.length : from;
    for (; next < items.length && (limit === 0 || page.length < limit); next += 1) {
      const item = items[next];
      if (item !== undefined && isSelected(item)) page.push(item);
    }
    const last = page.at(-1);
    if (next >= items.length || last === undefined) return { items: page, resourceVersion: String(resourceVersion) };
    this.#remember(type, request.namespace, { items, resourceVersion, takenAt: this.#clock.now() });
    const isWhole = request.labelSelector === undefined && request.fieldSelector === undefined;
    return {
      items: page,
      resourceVersion: String(resourceVersion),
      continueToken: writeToken({ rv: resourceVersion, after: keyOf(last) }),
      // With a selector the server doesn't know how many remain.
      ...(isWhole ? { remainingItemCount: items.slice(next).filter(isSelected).length } : {}),
    };
  }

  /** Makes all continue tokens that are out there too old. */
  expireContinues(): void {
    this.#snapshots.clear();
  }

  /** A client that has seen a newer state than this server has is not given an older one. */
  #requireReached(resourceVersion: string | undefined): void {
    if (resourceVersion === undefined || resourceVersion === '') return;
    const wanted = Number(resourceVersion);
    if (!Number.isInteger(wanted)) throw badRequest(`invalid resource version: ${unparsedVersion(resourceVersion)}`);
    if (wanted > this.#store.resourceVersion) throw tooLargeResourceVersion(wanted, this.#store.resourceVersion);
  }

  /** What the page is cut from: the present, or the moment of the first page. */
  #source(type: ResourceDefinition, request: ListRequest, token: Continue | undefined): Snapshot {
    const now = this.#clock.now();
    if (token === undefined || token.rv < 0) {
      return {
        items: this.#store.list(type, request.namespace),
        resourceVersion: this.#store.resourceVersion,
        takenAt: now,
      };
    }
    if (token.rv === this.#store.resourceVersion) {
      return { items: this.#store.list(type, request.namespace), resourceVersion: token.rv, takenAt: now };
    }
    const snapshot = this.#snapshots.get(snapshotKey(type, request.namespace, token.rv));
    if (snapshot !== undefined && now - snapshot.takenAt < snapshotLifeMs) return snapshot;
    throw expired(
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
      { continue: writeToken({ rv: -1, after: token.after }) },
    );
  }

  /** The first page of a moment keeps it; the others find it kept. */
  #remember(type: ResourceDefinition, namespace: string | undefined, snapshot: Snapshot): void {
    const key = snapshotKey(type, namespace, snapshot.resourceVersion);
    if (!this.#snapshots.has(key)) this.#snapshots.set(key, snapshot);
    for (const oldest of this.#snapshots.keys()) {
      if (this.#snapshots.size <= snapshotLimit) break;
      this.#snapshots.delete(oldest);
    }
  }
}

function snapshotKey(type: ResourceDefinition, namespace: string | undefined, resourceVersion: number): string {
  return `${type.qualifiedName} ${namespace ?? ''} ${resourceVersion}`;
}

/** What is said of a resourceVersion that is no number. */
export function unparsedVersion(text: string): string {
  const quoted = JSON.stringify(text);
  return `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`;
}

function tooLargeResourceVersion(wanted: number, current: number): ApiError {
  return new ApiError({
    code: 504,
    reason: 'Timeout',
    message: `Timeout: Too large resource version: ${wanted}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
    retryAfterSeconds: 1,
  });
}

/** Opaque to clients; the version is there because the real one has it. */
function writeToken(token: Continue): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', ...token })).toString('base64url');
}

function readToken(text: string): Continue {
  try {
    const token: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (typeof token === 'object' && token !== null && 'rv' in token && 'after' in token) {
      const { rv, after } = token;
      if (typeof rv === 'number' && typeof after === 'string') return { rv, after };
    }
  } catch {
    // Falls through: whatever can't be read is refused alike.
  }
  throw badRequest('continue key is not valid: it was not made by this server');
}
