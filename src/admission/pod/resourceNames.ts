import { qualifiedNameFaults } from '../formats.ts';

/** Names of resources. Source: Kubernetes 1.35, core helpers, resource names. */

const hugePagesPrefix = 'hugepages-';
const containerResources: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage']);
const countedResources: ReadonlySet<string> = new Set([
  'configmaps',
  'persistentvolumeclaims',
  'pods',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'services',
  'services.loadbalancers',
  'services.nodeports',
]);
const standardResources: ReadonlySet<string> = new Set([
  ...containerResources,
  ...countedResources,
  'storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
]);

/** True for huge pages of any size. */
export function isHugePages(name: string): boolean {
  return name.startsWith(hugePagesPrefix);
}

/** The page size in the name of a huge page resource, as text: `2Mi` in `hugepages-2Mi`. */
export function pageSizeIn(name: string): string {
  return name.slice(hugePagesPrefix.length);
}

/** True for names without a domain and for those of Kubernetes' own domain. */
function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** True for a resource that a device plugin or an administrator brings along: `nvidia.com/gpu`. */
function isExtended(name: string): boolean {
  if (isNative(name) || name.startsWith('requests.')) return false;
  return qualifiedNameFaults(`requests.${name}`).length === 0;
}

/** True for a resource of which there are only whole ones. */
export function comesInWholes(name: string): boolean {
  return countedResources.has(name) || isExtended(name);
}

/** True for a resource of which a container may use more than it requests. */
export function canBeOvercommitted(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

/** What a container can ask for. */
export function containerResourceFaults(name: string): readonly string[] {
  const isKnown = containerResources.has(name) || isHugePages(name);
  if (isKnown && !name.includes('/')) return qualifiedNameFaults(name);
  const faults = qualifiedNameFaults(name);
  if (faults.length > 0) return faults;
  if (!name.includes('/')) return ['must be a standard resource for containers'];
  return isNative(name) || isExtended(name) ? [] : ["doesn't follow extended resource name standard"];
}

/** What can be asked for a pod as a whole. */
export function isPodResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name);
}

/** A name that some resource could have, be it one for pods or not. */
export function anyResourceFaults(name: string): readonly string[] {
  const faults = qualifiedNameFaults(name);
  if (faults.length > 0 || name.includes('/')) return faults;
  const isStandard = standardResources.has(name) || isHugePages(name) || name.startsWith(`requests.${hugePagesPrefix}`);
  return isStandard ? [] : ['must be a standard resource type or fully qualified'];
}
