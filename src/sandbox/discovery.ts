import type { JsonObject } from '../base/index.ts';
import { openApiAnswer } from './openApi.ts';
import { reviews } from './requestInfo.ts';
import { allDefinitions, definitions, type ResourceDefinition } from './resources.ts';

/** Everything that is stored can be treated in all of these ways. */
const standardVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** What `/version` says; clients choose their behaviour by it. */
export interface ClusterVersion {
  readonly major: string;
  readonly minor: string;
  /** `v1.35.0-sandbox` */
  readonly gitVersion: string;
}

/** The fixed answers by which clients find out what a server has. Undefined for a path that is none of them. */
export function discoveryAnswer(
  path: string,
  version: ClusterVersion,
  address: string,
): JsonObject | string | undefined {
  switch (path) {
    // There is nothing that could be up while the server isn't.
    case '/healthz':
    case '/livez':
    case '/readyz':
      return 'ok';
    case '/version':
      return {
        ...version,
        // There is no build to tell of, but clients expect the fields.
        gitCommit: '',
        gitTreeState: 'clean',
        buildDate: '1970-01-01T00:00:00Z',
        goVersion: 'none',
        compiler: 'none',
        platform: 'sandbox',
      };
    case '/api':
      return {
        kind: 'APIVersions',
        versions: ['v1'],
        serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
      };
    case '/apis':
      return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(([name, v]) => groupOf(name, v)) };
    default:
      return path.startsWith('/openapi/') ? openApiAnswer(path) : groupAnswer(path);
  }
}

/** What is asked and never stored; clients look it up all the same before they ask. */
const reviewGroups: readonly (readonly [group: string, plurals: readonly (keyof typeof reviews)[]])[] = [
  ['authentication.k8s.io', ['selfsubjectreviews']],
  ['authorization.k8s.io', ['selfsubjectaccessreviews', 'selfsubjectrulesreviews']],
];

/** All have a single version, which is then the preferred one. */
const groups: readonly (readonly [name: string, version: string])[] = [
  ...reviewGroups.map(([group]) => [group, 'v1'] as const),
  ...[...new Set(allDefinitions.map((type) => type.group))]
    .filter((group) => group !== '')
    .map((group) => [group, 'v1'] as const),
];

function groupOf(name: string, version: string): JsonObject {
  const entry = { groupVersion: `${name}/${version}`, version };
  return { name, versions: [entry], preferredVersion: entry };
}

/** `/api/v1`, `/apis/GROUP` and `/apis/GROUP/VERSION`. */
function groupAnswer(path: string): JsonObject | undefined {
  const core = path === '/api/v1';
  const match = /^\/apis\/(?<group>[^/]+)(?:\/(?<version>[^/]+))?$/u.exec(path);
  if (!core && match === null) return undefined;
  const group = core ? '' : (match?.groups?.['group'] ?? '');
  const version = core ? 'v1' : match?.groups?.['version'];
  const known = core || groups.some(([name]) => name === group);
  if (!known) return undefined;
  if (version === undefined) return { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group, 'v1') };
  if (version !== 'v1') return undefined;
  const reviewed = reviewGroups.find(([name]) => name === group)?.[1] ?? [];
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: group === '' ? 'v1' : `${group}/v1`,
    resources: [
      ...allDefinitions.filter((type) => type.group === group).flatMap(resourceEntries),
      ...reviewed.map((plural) => ({
        name: plural,
        singularName: '',
        namespaced: false,
        kind: reviews[plural],
        verbs: ['create'],
      })),
    ],
  };
}

/** A type has an entry of its own for each subresource. */
function resourceEntries(type: ResourceDefinition): JsonObject[] {
  const { plural, singular, kind, isNamespaced } = type;
  const main = {
    name: plural,
    singularName: singular,
    namespaced: isNamespaced,
    kind,
    verbs: standardVerbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
  };
  const status = {
    name: `${plural}/status`,
    singularName: '',
    namespaced: isNamespaced,
    kind,
    verbs: ['get', 'patch', 'update'],
  };
  const log = { name: 'pods/log', singularName: '', namespaced: true, kind: 'Pod', verbs: ['get'] };
  return [main, ...(type.hasStatus ? [status] : []), ...(type === definitions.pods ? [log] : [])];
}
