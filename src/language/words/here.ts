import { isJsonObject, type JsonObject, type JsonValue, textAt, valueAt } from '../../base/index.ts';
import {
  type ManifestSettings,
  multiKueue,
  queueFor,
  queueLabel,
  queuesFor,
  type WorkloadKind,
} from '../../manifest/index.ts';
import { countIndexes, durationText, ordinal, plural } from './numbers.ts';
import { tellSchedule } from './schedule.ts';

/**
 * What a field comes to in the very object at hand. Source of the facts: Kubernetes 1.34 to 1.37, batch defaults and
 * the Job and CronJob controllers.
 */

/** The object that a field stands in. */
export interface HereSubject {
  readonly kind: WorkloadKind;
  readonly object: JsonObject;
  /** From the object's root. */
  readonly path: readonly (string | number)[];
  readonly settings: Pick<ManifestSettings, 'controllerName' | 'clusterQueues'>;
}

/** One or two sentences about the field of a type, as it stands in the object; undefined where there is nothing to add. */
export function tellHere(type: string, field: string, subject: HereSubject): string | undefined {
  const job = jobOf(subject);
  const tell = job === undefined ? undefined : tellers[`${type}.${field}`];
  return job === undefined ? undefined : tell?.(job, subject);
}

/** A Job, or the template of one, with what the API server would fill in. */
interface JobFacts {
  readonly spec: JsonObject;
  readonly name: string | undefined;
  readonly isTemplate: boolean;
  readonly isIndexed: boolean;
  /** Undefined for a Job that empties a queue of its own. */
  readonly completions: number | undefined;
  readonly parallelism: number;
  readonly backoffLimit: number | undefined;
  readonly backoffLimitPerIndex: number | undefined;
  readonly restartPolicy: string | undefined;
  /** The controller that it is delegated to. */
  readonly delegate: string | undefined;
  readonly queue: string | undefined;
  /** Whether that queue, or the one that takes all in, leads to MultiKueue, where that is known. */
  readonly leadsToMultiKueue: boolean | undefined;
}

function jobOf({ kind, object, settings }: HereSubject): JobFacts | undefined {
  const isTemplate = kind.kind === 'CronJob';
  if (kind.podTemplate === undefined || (kind.kind !== 'Job' && !isTemplate)) return undefined;
  const job = isTemplate ? valueAt(object, ['spec', 'jobTemplate']) : object;
  const spec = valueAt(job, ['spec']);
  if (!isJsonObject(spec)) return undefined;
  const completions = numberAt(spec, ['completions']);
  const parallelism = numberAt(spec, ['parallelism']);
  const backoffLimitPerIndex = numberAt(spec, ['backoffLimitPerIndex']);
  const managedBy = textAt(spec, ['managedBy']);
  const restartPolicy = textAt(spec, ['template', 'spec', 'restartPolicy']);
  return {
    spec,
    name: isTemplate ? undefined : textAt(job, ['metadata', 'name']),
    isTemplate,
    isIndexed: textAt(spec, ['completionMode']) === 'Indexed',
    completions: completions ?? (parallelism === undefined ? 1 : undefined),
    parallelism: parallelism ?? 1,
    backoffLimit: numberAt(spec, ['backoffLimit']) ?? (backoffLimitPerIndex === undefined ? 6 : undefined),
    backoffLimitPerIndex,
    restartPolicy,
    delegate: managedBy === kind.managedBy?.builtIn ? undefined : managedBy,
    queue: textAt(job, ['metadata', 'labels', queueLabel]),
    leadsToMultiKueue: queueFor(kind, object, queuesFor(object, settings.clusterQueues))?.leadsToMultiKueue,
  };
}

type Teller = (job: JobFacts, subject: HereSubject) => string | undefined;

