import {
  configMapKeyFaults,
  dnsLabelFaults,
  dnsSubdomainFaults,
  generateNameFaults,
  qualifiedNameFaults,
  relaxedEnvironmentNameFaults,
  unsupportedMessage,
} from '../formats.ts';
import { rule } from '../rule.ts';
import { all, each, fields } from '../structure.ts';
import { parentStepFaults } from './filePaths.ts';
import { formatQuantity, parseQuantity } from './quantity.ts';
import { formattedIfSet, missingMessage, required } from './ruleShapes.ts';
import type {
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  FileKeySelector,
  KeySelector,
  NameReference,
  ObjectFieldSelector,
  ResourceFieldSelector,
} from './types.ts';

/** Environment variables and the downward API. Source: Kubernetes 1.35, core validation, env and field selectors. */

const source = 'G7';

const envNameRequired = required({ code: 'env-name-required', source, says: 'An environment variable has a name.' });
const envNameFormat = formattedIfSet(
  { code: 'env-name-format', source, says: 'The name of an environment variable is printable ASCII without `=`.' },
  relaxedEnvironmentNameFaults,
);

const sourceKinds = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'] as const;

const oneEnvSource = rule<EnvVarSource, EnvVar>({
  code: 'env-one-source',
  type: 'Invalid',
  source,
  says: 'An environment variable has a value or exactly one source.',
  refuses: (valueFrom, { value = '' }) => {
    const count = sourceKinds.filter((kind) => valueFrom[kind] !== undefined).length;
    if (count === 0) return `must specify one of: ${sourceKinds.map((kind) => `\`${kind}\``).join(', ')}`;
    if (value !== '') return 'may not be specified when `value` is not empty';
    return count > 1 && 'may not have more than one field specified at a time';
  },
});

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

const subscripted = /^(.+?)\['(.*)'\]$/s;

const fieldPathRequired = required({
  code: 'field-path-required',
  source,
  says: 'A field reference names its field.',
});

const fieldPathReadable = rule<string, ObjectFieldSelector>({
  code: 'field-path-readable',
  type: 'Invalid',
  source,
  says: "A field reference names a field of the pod's v1 shape; only labels and annotations have subscripts.",
  refuses: (fieldPath, { apiVersion = 'v1' }) => {
    if (fieldPath === '') return false;
    if (apiVersion !== 'v1') return `error converting fieldPath: unsupported pod version: ${apiVersion}`;
    const map = subscripted.exec(fieldPath)?.[1];
    if (map !== undefined) {
      const hasSubscript = map === 'metadata.labels' || map === 'metadata.annotations';
      return !hasSubscript && `error converting fieldPath: field label does not support subscript: ${fieldPath}`;
    }
    return !readablePaths.has(fieldPath) && `error converting fieldPath: field label not supported: ${fieldPath}`;
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
    const [, map, key] = (apiVersion === 'v1' && subscripted.exec(fieldPath)) || [];
    if (key === undefined) return false;
    if (map === 'metadata.labels') return qualifiedNameFaults(key);
    return map === 'metadata.annotations' && qualifiedNameFaults(key.toLowerCase());
  },
});

/** A field of the pod as the value of a variable. */
const fieldOfVariable = all(
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

const offeredResources = ['limits.cpu', 'limits.ephemeral-storage', 'limits.memory'].flatMap((name) => [
  name,
  name.replace('limits', 'requests'),
]);
const hugePages = /^(?:limits|requests)\.hugepages-/;

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
  refuses: (resource) =>
    resource !== '' &&
    !offeredResources.includes(resource) &&
    !hugePages.test(resource) &&
    unsupportedMessage(resource, offeredResources),
});

const cpuDivisors: ReadonlySet<string> = new Set(['1m', '1']);
const byteDivisors: ReadonlySet<string> = new Set(
  ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((suffix) => `1${suffix}`),
);

const divisorOffered = rule<string | number, ResourceFieldSelector>({
  code: 'resource-divisor',
  type: 'Invalid',
  source,
  says: 'The divisor is 1m or 1 for CPU, else 1 with or without a suffix.',
  refuses: (divisor, { resource = '' }) => {
    const quantity = parseQuantity(divisor);
    if (quantity === undefined || quantity.unscaled === 0n) return false;
    const isCpu = resource === 'limits.cpu' || resource === 'requests.cpu';
    if (!isCpu && !offeredResources.includes(resource) && !hugePages.test(resource)) return false;
    const offered = isCpu ? cpuDivisors : byteDivisors;
    if (offered.has(formatQuantity(quantity))) return false;
    return `only divisor's values ${[...offered].join(', ')} are supported with this resource`;
  },
});

