import { isSame } from './equality.ts';
import type { CronJob, CronJobSpec, Job, JobSpec, LabelSelector, ObjectMeta } from './objects.ts';
import { withoutGatedFields } from './pod/index.ts';
import { controllerUidLabel, jobNameLabel, legacyControllerUidLabel, legacyJobNameLabel } from './selector.ts';
import type { KubernetesMinor, ServerIdentity } from './verdict.ts';

/**
 * What the server itself changes in an object between defaulting and judging: it names it, takes over what clients may not
 * write and generates a Job's selector. Source: Kubernetes 1.35, strategies of Jobs and CronJobs (E7, E9, C2, D8).
 */

/** A generated name is the prefix cut to this length and five characters. */
const maxGenerateNameLength = 58;
const defaultNamespace = 'default';

interface Prepared {
  readonly metadata?: ObjectMeta;
}

/** A Job as it is judged on creation. */
export function prepareJobForCreate(job: Job, identity: ServerIdentity, version: KubernetesMinor): Job {
  const { status: _wiped, ...rest } = job;
  const metadata = metadataForCreate(job.metadata ?? {}, identity);
  const prepared = { ...rest, metadata, spec: withoutGated(job.spec ?? {}, undefined, version) };
  return prepared.spec.manualSelector === true ? prepared : withSelector(prepared, metadata);
}

/** A Job as it is judged on an update of the main resource: its status and system metadata are the stored ones. */
export function prepareJobForUpdate(job: Job, oldJob: Job, version: KubernetesMinor): Job {
  const spec = withoutGated(job.spec ?? {}, oldJob.spec ?? {}, version);
  return { ...withStored(job, 'status', oldJob.status), spec, metadata: metadataForUpdate({ ...job, spec }, oldJob) };
}

/** A Job as it is judged on an update of its status: the spec is the stored one. */
export function prepareJobForStatusUpdate(job: Job, oldJob: Job): Job {
  const prepared = withStored(job, 'spec', oldJob.spec);
  return { ...prepared, metadata: metadataForUpdate(prepared, oldJob) };
}

/** A CronJob as it is judged on creation. */
export function prepareCronJobForCreate(cronJob: CronJob, identity: ServerIdentity, version: KubernetesMinor): CronJob {
  const { status: _wiped, ...rest } = cronJob;
  return {
    ...rest,
    metadata: metadataForCreate(cronJob.metadata ?? {}, identity),
    spec: cronJobSpecWithoutGated(cronJob, undefined, version),
  };
}

/** A CronJob as it is judged on an update of the main resource. */
export function prepareCronJobForUpdate(cronJob: CronJob, old: CronJob, version: KubernetesMinor): CronJob {
  const spec = cronJobSpecWithoutGated(cronJob, old, version);
  const metadata = metadataForUpdate({ ...cronJob, spec }, old);
  return { ...withStored(cronJob, 'status', old.status), spec, metadata };
}

/** A CronJob as it is judged on an update of its status. */
export function prepareCronJobForStatusUpdate(cronJob: CronJob, old: CronJob): CronJob {
  const prepared = withStored(cronJob, 'spec', old.spec);
  return { ...prepared, metadata: metadataForUpdate(prepared, old) };
}

function withStored<T extends object, K extends keyof T>(object: T, field: K, stored: T[K] | undefined): T {
  const copy = { ...object };
  if (stored === undefined) delete copy[field];
  else copy[field] = stored;
  return copy;
}

/** The server drops fields whose feature gate is off, except where the stored object already has them. */
function withoutGated(spec: JobSpec, oldSpec: JobSpec | undefined, version: KubernetesMinor): JobSpec {
  const { scheduling, ...rest } = spec;
  return {
    ...rest,
    // Its gate is off in all known minors.
    ...(scheduling !== undefined && oldSpec?.scheduling !== undefined && { scheduling }),
    template: withoutGatedFields(spec.template ?? {}, oldSpec && (oldSpec.template ?? {}), version),
  };
}

