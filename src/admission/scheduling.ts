import { isSame } from './equality.ts';
import type { JobSpecContext } from './jobContext.ts';
import type { JobScheduling, JobSpec } from './objects.ts';
import { rule } from './rule.ts';
import { all } from './structure.ts';

/**
 * `spec.scheduling`, new in 1.37 and behind the feature gate WorkloadWithJob, which is off: the server drops it on creation
 * (prepare.ts), so that only an object stored with the gate on can have it. Source: Kubernetes 1.37, batch validation.
 */

const forbidden = rule<JobScheduling, JobSpec, JobSpecContext>({
  code: 'scheduling-forbidden',
  type: 'Forbidden',
  source: 'B72',
  since: '1.37',
  says: 'scheduling belongs to a feature that is off.',
  refuses: (scheduling, _spec, { oldJobSpec }) =>
    !isSame(scheduling, oldJobSpec?.scheduling, 'scheduling') && 'the feature WorkloadWithJob is off',
});

const kept = rule<JobScheduling, JobSpec, JobSpecContext>({
  code: 'scheduling-kept',
  type: 'Invalid',
  source: 'B72',
  since: '1.37',
  says: 'A Job that has scheduling keeps it.',
  evenIfAbsent: true,
  refuses: (scheduling, _spec, { oldJobSpec }) =>
    scheduling === undefined && oldJobSpec?.scheduling !== undefined && 'field cannot be cleared once set',
});

const minCount = rule<JobScheduling, JobSpec>({
  code: 'scheduling-gang-parallelism',
  type: 'Invalid',
  source: 'B72',
  since: '1.37',
  says: 'A gang is no larger than parallelism.',
  refuses: ({ schedulingPolicy }, { parallelism = 1 }) => {
    const count = schedulingPolicy?.gang?.minCount;
    return (
      count !== undefined &&
      count > parallelism && {
        message: `must not be greater than parallelism (${parallelism})`,
        at: ['schedulingPolicy', 'gang', 'minCount'],
      }
    );
  },
});

const noJointDisruption = rule<JobScheduling, JobSpec>({
  code: 'scheduling-disruption-basic',
  type: 'Invalid',
  source: 'B72',
  since: '1.37',
  says: 'Pods that are scheduled one by one are not disrupted all together.',
  refuses: ({ schedulingPolicy, disruptionMode }) => {
    const isGang = schedulingPolicy?.gang !== undefined && schedulingPolicy.basic === undefined;
    const isJoint = disruptionMode?.all !== undefined && disruptionMode.single === undefined;
    return (
      !isGang &&
      isJoint && {
        message: 'the disruptionMode `all` is not supported with the Basic scheduling policy',
        at: ['disruptionMode'],
      }
    );
  },
});

/** Every rule of the field; that its kind of policy stays stands in jobUpdate.ts. */
export const scheduling = all<JobScheduling, JobSpec, JobSpecContext>(forbidden, kept, minCount, noJointDisruption);
