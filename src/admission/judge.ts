import { isJsonObject, type JsonObject } from '../base/index.ts';
import { cleaned } from './clean.ts';
import { cronJobOnCreate, cronJobOnStatusUpdate, cronJobOnUpdate } from './cronJob.ts';
import { decode } from './decode/index.ts';
import { defaultCronJob, defaultJob } from './defaults.ts';
import { jobOnCreate, jobOnStatusUpdate, jobOnUpdate } from './job.ts';
import { judgeInPath } from './metadata.ts';
import type { CronJob, Job } from './objects.ts';
import { mostWarnings } from './pod/index.ts';
import {
  assumedIdentity,
  prepareCronJobForCreate,
  prepareCronJobForStatusUpdate,
  prepareCronJobForUpdate,
  prepareJobForCreate,
  prepareJobForStatusUpdate,
  prepareJobForUpdate,
} from './prepare.ts';
import { type Judgement, judgementFor, type OnRuleFailure } from './rule.ts';
import type { Admission, AdmissionRequest, FieldError, KubernetesMinor, ServerIdentity, Verdict } from './verdict.ts';
import { cronJobWarnings, jobWarnings } from './warnings.ts';
import { inWireForm } from './wireForm.ts';

/** How a request is judged. */
export interface JudgeOptions {
  readonly version: KubernetesMinor;
  /**
   * The server stops at what it can't decode, and so does a verdict. With this, the rules are asked about the rest as
   * well: somebody who is typing wants to know all of it.
   */
  readonly isBeyondDecoding?: boolean;
  /** What becomes of unknown fields: refused (kubectl's way and the default), warned about, or passed over. */
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore';
  /** Told of rules that threw. A rule that throws refuses nothing. */
  readonly onRuleFailure?: OnRuleFailure;
}

/** The kinds that this engine judges, all of batch/v1. */
export type JudgedKind = 'Job' | 'CronJob';

/** The kind of an object if this engine judges it. */
export function judgedKindOf(object: unknown): JudgedKind | undefined {
  if (!isJsonObject(object) || object['apiVersion'] !== 'batch/v1') return undefined;
  const kind = object['kind'];
  return kind === 'Job' || kind === 'CronJob' ? kind : undefined;
}

/**
 * What kube-apiserver says to a request. Never throws, whatever the object is; what this engine doesn't judge (another
 * kind, an update without the stored object) is refused with the rule `unsupported-request`.
 */
export function judge(request: AdmissionRequest, options: JudgeOptions): Verdict {
  const { errors, warnings } = evaluate(request, { ...options, identity: assumedIdentity });
  return { allowed: errors.length === 0, errors, warnings };
}

/**
 * The verdict together with the object as the server would store it, ready for the sandbox: completed, named, with
 * selector, generation and system metadata. The caller assigns `resourceVersion`.
 */
export function admit(
  request: AdmissionRequest,
  options: JudgeOptions & { readonly identity: ServerIdentity },
): Admission {
  const { object, errors, warnings } = evaluate(request, options);
  if (errors.length > 0 || object === undefined) return { allowed: false, errors, warnings };
  return { allowed: true, errors, warnings, stored: inWireForm(object) };
}

/** The object as the server completes it while decoding; returned as it is if this engine doesn't judge its kind. */
export function applyDefaults(object: JsonObject, { version }: { readonly version: KubernetesMinor }): JsonObject {
  const kind = judgedKindOf(object);
  if (kind === undefined) return object;
  const sent = decoded(object, decode(object, { version, kind }));
  const completed = kind === 'Job' ? defaultJob(asJob(sent), version) : defaultCronJob(asCronJob(sent), version);
  return inWireForm(asJson(completed));
}

type Options = JudgeOptions & { readonly identity: ServerIdentity };

/** What became of a request. */
interface Outcome {
  /** The object as it was judged, absent if it never came that far. */
  readonly object: JsonObject | undefined;
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
}

function evaluate(request: AdmissionRequest, options: Options): Outcome {
  try {
    return outcomeFor(request, options);
  } catch (error) {
    // Only what is no plain JSON throws where it is read: a getter, a proxy, something that holds itself.
    options.onRuleFailure?.('engine', error);
    return refused([unsupported('metadata', 'the object cannot be read as JSON')]);
  }
}

