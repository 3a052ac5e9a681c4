import { type Complaint, rule } from '../rule.ts';
import { all } from '../structure.ts';
import { amountsOf } from './amounts.ts';
import { isSidecar, type PodContext } from './context.ts';
import { addQuantities, compareQuantities, formatQuantity, type Quantity } from './quantity.ts';
import { isHugePages } from './resourceNames.ts';
import { podRequirements } from './resources.ts';
import { about } from './ruleShapes.ts';
import type { Container, PodSpec, ResourceRequirements } from './types.ts';

/**
 * How the resources of a pod as a whole agree with those of its containers.
 * Source: Kubernetes 1.35, core validation, pod resource consistency; KEP-753 for the sum over sidecars.
 */

type Amounts = Map<string, Quantity>;

function addTo(sum: Amounts, amounts: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of amounts) {
    const before = sum.get(name);
    sum.set(name, before === undefined ? amount : addQuantities(before, amount));
  }
}

function raiseTo(largest: Amounts, amounts: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of amounts) {
    const before = largest.get(name);
    if (before === undefined || compareQuantities(amount, before) > 0) largest.set(name, amount);
  }
}

/** What all containers together need at their highest: init containers run one by one, sidecars stay. */
export function totalOf(spec: PodSpec, kind: 'limits' | 'requests'): ReadonlyMap<string, Quantity> {
  const running: Amounts = new Map();
  for (const container of spec.containers ?? []) addTo(running, amountsOf(container.resources?.[kind]));
  const sidecars: Amounts = new Map();
  const whileStarting: Amounts = new Map();
  for (const container of spec.initContainers ?? []) {
    const own = amountsOf(container.resources?.[kind]);
    if (isSidecar(container)) {
      addTo(running, own);
      addTo(sidecars, own);
      raiseTo(whileStarting, sidecars);
    } else {
      const together: Amounts = new Map(own);
      addTo(together, sidecars);
      raiseTo(whileStarting, together);
    }
  }
  raiseTo(running, whileStarting);
  return running;
}

const requestsCoverContainers = rule<ResourceRequirements, PodSpec>({
  code: 'pod-requests-cover-containers',
  type: 'Invalid',
  source: 'G10',
  says: 'What a pod requests as a whole covers what its containers request.',
  refuses: ({ requests }, spec) => {
    const complaints: Complaint[] = [];
    const total = totalOf(spec, 'requests');
    for (const [name, amount] of amountsOf(requests)) {
      const needed = total.get(name);
      if (needed === undefined || compareQuantities(needed, amount) <= 0) continue;
      const fault = `must be greater than or equal to aggregate container requests of ${formatQuantity(needed)}`;
      complaints.push({ at: ['requests', { key: name }], message: about(formatQuantity(amount), fault) });
    }
    return complaints;
  },
});

const limitsCoverHugePages = rule<ResourceRequirements, PodSpec>({
  code: 'pod-limits-cover-huge-pages',
  type: 'Invalid',
  source: 'G10',
  says: 'The huge pages of a pod as a whole cover those of its containers.',
  refuses: ({ limits }, spec) => {
    const complaints: Complaint[] = [];
    const total = totalOf(spec, 'limits');
    for (const [name, amount] of amountsOf(limits)) {
      const needed = isHugePages(name) ? total.get(name) : undefined;
      if (needed === undefined || compareQuantities(needed, amount) <= 0) continue;
      const fault = `must be greater than or equal to aggregate container limits of ${formatQuantity(needed)}`;
      complaints.push({ at: ['limits', { key: name }], message: about(formatQuantity(amount), fault) });
    }
    return complaints;
  },
});

const containerLimitsWithin = rule<ResourceRequirements, PodSpec>({
  code: 'container-limits-within-pod',
  type: 'Invalid',
  source: 'G10',
  says: 'The limit of a container is at most that of its pod.',
  refuses: ({ limits }, spec) => {
    const complaints: Complaint[] = [];
    const most = amountsOf(limits);
    if (most.size === 0) return complaints;
    spec.containers?.forEach((container: Container, index) => {
      for (const [name, limit] of amountsOf(container.resources?.limits)) {
        const bound = most.get(name);
        if (bound === undefined || compareQuantities(limit, bound) <= 0) continue;
        // The server prints a path that doesn't exist, below the pod's own resources.
        complaints.push({
          at: ['containers', index, { key: name }, 'limits'],
          message: about(formatQuantity(limit), `must be less than or equal to pod limits of ${formatQuantity(bound)}`),
        });
      }
    });
    return complaints;
  },
});

const notOnWindows = rule<ResourceRequirements, PodSpec>({
  code: 'pod-resources-windows',
  type: 'Forbidden',
  source: 'G10',
  says: 'A Windows pod has resources only in its containers.',
  refuses: (_resources, spec) => isForWindows(spec) && 'may not be set for a windows pod',
});

function isForWindows(spec: PodSpec): boolean {
  return spec.os?.name === 'windows';
}

const detail = all<ResourceRequirements, PodSpec, PodContext>(
  podRequirements,
  requestsCoverContainers,
  limitsCoverHugePages,
  containerLimitsWithin,
);

/** What is asked for the pod as a whole. On Windows nothing can be, and then its content goes unjudged. */
export const podResources = all<ResourceRequirements, PodSpec, PodContext>(notOnWindows, {
  run: (value, spec, context, path, judgement) => {
    if (!isForWindows(spec)) detail.run(value, spec, context, path, judgement);
  },
  visit: detail.visit,
});
