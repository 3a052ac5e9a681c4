import type { ClusterStatus, Contact } from './clusterStatus.ts';
import type { WatchedCluster } from './liveModel.ts';
import type { OutlineIcon, OutlineNode } from './outlineNode.ts';
import { formatClock, formatTime, spoken } from './outlineWords.ts';

/** How clusters, namespaces and notes look in the outline. */

const contactWords: Readonly<Record<Contact, string>> = {
  connecting: 'Connecting…',
  connected: 'Connected',
  stale: 'Out of touch',
  'auth-needed': 'Login needed',
  misconfigured: 'Kubeconfig problem',
  forbidden: 'Not allowed',
  unreachable: 'Unreachable',
  closed: 'Closed',
};

const contactIcons: Readonly<Record<Contact, OutlineIcon>> = {
  connecting: { name: 'server', tone: 'waiting' },
  connected: { name: 'info' },
  stale: { name: 'sync', tone: 'waiting' },
  'auth-needed': { name: 'key', tone: 'bad' },
  misconfigured: { name: 'gear', tone: 'bad' },
  forbidden: { name: 'lock', tone: 'bad' },
  unreachable: { name: 'debug-disconnect', tone: 'bad' },
  closed: { name: 'debug-disconnect', tone: 'muted' },
};

/** A cluster has a row only while there is something to say of it. */
export function clusterNode({ name, contextName, status, concern }: WatchedCluster): OutlineNode | undefined {
  if (status.contact === 'connected' && status.what === undefined) return concernNode(name, contextName, concern);
  const title = titleOf(name, contextName);
  const since =
    status.staleSince === undefined || status.contact === 'connecting' ? '' : `since ${formatClock(status.staleSince)}`;
  const words = contactWords[status.contact];
  return {
    id: `cluster:${encodeURIComponent(name)}`,
    kind: 'cluster',
    label: shortTitleOf(name),
    description: [words, since, shortWhat(status)].filter((part) => part !== '').join(' · '),
    icon: contactIcons[status.contact],
    tooltip: [
      title,
      status.what ?? words,
      status.remedy ?? '',
      since === '' ? '' : `Out of date since ${formatTime(status.staleSince ?? 0)}.`,
    ].filter((line) => line !== ''),
    accessibilityLabel: spoken([title, words, since, status.what ?? '', status.remedy ?? '']),
    actions: status.contact === 'connecting' || status.contact === 'connected' ? [] : ['retry'],
    children: [],
    isExpanded: false,
    subject: { worker: name, resource: 'cluster', name: contextName },
  };
}

/** A cluster that can be read, but that the reconciler can't work with. */
function concernNode(name: string, contextName: string, concern: string | undefined): OutlineNode | undefined {
  if (concern === undefined) return undefined;
  const title = titleOf(name, contextName);
  const words = 'Out of use for the reconciler';
  return {
    id: `cluster:${encodeURIComponent(name)}`,
    kind: 'cluster',
    label: shortTitleOf(name),
    description: `${words} · ${shortWhat({ what: concern })}`,
    icon: { name: 'lock', tone: 'bad' },
    tooltip: [title, words, concern],
    accessibilityLabel: spoken([title, words, concern]),
    actions: ['retry'],
    children: [],
    isExpanded: false,
    subject: { worker: name, resource: 'cluster', name: contextName },
  };
}

function titleOf(name: string, contextName: string): string {
  return name === '' ? `Management cluster ${contextName}` : `Worker ${name}`;
}

/**
 * Names of contexts are long, and behind the label stands what is wrong: that is to be read before a narrow side bar cuts
 * the line, at some thirty characters.
 */
function shortTitleOf(name: string): string {
  return name === '' ? 'Management' : `Worker ${name}`;
}

function shortWhat({ what }: Pick<ClusterStatus, 'what'>): string {
  return what === undefined ? '' : what.replace(/ \(cluster .*\)$/s, '').slice(0, 200);
}

/** A namespace with its rows. */
export function namespaceNode(namespace: string, count: number, children: readonly OutlineNode[]): OutlineNode {
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

/** Why there is nothing to see, unless the row of a cluster says it already. */
export function emptyNote(clusters: readonly WatchedCluster[]): OutlineNode[] {
  const management = clusters.find(({ name }) => name === '');
  // While the cluster itself has a row, that one says why nothing is shown.
  if (management === undefined || management.status.contact !== 'connected') return [];
  return [noteNode('empty', 'No delegated Jobs here', management.contextName)];
}

/** A line that is no object. */
export function noteNode(id: string, label: string, description: string): OutlineNode {
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
