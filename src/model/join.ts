import { sha1Hex } from '../kube/index.ts';
import type { ObservedJob, ObservedWorkload } from './observed.ts';
import type { ClusterSight } from './source.ts';

/**
 * Which Job of a worker is the mirror of which management Job. A name alone never joins anything: a Job that was deleted
 * and made again has the name of the old one, and the old one's mirror.
 */

/** True if `mirror` was made for `job` of the cluster with that identity. */
export function isMirrorOf(
  mirror: ObservedJob,
  job: ObservedJob,
  managementIdentity: string | undefined,
  workload: ObservedWorkload | undefined,
): boolean {
  const { origin } = mirror;
  if (origin === undefined) return false;
  if (origin.kind === 'ours') {
    const isOurCluster =
      managementIdentity === undefined || origin.cluster === '' || origin.cluster === managementIdentity;
    return origin.uid === job.uid && isOurCluster;
  }
  if (mirror.namespace !== job.namespace || mirror.name !== job.name) return false;
  // Without the label (older Kueue) name and origin are all there is.
  if (origin.workload === undefined) return true;
  if (workload !== undefined) return workload.name === origin.workload;
  // An elastic Job's Workload carries more than name and UID in its hash.
  return job.isElastic === true || origin.workload.endsWith(`-${workloadHash(job)}`);
}

/**
 * The end of the name that Kueue gives the Workload of a Job: it holds the Job's UID, so it proves whose Workload it is.
 * Source: Kueue 0.17, jobframework, workload names.
 */
export function workloadHash({ name, uid }: Pick<ObservedJob, 'name' | 'uid'>): string {
  return sha1Hex(`Job\nbatch\n${name}\n${uid}`).slice(0, 5);
}

/** All mirrors of `job` on that worker: one, unless an earlier attempt left another behind. */
export function mirrorsOn(
  worker: ClusterSight,
  job: ObservedJob,
  managementIdentity: string | undefined,
  workload: ObservedWorkload | undefined,
): ObservedJob[] {
  const names = new Set([job.record?.mirrorName ?? job.name, job.name]);
  return [...names].flatMap((name) => {
    const mirror = worker.jobs.find(job.namespace, name);
    return mirror !== undefined && isMirrorOf(mirror, job, managementIdentity, workload) ? [mirror] : [];
  });
}
