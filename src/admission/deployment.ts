import {
  type AppsSpec,
  amountFormat,
  atMostAll,
  notNegative,
  percent,
  type RollingUpdate,
  type Strategy,
  shared,
  source,
  template,
} from './apps.ts';
import { unsupportedMessage } from './formats.ts';
import type { ObjectMeta } from './objects.ts';
import { type Context, rule } from './rule.ts';
import { always, fields, within } from './structure.ts';

/** Deployments, on creation. Source: Kubernetes 1.35, apps validation. */

interface DeploymentSpec extends AppsSpec {
  readonly progressDeadlineSeconds?: number;
  readonly strategy?: Strategy;
}

/** A Deployment as its rules see it. */
export interface Deployment {
  readonly metadata?: ObjectMeta;
  readonly spec?: DeploymentSpec;
}

/** As the server counts: a text that is no percentage is a number, or else nothing. */
function isZero(amount: number | string): boolean {
  if (typeof amount === 'number') return amount === 0;
  return percent.test(amount) || /^[+-]?[0-9]+$/.test(amount) ? Number.parseInt(amount, 10) === 0 : true;
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
    template: template((own) => own),
    strategy: [
      strategyKnown,
      fields<Strategy>({
        rollingUpdate: [
          recreateAlone,
          within<RollingUpdate, Strategy, Context, Context>(
            'deployment-rolling-update',
            (_update, { type = 'RollingUpdate' }, context) => (type === 'RollingUpdate' ? context : undefined),
            rollingUpdate,
          ),
        ],
      }),
    ],
    progressDeadlineSeconds: [
      notNegative('deployment-deadline-negative', 'progressDeadlineSeconds'),
      deadlineAboveReady,
    ],
  }),
);
