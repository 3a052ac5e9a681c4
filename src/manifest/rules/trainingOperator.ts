import type { FieldErrorType } from '../../admission/index.ts';
import { insertAt, renameKey, replaceScalar } from '../edits.ts';
import type { Fix } from '../finding.ts';
import { placeOf } from '../locate.ts';
import { nearMiss } from '../nearMiss.ts';
import { entryOf, filledAt, type MapEntry, type MapNode, nodeAt, stringAt } from '../yaml/nodes.ts';
import { lacksContainers, refusalBy } from './refusal.ts';
import { type Breach, type Rule, type RuleSubject, removalFixes } from './rule.ts';

/** What training-operator's webhooks ask of the replicas of a job. */

const refuser = 'webhook of Kubeflow training-operator 1.9';

interface Framework {
  /** The field that holds the replicas by role. */
  readonly specs: string;
  /** The name that the container of the training must have. */
  readonly container: string;
  /** Absent where any role goes. */
  readonly roles?: readonly string[];
  /** Whether the role Master, where there is one, says that it has exactly one pod. */
  readonly hasOneMaster?: true;
}

const both = ['Master', 'Worker'];

const frameworks: Readonly<Record<string, Framework>> = {
  PyTorchJob: { specs: 'pytorchReplicaSpecs', container: 'pytorch', roles: both, hasOneMaster: true },
  TFJob: { specs: 'tfReplicaSpecs', container: 'tensorflow' },
  XGBoostJob: { specs: 'xgbReplicaSpecs', container: 'xgboost', roles: both, hasOneMaster: true },
  PaddleJob: { specs: 'paddleReplicaSpecs', container: 'paddle', roles: both },
  JAXJob: { specs: 'jaxReplicaSpecs', container: 'jax', roles: ['Worker'] },
};

const replicasRule: Rule = {
  code: 'training-operator-replicas',
  severity: 'error',
  says: "Each role of a training job is one that its framework has, and has a container of the framework's own name.",
  source: 'training-operator 1.9, webhooks',
  check(subject) {
    const { apiVersion, kind, root, isPartial } = subject;
    const framework = Object.hasOwn(frameworks, kind.kind) ? frameworks[kind.kind] : undefined;
    if (framework === undefined || apiVersion !== 'kubeflow.org/v1' || isPartial) return [];
    const path = ['spec', framework.specs];
    const roles = filledAt(root, path);
    // Without any, the CRD has something to say.
    if (roles?.kind !== 'map') return [];
    return [
      ...filledEntries(roles).flatMap((role) => [
        ...unknownRole(subject, framework, roles, role),
        ...wrongContainers(subject, framework, role),
        ...wrongNumber(subject, framework, role),
      ]),
      ...missingMaster(subject, framework, roles),
      ...twoChiefs(subject, framework, roles),
      ...elasticFaults(subject, roles),
    ];
  },
};

/** Without those that are null, which the server drops. */
function filledEntries({ entries }: MapNode): readonly MapEntry[] {
  return entries.filter(({ value }) => !(value.kind === 'scalar' && value.value === null));
}

function unknownRole(
  subject: RuleSubject,
  { roles, specs }: Framework,
  own: MapNode,
  role: MapEntry,
): readonly Breach[] {
  // The operator puts the case right by itself, but its webhook comes before that.
  if (roles === undefined || roles.includes(role.key)) return [];
  const meant = nearMiss(
    role.key,
    roles.filter((known) => entryOf(own, known) === undefined),
  );
  const fixes: Fix[] =
    meant === undefined
      ? []
      : [{ title: `Rename to '${meant}'`, edits: [renameKey(role, meant, subject.text)], isPreferred: true }];
  const supported = roles.map((known) => `"${known}"`).join(', ');
  return [
    {
      ...breach(['spec', specs], role, 'NotSupported', `There is no such role.`, `supported values: ${supported}`),
      span: role.keySpan,
      fixes,
    },
  ];
}

function wrongContainers(subject: RuleSubject, { container, specs }: Framework, role: MapEntry): readonly Breach[] {
  const path = ['template', 'spec', 'containers'];
  const at = ['spec', specs, role.key, ...path];
  if (lacksContainers(role.value)) {
    const said = 'A role has pods, and these a container at least.';
    const missing = refusalBy(refuser, subject, { path: at, place: 'key', said, answer: 'must be specified' });
    return [{ ...missing, type: 'Required', field: `spec.${specs}[${role.key}].template.spec.containers` }];
  }
  const containers = nodeAt(role.value, path);
  // Without the list, the CRD has something to say.
  if (containers?.kind !== 'sequence') return [];
  const breaches: Breach[] = [];
  for (const [index, item] of containers.items.entries()) {
    const image = nodeAt(item, ['image']);
    const isMissing = image === undefined || (image.kind === 'scalar' && (image.value ?? '') === '');
    if (item.kind !== 'map' || !isMissing) continue;
    breaches.push({
      ...breach(['spec', specs], role, 'Required', 'A container has an image.', 'must be required'),
      field: `spec.${specs}[${role.key}].template.spec.containers[${index}].image`,
      span: placeOf(subject.root, [...at, index, 'image'], 'value', subject.text),
    });
  }
  if (containers.items.some((item) => stringAt(item, ['name']) === container)) return breaches;
  const [only, ...others] = containers.items;
  const name = nodeAt(only, ['name']);
  const edit = others.length === 0 && name?.kind === 'scalar' ? replaceScalar(name, container) : undefined;
  return [
    ...breaches,
    {
      ...breach(
        ['spec', specs],
        role,
        'Required',
        `The container that trains is called '${container}'.`,
        `must have at least one container with name ${container}`,
      ),
      field: `spec.${specs}[${role.key}].template.spec.containers`,
      span: placeOf(subject.root, only === undefined ? at : [...at, 0, 'name'], 'value', subject.text),
      fixes: edit === undefined ? [] : [{ title: `Call it '${container}'`, edits: [edit], isPreferred: false }],
    },
  ];
}

