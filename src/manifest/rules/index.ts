/** Our own rules: what the API server lets pass although it won't do what was meant. */
import { appWrapperRules } from './appWrapper.ts';
import { controllerNameRules } from './controllerName.ts';
import { copyRules } from './copies.ts';
import { crdRules } from './crd.ts';
import { immutableRules } from './immutable.ts';
import { jobRules } from './job.ts';
import { jobSetRules } from './jobSet.ts';
import { kueueRules } from './kueue.ts';
import { nameRules } from './names.ts';
import { operatorValueRules } from './operatorValues.ts';
import { placementRules } from './placement.ts';
import { priorityRules } from './priority.ts';
import { queueRules } from './queue.ts';
import { rayRules } from './ray.ts';
import type { Rule } from './rule.ts';
import { trainingOperatorRules } from './trainingOperator.ts';
import { waitingRules } from './waiting.ts';
import { workerRules } from './worker.ts';

export { isTellingPlace } from './placement.ts';
export { priorityCode } from './priority.ts';
export { managedByUrl, type Rule, type RuleSubject } from './rule.ts';

export const rules: readonly Rule[] = [
  ...controllerNameRules,
  ...placementRules,
  ...queueRules,
  ...rayRules,
  ...kueueRules,
  ...workerRules,
  ...copyRules,
  ...jobRules,
  ...priorityRules,
  ...waitingRules,
  ...trainingOperatorRules,
  ...nameRules,
  ...jobSetRules,
  ...operatorValueRules,
  ...immutableRules,
  ...appWrapperRules,
  ...crdRules,
];