const tellers: Readonly<Record<string, Teller | undefined>> = {
  'JobSpec.parallelism': tellSize,
  'JobSpec.completions': tellSize,
  'JobSpec.completionMode': tellSize,
  'JobSpec.backoffLimit': tellBackoff,
  'JobSpec.backoffLimitPerIndex': (job) => {
    if (!job.isIndexed) return 'refused, as the Job is not Indexed.';
    const limit = job.backoffLimitPerIndex;
    return limit === undefined ? undefined : `the ${ordinal(limit + 1)} failed pod of an index gives that index up.`;
  },
  'JobSpec.maxFailedIndexes': (job) => {
    const limit = numberAt(job.spec, ['maxFailedIndexes']);
    if (limit === undefined) return undefined;
    const all = job.completions === undefined ? '' : ` of ${job.completions}`;
    return `the Job fails once ${limit + 1}${all} indexes were given up.`;
  },
  'JobSpec.activeDeadlineSeconds': (job) => {
    const seconds = numberAt(job.spec, ['activeDeadlineSeconds']);
    if (seconds === undefined) return undefined;
    const start =
      job.delegate === undefined
        ? 'its start'
        : 'the start of its mirror: waiting for a worker does not count, and another attempt starts anew';
    return `it fails unless it has finished ${durationText(seconds)} after ${start}.`;
  },
  'JobSpec.ttlSecondsAfterFinished': (job) => {
    const seconds = numberAt(job.spec, ['ttlSecondsAfterFinished']);
    if (seconds === undefined) return undefined;
    const when = seconds === 0 ? 'as soon as it has finished' : `${durationText(seconds)} after it has finished`;
    const what =
      job.delegate === undefined ? 'its pods and their logs' : 'its mirror on the worker, the pods and their logs';
    return `it is deleted ${when}, and with it ${what}.`;
  },
  'JobSpec.managedBy': (job, { settings }) => tellController(job, settings.controllerName),
  'JobSpec.suspend': (job) => {
    if (valueAt(job.spec, ['suspend']) !== true) return undefined;
    if (job.queue !== undefined) return `it waits until Kueue lets it start, through the queue ${quoted(job.queue)}.`;
    return 'it waits until somebody sets this to `false`.';
  },
  'JobSpec.successPolicy': (job) => {
    if (!job.isIndexed) return 'refused, as the Job is not Indexed.';
    const rules = itemsAt(job.spec, ['successPolicy', 'rules']).map((rule) => tellSuccess(rule, job));
    const told = rules.filter((rule) => rule !== undefined);
    return told.length === 0 || told.length < rules.length ? undefined : `the Job succeeds once ${told.join(', or ')}.`;
  },
  'JobSpec.podReplacementPolicy': (job) =>
    valueAt(job.spec, ['podFailurePolicy']) === undefined
      ? undefined
      : 'only `Failed` is allowed, because of `podFailurePolicy`.',
  'JobSpec.podFailurePolicy': (job) => {
    if (job.restartPolicy !== 'Never') return 'refused, unless `restartPolicy` is `Never`.';
    return tellBackoff(job)?.replace(/^/, 'for what no rule says otherwise, ');
  },
  'SuccessPolicy.rules': (job, subject) => tellers['JobSpec.successPolicy']?.(job, subject),
  'SuccessPolicyRule.succeededCount': tellSuccessRule,
  'SuccessPolicyRule.succeededIndexes': tellSuccessRule,
  'PodSpec.restartPolicy': (job) => {
    switch (job.restartPolicy) {
      case 'Never':
        return tellBackoff(job)?.replace(/^/, 'each try is a new pod; ');
      case 'OnFailure':
        return job.backoffLimit === undefined
          ? undefined
          : `the container is restarted in its pod, until ${plural(job.backoffLimit, 'restart')} of all pods together fail the Job.`;
      default:
        return 'refused: a Job needs `Never` or `OnFailure`.';
    }
  },
  'ObjectMeta.name': (job, { path }) => {
    if (job.name === undefined || path.join('.') !== 'metadata.name') return undefined;
    if (!job.isIndexed) return `its pods are called ${quoted(`${job.name}-…`)}, with five characters behind.`;
    const last = job.completions === undefined ? '…' : Math.max(0, job.completions - 1);
    return `its pods have the host names ${quoted(`${job.name}-0`)} to ${quoted(`${job.name}-${last}`)}, and are called so with five characters behind.`;
  },
  'CronJobSpec.schedule': (_, { object }) => {
    const schedule = textAt(object, ['spec', 'schedule']);
    const told = schedule === undefined ? undefined : tellSchedule(schedule);
    const zone = textAt(object, ['spec', 'timeZone']);
    return told === undefined ? undefined : `${told}${zone === undefined ? '' : ` (${quoted(zone)})`}.`;
  },
  'CronJobSpec.suspend': (_, { object }) =>
    valueAt(object, ['spec', 'suspend']) === true ? 'no Jobs are made until this is `false`.' : undefined,
};

