import { isAtLeast, newestMinor } from '../admission/index.ts';
import { replaceScalar } from './edits.ts';
import type { DocumentFinding, Fix, Severity } from './finding.ts';
import { workloadKinds } from './kinds.ts';
import { placeOf } from './locate.ts';
import { nearMiss } from './nearMiss.ts';
import { type NamedObject, namedObjectsIn } from './objects.ts';
import type { ManifestSettings } from './settings.ts';
import { type MapNode, nodeAt } from './yaml/nodes.ts';

export const kindNotServedCode = 'kind-not-served';

/** A kind with every version under which somebody serves it, the newest of each project first. */
interface ServedKind {
  readonly kind: string;
  readonly apiVersions: readonly string[];
  /** The one that Kubernetes 1.34 to 1.37 serve, of a kind of Kubernetes' own. */
  readonly own: string | undefined;
}

/** All known kinds by their names in lower case. */
const served: ReadonlyMap<string, ServedKind> = knownKinds();

function knownKinds(): ReadonlyMap<string, ServedKind> {
  const kinds = new Map<string, ServedKind>();
  for (const { kind, apiVersions, apiVersionsWithoutManagedBy = [], podTemplate, judged } of workloadKinds) {
    const before = kinds.get(kind.toLowerCase());
    const isOwn = podTemplate !== undefined || judged !== undefined;
    kinds.set(kind.toLowerCase(), {
      kind,
      apiVersions: [...(before?.apiVersions ?? []), ...apiVersions, ...apiVersionsWithoutManagedBy],
      own: before?.own ?? (isOwn ? apiVersions[0] : undefined),
    });
  }
  return kinds;
}

const knownGroups: ReadonlySet<string> = new Set(
  workloadKinds.flatMap(({ apiVersions }) => apiVersions.map((apiVersion) => groupOf(apiVersion))),
);

/**
 * Says of workloads that no server has them under that version or with that spelling: kubectl finds no address to send
 * them to. Only where that is certain, in a group of Kubernetes itself (that of a CRD has a dot), or nearly so: in a
 * group of a known project that has no such kind, or in one that is nearly the kind's own.
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

function notServed(object: NamedObject, text: string): DocumentFinding | undefined {
  const { apiVersion, kindName } = object;
  const known = served.get(kindName?.toLowerCase() ?? '');
  if (apiVersion === undefined || kindName === undefined || known === undefined) return undefined;
  const isWritten = known.kind === kindName;
  if (known.apiVersions.includes(apiVersion)) {
    if (isWritten) return undefined;
    return findingAt(object, text, 'kind', [known.kind], 'error', `This kind is written '${known.kind}'.`);
  }
  // With neither right, it may be anybody's.
  const meant = isWritten ? versionsMeant(groupOf(apiVersion), known) : undefined;
  if (meant === undefined) return undefined;
  const places = meant.apiVersions.map((one) => `'${one}'`).join(' or ');
  const message = `${known.kind}s are served under ${places}${meant.isCertain ? ' alone' : ''}.`;
  return findingAt(object, text, 'apiVersion', meant.apiVersions, meant.isCertain ? 'error' : 'warning', message);
}

interface Meant {
  /** The newest of each group. */
  readonly apiVersions: readonly string[];
  readonly isCertain: boolean;
}

/** The versions that a kind is served under where its group is wrong; undefined where it may well be right. */
function versionsMeant(group: string, { kind, apiVersions, own }: ServedKind): Meant | undefined {
  const newest = workloadKinds.filter((one) => one.kind === kind).flatMap((one) => one.apiVersions.slice(0, 1));
  if (!group.includes('.')) return { apiVersions: own === undefined ? newest : [own], isCertain: true };
  const groups = apiVersions.map(groupOf);
  if (groups.includes(group)) return undefined;
  if (own !== undefined && group === `${groupOf(own)}.k8s.io`) return { apiVersions: [own], isCertain: false };
  if (knownGroups.has(group)) return { apiVersions: newest, isCertain: false };
  const near = nearMiss(group, groups);
  return near === undefined
    ? undefined
    : { apiVersions: newest.filter((one) => groupOf(one) === near), isCertain: false };
}

function findingAt(
  { node, apiVersion = '', kindName = '' }: NamedObject,
  text: string,
  field: 'apiVersion' | 'kind',
  right: readonly string[],
  severity: Severity,
  message: string,
): DocumentFinding {
  return {
    span: placeOf(node, [field], 'value', text),
    severity,
    code: kindNotServedCode,
    message: `${message} (kubectl: no matches for kind "${kindName}" in version "${apiVersion}")`,
    field,
    source: severity === 'error' ? 'Kubernetes, the versions that are served' : 'The CRDs of the kinds',
    fixes: right.flatMap((one) => fixesOf(node, field, one, field === 'kind' || groupOf(apiVersion) === groupOf(one))),
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
