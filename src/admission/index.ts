/** Admission: the API server's verdict on Jobs and CronJobs, offline. Uses base alone, and nothing of Node. */
export { type CatalogueEntry, ruleCatalogue } from './catalogue.ts';
export { decodeRules } from './decode/index.ts';
export {
  firstSharedIndex,
  formatIndexList,
  type IndexInterval,
  type IndexListReading,
  readIndexList,
} from './indexList.ts';
export { admit, applyDefaults, type JudgedKind, type JudgeOptions, judge, judgedKindOf } from './judge.ts';
export { type PodReference, podReferences } from './pod/index.ts';
export { assumedIdentity } from './prepare.ts';
export type { OnRuleFailure } from './rule.ts';
export { scheduleFault } from './schedule.ts';
export {
  type Admission,
  type AdmissionRequest,
  type FieldError,
  type FieldErrorType,
  type FieldSegments,
  type KubernetesMinor,
  kubernetesMinors,
  type ServerIdentity,
  type Verdict,
} from './verdict.ts';
export { isAtLeast, nearestMinor, newestMinor } from './version.ts';
export { judgeMetadata, judgeWorkload, type WorkloadName, type WorkloadOptions } from './workload.ts';
