import { scheduleFault } from '../../admission/index.ts';
import { filledAt, itemsAt, type ManifestNode, numberAt, stringAt } from '../yaml/nodes.ts';
import { lacksContainers, type Path, type Refuse, refuserOf, renaming, repeated } from './refusal.ts';
import type { Breach, RuleSubject } from './rule.ts';

/**
 * What KubeRay's operator checks before it makes anything. Its webhooks look at no more than names, and only where they
 * are switched on: what is told here is accepted, and the operator leaves it alone. Source: KubeRay 1.6, validation.go.
 */

export const byKubeRay = 'KubeRay 1.6';

export function kubeRayFaults(subject: RuleSubject): readonly Breach[] {
  const refuse = refuserOf(subject, byKubeRay, false);
  switch (subject.kind.kind) {
    case 'RayCluster':
      return [
        ...clusterFaults(subject, ['spec'], refuse),
        ...groupNameFaults(subject, refuse),
        ...strategyFaults(subject, ['Recreate', 'None'], refuse),
      ];
    case 'RayService':
      return [
        ...clusterFaults(subject, ['spec', 'rayClusterConfig'], refuse),
        ...strategyFaults(subject, ['NewCluster', 'NewClusterWithIncrementalUpgrade', 'None'], refuse),
      ];
    case 'RayJob':
      return jobFaults(subject, ['spec'], refuse);
    default:
      return [...jobFaults(subject, ['spec', 'jobTemplate'], refuse), ...scheduleFaults(subject, refuse)];
  }
}

function clusterFaults(subject: RuleSubject, cluster: Path, refuse: Refuse): readonly Breach[] {
  const { root } = subject;
  // Without it, the CRD or another rule has something to say.
  if (filledAt(root, cluster)?.kind !== 'map') return [];
  const groups = [...cluster, 'workerGroupSpecs'];
  const isAutoscaling = isTrue(filledAt(root, [...cluster, 'enableInTreeAutoscaling']));
  return [
    ...containerFaults(root, [...cluster, 'headGroupSpec'], refuse),
    ...startFaults(root, [...cluster, 'headGroupSpec'], refuse),
    ...negative(root, [...cluster, 'autoscalerOptions', 'idleTimeoutSeconds'], refuse),
    ...versionFaults(root, cluster, refuse),
    ...itemsAt(root, groups).flatMap((group, index): readonly Breach[] => {
      const at = [...groups, index];
      if (group.kind !== 'map') return [];
      return [
        ...containerFaults(root, at, refuse),
        ...startFaults(root, at, refuse),
        ...replicaFaults(root, at, refuse),
        ...(isAutoscaling && isTrue(filledAt(group, ['suspend']))
          ? [
              refuse(
                [...at, 'suspend'],
                "A group of a cluster that scales by itself can't be suspended.",
                'cannot be suspended with Autoscaler enabled',
              ),
            ]
          : []),
      ];
    }),
  ];
}

/** Tokens are known to Ray from 2.52 on, and the version must be said. */
function versionFaults(root: ManifestNode, cluster: Path, refuse: Refuse): readonly Breach[] {
  if (stringAt(root, [...cluster, 'authOptions', 'mode']) !== 'token') return [];
  const path = [...cluster, 'rayVersion'];
  const version = filledAt(root, path);
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(stringAt(root, path) ?? '') ?? [];
  const isOld = Number(major) < 2 || (Number(major) === 2 && Number(minor) < 52);
  if (version !== undefined && !isOld) return [];
  return [refuse(path, "For tokens, 'rayVersion' says 2.52.0 or later.", 'minimum Ray version is 2.52.0')];
}

/** Asked by the webhook of RayClusters alone. */
function groupNameFaults({ root }: RuleSubject, refuse: Refuse): readonly Breach[] {
  const groups = ['spec', 'workerGroupSpecs'];
  return repeated(itemsAt(root, groups), 'groupName').map(({ index, value }) => {
    const said = `Another worker group is called '${value}'.`;
    return refuse([...groups, index, 'groupName'], said, 'worker group names must be unique');
  });
}

function containerFaults(root: ManifestNode, group: Path, refuse: Refuse): readonly Breach[] {
  if (!lacksContainers(filledAt(root, group))) return [];
  const said = 'A group has pods, and these a container at least.';
  const answer = 'should have at least one container';
  return [refuse([...group, 'template', 'spec', 'containers'], said, answer, { place: 'key' })];
}

const amounts = ['num-cpus', 'num-gpus', 'memory', 'resources'];

/** What the pods of a group have is said in one place. */
function startFaults(root: ManifestNode, group: Path, refuse: Refuse): readonly Breach[] {
  const params = [...group, 'rayStartParams'];
  const isSaid = (key: string): boolean => (stringAt(root, [...params, key]) ?? '') !== '';
  const resources = filledAt(root, [...group, 'resources']);
  const breaches: Breach[] = [];
  if (stringAt(root, [...params, 'labels']) !== undefined) {
    const said = "Labels of a group stand in its own 'labels'.";
    breaches.push(refuse([...params, 'labels'], said, "rayStartParams['labels'] is not supported", { place: 'key' }));
  }
  if (resources?.kind === 'map' && resources.entries.length > 0 && amounts.some(isSaid)) {
    const said = "The amounts of a group stand in 'resources' or in 'rayStartParams', not in both.";
    breaches.push(refuse([...group, 'resources'], said, 'should not be set in both', { place: 'key' }));
  }
  return breaches;
}

