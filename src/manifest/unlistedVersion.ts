import { isAtLeast, newestMinor } from '../admission/index.ts';
import type { DocumentFinding } from './finding.ts';
import { placeOf } from './locate.ts';
import type { FoundObject } from './objects.ts';
import type { ManifestSettings } from './settings.ts';

export const unlistedVersionCode = 'kubernetes-version-unlisted';

/** Says of the first object that is judged by a version of Kubernetes that the cluster runs another one, not known here. */
export function unlistedVersionFindings(
  objects: readonly FoundObject[],
  text: string,
  { version, unlistedVersion }: ManifestSettings,
): readonly DocumentFinding[] {
  const judged = objects.find(({ kind }) => kind.podTemplate !== undefined || kind.judged !== undefined);
  if (unlistedVersion === undefined || judged === undefined) return [];
  const by = `judged by the rules of ${version}`;
  const message = isAtLeast(version, newestMinor)
    ? `The cluster runs Kubernetes ${unlistedVersion}, newer than is known here: ${by}, the newest. A field that is called unknown may be one that came later.`
    : `The cluster runs Kubernetes ${unlistedVersion}, older than is known here: ${by}, the oldest. It may lack fields, and say otherwise.`;
  return [
    {
      span: placeOf(judged.node, ['apiVersion'], 'value', text),
      severity: 'information',
      code: unlistedVersionCode,
      message,
      source: 'Kubernetes, the versions that are known here',
    },
  ];
}
