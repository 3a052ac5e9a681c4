import { describe, expect, test } from 'vitest';
import { admit, judge, kubernetesMinors } from '../../src/admission/index.ts';
import { isJsonObject, type JsonObject } from '../../src/base/index.ts';
import { delegationFields, fieldWords, knownWords, tellChanges } from '../../src/language/words/index.ts';
import { kindOf, type WorkloadKind, workloadKinds } from '../../src/manifest/index.ts';
import { type Shape, shapeAt } from '../../src/manifest/structure.ts';

/** Every struct that can be reached from a Job, a CronJob or a Pod in some version, by its name. */
function allStructs(): ReadonlyMap<string, ReadonlyMap<string, Shape>> {
  const found = new Map<string, Map<string, Shape>>();
  for (const version of kubernetesMinors) {
    const seen = new Set<string>();
    const walk = (shape: Shape | undefined): void => {
      if (shape?.kind === 'list') walk(shape.item);
      if (shape?.kind === 'map') walk(shape.value);
      if (shape?.kind !== 'struct' || seen.has(shape.name)) return;
      seen.add(shape.name);
      const fields = found.get(shape.name) ?? new Map<string, Shape>();
      found.set(shape.name, fields);
      for (const field of shape.fields) {
        fields.set(field.name, field.shape());
        walk(field.shape());
      }
    };
    for (const kind of ['Job', 'CronJob', 'Pod']) walk(shapeAt(kind, [], version));
  }
  return found;
}

const structs = allStructs();