function cronJobSpecWithoutGated(cronJob: CronJob, old: CronJob | undefined, version: KubernetesMinor): CronJobSpec {
  const { spec = {} } = cronJob;
  const { jobTemplate = {} } = spec;
  const oldJobSpec = old && (old.spec?.jobTemplate?.spec ?? {});
  return { ...spec, jobTemplate: { ...jobTemplate, spec: withoutGated(jobTemplate.spec ?? {}, oldJobSpec, version) } };
}

/** What stands for the server's share of an object where only the verdict is wanted. */
export const assumedIdentity: ServerIdentity = {
  uid: '00000000-0000-4000-8000-000000000000',
  creationTimestamp: '2000-01-01T00:00:00Z',
  nameSuffix: 'xxxxx',
};

/** Metadata as it is judged on creation, of whatever kind. */
export function metadataForCreate(metadata: ObjectMeta, identity: ServerIdentity): ObjectMeta {
  const {
    deletionTimestamp: _time,
    deletionGracePeriodSeconds: _grace,
    resourceVersion: _version,
    selfLink: _link,
    ...rest
  } = metadata;
  const { name = '', generateName = '', namespace = '' } = metadata;
  const generated = generateName === '' ? '' : generateName.slice(0, maxGenerateNameLength) + identity.nameSuffix;
  return {
    ...rest,
    name: name === '' ? generated : name,
    namespace: namespace === '' ? defaultNamespace : namespace,
    uid: identity.uid,
    creationTimestamp: identity.creationTimestamp,
    generation: 1,
  };
}

function metadataForUpdate<T extends Prepared & { readonly spec?: object }>(object: T, old: T): ObjectMeta {
  const metadata = object.metadata ?? {};
  const stored = old.metadata ?? {};
  const generation = stored.generation ?? 0;
  const taken: ObjectMeta = {
    ...(stored.creationTimestamp !== undefined && { creationTimestamp: stored.creationTimestamp }),
    ...(stored.deletionTimestamp !== undefined && { deletionTimestamp: stored.deletionTimestamp }),
    ...(stored.deletionGracePeriodSeconds !== undefined &&
      metadata.deletionGracePeriodSeconds === undefined && {
        deletionGracePeriodSeconds: stored.deletionGracePeriodSeconds,
      }),
  };
  return {
    ...metadata,
    ...taken,
    ...fallback(metadata, stored, 'namespace'),
    ...fallback(metadata, stored, 'uid'),
    ...fallback(metadata, stored, 'resourceVersion'),
    generation: isSame(object.spec ?? {}, old.spec ?? {}, 'spec') ? generation : generation + 1,
  };
}

/** The stored text of a field where the sent one is empty. */
function fallback(
  metadata: ObjectMeta,
  stored: ObjectMeta,
  field: 'namespace' | 'uid' | 'resourceVersion',
): ObjectMeta {
  const value = metadata[field] || stored[field];
  return value === undefined ? {} : { [field]: value };
}

/** Adds the labels that find this Job's pods, and the selector for them, where the user has not put something else. */
function withSelector(job: Job, { name = '', uid = '' }: ObjectMeta): Job {
  const { spec = {} } = job;
  const generated = {
    [legacyJobNameLabel]: name,
    [jobNameLabel]: name,
    [legacyControllerUidLabel]: uid,
    [controllerUidLabel]: uid,
  };
  const own = spec.template?.metadata?.labels;
  const labels = { ...generated, ...own };
  const selector: LabelSelector = {
    ...spec.selector,
    matchLabels: { [controllerUidLabel]: uid, ...spec.selector?.matchLabels },
  };
  // A Job that got its labels from the template shares them from then on, the generated ones included.
  const isShared = own !== undefined && job.metadata?.labels === own;
  return {
    ...job,
    metadata: { ...job.metadata, ...(isShared && { labels }) },
    spec: { ...spec, selector, template: { ...spec.template, metadata: { ...spec.template?.metadata, labels } } },
  };
}
