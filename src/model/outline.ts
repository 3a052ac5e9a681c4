import type { Row, RowEntry } from './clusterModel.ts';
import type { ClusterStatus, Contact } from './clusterStatus.ts';
import { builtInController } from './keys.ts';
import type { ModelChange, WatchedCluster } from './liveModel.ts';
import type { ObservedJob, ObservedPod } from './observed.ts';
import type { OutlineAction, OutlineIcon, OutlineNode } from './outlineNode.ts';
import { mirrorPhaseOf, type Phase } from './phase.ts';
import type { MirrorSight } from './situation.ts';

/** What the outline is made of; a `LiveModel` is one. */
export interface OutlineModel {
  readonly clusters: readonly WatchedCluster[];
  entries(): Iterable<RowEntry>;
  entry(id: string): RowEntry | undefined;
  row(id: string): Row | undefined;
}

export interface OutlineOptions {
  /** Show Jobs of the management cluster that run there, too. Default: only delegated and queued ones. */
  readonly showLocalJobs?: boolean;
  /** Rows to a namespace; a note says how many more there are. Default 500. */
  readonly limit?: number;
}

/**
 * The tree as plain values. Nodes are kept as long as nothing about their row changed, so that a view can compare them
 * by identity; tell it of every change by `invalidate` before reading. Rows beyond the limit are only counted.
 *
 * Invariants: `#lists` holds each entry of `#entries` once, in order; `#nodes` holds nothing that changed since it was
 * made.
 */
export class Outline {
  readonly #model: OutlineModel;
  readonly #options: Required<OutlineOptions>;
  readonly #entries = new Map<string, RowEntry>();
  /** Entries in order, by namespace. */
  readonly #lists = new Map<string, RowEntry[]>();
  readonly #nodes = new Map<string, OutlineNode>();
  #isStale = true;
  #roots: readonly OutlineNode[] | undefined;

  constructor(model: OutlineModel, options: OutlineOptions = {}) {
    this.#model = model;
    this.#options = { showLocalJobs: options.showLocalJobs ?? false, limit: options.limit ?? 500 };
  }

