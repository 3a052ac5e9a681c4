import { describe, expect, it } from 'vitest';
import { type AdmissionRequest, admit, applyDefaults, type JudgeOptions, judge } from '../../src/admission/index.ts';
import { isJsonObject, type JsonObject } from '../../src/base/index.ts';
import { create, cronJob, identity, job, statusUpdate, template, update } from './requests.ts';

const uid = identity.uid;
const generated = {
  'batch.kubernetes.io/controller-uid': uid,
  'batch.kubernetes.io/job-name': 'hello',
  'controller-uid': uid,
  'job-name': 'hello',
};

/** The object as it is stored. */
function store(request: AdmissionRequest, options: Partial<JudgeOptions> = {}): JsonObject {
  const { stored, errors } = admit(request, { version: '1.35', identity, ...options });
  expect(errors).toEqual([]);
  if (stored === undefined) throw new Error('Nothing is stored.');
  return stored;
}

/** The value at a path of keys, or undefined. */
function at(object: JsonObject, ...path: readonly string[]): unknown {
  let value: unknown = object;
  for (const key of path) value = isJsonObject(value) ? value[key] : undefined;
  return value;
}

/** Compares what is stored at a place. */
function check(request: AdmissionRequest, path: readonly string[], expected: unknown): void {
  expect(at(store(request), ...path)).toEqual(expected);
}

const first = store(create(job()));

describe('a created Job', () => {
  it('gets its defaults', () =>
    expect(at(first, 'spec')).toMatchObject({
      parallelism: 1,
      completions: 1,
      backoffLimit: 6,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: 'TerminatingOrFailed',
      manualSelector: false,
    }));
  it('gets its identity', () =>
    expect(at(first, 'metadata')).toMatchObject({ uid, creationTimestamp: '2026-03-01T08:00:00Z', generation: 1 }));
  it('is named by its generateName, cut to leave room', () =>
    check(
      create(job({}, { name: '', generateName: `${'a'.repeat(60)}-` })),
      ['metadata', 'name'],
      `${'a'.repeat(58)}x7k2p`,
    ));
  it('has whole characters alone', () => {
    const csi = { driver: 'a.b', volumeAttributes: { '\udc00': '\ud800', '\u{1f600}': 'b' } };
    const container = { name: 'main', image: 'x', args: ['a\ud800'] };
    const spec = at(
      store(create(job({ template: template({ containers: [container], volumes: [{ name: 'v', csi }] }) }))),
      'spec',
      'template',
      'spec',
    );
    expect(spec).toMatchObject({
      containers: [{ args: ['a\ufffd'] }],
      volumes: [{ csi: { volumeAttributes: { '\ufffd': '\ufffd', '\u{1f600}': 'b' } } }],
    });
  });
  it.each([
    ['in UTC, whatever its zone', '2026-03-01T9:00:00.9-23:60', '2026-03-02T09:00:00Z'],
    ['after the year 9999', '9999-12-31T23:00:00-02:00', '10000-01-01T01:00:00Z'],
    ['before the year 0', '0000-01-01T00:00:00+01:00', '-0001-12-31T23:00:00Z'],
    ["that is Go's zero", '0001-01-01T01:00:00+01:00', undefined],
  ])('has a time %s', (_name, creationTimestamp, stored) =>
    check(
      create(job({ template: template({}, { creationTimestamp }) })),
      ['spec', 'template', 'metadata', 'creationTimestamp'],
      stored,
    ),
  );
  it('keeps a time where a key is free', () => {
    const volumeAttributes = { time: '2026-03-01T09:00:00+01:00' };
    const volumes = [{ name: 'v', csi: { driver: 'a.b', volumeAttributes } }];
    const spec = at(store(create(job({ template: template({ volumes }) }))), 'spec', 'template', 'spec');
    expect(spec).toMatchObject({ volumes: [{ csi: { volumeAttributes } }] });
  });
  it('lands in the default namespace', () =>
    check(create(job({}, { namespace: '' })), ['metadata', 'namespace'], 'default'));
  it('gets a selector and the labels for it', () => {
    expect(at(first, 'spec', 'selector')).toEqual({ matchLabels: { 'batch.kubernetes.io/controller-uid': uid } });
    expect(at(first, 'spec', 'template', 'metadata', 'labels')).toEqual(generated);
  });
  it('shares the labels of its template, the generated ones included', () =>
    check(create(job({ template: template({}, { labels: { app: 'a' } }) })), ['metadata', 'labels'], {
      app: 'a',
      ...generated,
    }));
  it('keeps its own labels if it has any', () =>
    check(
      create(job({ template: template({}, { labels: { app: 'a' } }) }, { labels: { x: 'y' } })),
      ['metadata', 'labels'],
      { x: 'y' },
    ));
  it('with a manual selector gets nothing generated', () => {
    const manual = job({
      manualSelector: true,
      selector: { matchLabels: { a: 'b' } },
      template: template({}, { labels: { a: 'b' } }),
    });
    check(create(manual), ['spec', 'template', 'metadata', 'labels'], { a: 'b' });
  });
  it('loses what clients may not write', () => {
    const sent = job(
      {},
      { uid: 'mine', resourceVersion: '7', deletionTimestamp: '2026-03-01T08:00:00Z', selfLink: '/x' },
      { active: 1 },
    );
    const { metadata, status } = store(create(sent));
    expect(status).toBeUndefined();
    expect(metadata).toEqual(at(first, 'metadata'));
  });
  it('with a limit per index retries without end', () =>
    check(
      create(job({ completionMode: 'Indexed', completions: 2, backoffLimitPerIndex: 1 })),
      ['spec', 'backoffLimit'],
      2147483647,
    ));
  it('with a pod failure policy replaces failed pods only, and reads conditions as True', () => {
    const policy = { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] };
    const stored = store(create(job({ podFailurePolicy: policy })));
    expect(at(stored, 'spec', 'podReplacementPolicy')).toBe('Failed');
    expect(at(stored, 'spec', 'podFailurePolicy')).toEqual({
      rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
    });
  });
  it('loses nulls', () => check(create(job({ managedBy: null })), ['spec', 'managedBy'], undefined));
  it('is accepted again as it is stored', () =>
    expect(judge(update(first, first), { version: '1.35' }).allowed).toBe(true));
});