function tellSize(job: JobFacts): string {
  const { completions, parallelism } = job;
  if (parallelism === 0) return 'no pods run until `parallelism` is raised.';
  if (completions === undefined) {
    return job.isIndexed
      ? 'refused: an Indexed Job must say how many indexes it has.'
      : `${plural(parallelism, 'pod')} work on a queue of their own; once one has succeeded no more are started, and the Job is done when all have ended.`;
  }
  if (completions === 0) return 'there is nothing to do: it succeeds at once.';
  const atOnce = Math.min(parallelism, completions);
  const pace =
    completions === 1 ? '' : atOnce === completions ? ', all at the same time' : `, at most ${atOnce} at a time`;
  const least = Math.ceil(completions / atOnce);
  const waves = atOnce === completions || completions === 1 ? '' : ` That makes ${least} rounds at least.`;
  if (job.isIndexed) {
    const range = completions === 1 ? 'index 0' : `each index from 0 to ${completions - 1}`;
    return `${range} must succeed once${pace}.${waves}`;
  }
  return `${plural(completions, 'pod')} must succeed${pace}.${waves}`;
}

function tellBackoff(job: JobFacts): string | undefined {
  const { backoffLimit } = job;
  if (backoffLimit === undefined) return 'failed pods count for each index alone.';
  if (job.restartPolicy === 'OnFailure') {
    return backoffLimit === 0
      ? 'the first failure fails the Job.'
      : `${plural(backoffLimit, 'restart')} of containers, in all pods together, fail the Job.`;
  }
  return backoffLimit === 0
    ? 'the first failed pod fails the Job.'
    : `the ${ordinal(backoffLimit + 1)} failed pod fails the Job.`;
}

function tellController(job: JobFacts, own: string | undefined): string | undefined {
  if (job.delegate === undefined) {
    if (job.leadsToMultiKueue === true)
      return "Kueue makes it MultiKueue's at creation, because of its queue: a worker cluster runs it.";
    return textAt(job.spec, ['managedBy']) === undefined
      ? undefined
      : 'the built-in controller runs it, as if the field were left out.';
  }
  if (job.delegate === multiKueue) {
    if (job.leadsToMultiKueue === false) return 'nobody runs it: its queue does not lead to MultiKueue.';
    const queue =
      job.queue === undefined ? 'It lacks the queue label, without which nobody acts.' : `Queue: ${quoted(job.queue)}.`;
    return `MultiKueue runs it on a worker cluster. ${queue}`;
  }
  if (job.delegate === own) {
    return `the reconciler of this extension runs it on a worker cluster, while a window that runs it is open.`;
  }
  return `whoever answers to ${quoted(job.delegate)} runs it; if nobody does, it stays idle without a sign.`;
}

function tellSuccessRule(job: JobFacts, { path }: HereSubject): string | undefined {
  const index = path.findLast((step) => typeof step === 'number');
  const rule = index === undefined ? undefined : itemsAt(job.spec, ['successPolicy', 'rules'])[index];
  const told = rule === undefined ? undefined : tellSuccess(rule, job);
  return told === undefined ? undefined : `the Job succeeds once ${told}.`;
}

function tellSuccess(rule: JsonValue, { completions }: JobFacts): string | undefined {
  const count = numberAt(rule, ['succeededCount']);
  const indexes = textAt(rule, ['succeededIndexes']);
  if (indexes === undefined || indexes === '') {
    const all = completions === undefined ? '' : ` of ${completions}`;
    return count === undefined ? undefined : `any ${count}${all} indexes have succeeded`;
  }
  const listed = countIndexes(indexes);
  if (listed === undefined) return undefined;
  if (count === undefined || count >= listed)
    return `${listed === 1 ? 'index' : 'all indexes of'} ${quoted(indexes)} ${listed === 1 ? 'has' : 'have'} succeeded`;
  return `${count} of the ${listed} indexes ${quoted(indexes)} have succeeded`;
}

/** Text of the manifest's own as it may stand in Markdown: it must not end the quotation. */
function quoted(text: string): string {
  return `\`${text.replaceAll(/[`\r\n]/g, '').slice(0, 100)}\``;
}

/** Only whole numbers that a Job could have; anything else is a mistake that the diagnostics tell. */
function numberAt(value: JsonValue | undefined, path: readonly string[]): number | undefined {
  const found = valueAt(value, path);
  return typeof found === 'number' && Number.isInteger(found) && found >= 0 ? found : undefined;
}

function itemsAt(value: JsonValue | undefined, path: readonly string[]): readonly JsonValue[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}
