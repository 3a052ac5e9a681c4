import { mirrorFinalizer } from '../base/index.ts';
import { podTrouble } from './explainPods.ts';
import { explainWorkload } from './explainWorkload.ts';
import type { ObservedJob } from './observed.ts';
import { type Phase, phaseOf } from './phase.ts';
import { attention, type Level, nothing, type Reason, sentence, spellOut, waiting } from './reason.ts';
import type { MirrorSight, Situation } from './situation.ts';

/** What the reconciler's own catalogue says of one of its reasons; handed in, since the model knows no reconciler. */
export type ReasonHints = (code: string) => { readonly level: Level; readonly remedy: string } | undefined;

/** The reason for the phase that `phaseOf` finds. Every phase in which a Job does not run has one. */
export function explain(situation: Situation, hints: ReasonHints): Reason {
  const phase = phaseOf(situation);
  const { job } = situation;
  if (job === undefined) return explainOrphan(situation.mirror);
  return noteOfReconciler(situation, phase, hints) ?? reasonFor(phase, situation, job);
}

function reasonFor(phase: Phase, situation: Situation, job: ObservedJob): Reason {
  switch (phase) {
    case 'Queued':
      return explainQueued(situation, job);
    case 'WaitingForWorker':
      return explainWaiting(situation);
    case 'WorkerSelected':
      return explainSelected(situation);
    case 'Running':
      return explainRunning(situation, job);
    case 'Suspended':
      return explainSuspended(situation);
    case 'Finishing':
      return explainFinishing(situation, job);
    case 'Succeeded':
      return nothing;
    case 'Failed':
      return {
        code: job.fateReason ?? 'Failed',
        text: job.fateMessage ?? 'It failed.',
        remedy: 'Look at the log of its pods.',
        level: 'attention',
      };
    case 'WorkerLost':
      return explainLost(situation);
    case 'MirrorLost':
      return attention(
        'MirrorDeleted',
        `The mirror was deleted on ${workerOf(situation)}. It is not run again, since it may have done its work.`,
        'Create the Job anew if it shall run again.',
      );
    case 'Unmanaged':
      return explainUnmanaged(situation, job);
    case 'Deleting':
      return explainDeleting(situation, job);
    case 'Orphan':
      return explainOrphan(situation.mirror);
  }
}

/** Phases about which the reconciler knows more than can be seen from outside. */
const noted: ReadonlySet<Phase> = new Set([
  'Queued',
  'WaitingForWorker',
  'WorkerSelected',
  'Running',
  'Finishing',
  'MirrorLost',
  'WorkerLost',
  'Deleting',
]);

/** What our reconciler wrote onto the Job, unless all is in order. What it saw last may be older than what is seen here. */
function noteOfReconciler(
  { job, controller, mirror }: Situation,
  phase: Phase,
  hints: ReasonHints,
): Reason | undefined {
  const code = job?.record?.phaseReason;
  if (controller !== 'ours' || code === undefined || !noted.has(phase)) return undefined;
  const hint = hints(code);
  if (hint?.level === 'fine') return undefined;
  // It could not reach the worker; from here the mirror is in plain sight.
  if (phase === 'Running' && mirror?.contact === 'connected' && hint?.level === 'waiting') return undefined;
  const text = job?.record?.phaseMessage ?? spellOut(code);
  return { code, text: sentence(text), remedy: hint?.remedy ?? '', level: hint?.level ?? 'waiting' };
}

function explainQueued(situation: Situation, job: ObservedJob): Reason {
  const { controller, workload, management } = situation;
  if (isMisplaced(situation)) return explainMisplaced(situation, job);
  if (typeof workload === 'object') return explainWorkload(workload);
  if (controller === 'multikueue' || job.queueName !== undefined) {
    if (workload === 'unreadable') {
      return waiting(
        'KueueHoldsIt',
        'Kueue holds it back. Why can not be seen: this login may not read Workloads.',
        'Ask for the right to list workloads.kueue.x-k8s.io.',
      );
    }
    return waiting('NotYetSeen', 'Kueue has not taken it in yet.');
  }
  if (controller === 'other') {
    return waiting('NotYetTaken', `Its controller, ${job.managedBy ?? 'unknown'}, has not started it yet.`);
  }
  const when = management === 'connected' ? '' : ' The management cluster is out of touch.';
  return waiting('NotYetStarted', `The cluster has not started it yet.${when}`);
}

