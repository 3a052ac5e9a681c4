import type { ContainerStatus, ExitCodeRequirement, StoredJob, StoredPod } from '../objects.ts';
import { type IndexSet, parseIndexes } from './indexes.ts';

/** `none`: no rule matches, and the failure counts as it would without a policy. */
export interface FailureMatch {
  readonly action: 'Ignore' | 'FailIndex' | 'FailJob' | 'Count' | 'none';
  /** Set for FailJob: why the Job fails. */
  readonly message?: string;
}

/** What the Job's podFailurePolicy says to a failed pod. The first rule that matches decides. */
export function matchFailurePolicy(job: StoredJob, pod: StoredPod): FailureMatch {
  const rules = job.spec.podFailurePolicy?.rules ?? [];
  const podName = `${pod.metadata.namespace}/${pod.metadata.name}`;
  for (const [i, rule] of rules.entries()) {
    let message: string | undefined;
    if (rule.onExitCodes !== undefined) {
      const container = exitedContainer(pod, rule.onExitCodes);
      if (container === undefined) continue;
      message = `Container ${container.name} for pod ${podName} failed with exit code ${container.state.terminated?.exitCode} matching ${rule.action} rule at index ${i}`;
    } else {
      const condition = pod.status?.conditions?.find(({ type, status }) =>
        rule.onPodConditions?.some((pattern) => pattern.type === type && (pattern.status ?? 'True') === status),
      );
      if (condition === undefined) continue;
      message = `Pod ${podName} has condition ${condition.type} matching ${rule.action} rule at index ${i}`;
    }
    switch (rule.action) {
      case 'Ignore':
      case 'FailIndex':
      case 'Count':
        return { action: rule.action };
      case 'FailJob':
        return { action: 'FailJob', message };
    }
  }
  return { action: 'none' };
}

/** The first container that ended with a code that the rule is about. Source: Kubernetes 1.35, pod failure policy. */
function exitedContainer(pod: StoredPod, requirement: ExitCodeRequirement): ContainerStatus | undefined {
  const all = [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])];
  return all.find(({ name, state }) => {
    const code = state.terminated?.exitCode;
    if (code === undefined || code === 0) return false;
    if (requirement.containerName !== undefined && requirement.containerName !== name) return false;
    return requirement.values.includes(code) === (requirement.operator === 'In');
  });
}

/** The message of the first rule of the Job's successPolicy that the succeeded indexes satisfy. */
export function matchSuccessPolicy(job: StoredJob, succeeded: IndexSet): string | undefined {
  const rules = job.spec.successPolicy?.rules;
  if (rules === undefined || succeeded.size === 0) return undefined;
  const index = rules.findIndex(({ succeededIndexes, succeededCount }) => {
    if (succeededIndexes === undefined) return succeededCount !== undefined && succeeded.size >= succeededCount;
    const wanted = parseIndexes(succeededIndexes, job.spec.completions ?? 0);
    if (wanted.size === 0) return false;
    const reached = [...wanted].filter((i) => succeeded.has(i)).length;
    return reached === wanted.size || (succeededCount !== undefined && reached >= succeededCount);
  });
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}
