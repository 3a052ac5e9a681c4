import { type KubernetesMinor, kubernetesMinors } from '../../src/admission/index.ts';

/** The patch release whose own code stands for its minor in the checks. */
export const kubernetesReleases: Readonly<Record<KubernetesMinor, string>> = {
  '1.34': '1.34.4',
  '1.35': '1.35.4',
  '1.36': '1.36.3',
  '1.37': '1.37.2',
};

/** The minor that the control planes run. */
export const controlPlaneMinor: KubernetesMinor = '1.35';

export const etcdRelease = '3.6.16';

/** Narrows what somebody typed after `--kubernetes`. */
export function isKubernetesMinor(text: string): text is KubernetesMinor {
  return kubernetesMinors.some((minor) => minor === text);
}
