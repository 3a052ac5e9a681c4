import { filledAt, type MapNode, numberAt, stringAt } from '../yaml/nodes.ts';
import { lacksContainers, type Refuse, refuserOf, renaming } from './refusal.ts';
import type { Breach, RuleSubject } from './rule.ts';

/**
 * What mpi-operator checks before it makes anything of an MPIJob. It has no webhook: what is told here is accepted, and
 * the operator only writes an event. Source: mpi-operator 0.8, ValidateMPIJob behind its defaults.
 */

const specs = ['spec', 'mpiReplicaSpecs'];

export function mpiJobFaults(subject: RuleSubject): readonly Breach[] {
  const { root } = subject;
  const refuse = refuserOf(subject, 'mpi-operator 0.8', false);
  const roles = filledAt(root, specs);
  const breaches: Breach[] = [];
  if (roles === undefined || (roles.kind === 'map' && filledAt(roles, ['Launcher']) === undefined)) {
    breaches.push(
      refuse([...specs, 'Launcher'], 'An MPIJob has a Launcher.', 'must have Launcher replica spec', { place: 'key' }),
    );
  }
  return [
    ...breaches,
    ...roleFaults(subject, 'Launcher', refuse),
    ...roleFaults(subject, 'Worker', refuse),
    ...valueFaults(subject, ['spec', 'runPolicy', 'cleanPodPolicy'], ['None', 'Running', 'All'], refuse),
    ...[
      ['spec', 'slotsPerWorker'],
      ['spec', 'runPolicy', 'ttlSecondsAfterFinished'],
    ].flatMap((path): readonly Breach[] => {
      const value = numberAt(root, path);
      if (value === undefined || value >= 0) return [];
      return [refuse(path, `'${path.at(-1)}' is 0 at least.`, 'must be greater than or equal to 0')];
    }),
  ];
}

function roleFaults(subject: RuleSubject, role: 'Launcher' | 'Worker', refuse: Refuse): readonly Breach[] {
  const path = [...specs, role];
  const holder = filledAt(subject.root, path);
  if (holder?.kind !== 'map') return [];
  const breaches: Breach[] = [];
  if (lacksContainers(holder)) {
    const said = 'A role has pods, and these a container at least.';
    const at = [...path, 'template', 'spec', 'containers'];
    breaches.push(refuse(at, said, 'must define at least one container', { place: 'key' }));
  }
  return [
    ...breaches,
    ...replicaFaults(holder, role, refuse),
    ...valueFaults(subject, [...path, 'restartPolicy'], ['Never', 'OnFailure'], refuse),
  ];
}

function replicaFaults(holder: MapNode, role: 'Launcher' | 'Worker', refuse: Refuse): readonly Breach[] {
  // A launcher is one pod unless it says otherwise, and workers are none.
  const unwritten = role === 'Launcher' ? 1 : 0;
  const replicas = filledAt(holder, ['replicas']) === undefined ? unwritten : numberAt(holder, ['replicas']);
  if (replicas === undefined || (role === 'Launcher' ? replicas === 1 : replicas > 0)) return [];
  const path = [...specs, role, 'replicas'];
  return role === 'Launcher'
    ? [refuse(path, 'There is one launcher.', 'must be 1')]
    : [refuse(path, 'A role Worker has one pod at least, and says so.', 'must be greater than or equal to 1')];
}

function valueFaults(
  subject: RuleSubject,
  path: readonly string[],
  allowed: readonly string[],
  refuse: Refuse,
): readonly Breach[] {
  const value = stringAt(subject.root, path);
  // An empty policy of restarts is filled in.
  if (value === undefined || allowed.includes(value) || (value === '' && path.at(-1) === 'restartPolicy')) return [];
  const fixes = renaming(subject, path, allowed);
  return [
    refuse(path, `One of ${allowed.join(', ')} belongs here.`, `supported values: ${allowed.join(', ')}`, { fixes }),
  ];
}