describe('an updated Job', () => {
  const generation = ['metadata', 'generation'] as const;
  it('keeps its generation if its spec says the same', () => check(update(first, first), generation, 1));
  it('counts a change of its spec', () =>
    check(update({ ...first, spec: { ...asObject(first['spec']), parallelism: 2 } }, first), generation, 2));
  it('keeps its status', () =>
    check(update({ ...first, status: { active: 9 } }, { ...first, status: { active: 1 } }), ['status'], { active: 1 }));
  it('takes what it lacks from the stored one', () => {
    const { metadata, ...rest } = first;
    const bare = { ...rest, metadata: { name: 'hello' } };
    expect(
      at(store(update(bare, { ...first, metadata: { ...asObject(metadata), resourceVersion: '41' } })), 'metadata'),
    ).toMatchObject({
      namespace: 'team-a',
      uid,
      resourceVersion: '41',
    });
  });
});

describe('an updated status', () => {
  it('leaves the spec alone', () =>
    check(statusUpdate({ ...first, spec: {}, status: { active: 1 } }, first), ['spec'], first['spec']));
  it('does not count as a change', () =>
    check(statusUpdate({ ...first, status: { active: 1 } }, first), ['metadata', 'generation'], 1));
  it('keeps an annotation that looks like one as it came', () =>
    check(
      create(job({}, { annotations: { time: '2026-01-01T00:00:00+02:00' } })),
      ['metadata', 'annotations', 'time'],
      '2026-01-01T00:00:00+02:00',
    ));

  it('is stored in whole seconds of UTC', () =>
    check(
      statusUpdate({ ...first, status: { startTime: '2026-03-01T10:00:00.9+01:00' } }, first),
      ['status', 'startTime'],
      '2026-03-01T09:00:00Z',
    ));
});

