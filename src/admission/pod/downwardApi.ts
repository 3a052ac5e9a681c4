import { lowerCase, qualifiedNameFaults, unsupportedMessage } from '../formats.ts';
import { rule } from '../rule.ts';
import { all, fields } from '../structure.ts';
import { formatQuantity, parseQuantity } from './quantity.ts';
import { about, aboutEach, missingMessage, required } from './ruleShapes.ts';
import type { ObjectFieldSelector, ResourceFieldSelector } from './types.ts';

/** Fields and resources of the pod that its variables and files can hold. Source: Kubernetes 1.35, core validation, field selectors. */

const source = 'G7';

/** Paths of the pod that the server knows how to read, whether or not it lets variables or files see them. */
const readablePaths: ReadonlySet<string> = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.host',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.phase',
  'status.podIP',
  'status.podIPs',
]);

const pathsForVariables = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const pathsForFiles = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** `map['key']`; undefined for a path without a subscript. */
function subscriptedPath(path: string): { readonly map: string; readonly key: string } | undefined {
  const start = path.indexOf("['", 1);
  const isSubscripted = start > 0 && path.length >= start + 4 && path.endsWith("']");
  return isSubscripted ? { map: path.slice(0, start), key: path.slice(start + 2, -2) } : undefined;
}

const fieldPathRequired = required({
  code: 'field-path-required',
  source,
  says: 'A field reference names its field.',
});

function readingFault(fieldPath: string, apiVersion: string): string | undefined {
  if (apiVersion !== 'v1') return `unsupported pod version: ${apiVersion}`;
  const map = subscriptedPath(fieldPath)?.map;
  if (map === undefined) return readablePaths.has(fieldPath) ? undefined : `field label not supported: ${fieldPath}`;
  if (map === 'metadata.labels' || map === 'metadata.annotations') return undefined;
  return `field label does not support subscript: ${fieldPath}`;
}

const fieldPathReadable = rule<string, ObjectFieldSelector>({
  code: 'field-path-readable',
  type: 'Invalid',
  source,
  says: "A field reference names a field of the pod's v1 shape; only labels and annotations have subscripts.",
  refuses: (fieldPath, { apiVersion = 'v1' }) => {
    if (fieldPath === '') return false;
    const fault = readingFault(fieldPath, apiVersion);
    return fault !== undefined && about(fieldPath, `error converting fieldPath: ${fault}`);
  },
});

function fieldPathOffered(code: string, says: string, offered: readonly string[]) {
  return rule<string, ObjectFieldSelector>({
    code,
    type: 'NotSupported',
    source,
    says,
    refuses: (fieldPath, { apiVersion = 'v1' }) => {
      if (apiVersion !== 'v1' || !readablePaths.has(fieldPath)) return false;
      const path = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
      return !offered.includes(path) && unsupportedMessage(path, offered);
    },
  });
}

const subscriptFormat = rule<ObjectFieldSelector>({
  code: 'field-subscript-format',
  type: 'Invalid',
  source,
  says: 'The subscript of labels or annotations is a qualified name.',
  refuses: ({ apiVersion = 'v1', fieldPath = '' }) => {
    const { map, key } = (apiVersion === 'v1' && subscriptedPath(fieldPath)) || {};
    if (key === undefined) return false;
    if (map === 'metadata.labels') return aboutEach(key, qualifiedNameFaults(key));
    const lowered = lowerCase(key);
    return map === 'metadata.annotations' && aboutEach(lowered, qualifiedNameFaults(lowered));
  },
});

/** A field of the pod as the value of a variable. */
export const fieldOfVariable = all(
  fields<ObjectFieldSelector>({
    fieldPath: [
      fieldPathRequired,
      fieldPathReadable,
      fieldPathOffered('env-field-offered', 'A variable can hold only some fields of its pod.', pathsForVariables),
    ],
  }),
  subscriptFormat,
);

/** A field of the pod as the content of a file. */
export const fieldOfFile = all(
  fields<ObjectFieldSelector>({
    fieldPath: [
      fieldPathRequired,
      fieldPathReadable,
      fieldPathOffered('file-field-offered', 'A file can hold only some fields of its pod.', pathsForFiles),
    ],
  }),
  subscriptFormat,
);

/** What the server calls a resource in its messages, by the resource's name. */
const resources: ReadonlyMap<string, string> = new Map([
  ['cpu', 'cpu'],
  ['ephemeral-storage', 'local ephemeral storage'],
  ['memory', 'memory'],
]);
const offeredResources = ['limits', 'requests'].flatMap((kind) =>
  [...resources.keys()].map((name) => `${kind}.${name}`),
);
const hugePages = /^(?:limits|requests)\.hugepages-/;

function isOffered(resource: string): boolean {
  return offeredResources.includes(resource) || hugePages.test(resource);
}

const resourceRequired = required({
  code: 'resource-field-required',
  source,
  says: 'A resource reference names its resource.',
});
const resourceOffered = rule<string>({
  code: 'resource-field-offered',
  type: 'NotSupported',
  source,
  says: 'Variables and files can hold CPU, memory, ephemeral storage and huge pages.',
  refuses: (resource) => resource !== '' && !isOffered(resource) && unsupportedMessage(resource, offeredResources),
});

const cpuDivisors = ['1m', '1'];
const byteDivisors = ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((unit) => `1${unit}`);

const divisorOffered = rule<string | number, ResourceFieldSelector>({
  code: 'resource-divisor',
  type: 'Invalid',
  source,
  says: 'The divisor is 1m or 1 for CPU, else 1 with or without a suffix.',
  refuses: (divisor, { resource = '' }) => {
    const quantity = parseQuantity(divisor);
    if (quantity === undefined || quantity.unscaled === 0n || !isOffered(resource)) return false;
    const name = resource.slice(resource.indexOf('.') + 1);
    const offered = name === 'cpu' ? cpuDivisors : byteDivisors;
    if (offered.includes(formatQuantity(quantity))) return false;
    const values = offered.join(name === 'cpu' ? ' and ' : ', ');
    const kind = resources.get(name) ?? 'hugepages';
    return about(resource, `only divisor's values ${values} are supported with the ${kind} resource`);
  },
});

/** A resource of the container as the value of a variable. */
export const resourceOfVariable = fields<ResourceFieldSelector>({
  resource: [resourceRequired, resourceOffered],
  divisor: divisorOffered,
});

const containerNameRequired = required({
  code: 'resource-container-required',
  source,
  says: 'A file with a resource in it names the container.',
});

/** A resource of a container as the content of a file. A missing container hides what is wrong with the resource. */
export const resourceOfFile = fields<ResourceFieldSelector>({
  containerName: containerNameRequired,
  resource: [
    rule<string, ResourceFieldSelector>({
      code: 'file-resource-required',
      type: 'Required',
      source,
      says: 'A resource reference names its resource.',
      evenIfAbsent: true,
      refuses: (resource = '', { containerName = '' }) => containerName !== '' && resource === '' && missingMessage,
    }),
    rule<string, ResourceFieldSelector>({
      code: 'file-resource-offered',
      type: 'NotSupported',
      source,
      says: 'Files can hold CPU, memory, ephemeral storage and huge pages.',
      refuses: (resource, { containerName = '' }) =>
        containerName !== '' &&
        resource !== '' &&
        !isOffered(resource) &&
        unsupportedMessage(resource, offeredResources),
    }),
  ],
  divisor: divisorOffered,
});
