import {
  configMapKeyFaults,
  dnsLabelFaults,
  dnsSubdomainFaults,
  generateNameFaults,
  relaxedEnvironmentNameFaults,
} from '../formats.ts';
import { rule } from '../rule.ts';
import { all, each, fields } from '../structure.ts';
import type { KubernetesMinor } from '../verdict.ts';
import { fieldOfVariable, resourceOfVariable } from './downwardApi.ts';
import { parentStepFaults } from './filePaths.ts';
import { isGateOn } from './gates.ts';
import { about, alwaysFormatted, formattedIfSet, required } from './ruleShapes.ts';
import type { EnvFromSource, EnvVar, EnvVarSource, FileKeySelector, KeySelector, NameReference } from './types.ts';

/** Environment variables. Source: Kubernetes 1.35, core validation, env. */

const source = 'G7';

const envNameRequired = required({ code: 'env-name-required', source, says: 'An environment variable has a name.' });
const envNameFormat = formattedIfSet(
  { code: 'env-name-format', source, says: 'The name of an environment variable is printable ASCII without `=`.' },
  relaxedEnvironmentNameFaults,
);

const sourceKinds = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'] as const;

function missingSource(version: KubernetesMinor): string {
  const last = isGateOn('EnvFiles', version)
    ? '`configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
    : '`configMapKeyRef` or `secretKeyRef`';
  return about('', `must specify one of: \`fieldRef\`, \`resourceFieldRef\`, ${last}`);
}

const oneEnvSource = rule<EnvVarSource, EnvVar>({
  code: 'env-one-source',
  type: 'Invalid',
  source,
  says: 'An environment variable has a value or exactly one source.',
  refuses: (valueFrom, { value = '' }, { version }) => {
    const count = sourceKinds.filter((kind) => valueFrom[kind] !== undefined).length;
    if (count === 0) return missingSource(version);
    if (value !== '') return about('', 'may not be specified when `value` is not empty');
    return count > 1 && about('', 'may not have more than one field specified at a time');
  },
});

const keyReference = fields<KeySelector>({
  name: alwaysFormatted(
    {
      code: 'env-reference-name-format',
      source,
      says: 'A reference to a ConfigMap or Secret carries its name, a DNS subdomain.',
    },
    dnsSubdomainFaults,
  ),
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
        faults.push(about('', 'must specify one of: `configMapRef` or `secretRef`'));
      } else if (configMapRef !== undefined && secretRef !== undefined) {
        faults.push(about('', 'may not have more than one field specified at a time'));
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
        { code: 'env-from-prefix-format', source, says: 'A prefix of variables is printable ASCII without `=`.' },
        relaxedEnvironmentNameFaults,
      ),
      configMapRef: sourceReference,
      secretRef: sourceReference,
    }),
  ),
  oneSourceEach,
);
