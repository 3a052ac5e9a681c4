import { isJsonObject, valueAt } from '../../base/index.ts';
import { placeOf } from '../locate.ts';
import { nodeAt } from '../yaml/nodes.ts';
import { type Breach, type Rule, type RuleSubject, removalFixes } from './rule.ts';

/** What the API server works out for each pod itself, and refuses any pod that says otherwise. */

interface Computed {
  readonly priority: number;
  readonly preemptionPolicy: string;
}

/** The classes that every cluster has. */
const systemClasses: ReadonlyMap<string, Computed> = new Map([
  ['system-cluster-critical', { priority: 2000000000, preemptionPolicy: 'PreemptLowerPriority' }],
  ['system-node-critical', { priority: 2000001000, preemptionPolicy: 'PreemptLowerPriority' }],
]);
const withoutClass: Computed = { priority: 0, preemptionPolicy: 'PreemptLowerPriority' };
const policies: readonly unknown[] = ['Never', 'PreemptLowerPriority'];

export const priorityCode = 'priority-without-class';

const computedRule: Rule = {
  code: priorityCode,
  severity: 'warning',
  says: "A pod's priority and preemptionPolicy come from its class: the API server refuses each pod that says otherwise.",
  source: 'Kubernetes 1.34 to 1.37, admission plugin Priority',
  url: 'https://kubernetes.io/docs/concepts/scheduling-eviction/pod-priority-preemption/#pod-priority',
  check(subject) {
    const template = subject.kind.podTemplate ?? subject.kind.judged?.template;
    // Of a stored pod both are settled.
    if (template === undefined || subject.isPartial || (template.length === 0 && subject.old !== undefined)) return [];
    const spec = valueAt(subject.sent, [...template, 'spec']);
    if (!isJsonObject(spec)) return [];
    const { priority, preemptionPolicy, priorityClassName: className = null } = spec;
    const computed = className === null || className === '' ? withoutClass : systemClasses.get(String(className));
    if (computed === undefined) return [];
    const path = [...template, 'spec'];
    return [
      ...(typeof priority === 'number' && priority !== computed.priority
        ? breachAt(subject, [...path, 'priority'], computed.priority, computed)
        : []),
      ...(policies.includes(preemptionPolicy) && preemptionPolicy !== computed.preemptionPolicy
        ? breachAt(subject, [...path, 'preemptionPolicy'], computed.preemptionPolicy, computed)
        : []),
    ];
  },
};

function breachAt(
  subject: RuleSubject,
  path: readonly string[],
  value: number | string,
  computed: Computed,
): readonly Breach[] {
  const { root, text, kind } = subject;
  if (nodeAt(root, path) === undefined) return [];
  const outcome = kind.judged?.name === 'Pod' ? 'The API server refuses this pod' : 'No pod is ever made of this';
  const message =
    computed === withoutClass
      ? `${outcome}: its class decides, and without a class it is ${value}, unless the cluster's default class says just this. Name a PriorityClass in priorityClassName and leave this out.`
      : `${outcome}: its class decides, and makes it ${value}. Leave this out.`;
  return [
    { span: placeOf(root, path, 'value', text), field: path.join('.'), message, fixes: removalFixes(subject, path) },
  ];
}

export const priorityRules: readonly Rule[] = [computedRule];
