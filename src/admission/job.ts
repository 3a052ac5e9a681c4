import type { JobContext, JobSpecContext, JobUpdateContext } from './jobContext.ts';
import { jobSpec } from './jobSpec.ts';
import { jobStatus } from './jobStatus.ts';
import { jobSpecUpdate } from './jobUpdate.ts';
import { type MetadataContext, objectMeta } from './metadata.ts';
import type { Job, JobSpec, JobStatus, ObjectMeta } from './objects.ts';
import type { PodTemplate } from './pod/index.ts';
import { jobSelector, nameForIndexes, templateLabels } from './selector.ts';
import { all, always, fields, within } from './structure.ts';
import { isAtLeast } from './version.ts';

/** A whole Job: which rules are asked when. */

const metadata = within<ObjectMeta, Job, JobContext, MetadataContext>(
  'object-meta',
  (_metadata, _job, { version, operation, oldJob }) => ({
    version,
    operation,
    // From 1.37 on, an update no longer looks at the format of a name that can't have changed.
    judgesNames: operation === 'create' || (operation === 'update' && !isAtLeast(version, '1.37')),
    ...(oldJob !== undefined && { oldMetadata: oldJob.metadata ?? {} }),
  }),
  objectMeta,
);

const spec = all<JobSpec, Job, JobContext>(
  within<JobSpec, Job, JobContext, JobSpecContext>(
    'job-spec',
    (own = {}, _job, { version, operation, oldJob }) => ({
      version,
      operation,
      jobSpec: own,
      ...(oldJob !== undefined && { oldJobSpec: oldJob.spec ?? {} }),
    }),
    jobSpec,
  ),
  fields<JobSpec, JobContext>({
    selector: jobSelector,
    template: always<PodTemplate, JobSpec, JobContext>({}, templateLabels),
  }),
);

/** On creation. */
export const jobOnCreate = fields<Job, JobContext>({
  metadata: always<ObjectMeta, Job, JobContext>(
    {},
    all(metadata, fields<ObjectMeta, JobContext>({ name: nameForIndexes })),
  ),
  spec: always<JobSpec, Job, JobContext>({}, spec),
});

/** On an update of the main resource. */
export const jobOnUpdate = all<Job, unknown, JobUpdateContext>(
  jobOnCreate,
  fields<Job, JobUpdateContext>({ spec: always<JobSpec, Job, JobUpdateContext>({}, jobSpecUpdate) }),
);

/** On an update of the status. */
export const jobOnStatusUpdate = fields<Job, JobUpdateContext>({
  metadata: always<ObjectMeta, Job, JobUpdateContext>({}, metadata),
  status: always<JobStatus, Job, JobUpdateContext>({}, jobStatus),
});
