import { isJsonObject, type LogFields } from '../base/index.ts';
import type { ActionReport } from './ports.ts';
import type { ReconcilerState } from './state.ts';

/**
 * What goes over the border between the editor's extension host and the thread the reconciler runs in. Each side checks
 * what it gets: the two may be of different builds for a moment after an update.
 */

/** How the thread reaches its clusters: it reads the kubeconfig itself, so that no credential crosses the border. */
export interface ThreadTarget {
  /** A file to read in place of `KUBECONFIG` and the usual file; empty: those. */
  readonly kubeconfig: string;
  /** The folder of `~`, and the one that relative paths start from: never the workspace's, which a repository fills. */
  readonly homeDir: string;
  /** Context of the management cluster. */
  readonly management: string;
  /** In order of preference. */
  readonly workers: readonly { readonly name: string; readonly context: string }[];
  readonly namespaces: readonly string[];
  readonly controllerName: string;
  /** Identities of clusters that were given by hand, by context. */
  readonly clusterIds: Readonly<Record<string, string>>;
  /** Unlike any other window's. */
  readonly identity: string;
}

export type MessageToThread =
  | { readonly kind: 'start'; readonly target: ThreadTarget }
  /** `cluster`: the user's name of it; all if absent. */
  | { readonly kind: 'retry'; readonly cluster?: string }
  | { readonly kind: 'stop' };

export type MessageFromThread =
  | { readonly kind: 'state'; readonly state: ReconcilerState }
  | { readonly kind: 'action'; readonly action: ActionReport }
  | {
      readonly kind: 'log';
      readonly level: 'debug' | 'info' | 'warn' | 'error';
      readonly message: string;
      readonly fields: LogFields;
    }
  /** What a login program tells the person, such as an address to open; never logged. */
  | { readonly kind: 'login'; readonly command: string; readonly text: string }
  /** The thread can't go on; the reason is for people. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** Asked to stop, it has: leases are given back, sockets are closed. */
  | { readonly kind: 'stopped' };

/** The message, or undefined if it is none: the receiver says so and goes on. */
export function readMessageToThread(value: unknown): MessageToThread | undefined {
  if (!isJsonObject(value)) return undefined;
  switch (value['kind']) {
    case 'stop':
      return { kind: 'stop' };
    case 'retry': {
      const { cluster } = value;
      return typeof cluster === 'string' ? { kind: 'retry', cluster } : { kind: 'retry' };
    }
    case 'start': {
      const target = readTarget(value['target']);
      return target && { kind: 'start', target };
    }
    default:
      return undefined;
  }
}

function readTarget(value: unknown): ThreadTarget | undefined {
  if (!isJsonObject(value)) return undefined;
  const { kubeconfig, homeDir, management, controllerName, identity } = value;
  const workers = arrayOf(value['workers'], (item) => {
    if (!isJsonObject(item)) return undefined;
    const { name, context } = item;
    return typeof name === 'string' && typeof context === 'string' ? { name, context } : undefined;
  });
  const namespaces = arrayOf(value['namespaces'], (item) => (typeof item === 'string' ? item : undefined));
  const clusterIds = readTexts(value['clusterIds']);
  const isWhole =
    typeof kubeconfig === 'string' &&
    typeof homeDir === 'string' &&
    typeof management === 'string' &&
    typeof controllerName === 'string' &&
    typeof identity === 'string';
  if (!isWhole || workers === undefined || namespaces === undefined || clusterIds === undefined) return undefined;
  return { kubeconfig, homeDir, management, controllerName, identity, workers, namespaces, clusterIds };
}

function readTexts(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isJsonObject(value)) return undefined;
  const texts: Record<string, string> = {};
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') return undefined;
    texts[key] = text;
  }
  return texts;
}

/** Every item read, or undefined if the value is no list or one item can't be read. */
function arrayOf<T>(value: unknown, read: (item: unknown) => T | undefined): readonly T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const items: T[] = [];
  for (const item of value) {
    const one = read(item);
    if (one === undefined) return undefined;
    items.push(one);
  }
  return items;
}

/** The message, or undefined if it is none. The parts that are only shown are taken on their outline. */
export function readMessageFromThread(value: unknown): MessageFromThread | undefined {
  if (!isMessage(value)) return undefined;
  switch (value.kind) {
    case 'state':
      return isOutline(value.state, ['management', 'workers', 'leases', 'counts', 'waiting']) ? value : undefined;
    case 'action':
      return isOutline(value.action, ['action', 'namespace', 'job', 'detail']) ? value : undefined;
    case 'log':
      return typeof value.message === 'string' && isJsonObject(value.fields) && levels.has(value.level)
        ? value
        : undefined;
    case 'login':
      return typeof value.command === 'string' && typeof value.text === 'string' ? value : undefined;
    case 'failed':
      return typeof value.reason === 'string' ? value : undefined;
    case 'stopped':
      return { kind: 'stopped' };
    default:
      return undefined;
  }
}

const levels: ReadonlySet<string> = new Set(['debug', 'info', 'warn', 'error']);

/** The wire edge: from here on the members are checked one by one. */
function isMessage(value: unknown): value is MessageFromThread {
  return isJsonObject(value) && typeof value['kind'] === 'string';
}

function isOutline(value: unknown, members: readonly string[]): boolean {
  return isJsonObject(value) && members.every((member) => value[member] !== undefined);
}
