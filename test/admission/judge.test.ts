import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AdmissionRequest, type JudgeOptions, judge, kubernetesMinors } from '../../src/admission/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import { create, cronJob, job, statusUpdate, template, update } from './requests.ts';

/** What is refused, as `code field @ place`. */
function check(request: AdmissionRequest, expected: readonly string[], options: Partial<JudgeOptions> = {}): void {
  const failures: string[] = [];
  const verdict = judge(request, { version: '1.35', onRuleFailure: (code) => failures.push(code), ...options });
  expect(verdict.errors.map(({ rule, field, at }) => `${rule} ${field} @ ${at.join('/')}`)).toEqual(expected);
  expect(verdict.allowed).toBe(expected.length === 0);
  expect(failures).toEqual([]);
}

const stored = job(
  { managedBy: 'example.com/controller', suspend: true },
  { uid: 'u', creationTimestamp: '2026-03-01T08:00:00Z', generation: 1 },
  {},
);
// Manual selectors keep these rows free of generated labels.
const manual = { manualSelector: true, selector: { matchLabels: { app: 'a' } } };
const labelled = (spec = {}): ReturnType<typeof template> => template(spec, { labels: { app: 'a' } });
const owned = (spec = {}, status = {}): ReturnType<typeof job> =>
  job({ template: labelled(), ...manual, ...spec }, { uid: 'u', generation: 1 }, status);

describe('judge', () => {
  it('allows a plain Job', () => check(create(job()), []));
  it('allows a plain CronJob', () => check(create(cronJob()), []));
  it('names the rule and the place of a fault', () =>
    check(create(job({ managedBy: 'kueue' })), ['managed-by-format spec.managedBy @ spec/managedBy']));
  it('points at the label where the server names the map', () =>
    check(create(job({}, { labels: { 'a b': 'x' } })), ['label-format metadata.labels @ metadata/labels/a b']));
  it('writes small what Go does', () => {
    check(create(job({}, { annotations: { 'example.com/a\u0130': 'x' } })), []);
    check(create(job({}, { labels: { 'example.com/a\u0130': 'x' } })), [
      'label-format metadata.labels @ metadata/labels/example.com/a\u0130',
    ]);
  });
  it('takes a generateName for a piece of a path too, up to its very end', () => {
    // A DNS subdomain would not be asked about the character before the dash.
    const refused = ['generate-name-format metadata.generateName @ metadata/generateName'];
    const renamed = job({ template: labelled(), ...manual }, { uid: 'u', generation: 1, generateName: 'a/-' });
    check(update(renamed, owned()), refused);
    check(create(job({}, { generateName: '%-' })), refused);
    // A creation with another fault isn't looked at that far.
    check(create(job({ managedBy: 'kueue' }, { generateName: '%-' })), [
      'managed-by-format spec.managedBy @ spec/managedBy',
    ]);
    check(create(job({}, { generateName: 'A-' })), []);
  });
  it('tells an empty text from none only where the type can', () => {
    const requirement = { operator: 'In', values: [1] };
    const policy = (onExitCodes: JsonObject): JsonObject => ({
      podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes }] },
    });
    const named = owned(policy({ ...requirement, containerName: '' }));
    const changes = judge(update(named, owned(policy(requirement))), { version: '1.35' }).errors;
    expect(changes.map(({ rule }) => rule)).toContain('failure-policy-immutable');

    const inTemplate = (resourceFieldRef: JsonObject): JsonObject => {
      const env = [{ name: 'A', valueFrom: { resourceFieldRef } }];
      return owned({ template: labelled({ containers: [{ name: 'main', image: 'r', env }] }) });
    };
    const reference = { resource: 'limits.cpu' };
    const same = judge(update(inTemplate({ ...reference, containerName: '' }), inTemplate(reference)), {
      version: '1.35',
    });
    expect(same.errors).toEqual([]);

    const inGroup = (schedulingGroup: JsonObject): JsonObject => owned({ template: labelled({ schedulingGroup }) });
    const grouped = judge(update(inGroup({}), inGroup({ podGroupName: '' })), { version: '1.37' }).errors;
    expect(grouped.map(({ rule }) => rule)).toContain('template-immutable');
  });

  it('points at what differs where the server names the template', () =>
    check(update(owned({ template: labelled({ dnsPolicy: 'Default' }) }), owned()), [
      'template-immutable spec.template @ spec/template/spec/dnsPolicy',
    ]));
  it('refuses the default restart policy', () =>
    check(create(job({ template: template({ restartPolicy: 'Always' }) })), [
      'restart-policy-required spec.template.spec.restartPolicy @ spec/template/spec/restartPolicy',
    ]));
  it('looks into the template of a CronJob', () =>
    check(create(cronJob({}, { parallelism: -1 })), [
      'parallelism-negative spec.jobTemplate.spec.parallelism @ spec/jobTemplate/spec/parallelism',
    ]));
  it('keeps managedBy', () => {
    const generated = { ...job({ suspend: true }), metadata: stored['metadata'] };
    expect(judge(update(generated, stored), { version: '1.35' }).errors.map(({ rule }) => rule)).toContain(
      'managed-by-immutable',
    );
  });
});

