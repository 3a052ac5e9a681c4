import { type JsonObject, textAt, valueAt } from '../base/index.ts';
import { podGrantsOf } from './podGrants.ts';

/** What dispatching a Job comes to, as far as the Job itself says it: what a person is shown before it leaves. */
export interface DispatchPlan {
  /** The `spec.managedBy` that it is created with: its own, else ours. */
  readonly managedBy: string;
  /** Whether our reconciler runs it. */
  readonly isOurs: boolean;
  /** Where it is created: its own namespace, else the one that was given. */
  readonly namespace: string;
  /** What its pods ask for beyond running their containers, in words (`podGrants.ts`). */
  readonly grants: readonly string[];
}

/** Pure; takes any object, also one that the API server would refuse. */
export function planDispatch(job: JsonObject, controllerName: string, fallbackNamespace: string): DispatchPlan {
  const managedBy = String(valueAt(job, ['spec', 'managedBy']) ?? controllerName);
  return {
    managedBy,
    isOurs: managedBy === controllerName,
    namespace: textAt(job, ['metadata', 'namespace']) ?? fallbackNamespace,
    grants: podGrantsOf(job),
  };
}
