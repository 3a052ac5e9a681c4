import { type KubernetesMinor, kubernetesMinors } from '../../src/admission/index.ts';
import { minorOf, readSchemaFiles } from '../schemas/files.ts';

/** The patch release whose own code stands for its minor in the checks, `1.35.4`: the one that its schema is of. */
export function releaseOf(minor: KubernetesMinor): string {
  const file = readSchemaFiles().find((each) => minorOf(each) === minor);
  if (file === undefined)
    throw new Error(`schemas/kubernetes-${minor}.json is missing: node scripts/run.mjs minor ${minor}`);
  return file['x-source'].version.slice(1);
}

/** The minor that the control planes run. */
export const controlPlaneMinor: KubernetesMinor = '1.35';

export const etcdRelease = '3.6.16';

/** Narrows what somebody typed after `--kubernetes`. */
export function isKubernetesMinor(text: string): text is KubernetesMinor {
  return kubernetesMinors.some((minor) => minor === text);
}
