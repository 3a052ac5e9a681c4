import { stringify } from 'yaml';
import { kubernetesMinors, nearestMinor, newestMinor } from '../admission/index.ts';
import {
  type Completion,
  completionsAt,
  createManifestSession,
  type Hover,
  hoverAt,
  type Lens,
  lensesOf,
  type ManifestCheck,
  type ManifestSettings,
  namesUsed,
  patchFilesOf,
} from '../manifest/index.ts';

/** The authoring engine, a bundle of its own: loaded when the first manifest is seen. */

/** What decides about a file besides its text, as the editor knows it. */
export interface AuthoringSettings {
  /** A Kubernetes minor, or `auto`. */
  readonly version: string;
  /** The minor of the connected management cluster. */
  readonly clusterVersion: string | undefined;
  readonly controllerName: string;
  readonly knownControllers: readonly string[];
  /** A kustomization lists the file as a patch. */
  readonly isPartial: boolean;
}

/** Documents of a long file that are looked at in one go, so that typing never waits for all of them. */
const documentsAtOnce = 200;

export function createSession(onRuleFailure: (code: string, error: unknown) => void): {
  check(text: string, settings: AuthoringSettings): ManifestCheck;
} {
  const session = createManifestSession({ onRuleFailure });
  return {
    check: (text, settings) =>
      session.check(text, { ...manifestSettings(settings), newDocumentsLimit: documentsAtOnce }),
  };
}

export function complete(
  text: string,
  offset: number,
  settings: AuthoringSettings,
  others: readonly ManifestCheck[],
): readonly Completion[] {
  const used = namesUsed(others);
  const knownControllers = [...settings.knownControllers, ...used.controllers];
  return completionsAt(text, offset, { ...manifestSettings(settings), knownControllers, knownQueues: used.queues });
}

export function lenses(check: ManifestCheck, settings: AuthoringSettings): readonly Lens[] {
  return lensesOf(check, settings);
}

export function hover(text: string, offset: number, settings: AuthoringSettings): Hover | undefined {
  return hoverAt(text, offset, manifestSettings(settings));
}

function manifestSettings(settings: AuthoringSettings): ManifestSettings {
  const { controllerName, knownControllers, isPartial } = settings;
  return { version: versionFor(settings), controllerName, knownControllers, isPartial };
}

/** What is set; else what the connected cluster runs, or is nearest to it; else the newest that is known. */
function versionFor({ version, clusterVersion }: AuthoringSettings) {
  const set = kubernetesMinors.find((minor) => minor === version);
  return set ?? (clusterVersion === undefined ? undefined : nearestMinor(clusterVersion)) ?? newestMinor;
}

export { patchFilesOf };

/** An object as a person reads it. */
export function toYaml(object: object): string {
  return stringify(object, { lineWidth: 0, aliasDuplicateObjects: false });
}