describe('versions', () => {
  const started = owned(
    { suspend: true },
    { startTime: '2026-03-01T08:00:00Z', conditions: [{ type: 'Suspended', status: 'True' }] },
  );
  const moved = owned({ suspend: true, template: labelled({ nodeSelector: { disk: 'ssd' } }) });
  it('let a suspended Job that has run be rescheduled from 1.36 on', () => {
    check(update(moved, started), ['template-immutable spec.template @ spec/template/spec/nodeSelector'], {
      version: '1.35',
    });
    check(update(moved, started), [], { version: '1.36' });
  });
  it('call a moved start time Required until 1.35 and Invalid from 1.36 on', () => {
    const before = owned({}, { startTime: '2026-03-01T08:00:00Z' });
    check(statusUpdate(owned({}, {}), before), ['status-start-time-kept status.startTime @ status/startTime']);
    check(statusUpdate(owned({}, {}), before), ['status-start-time-immutable status.startTime @ status/startTime'], {
      version: '1.36',
    });
  });
  it('name the index of an owner from 1.37 on', () => {
    const orphan = job({}, { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p' }] });
    const at = 'metadata/ownerReferences/0/uid';
    check(create(orphan), [`owner-uid-empty metadata.ownerReferences.uid @ ${at}`], { version: '1.36' });
    check(create(orphan), [`owner-uid-required metadata.ownerReferences[0].uid @ ${at}`], { version: '1.37' });
  });
});

describe('what cannot be decoded', () => {
  const both = job({ parallelism: 'two', completions: -1 });
  const parallelism = 'integer spec.parallelism @ spec/parallelism';
  it('is all that the server speaks of', () => {
    const { errors } = judge(create(both), { version: '1.35' });
    expect(errors.map(({ field, type }) => `${field} ${type}`)).toEqual(['spec.parallelism TypeInvalid']);
  });
  it('does not keep the rest from being judged where somebody wants to know', () => {
    const { errors } = judge(create(both), { version: '1.35', isBeyondDecoding: true });
    expect(
      errors.map(({ field }) => field),
      parallelism,
    ).toEqual(['spec.parallelism', 'spec.completions']);
  });
  it('is refused, warned about or passed over if it is unknown', () => {
    const unknown = job({ colour: 'blue' });
    expect(judge(create(unknown), { version: '1.35' }).allowed).toBe(false);
    expect(judge(create(unknown), { version: '1.35', fieldValidation: 'Warn' })).toEqual({
      allowed: true,
      errors: [],
      warnings: ['unknown field "spec.colour"'],
    });
    expect(judge(create(unknown), { version: '1.35', fieldValidation: 'Ignore' }).warnings).toEqual([]);
  });
});

describe('what is not judged here', () => {
  it.each([
    ['another kind', create({ apiVersion: 'v1', kind: 'Pod' }), 'kind'],
    ['a kind of another group', create({ apiVersion: 'batch/v2', kind: 'Job' }), 'kind'],
    ['a list', create([]), 'kind'],
    ['nothing', create(undefined), 'kind'],
    ['an update of nothing', update(job(), undefined), 'metadata.name'],
  ])('%s is refused without a throw', (_name, request, field) =>
    check(request, [`unsupported-request ${field} @ ${field.replace('.', '/')}`]),
  );
});

describe('anything that can be typed', () => {
  /** Any value, in any place of an object that is a Job all the same. */
  const anything = fc.jsonValue({ maxDepth: 3 });
  const spec = fc.dictionary(
    fc.constantFrom('template', 'selector', 'completions', 'podFailurePolicy', 'successPolicy', 'managedBy', 'suspend'),
    anything,
  );
  const status = fc.dictionary(
    fc.constantFrom('conditions', 'active', 'startTime', 'uncountedTerminatedPods'),
    anything,
  );
  const metadata = fc.dictionary(
    fc.constantFrom('name', 'labels', 'annotations', 'finalizers', 'ownerReferences'),
    anything,
  );
  const object = fc.record({
    apiVersion: fc.constant('batch/v1'),
    kind: fc.constantFrom('Job', 'CronJob'),
    metadata: fc.oneof(metadata, anything),
    spec: fc.oneof(spec, fc.record({ jobTemplate: fc.record({ spec }) }), anything),
    status: fc.oneof(status, anything),
  });

  it('is judged without a throw and without a rule that throws', () => {
    fc.assert(
      fc.property(
        object,
        object,
        fc.constantFrom('create', 'update', 'status-update' as const),
        fc.constantFrom(...kubernetesMinors),
        (sent, old, operation, version) => {
          const failures: unknown[] = [];
          const options = { version, onRuleFailure: (...failure: unknown[]) => failures.push(failure) };
          const strict = judge({ operation, object: sent, old }, options);
          const all = judge({ operation, object: sent, old }, { ...options, isBeyondDecoding: true });
          expect(failures).toEqual([]);
          expect(all.errors.slice(0, strict.errors.length)).toEqual(strict.errors);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
