import { once } from '../base/index.ts';
import { cronJobOnCreate } from './cronJob.ts';
import { deploymentSpec } from './deployment.ts';
import { jobOnCreate, jobOnStatusUpdate, jobOnUpdate } from './job.ts';
import { ownPodSpec } from './pod/index.ts';
import type { RuleFacts } from './rule.ts';
import { statefulSetSpec } from './statefulSet.ts';
import type { FieldErrorType, KubernetesMinor } from './verdict.ts';
import { statefulSetMetadata } from './workload.ts';

/** A rule as documentation and tests see it. */
export interface CatalogueEntry {
  readonly code: string;
  readonly type: FieldErrorType;
  readonly says: string;
  /** The id of the fact in the rule sheet. */
  readonly source: string;
  /** First and last minor in which the rule holds; absent: no bound among the known ones. */
  readonly since: KubernetesMinor | undefined;
  readonly until: KubernetesMinor | undefined;
}

/** Every rule of the engine once, in the order in which they are met. */
export const ruleCatalogue = once((): readonly CatalogueEntry[] => {
  const seen = new Set<RuleFacts>();
  const batch = [jobOnCreate, jobOnUpdate, jobOnStatusUpdate, cronJobOnCreate];
  for (const tree of [...batch, ownPodSpec, statefulSetMetadata, deploymentSpec, statefulSetSpec]) {
    tree.visit((facts) => seen.add(facts));
  }
  return [...seen].map(({ code, type, says, source, since, until }) => ({ code, type, says, source, since, until }));
});