  invalidate(change: Pick<ModelChange, 'rows' | 'isEverything'>): void {
    this.#roots = undefined;
    if (change.isEverything) {
      this.#nodes.clear();
      this.#isStale = true;
    }
    if (this.#isStale) return;
    for (const id of change.rows) this.#replace(id, this.#model.entry(id));
  }

  roots(): readonly OutlineNode[] {
    if (this.#isStale) this.#readAll();
    this.#roots ??= this.#build();
    return this.#roots;
  }

  #build(): readonly OutlineNode[] {
    const clusters = this.#model.clusters.flatMap((cluster) => clusterNode(cluster) ?? []);
    const groups = [...this.#lists].sort(([a], [b]) => compare(a, b));
    const [only] = groups;
    if (only === undefined) return [...clusters, ...emptyNote(this.#model.clusters)];
    if (groups.length === 1) return [...clusters, ...this.#capped(...only)];
    return [
      ...clusters,
      ...groups.map(([namespace, list]) => namespaceNode(namespace, list.length, this.#capped(namespace, list))),
    ];
  }

  #readAll(): void {
    this.#isStale = false;
    this.#entries.clear();
    this.#lists.clear();
    for (const entry of this.#model.entries()) {
      if (!this.#isShown(entry)) continue;
      this.#entries.set(entry.id, entry);
      const list = this.#lists.get(entry.job.namespace);
      if (list === undefined) this.#lists.set(entry.job.namespace, [entry]);
      else list.push(entry);
    }
    for (const list of this.#lists.values()) list.sort(compareEntries);
  }

  /** Puts what there is now in place of what was there. */
  #replace(id: string, found: RowEntry | undefined): void {
    this.#nodes.delete(id);
    const next = found !== undefined && this.#isShown(found) ? found : undefined;
    const old = this.#entries.get(id);
    if (old !== undefined) this.#take(old);
    if (next !== undefined) this.#insert(next);
  }

  #take(entry: RowEntry): void {
    this.#entries.delete(entry.id);
    const { namespace } = entry.job;
    const list = this.#lists.get(namespace) ?? [];
    list.splice(placeOf(list, entry), 1);
    if (list.length === 0) this.#lists.delete(namespace);
  }

  #insert(entry: RowEntry): void {
    this.#entries.set(entry.id, entry);
    const { namespace } = entry.job;
    const list = this.#lists.get(namespace);
    if (list === undefined) this.#lists.set(namespace, [entry]);
    else list.splice(placeOf(list, entry), 0, entry);
  }

  #isShown({ id, job }: RowEntry): boolean {
    const isDelegated = job.managedBy !== undefined && job.managedBy !== builtInController;
    return this.#options.showLocalJobs || isDelegated || job.queueName !== undefined || !id.startsWith('job:');
  }

  #capped(namespace: string, entries: readonly RowEntry[]): OutlineNode[] {
    const { limit } = this.#options;
    const nodes = entries.slice(0, limit).flatMap(({ id }) => this.#nodeOf(id) ?? []);
    const rest = entries.length - limit;
    if (rest <= 0) return nodes;
    return [...nodes, noteNode(`more:${namespace}`, `${rest} more`, 'finished or older ones')];
  }

  #nodeOf(id: string): OutlineNode | undefined {
    const known = this.#nodes.get(id);
    if (known !== undefined) return known;
    const row = this.#model.row(id);
    if (row === undefined) return undefined;
    const node = rowNode(row);
    this.#nodes.set(id, node);
    return node;
  }
}

/** Where in an ordered list the entry is, or would be. */
function placeOf(list: readonly RowEntry[], entry: RowEntry): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = list[middle];
    if (other !== undefined && compareEntries(other, entry) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Unfinished first, then the newest: what moves stays at the top and nothing jumps about. A total order. */
function compareEntries(a: RowEntry, b: RowEntry): number {
  const order = Number(isOver(a)) - Number(isOver(b));
  return order || b.job.createdAt - a.job.createdAt || compare(a.job.name, b.job.name) || compare(a.id, b.id);
}

function isOver({ job }: RowEntry): boolean {
  return job.fate === 'succeeded' || job.fate === 'failed';
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const phaseWords: Readonly<Record<Phase, string>> = {
  Queued: 'Queued',
  WaitingForWorker: 'Waiting for a worker',
  WorkerSelected: 'Worker selected',
  Running: 'Running',
  Suspended: 'Suspended',
  Finishing: 'Finishing',
  Succeeded: 'Succeeded',
  Failed: 'Failed',
  WorkerLost: 'Worker lost',
  MirrorLost: 'Mirror lost',
  Unmanaged: 'Unmanaged',
  Deleting: 'Being deleted',
  Orphan: 'Mirror without a Job',
};

const phaseIcons: Readonly<Record<Phase, OutlineIcon>> = {
  Queued: { name: 'watch', tone: 'waiting' },
  WaitingForWorker: { name: 'clock', tone: 'waiting' },
  WorkerSelected: { name: 'arrow-circle-right', tone: 'waiting' },
  Running: { name: 'play-circle', tone: 'busy' },
  Suspended: { name: 'debug-pause', tone: 'muted' },
  Finishing: { name: 'sync', tone: 'busy' },
  Succeeded: { name: 'pass', tone: 'good' },
  Failed: { name: 'error', tone: 'bad' },
  WorkerLost: { name: 'debug-disconnect', tone: 'bad' },
  MirrorLost: { name: 'warning', tone: 'bad' },
  Unmanaged: { name: 'warning', tone: 'bad' },
  Deleting: { name: 'trash', tone: 'muted' },
  Orphan: { name: 'warning', tone: 'waiting' },
};

function rowNode(row: Row): OutlineNode {
  const { job, phase, reason, worker, isStale } = row;
  const isOrphan = row.situation.job === undefined;
  const where = worker === undefined || worker === '' ? '' : ` on ${worker}`;
  const state = `${phaseWords[phase]}${where}`;
  const progress = progressOf(row.counts);
  const parts = [
    state,
    progress,
    isStale ? 'out of date' : '',
    reason.level === 'attention' ? firstSentence(reason.text) : '',
  ];
  const icon = isStale ? { ...phaseIcons[phase], tone: 'muted' as const } : phaseIcons[phase];
  const orphanActions: readonly OutlineAction[] = ['yaml', 'name', 'delete'];
  return {
    id: row.id,
    kind: isOrphan ? 'mirror' : 'job',
    label: job.name,
    description: parts.filter((part) => part !== '').join(' · '),
    icon,
    tooltip: rowTooltip(row, state, progress),
    accessibilityLabel: spoken([
      `${isOrphan ? 'Mirror' : 'Job'} ${job.name} in namespace ${job.namespace}`,
      state,
      progress,
      isStale ? 'out of date' : '',
      reason.text,
    ]),
    actions: orphanActions,
    children: isOrphan ? row.mirrors.flatMap(podNodes) : row.mirrors.map(mirrorNode),
    isExpanded: phase === 'Running' && row.mirrors.length === 1,
    subject: {
      worker: isOrphan ? (worker ?? '') : '',
      resource: 'jobs',
      namespace: job.namespace,
      name: job.name,
      uid: job.uid,
    },
  };
}

function rowTooltip(row: Row, state: string, progress: string): string[] {
  const { job, reason, isStale, situation } = row;
  const lines = [
    reason.text,
    reason.remedy,
    isStale ? 'Part of this is out of date: a cluster is out of touch.' : '',
    `State: ${state}${progress === '' ? '' : `, ${progress}`}`,
    `Since: ${formatTime(row.since)}`,
    `Job: ${job.namespace}/${job.name}`,
    `UID: ${job.uid}`,
    `managedBy: ${job.managedBy ?? 'not set'}`,
    job.queueName === undefined ? '' : `Queue: ${job.queueName}`,
    situation.job?.record?.attempt === undefined || situation.job.record.attempt === '1'
      ? ''
      : `Attempt: ${situation.job.record.attempt}`,
  ];
  return lines.filter((line) => line !== '');
}

function mirrorNode(mirror: MirrorSight): OutlineNode {
  const { job, worker, contact } = mirror;
  const phase = mirrorPhaseOf(mirror);
  const progress = progressOf(job);
  const isStale = contact !== 'connected';
  const icon = isStale ? { ...phaseIcons[phase], tone: 'muted' as const } : phaseIcons[phase];
  const parts = [worker, phaseWords[phase], progress, isStale ? 'out of date' : ''].filter((part) => part !== '');
  return {
    id: `mirror:${encodeURIComponent(worker)}:${job.uid}`,
    kind: 'mirror',
    label: job.name,
    description: parts.join(' · '),
    icon,
    tooltip: [
      `Mirror on ${worker}: ${phaseWords[phase]}${progress === '' ? '' : `, ${progress}`}`,
      ...(job.fateMessage === undefined ? [] : [job.fateMessage]),
      `Job: ${job.namespace}/${job.name}`,
      `UID: ${job.uid}`,
    ],
    accessibilityLabel: spoken([
      `Mirror ${job.name} on ${worker}`,
      phaseWords[phase],
      progress,
      isStale ? 'out of date' : '',
    ]),
    actions: ['yaml', 'name'],
    children: podNodes(mirror),
    isExpanded: false,
    subject: { worker, resource: 'jobs', namespace: job.namespace, name: job.name, uid: job.uid },
  };
}

function podNodes({ worker, pods }: MirrorSight): OutlineNode[] {
  return pods.map((pod) => podNode(worker, pod));
}

function podNode(worker: string, pod: ObservedPod): OutlineNode {
  const { namespace, name, uid, trouble, exitCode, restarts, node, index } = pod;
  const state = podState(pod);
  const details = [
    index === undefined ? '' : `index ${index}`,
    state,
    exitCode === undefined ? '' : `exit code ${exitCode}`,
    restarts === undefined ? '' : `${restarts} restart${restarts === 1 ? '' : 's'}`,
  ].filter((part) => part !== '');
  return {
    id: `pod:${encodeURIComponent(worker)}:${uid}`,
    kind: 'pod',
    label: name,
    description: details.join(' · '),
    icon: podIcon(pod),
    tooltip: [
      ...(trouble === undefined || trouble.message === '' ? [] : [trouble.message]),
      `Pod on ${worker}: ${details.join(', ')}`,
      ...(node === undefined ? [] : [`Node: ${node}`]),
      `Pod: ${namespace}/${name}`,
    ],
    accessibilityLabel: spoken([`Pod ${name} on ${worker}`, ...details]),
    actions: ['log', 'yaml', 'name'],
    children: [],
    isExpanded: false,
    subject: { worker, resource: 'pods', namespace, name, uid },
  };
}

function podState({ phase, trouble, isDeleting, isReady }: ObservedPod): string {
  if (isDeleting && phase !== 'Succeeded' && phase !== 'Failed') return 'Terminating';
  if (trouble !== undefined && (phase === 'Pending' || phase === 'Running')) return trouble.reason;
  return phase === 'Running' && !isReady ? 'Running, not ready' : phase;
}

function podIcon({ phase, trouble, isDeleting }: ObservedPod): OutlineIcon {
  if (phase === 'Succeeded') return { name: 'pass', tone: 'good' };
  if (phase === 'Failed') return { name: 'error', tone: 'bad' };
  if (isDeleting) return { name: 'trash', tone: 'muted' };
  if (trouble !== undefined) return { name: 'warning', tone: 'bad' };
  return phase === 'Running' ? { name: 'play-circle', tone: 'busy' } : { name: 'clock', tone: 'waiting' };
}

const contactWords: Readonly<Record<Contact, string>> = {
  connecting: 'Connecting…',
  connected: 'Connected',
  stale: 'Out of touch',
  'auth-needed': 'Login needed',
  forbidden: 'Not allowed',
  unreachable: 'Unreachable',
  closed: 'Closed',
};

const contactIcons: Readonly<Record<Contact, OutlineIcon>> = {
  connecting: { name: 'server', tone: 'waiting' },
  connected: { name: 'info' },
  stale: { name: 'sync', tone: 'waiting' },
  'auth-needed': { name: 'key', tone: 'bad' },
  forbidden: { name: 'lock', tone: 'bad' },
  unreachable: { name: 'debug-disconnect', tone: 'bad' },
  closed: { name: 'debug-disconnect', tone: 'muted' },
};

/** A cluster has a row only while there is something to say of it. */
function clusterNode({ name, contextName, status }: WatchedCluster): OutlineNode | undefined {
  if (status.contact === 'connected' && status.what === undefined) return undefined;
  const title = name === '' ? `Management cluster ${contextName}` : `Worker ${name}`;
  const since =
    status.staleSince === undefined || status.contact === 'connecting' ? '' : `since ${formatClock(status.staleSince)}`;
  const words = contactWords[status.contact];
  return {
    id: `cluster:${encodeURIComponent(name)}`,
    kind: 'cluster',
    label: title,
    description: [words, since, shortWhat(status)].filter((part) => part !== '').join(' · '),
    icon: contactIcons[status.contact],
    tooltip: [status.what ?? words, status.remedy ?? '', since === '' ? '' : `Out of date ${since}.`].filter(
      (line) => line !== '',
    ),
    accessibilityLabel: spoken([title, words, since, status.what ?? '', status.remedy ?? '']),
    actions: status.contact === 'connecting' || status.contact === 'connected' ? [] : ['retry'],
    children: [],
    isExpanded: false,
    subject: { worker: name, resource: 'cluster', name: contextName },
  };
}

function shortWhat({ what }: ClusterStatus): string {
  return what === undefined ? '' : what.replace(/ \(cluster .*\)$/s, '').slice(0, 120);
}

function namespaceNode(namespace: string, count: number, children: readonly OutlineNode[]): OutlineNode {
  const jobs = `${count} Job${count === 1 ? '' : 's'}`;
  return {
    id: `namespace:${namespace}`,
    kind: 'namespace',
    label: namespace,
    description: jobs,
    icon: { name: 'symbol-namespace' },
    tooltip: [`Namespace ${namespace}: ${jobs}`],
    accessibilityLabel: `Namespace ${namespace}, ${jobs}`,
    actions: ['name'],
    children,
    isExpanded: true,
  };
}

function emptyNote(clusters: readonly WatchedCluster[]): OutlineNode[] {
  const management = clusters.find(({ name }) => name === '');
  // While the cluster itself has a row, that one says why nothing is shown.
  if (management === undefined || management.status.contact !== 'connected') return [];
  return [noteNode('empty', 'No delegated Jobs here', management.contextName)];
}

function noteNode(id: string, label: string, description: string): OutlineNode {
  return {
    id: `note:${id}`,
    kind: 'note',
    label,
    description,
    icon: { name: 'info', tone: 'muted' },
    tooltip: [label],
    accessibilityLabel: spoken([label, description]),
    actions: [],
    children: [],
    isExpanded: false,
  };
}

/** `2/5 done, 1 failed, 2 active`; empty if nothing has happened yet. */
export function progressOf({ active, succeeded, failed, completions }: ObservedJob): string {
  const done = succeeded ?? 0;
  const parts = [
    completions === undefined ? (done > 0 ? `${done} done` : '') : `${done}/${completions} done`,
    failed === undefined ? '' : `${failed} failed`,
    active === undefined ? '' : `${active} active`,
  ];
  return done === 0 && failed === undefined && active === undefined
    ? ''
    : parts.filter((part) => part !== '').join(', ');
}

function firstSentence(text: string): string {
  const sentence = (/^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text).replace(/\.$/, '');
  return sentence.length > 100 ? `${sentence.slice(0, 99)}…` : sentence;
}

function spoken(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}

function formatTime(time: number): string {
  return time === 0 ? 'unknown' : new Date(time).toISOString().replace('.000Z', 'Z');
}

function formatClock(time: number): string {
  return new Date(time).toISOString().slice(11, 16).concat(' UTC');
}
