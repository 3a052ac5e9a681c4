import { once } from '../base/index.ts';
import { type KubernetesMinor, kubernetesMinors } from './verdict.ts';

const ordinals: ReadonlyMap<string, number> = new Map(kubernetesMinors.map((minor, ordinal) => [minor, ordinal]));

/** The newest minor that this engine knows; the default wherever nobody says which cluster will get the object. */
export const newestMinor: KubernetesMinor = kubernetesMinors[kubernetesMinors.length - 1] ?? kubernetesMinors[0];

/** The position of a minor among the known ones, for comparing: `'1.9' < '1.10'` is false as text. */
export function ordinalOf(minor: KubernetesMinor): number {
  return ordinals.get(minor) ?? kubernetesMinors.length - 1;
}

/** Makes a value for each minor when it is first asked for, and remembers it. */
export function oncePerMinor<T>(make: (version: KubernetesMinor) => T): (version: KubernetesMinor) => T {
  const values = new Map<KubernetesMinor, () => T>();
  return (version) => {
    const value = values.get(version) ?? once(() => make(version));
    values.set(version, value);
    return value();
  };
}

/** True from `since` on. */
export function isAtLeast(minor: KubernetesMinor, since: KubernetesMinor): boolean {
  return ordinalOf(minor) >= ordinalOf(since);
}

/**
 * The known minor nearest to any version text (`v1.33.2`, `1.38`, `1.35+`): older clusters get the oldest known,
 * newer ones the newest. Undefined for a text that names no minor at all.
 */
export function nearestMinor(version: string): KubernetesMinor | undefined {
  const match = /^v?1\.(\d+)/.exec(version);
  if (match === null) return undefined;
  const wanted = Number(match[1]);
  let nearest: KubernetesMinor = kubernetesMinors[0];
  for (const minor of kubernetesMinors) if (Number(minor.slice(2)) <= wanted) nearest = minor;
  return nearest;
}