function wrongNumber(subject: RuleSubject, { hasOneMaster, specs }: Framework, role: MapEntry): readonly Breach[] {
  const replicas = nodeAt(role.value, ['replicas']);
  const isMaster = hasOneMaster === true && role.key === 'Master';
  const isUnset = replicas === undefined || (replicas.kind === 'scalar' && replicas.value === null);
  if (isUnset && (!isMaster || role.value.kind !== 'map')) return [];
  if (!isUnset) {
    if (replicas.kind !== 'scalar' || typeof replicas.value !== 'number') return [];
    // A negative number of workers is for the CRD to complain about.
    if (replicas.value < 0 && !isMaster) return [];
    const isFine = isMaster ? replicas.value === 1 : replicas.value >= 1 || subject.kind.kind !== 'PyTorchJob';
    if (isFine) return [];
  }
  const reason = isMaster ? 'must be 1' : 'must be at least 1';
  const said = isUnset
    ? `The role ${role.key} says 'replicas: 1': the webhook looks before the operator fills it in.`
    : `The number of pods in the role ${role.key} ${reason}.`;
  const path = ['spec', specs, role.key, 'replicas'];
  const edit = isUnset && replicas === undefined ? insertAt(subject.root, path, '1', subject.text) : undefined;
  return [
    {
      ...breach(['spec', specs], role, 'Forbidden', said, reason),
      field: `spec.${specs}[${role.key}].replicas`,
      span: isUnset ? role.keySpan : replicas.span,
      fixes: edit === undefined ? [] : [{ title: 'Add replicas: 1', edits: [edit], isPreferred: true }],
    },
  ];
}

function missingMaster({ kind, root, text }: RuleSubject, { specs }: Framework, roles: MapNode): readonly Breach[] {
  // One that is only spelled otherwise is told as it stands there.
  if (kind.kind !== 'XGBoostJob' || filledEntries(roles).some(({ key }) => key.toLowerCase() === 'master')) return [];
  return [
    {
      span: placeOf(root, ['spec', specs], 'key', text),
      field: `spec.${specs}[Master]`,
      type: 'Required',
      message: `An XGBoostJob has a Master. (${refuser}: must be present)`,
      source: refuser,
    },
  ];
}

function twoChiefs({ kind, root, text }: RuleSubject, { specs }: Framework, roles: MapNode): readonly Breach[] {
  if (kind.kind !== 'TFJob' || ['Chief', 'Master'].some((role) => filledAt(roles, [role]) === undefined)) return [];
  return [
    {
      span: placeOf(root, ['spec', specs, 'Master'], 'key', text),
      field: `spec.${specs}`,
      type: 'Forbidden',
      message: `Chief and Master are two names of one role. (${refuser}: must not have more than 1 Chief or Master role)`,
      source: refuser,
    },
  ];
}

/** What an elastic policy asks for. */
function elasticFaults(subject: RuleSubject, roles: MapNode): readonly Breach[] {
  const { kind, root, text } = subject;
  const policy = ['spec', 'elasticPolicy'];
  if (kind.kind !== 'PyTorchJob' || nodeAt(root, policy)?.kind !== 'map') return [];
  const breaches: Breach[] = [];
  // One that is only spelled otherwise is told as it stands there.
  if (!filledEntries(roles).some(({ key }) => key.toLowerCase() === 'worker')) {
    breaches.push({
      span: placeOf(root, policy, 'key', text),
      field: 'spec.pytorchReplicaSpecs[Worker]',
      type: 'Required',
      message: `An elastic PyTorchJob has workers. (${refuser}: must be configured if elastic policy is used)`,
      source: refuser,
    });
  }
  const inPolicy = [...policy, 'nProcPerNode'];
  if ([inPolicy, ['spec', 'nprocPerNode']].every((path) => filledAt(root, path) !== undefined)) {
    breaches.push({
      span: placeOf(root, inPolicy, 'key', text),
      field: inPolicy.join('.'),
      type: 'Forbidden',
      message: `The processes of a node are said twice. (${refuser}: must not be used with spec.nprocPerNode)`,
      source: refuser,
      fixes: removalFixes(subject, inPolicy),
    });
  }
  return breaches;
}

function breach(
  holder: readonly string[],
  { key, keySpan }: MapEntry,
  type: FieldErrorType,
  said: string,
  answer: string,
): Breach {
  return {
    span: keySpan,
    field: `${holder.join('.')}[${key}]`,
    type,
    message: `${said} (${refuser}: ${answer})`,
    source: refuser,
  };
}

export const trainingOperatorRules: readonly Rule[] = [replicasRule];
