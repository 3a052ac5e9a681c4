import {
  type AppsSpec,
  amountFormat,
  atMostAll,
  ifRolling,
  isReadable,
  isZero,
  lastingPods,
  notNegative,
  type RollingUpdate,
  type Strategy,
  shared,
  source,
  template,
} from './apps.ts';
import { unsupportedMessage } from './formats.ts';
import type { ObjectMeta } from './objects.ts';
import type { PodTemplate } from './pod/index.ts';
import { type Context, rule } from './rule.ts';
import { always, fields, within } from './structure.ts';

/** Deployments, on creation. Source: Kubernetes 1.35, apps validation. */

export interface DeploymentSpec extends AppsSpec {
  readonly progressDeadlineSeconds?: number;
  readonly strategy?: Strategy;
}

/** What the server fills in that matters to a rule. */
export function withDeadline(spec: DeploymentSpec): DeploymentSpec {
  return { ...spec, progressDeadlineSeconds: spec.progressDeadlineSeconds ?? 600 };
}

/** A Deployment as its rules see it. */
export interface Deployment {
  readonly metadata?: ObjectMeta;
  readonly spec?: DeploymentSpec;
}

const someMove = rule<number | string, RollingUpdate>({
  code: 'apps-rolling-update-stuck',
  type: 'Invalid',
  source,
  says: 'A rolling update either goes above the number of pods or below it.',
  refuses: (amount, { maxSurge }) => isZero(amount) && isZero(maxSurge ?? '25%') && 'may not be 0 when `maxSurge` is 0',
});

const strategyKnown = rule<Strategy>({
  code: 'deployment-strategy',
  type: 'NotSupported',
  source,
  says: 'The strategy of a Deployment is Recreate or RollingUpdate.',
  refuses: ({ type = '' }) =>
    type !== '' &&
    type !== 'Recreate' &&
    type !== 'RollingUpdate' &&
    unsupportedMessage(type, ['Recreate', 'RollingUpdate']),
});

const recreateAlone = rule<RollingUpdate, Strategy>({
  code: 'deployment-recreate-alone',
  type: 'Forbidden',
  source,
  says: 'Only the strategy RollingUpdate has a rollingUpdate.',
  refuses: (_update, { type }) => type === 'Recreate' && "may not be specified when strategy `type` is 'Recreate'",
});

const deadlineAboveReady = rule<number, DeploymentSpec>({
  code: 'deployment-deadline',
  type: 'Invalid',
  source,
  says: 'progressDeadlineSeconds is greater than minReadySeconds.',
  refuses: (seconds, { minReadySeconds = 0 }) => seconds <= minReadySeconds && 'must be greater than minReadySeconds',
});

const rollingUpdate = fields<RollingUpdate>({
  maxUnavailable: [amountFormat, someMove, atMostAll],
  maxSurge: amountFormat,
});

/** The spec of a Deployment. */
export const deploymentSpec = always<DeploymentSpec, unknown, Context>(
  {},
  fields<DeploymentSpec>({
    ...shared,
    revisionHistoryLimit: notNegative('apps-history-negative', 'revisionHistoryLimit'),
    template: [
      template((own) => own),
      within<PodTemplate, DeploymentSpec, Context, Context>(
        'deployment-pods-last',
        (_template, spec, context) => (isReadable(spec) ? context : undefined),
        lastingPods,
      ),
    ],
    strategy: [
      strategyKnown,
      fields<Strategy>({
        rollingUpdate: [recreateAlone, ifRolling('deployment-rolling-update', rollingUpdate)],
      }),
    ],
    progressDeadlineSeconds: [
      notNegative('deployment-deadline-negative', 'progressDeadlineSeconds'),
      deadlineAboveReady,
    ],
  }),
);
