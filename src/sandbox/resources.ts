import type { ResourceType } from '../kube/index.ts';

/** What the API server knows about a resource type besides its rules. */
export interface ResourceDefinition extends ResourceType {
  readonly kind: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly isNamespaced: boolean;
  /** `/status` is a subresource of its own: writes to the one leave the other alone. */
  readonly hasStatus: boolean;
  /** `jobs.batch`, or `pods` for the core group: how messages call it. */
  readonly qualifiedName: string;
  readonly apiVersion: string;
  /** A change of the spec raises `metadata.generation`. */
  readonly hasGeneration: boolean;
  /** A PUT to a name that doesn't exist creates the object. */
  readonly createsOnUpdate: boolean;
  /** A PUT without a resourceVersion overwrites whatever is there; otherwise it is refused. */
  readonly allowsUnconditionalUpdate: boolean;
  /** What becomes of dependents when a deletion doesn't say: only the old batch/v1 Jobs leave them behind. */
  readonly defaultPropagation: 'Orphan' | 'Background';
}

type Extras = Partial<
  Pick<
    ResourceDefinition,
    | 'shortNames'
    | 'categories'
    | 'isNamespaced'
    | 'hasStatus'
    | 'hasGeneration'
    | 'createsOnUpdate'
    | 'allowsUnconditionalUpdate'
    | 'defaultPropagation'
  >
>;

function define(group: string, version: string, kind: string, plural: string, extras: Extras = {}): ResourceDefinition {
  return {
    group,
    version,
    plural,
    kind,
    singular: kind.toLowerCase(),
    shortNames: [],
    categories: [],
    isNamespaced: true,
    hasStatus: false,
    hasGeneration: false,
    createsOnUpdate: false,
    allowsUnconditionalUpdate: true,
    defaultPropagation: 'Background',
    ...extras,
    qualifiedName: group === '' ? plural : `${plural}.${group}`,
    apiVersion: group === '' ? version : `${group}/${version}`,
  };
}

/** Everything that the sandbox stores. Source: Kubernetes 1.35, the registries' strategies. */
export const definitions = {
  jobs: define('batch', 'v1', 'Job', 'jobs', {
    categories: ['all'],
    hasStatus: true,
    hasGeneration: true,
    defaultPropagation: 'Orphan',
  }),
  cronJobs: define('batch', 'v1', 'CronJob', 'cronjobs', {
    shortNames: ['cj'],
    categories: ['all'],
    hasStatus: true,
    hasGeneration: true,
  }),
  pods: define('', 'v1', 'Pod', 'pods', {
    shortNames: ['po'],
    categories: ['all'],
    hasStatus: true,
    hasGeneration: true,
  }),
  events: define('', 'v1', 'Event', 'events', { shortNames: ['ev'], createsOnUpdate: true }),
  namespaces: define('', 'v1', 'Namespace', 'namespaces', { shortNames: ['ns'], isNamespaced: false, hasStatus: true }),
  configMaps: define('', 'v1', 'ConfigMap', 'configmaps', { shortNames: ['cm'] }),
  secrets: define('', 'v1', 'Secret', 'secrets'),
  serviceAccounts: define('', 'v1', 'ServiceAccount', 'serviceaccounts', { shortNames: ['sa'] }),
  resourceQuotas: define('', 'v1', 'ResourceQuota', 'resourcequotas', { shortNames: ['quota'], hasStatus: true }),
  nodes: define('', 'v1', 'Node', 'nodes', { shortNames: ['no'], isNamespaced: false, hasStatus: true }),
  leases: define('coordination.k8s.io', 'v1', 'Lease', 'leases', {
    createsOnUpdate: true,
    allowsUnconditionalUpdate: false,
  }),
} as const;

/** In the order in which discovery tells of them. */
export const allDefinitions: readonly ResourceDefinition[] = Object.values(definitions);

/** Undefined for what the sandbox doesn't store. */
export function findDefinition(group: string, version: string, plural: string): ResourceDefinition | undefined {
  return allDefinitions.find((type) => type.group === group && type.version === version && type.plural === plural);
}
