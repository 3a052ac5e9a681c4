import { isAtLeast, newestMinor } from '../admission/index.ts';
import { replaceScalar } from './edits.ts';
import type { DocumentFinding, Fix } from './finding.ts';
import { workloadKinds } from './kinds.ts';
import { placeOf } from './locate.ts';
import { type MapNode, nodeAt } from './nodes.ts';
import { type NamedObject, namedObjectsIn } from './objects.ts';
import type { ManifestSettings } from './settings.ts';

export const kindNotServedCode = 'kind-not-served';

/** Kubernetes' own kinds by their names in lower case, each with the one version that 1.34 to 1.37 serve. */
const served: ReadonlyMap<string, { readonly kind: string; readonly apiVersion: string }> = new Map(
  workloadKinds
    .filter(({ podTemplate, judged }) => podTemplate !== undefined || judged !== undefined)
    .map(({ kind, apiVersions: [apiVersion = ''] }) => [kind.toLowerCase(), { kind, apiVersion }]),
);

/**
 * Says of Jobs and of what stands beside them that no server has them under that version or with that spelling: kubectl
 * finds no address to send them to. Only where the group is one of Kubernetes itself: the group of a CRD has a dot.
 */
export function notServedFindings(root: MapNode, text: string, settings: ManifestSettings): readonly DocumentFinding[] {
  const { version, unlistedVersion } = settings;
  // A cluster older than all that are known here may still serve what is gone since.
  if (unlistedVersion !== undefined && !isAtLeast(version, newestMinor)) return [];
  return [...namedObjectsIn(root)].flatMap((object) => {
    const finding = notServed(object, text);
    return finding === undefined ? [] : [finding];
  });
}

function notServed({ node, apiVersion, kindName }: NamedObject, text: string): DocumentFinding | undefined {
  if (apiVersion === undefined || kindName === undefined || groupOf(apiVersion).includes('.')) return undefined;
  const known = served.get(kindName.toLowerCase());
  if (known === undefined || (known.kind === kindName && known.apiVersion === apiVersion)) return undefined;
  const isMisspelt = known.kind !== kindName;
  // With neither right, it may be anybody's.
  if (isMisspelt && known.apiVersion !== apiVersion) return undefined;
  const field = isMisspelt ? 'kind' : 'apiVersion';
  const right = known[field];
  const said = `no matches for kind "${kindName}" in version "${apiVersion}"`;
  return {
    span: placeOf(node, [field], 'value', text),
    severity: 'error',
    code: kindNotServedCode,
    message: isMisspelt
      ? `This kind is written '${right}'. (kubectl: ${said})`
      : `${known.kind}s are served under '${right}' alone. (kubectl: ${said})`,
    field,
    source: 'Kubernetes, the versions that are served',
    fixes: fixesOf(node, field, right, isMisspelt || groupOf(apiVersion) === groupOf(right)),
  };
}

/** `isPreferred`: what stands in the object can stay as it is. */
function fixesOf(node: MapNode, field: string, right: string, isPreferred: boolean): readonly Fix[] {
  const scalar = nodeAt(node, [field]);
  const edit = scalar?.kind === 'scalar' ? replaceScalar(scalar, right) : undefined;
  return edit === undefined ? [] : [{ title: `Use '${right}'`, edits: [edit], isPreferred }];
}

/** The empty one for 'v1'. */
function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}
