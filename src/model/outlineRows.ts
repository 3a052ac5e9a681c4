import { ageText, spokenAge } from './age.ts';
import type { Row } from './clusterModel.ts';
import type { ObservedPod } from './observed.ts';
import type { OutlineAction, OutlineIcon, OutlineNode } from './outlineNode.ts';
import { firstSentence, formatTime, progressOf, shortProgressOf, spoken } from './outlineWords.ts';
import { mirrorPhaseOf, type Phase } from './phase.ts';
import type { MirrorSight } from './situation.ts';

/** How Jobs, mirrors and pods look in the outline. */

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

/** The node of a Job with its mirrors below it, or of a mirror that has no Job. */
export function rowNode(row: Row): OutlineNode {
  const { job, phase, reason, worker, isStale } = row;
  const isOrphan = row.situation.job === undefined;
  const where = worker === undefined || worker === '' ? '' : ` on ${worker}`;
  const state = `${phaseWords[phase]}${where}`;
  const progress = progressOf(row.counts);
  const parts = [
    state,
    shortProgressOf(row.counts),
    ageText(row.ageMs),
    isStale ? 'out of date' : '',
    // Why it waits, too: a tooltip is out of reach for whoever uses the keyboard.
    reason.level !== 'fine' && firstSentence(reason.text) !== state ? firstSentence(reason.text) : '',
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
      spokenSince(row),
      isStale ? 'out of date' : '',
      reason.text,
    ]),
    actions: orphanActions,
    children: isOrphan ? row.mirrors.flatMap(podNodes) : row.mirrors.map(mirrorNode),
    // Open before there is a mirror, since a view that once showed a row without children keeps it shut. A finished Job
    // keeps its mirror for a while only, so this never opens a long list of old ones.
    isExpanded: !isOrphan && (row.mirrors.length === 1 || (row.mirrors.length === 0 && expectsMirror(row))),
    subject: {
      worker: isOrphan ? (worker ?? '') : '',
      resource: 'jobs',
      namespace: job.namespace,
      name: job.name,
      uid: job.uid,
    },
  };
}

/** `for 4 minutes`; of what is over, `4 minutes ago`. */
function spokenSince({ phase, ageMs }: Row): string {
  const age = spokenAge(ageMs);
  if (age === '') return '';
  return phase === 'Succeeded' || phase === 'Failed' ? `${age} ago` : `for ${age}`;
}

/** Somebody is known who will make a mirror of it. */
function expectsMirror({ phase, situation }: Row): boolean {
  const isDelegated = situation.controller === 'ours' || situation.controller === 'multikueue';
  return isDelegated && phase !== 'Succeeded' && phase !== 'Failed';
}

function rowTooltip(row: Row, state: string, progress: string): string[] {
  const { job, reason, isStale, situation } = row;
  const lines = [
    reason.text,
    reason.remedy,
    isStale ? 'Part of this is out of date: a cluster is out of touch.' : '',
    `State: ${state}${progress === '' ? '' : `, ${progress}`}`,
    `Since: ${formatTime(row.since)}`,
    row.since === job.createdAt ? '' : `Created: ${formatTime(job.createdAt)}`,
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
  const parts = ['mirror', phaseWords[phase], shortProgressOf(job), isStale ? 'out of date' : ''].filter(
    (part) => part !== '',
  );
  return {
    id: `mirror:${encodeURIComponent(worker)}:${job.uid}`,
    kind: 'mirror',
    // It has the name of the Job above it, as a rule: where it is tells more.
    label: worker,
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