describe('words', () => {
  test('are about fields that exist', () => {
    expect(knownWords().filter(([type, field]) => structs.get(type)?.has(field) !== true)).toEqual([]);
  });

  test.each([
    'JobSpec',
    'JobStatus',
    'JobCondition',
    'UncountedTerminatedPods',
    'JobTemplateSpec',
    'PodFailurePolicy',
    'PodFailurePolicyRule',
    'PodFailurePolicyOnExitCodesRequirement',
    'PodFailurePolicyOnPodConditionsPattern',
    'SuccessPolicy',
    'SuccessPolicyRule',
    'CronJobSpec',
    'CronJobStatus',
    'ObjectMeta',
    'OwnerReference',
    'PodSpec',
    'Container',
    'EnvVar',
    'EnvVarSource',
    'ResourceRequirements',
    'Probe',
    'Toleration',
    'Affinity',
    'TopologySpreadConstraint',
    'SecurityContext',
  ])('%s: every field has some', (type) => {
    const fields = [...(structs.get(type)?.keys() ?? [])];
    expect(fields).not.toEqual([]);
    expect(fields.filter((field) => fieldWords(type, field) === undefined)).toEqual([]);
  });

  test('say what each value means that the API has', () => {
    const wrong: unknown[] = [];
    for (const [type, field] of knownWords()) {
      const shape = structs.get(type)?.get(field);
      const scalar = shape?.kind === 'list' ? shape.item : shape;
      const allowed = scalar?.kind === 'scalar' ? scalar.values?.filter((value) => value !== '') : undefined;
      // Signals are many, and speak for themselves.
      if (allowed === undefined || allowed.length > 20) continue;
      const told = Object.keys(fieldWords(type, field)?.values ?? {});
      if (allowed.toSorted().join() !== told.toSorted().join()) wrong.push({ type, field, allowed, told });
    }
    expect(wrong).toEqual([]);
  });

  test('are sentences', () => {
    for (const [type, field] of knownWords()) {
      const words = fieldWords(type, field);
      for (const sentence of [words?.says ?? '', ...Object.values(words?.values ?? {})]) {
        expect(sentence, `${type}.${field}`).toMatch(/^[A-Z`].*[.]$/s);
      }
      expect(words?.unset ?? '', `${type}.${field}`).not.toMatch(/\.$/);
    }
  });

  test('tell of delegation on every kind that has it', () => {
    const without = workloadKinds.filter(
      ({ podTemplate, managedBy, ...kind }) =>
        managedBy !== undefined &&
        podTemplate === undefined &&
        !delegationFields({ ...kind, managedBy }).has(managedBy.path.join('.')),
    );
    expect(without).toEqual([]);
  });
});

const created = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'a', namespace: 'n' },
  spec: {
    completions: 3,
    completionMode: 'Indexed',
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'i' }] } },
  },
};

function known(kind: string): WorkloadKind {
  const found = kindOf('batch/v1', kind);
  if (found === undefined) throw new Error(`${kind} is unknown`);
  return found;
}

/** Whether the API server lets fields of a stored Job's spec be set. */
function isAccepted(change: JsonObject): boolean {
  const identity = { uid: 'u', creationTimestamp: '2000-01-01T00:00:00Z', nameSuffix: 'x' };
  const { stored } = admit({ operation: 'create', object: created }, { version: '1.35', identity });
  const spec = stored?.['spec'];
  if (stored === undefined || !isJsonObject(spec)) throw new Error('the Job to change was refused');
  const object = { ...stored, spec: { ...spec, ...change } };
  return judge({ operation: 'update', object, old: stored }, { version: '1.35' }).allowed;
}

describe('what may change later', () => {
  test.each<[string, JsonObject]>([
    ['parallelism', { parallelism: 2 }],
    ['backoffLimit', { backoffLimit: 2 }],
    ['activeDeadlineSeconds', { activeDeadlineSeconds: 2 }],
    ['ttlSecondsAfterFinished', { ttlSecondsAfterFinished: 2 }],
    ['suspend', { suspend: true }],
    ['podReplacementPolicy', { podReplacementPolicy: 'Failed' }],
    ['completionMode', { completionMode: 'NonIndexed' }],
    ['managedBy', { managedBy: 'a/b' }],
    ['podFailurePolicy', { podFailurePolicy: { rules: [] }, podReplacementPolicy: 'Failed' }],
    ['backoffLimitPerIndex', { backoffLimitPerIndex: 1 }],
    ['successPolicy', { successPolicy: { rules: [{ succeededCount: 1 }] } }],
  ])('of a Job agrees with the API server: %s', (field, change) => {
    const told = tellChanges(known('Job'), ['spec', field], '1.35');
    expect(told).toMatch(isAccepted(change) ? /any time/ : /^Fixed/);
  });

  test.each<[string, readonly (string | number)[], RegExp | undefined]>([
    ['what places the pods', ['spec', 'template', 'spec', 'nodeSelector'], /has never started/],
    ['labels of the pods', ['spec', 'template', 'metadata', 'labels', 'app'], /has never started/],
    ['other wishes of the pods', ['spec', 'template', 'spec', 'affinity', 'podAffinity'], /^Fixed once created: /],
    ['resources', ['spec', 'template', 'spec', 'containers', 0, 'resources'], /^Fixed once created: /],
    ['the name', ['metadata', 'name'], /^Fixed/],
    ['labels', ['metadata', 'labels'], /any time/],
    ['the status', ['status', 'active'], undefined],
  ])('of a Job: %s', (_, path, told) => {
    const found = tellChanges(known('Job'), path, '1.35');
    if (told === undefined) expect(found).toBeUndefined();
    else expect(found).toMatch(told);
  });

  test('is more from 1.36 on, while a Job is paused', () => {
    const resources = ['spec', 'template', 'spec', 'containers', 0, 'resources'];
    expect(tellChanges(known('Job'), resources, '1.36')).toMatch(/suspended and without pods/);
  });

  test('of a CronJob is everything', () => {
    for (const path of [
      ['spec', 'schedule'],
      ['spec', 'jobTemplate', 'spec', 'managedBy'],
    ]) {
      expect(tellChanges(known('CronJob'), path, '1.35')).toMatch(/any time/);
    }
  });

  test('of other kinds is told of managedBy alone', () => {
    const rayJob = kindOf('ray.io/v1', 'RayJob');
    const tekton = kindOf('tekton.dev/v1', 'TaskRun');
    expect(rayJob && tellChanges(rayJob, ['spec', 'managedBy'], '1.35')).toMatch(/added and taken away/);
    expect(tekton && tellChanges(tekton, ['spec', 'managedBy'], '1.35')).toMatch(/^Fixed/);
    expect(tekton && tellChanges(tekton, ['spec', 'params'], '1.35')).toBeUndefined();
  });
});
