import { negativeMessage, unsupportedMessage } from './formats.ts';
import type { JobSpecContext } from './jobContext.ts';
import { jobSpec } from './jobSpec.ts';
import { type MetadataContext, objectMeta } from './metadata.ts';
import type { CronJob, CronJobSpec, JobSpec, JobTemplate, LabelSelector, ObjectMeta } from './objects.ts';
import { type Context, rule } from './rule.ts';
import { scheduleFault } from './schedule.ts';
import { all, always, fields, within } from './structure.ts';
import { timeZoneFault } from './timeZones.ts';

/**
 * A CronJob. Everything in it may change; what its template would be refused for as a Job (selectors, names that are too
 * long) shows only when a Job is made from it. Source: Kubernetes 1.35, batch validation (F).
 */

/** What a CronJob is judged in. */
export interface CronJobContext extends Context {
  /** The stored one, on updates. */
  readonly oldCronJob?: CronJob;
}

const concurrencyPolicies = ['Allow', 'Forbid', 'Replace'] as const;
/** A Job's name is the CronJob's with 11 characters for the time, and 63 at most. */
const maxNameLength = 52;

const nameLength = rule<string, ObjectMeta, Context>({
  code: 'cron-job-name-length',
  type: 'Invalid',
  source: 'F8',
  says: 'The name of a CronJob has at most 52 characters, because those of its Jobs are 11 longer.',
  refuses: (name, _metadata, { operation }) =>
    operation === 'create' && name.length > maxNameLength && `must be no more than ${maxNameLength} characters`,
});

const scheduleRequired = rule<string, CronJobSpec>({
  code: 'schedule-required',
  type: 'Required',
  source: 'F2',
  says: 'A CronJob has a schedule.',
  evenIfAbsent: true,
  refuses: (schedule = '') => schedule === '' && 'a CronJob has a schedule',
});

const scheduleFormat = rule<string, CronJobSpec>({
  code: 'schedule-format',
  type: 'Invalid',
  source: 'F2',
  says: 'A schedule has five fields (minute, hour, day, month, weekday) or is a name such as @daily or @every 1h.',
  refuses: (schedule) => schedule !== '' && scheduleFault(schedule),
});

// A schedule that was stored with a zone in it may keep it, unless a timeZone comes on top.
const scheduleZone = rule<string, CronJobSpec, CronJobContext>({
  code: 'schedule-time-zone',
  type: 'Invalid',
  source: 'F3',
  says: 'The time zone stands in timeZone, not in the schedule.',
  refuses: (schedule, { timeZone }, { oldCronJob }) => {
    if (!schedule.includes('TZ')) return false;
    if (oldCronJob?.spec?.schedule?.includes('TZ') !== true) {
      return 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead';
    }
    return timeZone !== undefined && 'cannot use both timeZone field and TZ or CRON_TZ in schedule';
  },
});

// A zone that is stored already stays tolerated, whatever the server's database says by now.
const timeZoneKnown = rule<string, CronJobSpec, CronJobContext>({
  code: 'time-zone-known',
  type: 'Invalid',
  source: 'F4',
  says: 'The time zone is one of the IANA database, such as Europe/Berlin.',
  refuses: (timeZone, _spec, { oldCronJob }) => timeZone !== oldCronJob?.spec?.timeZone && timeZoneFault(timeZone),
});

function notNegative(code: string, source: string, name: string) {
  return rule<number, CronJobSpec>({
    code,
    type: 'Invalid',
    source,
    says: `${name} is not negative.`,
    refuses: (value) => value < 0 && negativeMessage,
  });
}

// An empty one never gets here: it is completed to Allow.
const concurrencyPolicyKnown = rule<string, CronJobSpec>({
  code: 'concurrency-policy-known',
  type: 'NotSupported',
  source: 'F6',
  says: 'The concurrency policy is Allow, Forbid or Replace.',
  refuses: (policy) =>
    !concurrencyPolicies.some((known) => known === policy) && unsupportedMessage(policy, concurrencyPolicies),
});

const noSelector = rule<LabelSelector, JobSpec>({
  code: 'cron-job-selector',
  type: 'Invalid',
  source: 'F9',
  says: 'The Jobs of a CronJob get their selectors generated.',
  refuses: () => '`selector` will be auto-generated',
});

// The server says NotSupported here and Invalid for the selector itself.
const noManualSelector = rule<boolean, JobSpec>({
  code: 'cron-job-manual-selector',
  type: 'NotSupported',
  source: 'F9',
  says: 'The Jobs of a CronJob get their selectors generated.',
  refuses: (isManual) => isManual && 'supported values: "nil", "false"',
});

const jobTemplate = fields<JobTemplate, CronJobContext>({
  spec: always<JobSpec, JobTemplate, CronJobContext>(
    {},
    all<JobSpec, JobTemplate, CronJobContext>(
      within<JobSpec, JobTemplate, CronJobContext, JobSpecContext>(
        'job-spec',
        (own = {}, _template, { version, operation, oldCronJob }) => ({
          version,
          operation,
          jobSpec: own,
          ...(oldCronJob !== undefined && { oldJobSpec: oldCronJob.spec?.jobTemplate?.spec ?? {} }),
        }),
        jobSpec,
      ),
      fields<JobSpec, CronJobContext>({ selector: noSelector, manualSelector: noManualSelector }),
    ),
  ),
});

const spec = fields<CronJobSpec, CronJobContext>({
  schedule: [scheduleRequired, scheduleFormat, scheduleZone],
  timeZone: timeZoneKnown,
  startingDeadlineSeconds: notNegative('starting-deadline-negative', 'F5', 'startingDeadlineSeconds'),
  concurrencyPolicy: concurrencyPolicyKnown,
  jobTemplate: always<JobTemplate, CronJobSpec, CronJobContext>({}, jobTemplate),
  successfulJobsHistoryLimit: notNegative('successful-history-negative', 'F7', 'successfulJobsHistoryLimit'),
  failedJobsHistoryLimit: notNegative('failed-history-negative', 'F7', 'failedJobsHistoryLimit'),
});

const metadata = within<ObjectMeta, CronJob, CronJobContext, MetadataContext>(
  'object-meta',
  (_metadata, _cronJob, { version, operation, oldCronJob }) => ({
    version,
    operation,
    judgesNames: operation === 'create',
    toleratesPlainFinalizers: operation === 'status-update',
    ...(oldCronJob !== undefined && { oldMetadata: oldCronJob.metadata ?? {} }),
  }),
  objectMeta,
);

const onWrite = fields<CronJob, CronJobContext>({
  metadata: always<ObjectMeta, CronJob, CronJobContext>(
    {},
    all(metadata, fields<ObjectMeta, CronJobContext>({ name: nameLength })),
  ),
  spec: always<CronJobSpec, CronJob, CronJobContext>({}, spec),
});

/** On creation. */
export const cronJobOnCreate = onWrite;
/** On an update: the same rules, some of which look at what is stored. */
export const cronJobOnUpdate = onWrite;

/** The status of a CronJob itself is never judged. */
export const cronJobOnStatusUpdate = fields<CronJob, CronJobContext>({
  metadata: always<ObjectMeta, CronJob, CronJobContext>({}, metadata),
});
