import { isJsonObject } from '../base/index.ts';
import { isSameInstant } from './instant.ts';
import { compareQuantities, parseQuantity, type Quantity } from './pod/index.ts';

/**
 * Equality as the API server means it when it asks whether a field changed: an empty list or map equals an absent one,
 * and so does a zero value where Go's type has no way to be absent. Source: Kubernetes 1.35, apimachinery semantic
 * equality; the sets below were taken from the Go types of batch/v1 and the pod template.
 */

/** Scalars behind a pointer: absent and zero are two different things. */
const optionalScalars: ReadonlySet<string> = new Set([
  'activeDeadlineSeconds',
  'allowPrivilegeEscalation',
  'apiGroup',
  'automountServiceAccountToken',
  'backoffLimit',
  'backoffLimitPerIndex',
  'blockOwnerDeletion',
  'cachingMode',
  'completionMode',
  'completions',
  'controller',
  'defaultMode',
  'defaultUser',
  'deletionGracePeriodSeconds',
  'enableServiceLinks',
  'expirationSeconds',
  'failedIndexes',
  'failedJobsHistoryLimit',
  'fsGroup',
  'fsGroupChangePolicy',
  'gmsaCredentialSpec',
  'gmsaCredentialSpecName',
  'hostProcess',
  'hostUsers',
  'hostnameOverride',
  'initiatorName',
  'localhostProfile',
  'managedBy',
  'manualSelector',
  'maxExpirationSeconds',
  'maxFailedIndexes',
  'minCount',
  'minDomains',
  'mode',
  'mountPropagation',
  'nodeAffinityPolicy',
  'nodeTaintsPolicy',
  'optional',
  'parallelism',
  'podGroupName',
  'podReplacementPolicy',
  'preemptionPolicy',
  'priority',
  'privileged',
  'procMount',
  'readOnlyRootFilesystem',
  'recursiveReadOnly',
  'resourceClaimName',
  'resourceClaimTemplateName',
  'restartPolicy',
  'runAsGroup',
  'runAsNonRoot',
  'runAsUser',
  'runAsUserName',
  'runtimeClassName',
  'seLinuxChangePolicy',
  'service',
  'setHostnameAsFQDN',
  'shareProcessNamespace',
  'startingDeadlineSeconds',
  'stopSignal',
  'storageClassName',
  'succeededCount',
  'succeededIndexes',
  'successfulJobsHistoryLimit',
  'supplementalGroupsPolicy',
  'suspend',
  'terminationGracePeriodSeconds',
  'timeZone',
  'tolerationSeconds',
  'ttlSecondsAfterFinished',
  'volumeAttributesClassName',
  'volumeMode',
]);

/** Likewise, but only there: elsewhere a field of that name has no way to be absent. */
const optionalScalarsWithin: ReadonlySet<string> = new Set([
  'azureDisk.fsType',
  'azureDisk.kind',
  'azureDisk.readOnly',
  'clusterTrustBundle.name',
  'clusterTrustBundle.signerName',
  'clusterTrustBundle.user',
  'csi.fsType',
  'csi.readOnly',
  'dataSourceRef.namespace',
  'fc.lun',
  'hostPath.type',
  'httpGet.protocol',
  'items[].user',
  'onExitCodes.containerName',
  'options[].value',
  'podCertificate.user',
  'serviceAccountToken.user',
]);

/** Structs that are always there: absent and empty are the same. */
const plainStructs: ReadonlySet<string> = new Set([
  'jobTemplate',
  'metadata',
  'podAffinityTerm',
  'preference',
  'spec',
  'template',
]);

/** Maps with free keys; an entry with an empty value is an entry. */
const freeMaps: ReadonlySet<string> = new Set([
  'annotations',
  'labels',
  'limits',
  'matchLabels',
  'nodeSelector',
  'options',
  'overhead',
  'requests',
  'volumeAttributes',
]);

/** Compared by amount: `1` is `1000m`. */
const quantityMaps: ReadonlySet<string> = new Set(['limits', 'overhead', 'requests']);
/** Single quantities, likewise. */
const quantities: ReadonlySet<string> = new Set(['divisor', 'sizeLimit']);

/** Whether two decoded values of the field called `name` are the same to the API server. */
export function isSame(left: unknown, right: unknown, name: string): boolean {
  return firstDifference(left, right, name) === undefined;
}

/** Steps from the value to the first place where the two differ; undefined if they are the same. */
export function firstDifference(
  left: unknown,
  right: unknown,
  name: string,
  holder = '',
): readonly (string | number)[] | undefined {
  if (left === right) return undefined;
  if (left === undefined) return isZero(right, name, holder) ? undefined : [];
  if (right === undefined) return isZero(left, name, holder) ? undefined : [];
  if (Array.isArray(left) && Array.isArray(right)) return listDifference(left, right, name);
  if (isJsonObject(left) && isJsonObject(right)) {
    return freeMaps.has(name) ? mapDifference(left, right, name) : structDifference(left, right, name);
  }
  if (quantities.has(name)) return isSameQuantity(left, right) ? undefined : [];
  if (typeof left === 'string' && typeof right === 'string' && name.endsWith('Timestamp')) {
    return isSameInstant(left, right) ? undefined : [];
  }
  return [];
}

function listDifference(left: readonly unknown[], right: readonly unknown[], name: string) {
  const length = Math.max(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const isMissing = index >= left.length || index >= right.length;
    // Items have no name of their own; a struct in a list is never optional.
    const difference = isMissing ? [] : firstDifference(left[index], right[index], `${name}[]`);
    if (difference !== undefined) return [index, ...difference];
  }
  return undefined;
}

function structDifference(
  left: Readonly<Record<string, unknown>>,
  right: Readonly<Record<string, unknown>>,
  name: string,
) {
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const difference = firstDifference(left[key], right[key], key, name);
    if (difference !== undefined) return [key, ...difference];
  }
  return undefined;
}

function mapDifference(
  left: Readonly<Record<string, unknown>>,
  right: Readonly<Record<string, unknown>>,
  name: string,
) {
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const one = left[key];
    const other = right[key];
    if (one === other) continue;
    if (one !== undefined && other !== undefined && quantityMaps.has(name) && isSameQuantity(one, other)) continue;
    return [key];
  }
  return undefined;
}

function isZero(value: unknown, name: string, holder: string): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isJsonObject(value)) {
    if (freeMaps.has(name)) return Object.keys(value).length === 0;
    return plainStructs.has(name) && Object.entries(value).every(([key, inner]) => isZero(inner, key, name));
  }
  if (value === undefined) return true;
  const isOptional = optionalScalars.has(name) || optionalScalarsWithin.has(`${holder}.${name}`);
  return (value === '' || value === 0 || value === false) && !isOptional;
}

function isSameQuantity(left: unknown, right: unknown): boolean {
  const one = quantityOf(left);
  const other = quantityOf(right);
  return one !== undefined && other !== undefined && compareQuantities(one, other) === 0;
}

function quantityOf(value: unknown): Quantity | undefined {
  return typeof value === 'string' || typeof value === 'number' ? parseQuantity(value) : undefined;
}