function replicaFaults(root: ManifestNode, group: Path, refuse: Refuse): readonly Breach[] {
  const path = [...group, 'minReplicas'];
  const [least, most] = ['minReplicas', 'maxReplicas'].map((key) => numberAt(root, [...group, key]));
  const below = ['minReplicas', 'maxReplicas'].flatMap((key) => negative(root, [...group, key], refuse));
  if (below.length > 0 || least === undefined || most === undefined || least <= most) return below;
  const said = `The group has at least ${least} pods and at most ${most}: KubeRay leaves the cluster alone.`;
  return [refuse(path, said, 'minReplicas is greater than maxReplicas')];
}

/** A number below `least`, which is 0 unless said otherwise. */
function negative(root: ManifestNode, path: Path, refuse: Refuse, least = 0): readonly Breach[] {
  const value = numberAt(root, path);
  if (value === undefined || value >= least) return [];
  return [refuse(path, `'${String(path.at(-1))}' is ${least} at least.`, `must be at least ${least}`)];
}

function jobFaults(subject: RuleSubject, job: Path, refuse: Refuse): readonly Breach[] {
  const { root } = subject;
  if (filledAt(root, job)?.kind !== 'map') return [];
  const ownCluster = [...job, 'rayClusterSpec'];
  const selector = filledAt(root, [...job, 'clusterSelector']);
  const isSelecting = selector?.kind === 'map' && selector.entries.length > 0;
  const mode = stringAt(root, [...job, 'submissionMode']);
  const retries = numberAt(root, [...job, 'backoffLimit']);
  const breaches: Breach[] = [];
  if (filledAt(root, ownCluster) === undefined && !isSelecting) {
    const said = "A RayJob brings its cluster, 'rayClusterSpec', or selects one, 'clusterSelector'.";
    breaches.push(refuse(job, said, 'one of RayClusterSpec or ClusterSelector must be set', { place: 'key' }));
  }
  if (isSelecting && (stringAt(selector, ['ray.io/cluster']) ?? '') === '') {
    const said = "A cluster is selected by the label 'ray.io/cluster', whose value is its name.";
    breaches.push(
      refuse([...job, 'clusterSelector'], said, 'cluster name in ClusterSelector should not be empty', {
        place: 'key',
      }),
    );
  }
  if (retries !== undefined && retries > 0 && (isSelecting || mode === 'InteractiveMode')) {
    const said = isSelecting ? 'On a cluster that is there' : 'In this mode';
    breaches.push(
      refuse([...job, 'backoffLimit'], `${said} a RayJob isn't tried again.`, 'BackoffLimit is incompatible'),
    );
  }
  return [
    ...breaches,
    ...negative(root, [...job, 'backoffLimit'], refuse),
    ...negative(root, [...job, 'activeDeadlineSeconds'], refuse, 1),
    ...endFaults(root, job, refuse),
    ...clusterFaults(subject, ownCluster, refuse),
  ];
}

/** When the cluster goes, at the end of a job. */
function endFaults(root: ManifestNode, job: Path, refuse: Refuse): readonly Breach[] {
  const ttl = [...job, 'ttlSecondsAfterFinished'];
  const rules = [...job, 'deletionStrategy', 'deletionRules'];
  const shutdown = filledAt(root, [...job, 'shutdownAfterJobFinishes']);
  // What a placeholder leaves open is open.
  const goes = isTrue(shutdown);
  const stays = shutdown === undefined || (shutdown.kind === 'scalar' && shutdown.value === false);
  const below = negative(root, ttl, refuse);
  if (below.length > 0) return below;
  if (stays && (numberAt(root, ttl) ?? 0) > 0) {
    const said = "Without 'shutdownAfterJobFinishes: true' nothing goes at the end, however long ago that is.";
    return [refuse(ttl, said, 'shutdownAfterJobFinishes set to false cannot have TTLSecondsAfterFinished')];
  }
  if (goes && itemsAt(root, rules).length > 0) {
    const said = "Either these rules say what goes at the end, or 'shutdownAfterJobFinishes' does.";
    return [refuse(rules, said, 'shutdownAfterJobFinishes and deletionRules are mutually exclusive', { place: 'key' })];
  }
  return [];
}

function strategyFaults(subject: RuleSubject, allowed: readonly string[], refuse: Refuse): readonly Breach[] {
  const path = ['spec', 'upgradeStrategy', 'type'];
  const type = stringAt(subject.root, path);
  if (type === undefined || allowed.includes(type)) return [];
  const fixes = renaming(subject, path, allowed);
  return [refuse(path, `No upgrade is called '${type}'.`, `valid options are ${allowed.join(', ')}`, { fixes })];
}

/** KubeRay reads a schedule with the library by which the API server reads those of CronJobs. */
function scheduleFaults({ root }: RuleSubject, refuse: Refuse): readonly Breach[] {
  const path = ['spec', 'schedule'];
  const schedule = stringAt(root, path);
  const fault = schedule === undefined ? undefined : scheduleFault(schedule);
  return fault === undefined ? [] : [refuse(path, `'${schedule}' is no schedule.`, `invalid cron schedule: ${fault}`)];
}

function isTrue(node: ManifestNode | undefined): boolean {
  return node?.kind === 'scalar' && node.value === true;
}
