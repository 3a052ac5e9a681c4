/** Paths inside volumes and on nodes. Source: Kubernetes 1.35, core validation, local paths. */

const fine: readonly string[] = [];

/** A path without a step to the parent folder. */
export function parentStepFaults(path: string): readonly string[] {
  if (!path.includes('..')) return fine;
  return path.split('/').includes('..') ? ["must not contain '..'"] : fine;
}

/** A path that leads down from where it starts. */
export function descendingPathFaults(path: string): readonly string[] {
  const faults = parentStepFaults(path);
  return path.startsWith('/') ? ['must be a relative path', ...faults] : faults;
}

/** A path that leads down and doesn't begin like the folders that the kubelet keeps for itself. */
export function filePathFaults(path: string): readonly string[] {
  const faults = descendingPathFaults(path);
  return path.startsWith('..') && !path.startsWith('../') ? [...faults, "must not start with '..'"] : faults;
}