function explainWaiting({ controller, workload, reconciler }: Situation): Reason {
  if (controller === 'ours') {
    return reconciler === 'running'
      ? waiting('NotYetTaken', 'The reconciler has not given it to a worker yet.')
      : waiting(
          'NotYetTaken',
          'No reconciler has taken it yet.',
          'Enable the reconciler for this workspace, or run `delegated-jobs reconcile`.',
        );
  }
  if (typeof workload !== 'object') return waiting('NoWorkerYet', 'No worker has taken it yet.');
  if (workload.check?.state === 'Retry')
    return waiting('CheckRetry', `Kueue tries again: ${sentence(workload.check.message)}`);
  const offered = workload.nominatedClusters ?? [];
  if (offered.length === 0) {
    return waiting(
      'NoWorkerYet',
      'It has quota here; Kueue has offered it to no worker yet. Perhaps none is connected.',
      'Look at the MultiKueueClusters on the management cluster.',
    );
  }
  return waiting(
    'NoWorkerAdmits',
    `Kueue has offered it to ${offered.join(', ')}; none has admitted it yet. The reason stands on the Workload there.`,
    'Look at the queue of the same name on these workers: its quota, or whether it is there at all.',
  );
}

function explainSelected(situation: Situation): Reason {
  const { mirror, controller, selection } = situation;
  const worker = workerOf(situation);
  if (mirror === undefined) {
    if (selection?.contact === 'unknown') {
      return waiting(
        'WorkerNotConnected',
        `${worker} was chosen. This window is not connected to it, so the mirror can not be seen.`,
        'Add the worker to the settings.',
      );
    }
    return waiting('MirrorNotThere', `${worker} was chosen; the mirror is not there yet.`);
  }
  const held = mirror.workload?.quota ?? mirror.workload?.eviction;
  if (held !== undefined) return waiting(held.reason, `Kueue on ${worker}: ${sentence(held.message)}`);
  if (mirror.job.isSuspended) {
    const who = controller === 'ours' ? 'the reconciler or a queue on the worker' : 'Kueue on the worker';
    return waiting('MirrorSuspended', `The mirror on ${worker} is suspended.`, `Nothing: ${who} starts it.`);
  }
  return podTrouble(mirror) ?? waiting('MirrorNotStarted', `The mirror is on ${worker}; it has not started yet.`);
}

function explainRunning(situation: Situation, job: ObservedJob): Reason {
  const { mirror, controller, workload } = situation;
  const worker = workerOf(situation);
  if (mirror === undefined) return nothing;
  if (typeof workload === 'object' && workload.eviction !== undefined) return explainWorkload(workload);
  const trouble = podTrouble(mirror);
  if (trouble !== undefined) return trouble;
  if (job.isSuspended && controller === 'multikueue') {
    return waiting(
      'ManagerNotAdmitted',
      `It runs on ${worker}, while the Job here is still suspended: Kueue copies the status once it has admitted it here.`,
    );
  }
  if (job.isSuspended) return waiting('BeingSuspended', `It is being suspended; pods still run on ${worker}.`);
  if ((mirror.job.active ?? 0) > 0) return nothing;
  if ((mirror.job.failed ?? 0) > 0)
    return waiting(
      'BackOff',
      `No pod runs on ${worker} just now: after a failure the next one waits for its back-off.`,
    );
  return waiting(
    'NoPods',
    `No pod could be made on ${worker} so far.`,
    'Look at the events of the mirror there: a quota or a policy may refuse its pods.',
  );
}

function explainSuspended({ workload, controller }: Situation): Reason {
  if (controller !== 'ours' && typeof workload === 'object' && workload.isInactive) {
    const why = (workload.check?.state === 'Rejected' && workload.check.message) || workload.eviction?.message || '';
    return attention(
      'Deactivated',
      `Its Workload was deactivated${why === '' ? '.' : `: ${sentence(why)}`}`,
      'Set spec.active of the Workload to true, or create the Job anew.',
    );
  }
  return waiting('Suspended', 'It is suspended (spec.suspend).', 'Somebody has to set spec.suspend to false.');
}