function outcomeFor(request: AdmissionRequest, options: Options): Outcome {
  const { version, fieldValidation = 'Strict', onRuleFailure = ignoreFailure } = options;
  const kind = judgedKindOf(request.object);
  if (kind === undefined || !isJsonObject(request.object)) {
    return refused([unsupported('kind', 'only Jobs and CronJobs of batch/v1 are judged here')]);
  }
  if (request.operation !== 'create' && !isJsonObject(request.old)) {
    return refused([unsupported('metadata.name', 'there is no stored object to update')]);
  }
  const faults = decode(request.object, { version, kind });
  const fatal = faults.filter(({ type }) => type !== 'Unknown' || fieldValidation === 'Strict');
  if (fatal.length > 0 && options.isBeyondDecoding !== true) return refused(fatal);
  const unknown = fieldValidation === 'Warn' ? faults.filter(({ type }) => type === 'Unknown') : [];

  const sent = decoded(request.object, faults);
  const old = isJsonObject(request.old) ? decoded(request.old, decode(request.old, { version, kind })) : undefined;
  try {
    const outcome =
      kind === 'Job'
        ? judgeJob(asJob(sent), old && asJob(old), request.operation, options)
        : judgeCronJob(asCronJob(sent), old && asCronJob(old), request.operation, options);
    const errors = [...fatal, ...outcome.errors];
    if (errors.length > 0) return refused(errors);
    return { ...outcome, warnings: [...unknown.map(({ message }) => message), ...outcome.warnings] };
  } catch (error) {
    // Completing and preparing run outside the guard that each rule has; a fault there is ours as well.
    onRuleFailure('engine', error);
    return refused(fatal);
  }
}

function judgeJob(
  sent: Job,
  stored: Job | undefined,
  operation: AdmissionRequest['operation'],
  options: Options,
): Outcome {
  const { version } = options;
  const judgement = judgementOf(options);
  const completed = defaultJob(sent, version);
  if (operation === 'create' || stored === undefined) {
    const job = prepareJobForCreate(completed, options.identity, version);
    jobOnCreate.run(job, undefined, { version, operation, job }, undefined, judgement);
    judgeInPath(job, version, judgement);
    return outcomeOf(job, judgement, () => jobWarnings(job, undefined, { version, operation }));
  }
  const oldJob = defaultJob(stored, version);
  if (operation === 'update') {
    const job = prepareJobForUpdate(completed, oldJob, version);
    jobOnUpdate.run(job, undefined, { version, operation, job, oldJob }, undefined, judgement);
    return outcomeOf(job, judgement, () => jobWarnings(job, oldJob, { version, operation }));
  }
  const job = prepareJobForStatusUpdate(completed, oldJob);
  jobOnStatusUpdate.run(job, undefined, { version, operation, job, oldJob }, undefined, judgement);
  return outcomeOf(job, judgement, () => []);
}

function judgeCronJob(
  sent: CronJob,
  stored: CronJob | undefined,
  operation: AdmissionRequest['operation'],
  options: Options,
): Outcome {
  const { version } = options;
  const judgement = judgementOf(options);
  const completed = defaultCronJob(sent, version);
  if (operation === 'create' || stored === undefined) {
    const cronJob = prepareCronJobForCreate(completed, options.identity, version);
    cronJobOnCreate.run(cronJob, undefined, { version, operation }, undefined, judgement);
    judgeInPath(cronJob, version, judgement);
    return outcomeOf(cronJob, judgement, () => cronJobWarnings(cronJob, undefined, { version, operation }));
  }
  const oldCronJob = defaultCronJob(stored, version);
  if (operation === 'update') {
    const cronJob = prepareCronJobForUpdate(completed, oldCronJob, version);
    cronJobOnUpdate.run(cronJob, undefined, { version, operation, oldCronJob }, undefined, judgement);
    return outcomeOf(cronJob, judgement, () => cronJobWarnings(cronJob, oldCronJob, { version, operation }));
  }
  const cronJob = prepareCronJobForStatusUpdate(completed, oldCronJob);
  cronJobOnStatusUpdate.run(cronJob, undefined, { version, operation, oldCronJob }, undefined, judgement);
  return outcomeOf(cronJob, judgement, () => []);
}

/** What decoding leaves of an object. */
function decoded(object: JsonObject, faults: readonly FieldError[]): JsonObject {
  return cleaned(
    object,
    faults.map(({ at }) => at),
  );
}

function judgementOf({ version, onRuleFailure = ignoreFailure }: Options): Judgement {
  return judgementFor(version, onRuleFailure);
}

function ignoreFailure(): void {
  // Who doesn't ask for failures of rules gets a verdict without those rules.
}

function outcomeOf(object: Job | CronJob, { errors }: Judgement, warnings: () => readonly string[]): Outcome {
  return { object: asJson(object), errors, warnings: errors.length === 0 ? warnings().slice(0, mostWarnings) : [] };
}

function refused(errors: readonly FieldError[]): Outcome {
  return { object: undefined, errors, warnings: [] };
}

function unsupported(field: string, message: string): FieldError {
  return { field, type: 'TypeInvalid', message, at: field.split('.'), rule: 'unsupported-request' };
}

// The wire edge: decoding has told, and cleaning removed, what doesn't have the type that these interfaces state.
function asJob(object: JsonObject): Job {
  return object as Job;
}

function asCronJob(object: JsonObject): CronJob {
  return object as CronJob;
}

function asJson(object: Job | CronJob): JsonObject {
  return object as unknown as JsonObject;
}
