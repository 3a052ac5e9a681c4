import { negativeMessage, unsupportedMessage } from './formats.ts';
import { labelSelector, selects } from './labelSelector.ts';
import type { LabelSelector } from './objects.ts';
import { type PodSpec, type PodTemplate, podTemplate } from './pod/index.ts';
import { type Check, type Context, rule } from './rule.ts';
import { all, always, fields, within } from './structure.ts';

/** What Deployments and StatefulSets have in common, on creation. Source: Kubernetes 1.35, apps validation. */

export const source = 'Kubernetes 1.35, apps validation';

/** How pods are replaced, or as many of them at once. */
export interface RollingUpdate {
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
  readonly partition?: number;
}

/** How a change of the template reaches the pods. */
export interface Strategy {
  readonly type?: string;
  readonly rollingUpdate?: RollingUpdate;
}

/** What both have. */
export interface AppsSpec {
  readonly replicas?: number;
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly selector?: LabelSelector;
  readonly template?: PodTemplate;
}

/** The rule that a number isn't below 0. */
export function notNegative(code: string, name: string) {
  return rule<number>({
    code,
    type: 'Invalid',
    source,
    says: `${name} is not negative.`,
    refuses: (value) => value < 0 && negativeMessage,
  });
}

const selectorRequired = rule<LabelSelector, AppsSpec>({
  code: 'apps-selector-required',
  type: 'Required',
  source,
  says: 'A Deployment or StatefulSet needs a selector for its pods.',
  evenIfAbsent: true,
  refuses: (selector) => selector === undefined && '',
});

const selectorNotEmpty = rule<LabelSelector, AppsSpec>({
  code: 'apps-selector-empty',
  type: 'Invalid',
  source,
  says: 'The selector of a Deployment or StatefulSet names at least one label.',
  refuses: ({ matchLabels = {}, matchExpressions = [] }) =>
    Object.keys(matchLabels).length + matchExpressions.length === 0 && 'empty selector is invalid',
});

const selectorReadable = rule<LabelSelector, AppsSpec>({
  code: 'apps-selector-readable',
  type: 'Invalid',
  source,
  says: 'The selector of a Deployment or StatefulSet can be understood.',
  refuses: (_selector, spec) => !isReadable(spec) && 'invalid label selector',
});

const templateSelected = rule<PodTemplate, AppsSpec>({
  code: 'apps-template-selected',
  type: 'Invalid',
  source,
  says: 'The selector of a Deployment or StatefulSet matches the labels of its template.',
  evenIfAbsent: true,
  // Without a selector nothing is selected.
  refuses: (template, { selector }) =>
    selects(selector, template?.metadata?.labels ?? {}) === false && {
      message: '`selector` does not match template `labels`',
      at: ['metadata', 'labels'],
    },
});

const restartAlways = rule<string, PodSpec>({
  code: 'apps-restart-policy',
  type: 'NotSupported',
  source,
  says: 'The pods of a Deployment or StatefulSet are restarted always.',
  refuses: (policy) => policy !== 'Always' && unsupportedMessage(policy, ['Always']),
});

const noDeadline = rule<number, PodSpec>({
  code: 'apps-active-deadline',
  type: 'Forbidden',
  source,
  says: 'The pods of a Deployment or StatefulSet have no deadline.',
  refuses: () => 'activeDeadlineSeconds is not supported here',
});

/** The rules that the pods of a template last. */
export const lastingPods = always<PodTemplate, AppsSpec, Context>(
  {},
  fields<PodTemplate>({
    spec: fields<PodSpec>({ restartPolicy: restartAlways, activeDeadlineSeconds: noDeadline }),
  }),
);

/**
 * Every rule of pod templates; `podsOf` says what the pods made of this one will be. Behind a selector that it can't
 * read the server looks at no template.
 */
export function template(podsOf: (own: PodTemplate, spec: AppsSpec) => PodTemplate) {
  return all<PodTemplate, AppsSpec, Context>(templateSelected, {
    judgesAbsent: true,
    run: (value, spec, context, path, judgement) => {
      if (!isReadable(spec)) return;
      podTemplate.run(podsOf(value ?? {}, spec), spec, context, path, judgement);
    },
    visit: podTemplate.visit,
  });
}

/** Whether the selector of such an object can be read; where there is none there is nothing to read. */
export function isReadable({ selector }: AppsSpec): boolean {
  return selects(selector, {}) !== undefined;
}

/** Rules of the fields that both have. */
export const shared = {
  replicas: notNegative('apps-replicas-negative', 'replicas'),
  minReadySeconds: notNegative('apps-min-ready-negative', 'minReadySeconds'),
  selector: [selectorRequired, labelSelector, selectorNotEmpty, selectorReadable],
} as const;

/** Judges how a rolling update goes, where the strategy is that. */
export function ifRolling(code: string, check: Check<RollingUpdate, Strategy>) {
  return within<RollingUpdate, Strategy, Context, Context>(
    code,
    (_update, { type }, context) => ((type || 'RollingUpdate') === 'RollingUpdate' ? context : undefined),
    check,
  );
}

/** A share of all pods. */
const percent = /^[0-9]+%$/;

/** Numbers of pods: a whole number, or a share of all. */
function amountFaults(amount: number | string): string | false {
  if (typeof amount === 'number') return amount < 0 && negativeMessage;
  return !percent.test(amount) && "a valid percent string must be a numeric string followed by an ending '%'";
}

/** The rule for a number of pods or a share of them. */
export const amountFormat = rule<number | string>({
  code: 'apps-amount',
  type: 'Invalid',
  source,
  says: 'How many pods may be replaced at once is a whole number or a percentage.',
  refuses: amountFaults,
});

/** The rule that such a share is no more than all. */
export const atMostAll = rule<number | string>({
  code: 'apps-amount-all',
  type: 'Invalid',
  source,
  says: 'No more than all pods can be unavailable.',
  refuses: (amount) =>
    typeof amount === 'string' &&
    percent.test(amount) &&
    Number.parseInt(amount, 10) > 100 &&
    'must not be greater than 100%',
});

/** As the server counts: a text that is no percentage is a number, or else nothing. */
export function isZero(amount: number | string): boolean {
  if (typeof amount === 'number') return amount === 0;
  return percent.test(amount) || /^[+-]?[0-9]+$/.test(amount) ? Number.parseInt(amount, 10) === 0 : true;
}
