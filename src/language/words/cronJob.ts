import type { WordsByType } from './fieldWords.ts';

/** The fields of a CronJob. Source of the facts: Kubernetes 1.34 to 1.37, batch validation and the CronJob controller. */
export const cronJobWords: WordsByType = {
  CronJob: {
    spec: 'When Jobs are made, and from what.',
    status: 'What the schedule has done. Written by the CronJob controller: in a manifest it is ignored.',
  },
  CronJobSpec: {
    concurrencyPolicy: {
      says: 'What happens when a Job is due and the one before still runs.',
      unset: '`Allow`',
      values: {
        Allow: 'Another one starts beside it.',
        Forbid:
          'This time is left out. A delegated Job that its worker has lost counts as running, and blocks the schedule.',
        Replace: 'The old one is deleted, and a new one starts.',
      },
    },
    failedJobsHistoryLimit: { says: 'How many failed Jobs are kept; older ones are deleted.', unset: '1' },
    jobTemplate:
      'What each Job is made from. Delegation is set in here, not on the CronJob: `spec.managedBy`, and the queue label in `metadata.labels`. The CronJob itself is always run by the built-in controller.',
    schedule:
      'When Jobs are made, in five fields: minute, hour, day of the month, month, weekday (0 is Sunday); or `@hourly`, `@daily`, `@weekly`, `@monthly`, `@yearly`, `@every 90m`. No seconds, no zone in front.',
    startingDeadlineSeconds: {
      says: 'How late a Job may start when its time was missed. Below 10 it may never start: the controller looks every 10 seconds.',
      unset: 'however late; of several missed times the last is made up for',
    },
    successfulJobsHistoryLimit: { says: 'How many successful Jobs are kept; older ones are deleted.', unset: '3' },
    suspend: { says: 'While true, no Jobs are made. Those that run go on.', unset: '`false`' },
    timeZone: {
      says: 'The zone that the schedule is meant in, by its IANA name: `Europe/Berlin`, `Etc/UTC`.',
      unset: 'the zone of the controller manager, mostly UTC',
    },
  },
  CronJobStatus: {
    active: 'The Jobs of this CronJob that have not finished.',
    lastScheduleTime: 'When a Job was last made.',
    lastSuccessfulTime: 'When a Job last succeeded.',
  },
};