function explainFinishing(situation: Situation, job: ObservedJob): Reason {
  const { mirror, controller, reconciler } = situation;
  if (
    mirror !== undefined &&
    (mirror.job.fate === 'succeeded' || mirror.job.fate === 'failed') &&
    job.fate !== mirror.job.fate
  ) {
    const text = `It has ${mirror.job.fate} on ${mirror.worker}; the result is not on the Job here yet.`;
    if (controller === 'ours' && reconciler === 'not-running') {
      return attention('NobodyCopies', text, 'Enable the reconciler: nobody copies the result as long as none runs.');
    }
    return waiting('ResultNotCopied', text);
  }
  const pods = (mirror?.job ?? job).terminating ?? 0;
  const end = (mirror?.job ?? job).fate === 'failing' ? 'It is going to fail' : 'It is going to succeed';
  return waiting(
    'Finishing',
    `${end}; ${pods === 0 ? 'its pods' : `${pods} pod${pods === 1 ? '' : 's'}`} still have to stop.`,
  );
}

function explainLost(situation: Situation): Reason {
  return attention(
    'Unreachable',
    `${workerOf(situation)} can not be reached. Whether the Job goes on there is not known.`,
    'Restore the connection. Running it elsewhere may run it twice.',
  );
}

function explainUnmanaged(situation: Situation, job: ObservedJob): Reason {
  switch (situation.controller) {
    case 'ours':
      return attention(
        'NoReconciler',
        'Nobody runs it: no reconciler looks after this namespace.',
        'Enable the reconciler for this workspace, or run `delegated-jobs reconcile`.',
      );
    case 'multikueue':
      if (isMisplaced(situation)) return explainMisplaced(situation, job);
      if (job.queueName === undefined) {
        return attention(
          'NoQueue',
          'Nobody runs it: without the label kueue.x-k8s.io/queue-name Kueue does not take it in.',
          'Create the Job anew with the label, naming a LocalQueue of its namespace.',
        );
      }
      return attention(
        'NoWorkload',
        'Nobody runs it: Kueue has made no Workload for it.',
        'Look whether Kueue runs on the management cluster, with MultiKueue, and manages batch/job.',
      );
    case 'built-in':
    case 'other':
      return attention(
        'NoController',
        `Nobody has touched it since it was created: no controller seems to answer to ${job.managedBy ?? 'its managedBy'}.`,
        'Check the name for a typo; managedBy can not be changed, so create the Job anew. Or start that controller.',
      );
  }
}

/** Kueue starts it on the management cluster, and leaves it to a controller that never hears of it. */
function isMisplaced({ controller, isQueueElsewhere, mirror, selection }: Situation): boolean {
  return controller === 'multikueue' && isQueueElsewhere === true && mirror === undefined && selection === undefined;
}

function explainMisplaced({ workload }: Situation, job: ObservedJob): Reason {
  const queue = (typeof workload === 'object' ? workload.queueName : undefined) ?? job.queueName;
  return attention(
    'QueueElsewhere',
    `Nobody will run it: its queue${queue === undefined ? '' : ` ${queue}`} does not lead to MultiKueue.`,
    "Create the Job anew in a queue whose ClusterQueue has MultiKueue's admission check.",
  );
}

function explainDeleting({ controller, selection, reconciler, mirror }: Situation, job: ObservedJob): Reason {
  if (controller !== 'ours' || job.record?.mirrorName === undefined) return waiting('Deleting', 'It is being deleted.');
  const worker = mirror?.worker ?? selection?.worker ?? 'its worker';
  const text = `It is being deleted; its mirror on ${worker} goes first.`;
  if (reconciler !== 'not-running') return waiting('Deleting', text);
  return attention(
    'Deleting',
    text,
    `Enable the reconciler; it takes the finalizer ${mirrorFinalizer} off when the mirror is gone.`,
  );
}

function explainOrphan(mirror: MirrorSight | undefined): Reason {
  const origin = mirror?.job.origin;
  if (origin?.kind === 'ours' && origin.isDetached) {
    return {
      code: 'Detached',
      text: 'Its Job was deleted; it was left running on purpose.',
      remedy: '',
      level: 'fine',
    };
  }
  const where = mirror === undefined ? 'its worker' : mirror.worker;
  if (origin?.kind === 'multikueue') {
    return waiting(
      'NoJobHere',
      'There is no Job for it on this management cluster. Kueue may be removing it, or it belongs to another manager.',
      `If it stays and nobody owns it, delete it on ${where}.`,
    );
  }
  return attention(
    'JobGone',
    'The Job that it mirrors is gone.',
    `A running reconciler removes it; else delete it on ${where}.`,
  );
}

function workerOf({ mirror, selection }: Situation): string {
  return mirror?.worker ?? selection?.worker ?? 'the worker';
}
