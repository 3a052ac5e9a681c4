import type { ScalarType, Shape } from '../../manifest/index.ts';
import { fieldWords } from '../words/index.ts';
import type { Leaf, Piece } from './layout.ts';

/**
 * What a new map gets at once: the fields that the API demands, and those without which it is of no use, with texts to
 * fill in.
 */

/** Fields of a new map by type, where they are others than the required ones. */
const wanted: Readonly<Record<string, readonly string[]>> = {
  ObjectMeta: ['name'],
  PodTemplateSpec: ['spec'],
  PodSpec: ['restartPolicy', 'containers'],
  Container: ['name', 'image'],
  EnvVar: ['name', 'value'],
  VolumeMount: ['name', 'mountPath'],
  ResourceRequirements: ['requests'],
  PodFailurePolicyRule: ['action', 'onExitCodes'],
  PodFailurePolicyOnPodConditionsPattern: ['type'],
  SuccessPolicyRule: ['succeededIndexes'],
  ConfigMapKeySelector: ['name', 'key'],
  SecretKeySelector: ['name', 'key'],
  ConfigMapVolumeSource: ['name'],
  SecretVolumeSource: ['secretName'],
  ConfigMapEnvSource: ['name'],
  SecretEnvSource: ['name'],
  LocalObjectReference: ['name'],
  Toleration: ['key', 'operator', 'effect'],
  PodResourceClaim: ['name', 'resourceClaimTemplateName'],
  ExecAction: ['command'],
  Capabilities: ['drop'],
  CronJobSpec: ['schedule', 'jobTemplate'],
  JobTemplateSpec: ['spec'],
  LabelSelector: ['matchLabels'],
  ContainerRestartRule: ['action', 'exitCodes'],
  ContainerRestartRuleOnExitCodes: ['operator', 'values'],
};

/** Texts to begin with, by type and field. */
const proposals: Readonly<Record<string, readonly string[]>> = {
  'ObjectMeta.name': ['name'],
  'Container.name': ['main'],
  'Container.image': ['registry.example/image:tag'],
  'EnvVar.name': ['NAME'],
  'PodSpec.restartPolicy': ['Never', 'OnFailure'],
  'CronJobSpec.schedule': ['0 3 * * *'],
  'SuccessPolicyRule.succeededIndexes': ['0-2'],
  'PodFailurePolicyOnExitCodesRequirement.values': ['42'],
  'PodFailurePolicyOnPodConditionsPattern.type': ['DisruptionTarget'],
  'Capabilities.drop': ['ALL'],
  'Volume.name': ['data'],
  'VolumeMount.name': ['data'],
  'VolumeMount.mountPath': ['/data'],
};

/** What `requests` and `limits` begin with. */
const amounts: Piece = {
  kind: 'map',
  entries: [
    ['cpu', { kind: 'leaf', isText: true, proposals: ['500m'] }],
    ['memory', { kind: 'leaf', isText: true, proposals: ['256Mi'] }],
  ],
};

/** No object is nested more deeply by its required fields alone. */
const maxDepth = 8;

/** The value of a new field of a type. */
export function pieceOf(shape: Shape, type: string, field: string, depth = 0): Piece {
  if (depth > maxDepth) return openLeaf;
  switch (shape.kind) {
    case 'struct':
      return structPiece(shape, depth);
    case 'list': {
      const item = pieceOf(shape.item, type, field, depth + 1);
      return { kind: 'list', items: [item] };
    }
    case 'map':
      return type === 'ResourceRequirements' ? amounts : { kind: 'map', entries: [] };
    case 'any':
      return openLeaf;
    case 'scalar':
      return { kind: 'leaf', isText: textTypes.has(shape.type), proposals: proposalsFor(shape, type, field, depth) };
  }
}

/** A new item of a list, or a new map by itself. */
export function structPiece(shape: Shape, depth = 0): Piece {
  if (shape.kind !== 'struct') return pieceOf(shape, '', '', depth);
  const required = shape.fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const names = Object.hasOwn(wanted, shape.name) ? (wanted[shape.name] ?? required) : required;
  return {
    kind: 'map',
    entries: names.flatMap((name) => {
      const field = shape.fields.find((one) => one.name === name);
      return field === undefined ? [] : [[name, pieceOf(field.shape(), shape.name, name, depth + 1)] as const];
    }),
  };
}

/** What JSON writes in quotes. */
const textTypes: ReadonlySet<ScalarType> = new Set(['string', 'quantity', 'time']);

const openLeaf: Leaf = { kind: 'leaf', isText: false, proposals: [] };

/** A lone field proposes nothing: the list of completions for its value says more. Inside of something new it does. */
function proposalsFor(shape: Shape, type: string, field: string, depth: number): readonly string[] {
  if (depth === 0) return [];
  const own = proposals[`${type}.${field}`];
  if (own !== undefined) return own;
  const told = Object.keys(fieldWords(type, field)?.values ?? {});
  const values = shape.kind === 'scalar' && shape.values !== undefined ? shape.values : told;
  return values.length > 8 ? [] : values;
}
