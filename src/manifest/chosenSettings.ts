import { kubernetesMinors, nearestMinor, newestMinor } from '../admission/index.ts';
import { matchesGlob } from './globs.ts';
import type { ManifestSettings, QueuesOfCluster } from './settings.ts';

/** What decides about a file besides its text, as an editor's settings and its connection say it. */
export interface ChosenSettings {
  /** A Kubernetes minor, or `auto`. */
  readonly version: string;
  /** The minor of the connected management cluster. */
  readonly clusterVersion: string | undefined;
  readonly controllerName: string;
  /** Further names that may stand in `managedBy`. */
  readonly knownControllers: readonly string[];
  /** The file holds pieces of objects, such as a patch of a kustomization. */
  readonly isPartial: boolean;
  /** A kustomization lists the file among its resources. */
  readonly isResource?: boolean;
  readonly clusterQueues?: QueuesOfCluster | undefined;
  /** What is not to be said of which files, and where this file is in the workspace. */
  readonly ignored?: { readonly path: string; readonly globsByRule: Readonly<Record<string, readonly string[]>> };
}

/** The version is what is set; else what the connected cluster runs, or is nearest to it; else the newest known. */
export function manifestSettings({ version, clusterVersion, ignored, ...rest }: ChosenSettings): ManifestSettings {
  const set = kubernetesMinors.find((minor) => minor === version);
  const nearest = clusterVersion === undefined ? undefined : nearestMinor(clusterVersion);
  const isUnlisted = set === undefined && nearest !== undefined && nearest !== clusterVersion;
  const unlistedVersion = isUnlisted ? clusterVersion : undefined;
  return { version: set ?? nearest ?? newestMinor, unlistedVersion, ignoredRules: rulesIgnoredAt(ignored), ...rest };
}

/** What settings say is what somebody wrote: anything. */
function rulesIgnoredAt(ignored: ChosenSettings['ignored']): readonly string[] {
  if (ignored === undefined) return [];
  const { path, globsByRule } = ignored;
  return Object.entries(globsByRule)
    .filter(([, globs]) => Array.isArray(globs) && globs.some((glob) => matchesGlob(path, String(glob))))
    .map(([code]) => code);
}
