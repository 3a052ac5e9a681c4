import { isJsonObject, type JsonObject } from '../base/index.ts';
import { cleaned } from './clean.ts';
import { cronJobOnCreate, cronJobOnStatusUpdate, cronJobOnUpdate } from './cronJob.ts';
import { decode } from './decode/index.ts';
import { defaultCronJob, defaultJob } from './defaults.ts';
import { jobOnCreate, jobOnStatusUpdate, jobOnUpdate } from './job.ts';
import type { CronJob, Job } from './objects.ts';
import {
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

const nobody: ServerIdentity = {
  uid: '00000000-0000-4000-8000-000000000000',
  creationTimestamp: '2000-01-01T00:00:00Z',
  nameSuffix: 'xxxxx',
};

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
  const { allowed, errors, warnings } = admit(request, { ...options, identity: nobody });
  return { allowed, errors, warnings };
}

/**
 * The verdict together with the object as the server would store it, ready for the sandbox: completed, named, with
 * selector, generation and system metadata. The caller assigns `resourceVersion`.
 */
export function admit(
  request: AdmissionRequest,
  options: JudgeOptions & { readonly identity: ServerIdentity },
): Admission {
  const kind = judgedKindOf(request.object);
  if (kind === undefined || !isJsonObject(request.object)) {
    return refused([unsupported('kind', 'only Jobs and CronJobs of batch/v1 are judged here')]);
  }
  if (request.operation !== 'create' && judgedKindOf(request.old) !== kind) {
    return refused([unsupported('metadata.name', 'there is no stored object of this kind to update')]);
  }
  const { fieldValidation = 'Strict' } = options;
  const decodeErrors = decode(request.object, { version: options.version, kind });
  const isFatal = (error: FieldError): boolean => error.type !== 'Unknown' || fieldValidation === 'Strict';
  const fatal = decodeErrors.filter(isFatal);
  if (fatal.length > 0 && options.isBeyondDecoding !== true) return refused(fatal);
  const unknown = fieldValidation === 'Warn' ? decodeErrors.filter((error) => error.type === 'Unknown') : [];

  const object = cleaned(
    request.object,
    decodeErrors.map(({ at }) => at),
  );
  const old = isJsonObject(request.old) ? cleaned(request.old, []) : undefined;
  const outcome =
    kind === 'Job'
      ? judgeJob(asJob(object), old && asJob(old), request.operation, options)
      : judgeCronJob(asCronJob(object), old && asCronJob(old), request.operation, options);
  const errors = [...fatal, ...outcome.errors];
  if (errors.length > 0) return refused(errors);
  const warnings = [...unknown.map(({ field }) => `unknown field ${JSON.stringify(field)}`), ...outcome.warnings];
  return { allowed: true, errors, warnings, stored: outcome.object };
}

/** The object as the server completes it while decoding; returned as it is if this engine doesn't judge its kind. */
export function applyDefaults(object: JsonObject, { version }: { readonly version: KubernetesMinor }): JsonObject {
  const kind = judgedKindOf(object);
  if (kind === undefined) return object;
  const sent = decoded(object, decode(object, { version, kind }));
  return asJson(kind === 'Job' ? defaultJob(asJob(sent), version) : defaultCronJob(asCronJob(sent), version));
}

type Options = JudgeOptions & { readonly identity: ServerIdentity };

interface Outcome {
  readonly object: JsonObject;
  readonly errors: readonly FieldError[];
  readonly warnings: readonly string[];
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
  return { object: asJson(object), errors, warnings: errors.length === 0 ? warnings() : [] };
}

function refused(errors: readonly FieldError[]): Admission {
  return { allowed: false, errors, warnings: [] };
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