const resourceOfVariable = fields<ResourceFieldSelector>({
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
        !offeredResources.includes(resource) &&
        !hugePages.test(resource) &&
        unsupportedMessage(resource, offeredResources),
    }),
  ],
  divisor: divisorOffered,
});

const keyReference = fields<KeySelector>({
  name: rule<string>({
    code: 'env-reference-name',
    type: 'Invalid',
    source,
    says: 'A reference to a ConfigMap or Secret carries its name, a DNS subdomain.',
    evenIfAbsent: true,
    refuses: (name = '') => dnsSubdomainFaults(name),
  }),
  key: [
    required({ code: 'env-key-required', source, says: 'A reference to a ConfigMap or Secret names the key.' }),
    formattedIfSet(
      { code: 'env-key-format', source, says: 'A key has letters, digits, dashes, dots and underscores.' },
      configMapKeyFaults,
    ),
  ],
});

const fileReference = fields<FileKeySelector>({
  key: [
    required({ code: 'env-file-key-required', source, says: 'A reference to a file names the variable in it.' }),
    formattedIfSet(
      {
        code: 'env-file-key-format',
        source,
        says: 'The name of an environment variable is printable ASCII without `=`.',
      },
      relaxedEnvironmentNameFaults,
    ),
  ],
  volumeName: [
    required({ code: 'env-file-volume-required', source, says: 'A reference to a file names its volume.' }),
    formattedIfSet({ code: 'env-file-volume-format', source, says: 'A volume name is a DNS label.' }, dnsLabelFaults),
  ],
  path: [
    required({ code: 'env-file-path-required', source, says: 'A reference to a file has its path.' }),
    formattedIfSet(
      { code: 'env-file-path-format', source, says: 'The path stays inside the volume.' },
      parentStepFaults,
    ),
  ],
});

/** The variables of one container. */
export const environment = each(
  fields<EnvVar>({
    name: [envNameRequired, envNameFormat],
    valueFrom: [
      fields<EnvVarSource>({
        fieldRef: fieldOfVariable,
        resourceFieldRef: resourceOfVariable,
        configMapKeyRef: keyReference,
        secretKeyRef: keyReference,
        fileKeyRef: fileReference,
      }),
      oneEnvSource,
    ],
  }),
);

const sourceReference = fields<NameReference>({
  name: [
    required({ code: 'env-from-name-required', source, says: 'A source of variables has a name.' }),
    formattedIfSet(
      { code: 'env-from-name-format', source, says: 'The name of a ConfigMap or Secret is a DNS subdomain.' },
      generateNameFaults,
    ),
  ],
});

const oneSourceEach = rule<readonly EnvFromSource[]>({
  code: 'env-from-one-source',
  type: 'Invalid',
  source,
  says: 'Each entry of envFrom has exactly one of configMapRef and secretRef.',
  refuses: (sources) => {
    const faults: string[] = [];
    for (const { configMapRef, secretRef } of sources) {
      if (configMapRef === undefined && secretRef === undefined) {
        faults.push('must specify one of: `configMapRef` or `secretRef`');
      } else if (configMapRef !== undefined && secretRef !== undefined) {
        faults.push('may not have more than one field specified at a time');
      }
    }
    return faults;
  },
});

/** Where one container takes whole sets of variables from. */
export const environmentSources = all(
  each(
    fields<EnvFromSource>({
      prefix: formattedIfSet(
        { code: 'env-from-prefix', source, says: 'A prefix of variables is printable ASCII without `=`.' },
        relaxedEnvironmentNameFaults,
      ),
      configMapRef: sourceReference,
      secretRef: sourceReference,
    }),
  ),
  oneSourceEach,
);