describe('a created CronJob', () => {
  it('gets its own defaults, and its Jobs get none yet', () => {
    const stored = store(create(cronJob()));
    expect(stored['spec']).toMatchObject({
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    });
    expect(Object.keys(asObject(at(stored, 'spec', 'jobTemplate', 'spec')))).toEqual(['template']);
  });
});

describe('a refused object', () => {
  it('is not stored', () => {
    const admission = admit(create(job({ managedBy: '' })), { version: '1.35', identity });
    expect(admission).toMatchObject({ allowed: false, warnings: [] });
    expect(admission).not.toHaveProperty('stored');
  });
});

describe('warnings', () => {
  it.each([
    ['a name with a dot', job({}, { name: 'a.b' }), ['metadata.name']],
    ['a name that is a label', job(), []],
    [
      'indexes that may get lost',
      job({ completionMode: 'Indexed', completions: 100_001, parallelism: 10_001 }),
      ['spec'],
    ],
  ])('%s', (_name, object, places) => {
    const { warnings } = judge(create(object), { version: '1.35' });
    expect(warnings.map((warning) => warning.split(':')[0])).toEqual(places);
  });
  it('quote as Go does', () => {
    const imagePullSecrets = [{ name: 'a\u0085' }, { name: 'a\u0085' }];
    const { warnings } = judge(create(job({ template: template({ imagePullSecrets }) })), { version: '1.35' });
    expect(warnings).toEqual(['spec.template.spec.imagePullSecrets[1].name: duplicate name "a\\u0085"']);
  });
});

describe('applyDefaults', () => {
  it('completes without touching what it was given', () => {
    const sent = job();
    const text = JSON.stringify(sent);
    expect(at(applyDefaults(sent, { version: '1.35' }), 'spec', 'backoffLimit')).toBe(6);
    expect(JSON.stringify(sent)).toBe(text);
  });
  it('leaves other kinds alone', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod' };
    expect(applyDefaults(pod, { version: '1.35' })).toBe(pod);
  });
});

function asObject(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

describe('an amount beyond what 64 bits count in thousandths', () => {
  const using = (resource: string, amount: string): AdmissionRequest => {
    const resources = { limits: { [resource]: amount }, requests: { [resource]: amount } };
    return create(job({ template: template({ containers: [{ name: 'main', image: 'r/x:1', resources }] }) }));
  };

  // What Kubernetes' own code says.
  it.each([
    ['9999999999999999999953u', 2],
    ['10P', 0],
    ['10000000000000000P', 0],
    ['99999999999999906e1', 0],
    ['999999999999999060', 2],
  ])('%s is judged as it was sent', (amount, complaints) => {
    const { errors } = judge(using('nvidia.com/gpu', amount), { version: '1.35' });
    expect(errors.filter(({ message }) => message.includes('must be an integer'))).toHaveLength(complaints);
    expect(errors).toHaveLength(complaints);
  });

  it.each([
    ['9999999999999999999953u', '10P'],
    ['99999999999999906e1', '999999999999999060'],
    // There is no suffix for a thousand E, and the server leaves out what it has none for.
    ['1000E', '1'],
  ])('%s is stored as the server writes it', (amount, written) => {
    const sent = using('cpu', amount);
    const completed = isJsonObject(sent.object) ? applyDefaults(sent.object, { version: '1.35' }) : undefined;
    for (const object of [store(sent), completed]) {
      expect(JSON.stringify(object)).toContain(`"limits":{"cpu":"${written}"},"requests":{"cpu":"${written}"}`);
    }
  });
});
