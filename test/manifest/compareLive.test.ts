import { describe, expect, test } from 'vitest';
import { admit } from '../../src/admission/index.ts';
import { isJsonObject, type JsonObject } from '../../src/base/index.ts';
import { asAuthored, createManifestSession, type ManifestObject, rewriteObject } from '../../src/manifest/index.ts';

const version = '1.35';
const identity = { uid: 'u-1', creationTimestamp: '2026-11-29T12:00:00Z', nameSuffix: 'xxxxx' };

function manifestIn(text: string): ManifestObject {
  const object = createManifestSession().check(text, { version }).documents[0]?.objects[0];
  if (object === undefined) throw new Error(`There is no object in the text:\n${text}`);
  return object;
}

/** The one door: what is laid beside a file whose object is stored so. */
function beside(text: string, live: JsonObject): string {
  const object = manifestIn(text);
  return rewriteObject(text, object, asAuthored(live, object.value, version));
}

/** What a server has stored of a text, with all that it adds. */
function stored(text: string): JsonObject {
  const admission = admit({ operation: 'create', object: manifestIn(text).value }, { version, identity });
  if (admission.stored === undefined) throw new Error(`The text is refused: ${JSON.stringify(admission.errors)}`);
  return { ...admission.stored, status: { active: 1 } };
}

const job = `# Trains every night.
apiVersion: batch/v1
kind: Job
metadata:
    name: train # short
    namespace: a
    labels: {team: "x"}
spec:
    parallelism: 2
    template:
        spec:
            restartPolicy: Never
            containers:
            - name: main
              image: "r/x:1" # pinned
              resources:
                  requests: {cpu: 1000m}
              env:
              - {name: A, value: "1"}
`;

describe('a stored object beside its file', () => {
  test('is the file itself where nothing differs', () => {
    expect(beside(job, stored(job))).toBe(job);
  });

  test.each([
    ['a string, in the quotes that stand there', 'r/x:1', 'r/x:2'],
    ['a number', 'parallelism: 2', 'parallelism: 3'],
    ['what the file lacks and is no default', 'value: "1"}\n', 'value: "1"}\n    suspend: true\n'],
    ['what the file lacks on one line', '{team: "x"}', '{team: "x", stage: test}'],
    [
      'a further item on one line',
      '- {name: A, value: "1"}',
      '- {name: A, value: "1"}\n              - {name: B, value: "2"}',
    ],
    ['an entry that is gone', '              resources:\n                  requests: {cpu: 1000m}\n', ''],
  ])('shows %s', (_, from, to) => {
    const changed = job.replace(from, to);
    expect(changed).not.toBe(job);
    expect(beside(job, stored(changed))).toBe(changed);
  });

  test.each([
    ['a field', `${job}    ttlSecondsAfterFinished: 60\n`],
    ['an item of a list', job.replace('value: "1"}', 'value: "1"}\n              - {name: B, value: "2"}')],
    ['a label', job.replace('{team: "x"}', '{team: "x", stage: test}')],
  ])('lacks what the file alone has: %s', (_, text) => {
    expect(beside(text, stored(job))).toBe(job);
  });

  test('changes nothing of the other documents', () => {
    const text = `${job}---\n# another\nkind: ConfigMap\napiVersion: v1\n---\n${job.replace('train', 'other')}`;
    const live = stored(job.replace('r/x:1', 'r/x:2'));
    expect(beside(text, live)).toBe(text.replace('r/x:1', 'r/x:2'));
  });

  test('shows no notes of controllers, but the wish of an author', () => {
    const text = beside(job, {
      ...stored(job),
      metadata: {
        name: 'train',
        namespace: 'a',
        uid: 'u-1',
        resourceVersion: '7',
        generation: 2,
        creationTimestamp: '2026-11-29T12:00:00Z',
        managedFields: [],
        labels: { team: 'x' },
        finalizers: ['delegated-jobs.dev/mirror', 'example.com/mine'],
        annotations: { 'delegated-jobs.dev/attempt': '1', 'delegated-jobs.dev/worker': 'w' },
      },
    });
    expect(manifestIn(text).value['metadata']).toEqual({
      name: 'train',
      namespace: 'a',
      labels: { team: 'x' },
      finalizers: ['example.com/mine'],
      annotations: { 'delegated-jobs.dev/worker': 'w' },
    });
  });

  test.each([
    ['JSON', JSON.stringify(manifestIn(job).value, undefined, 2).concat('\n')],
    [
      'aliases',
      job
        .replace('{team: "x"}', '&labels {team: "x"}')
        .replace('        spec:', '        metadata: {labels: *labels}\n        spec:'),
    ],
    [
      'a script over many lines',
      job.replace('env:', 'command:\n              - |\n                a\n                b\n              env:'),
    ],
    [
      'a list of objects',
      `apiVersion: v1\nkind: List\nitems:\n- ${job.slice(job.indexOf('api')).trimEnd().replaceAll('\n', '\n  ')}\n`,
    ],
  ])('means the same for %s', (_, text) => {
    const specOf = ({ spec }: JsonObject): JsonObject => (isJsonObject(spec) ? spec : {});
    const live = stored(text);
    expect(beside(text, live)).toBe(text);
    const { value } = manifestIn(text);
    const widened = beside(text, { ...live, spec: { ...specOf(live), parallelism: 7 } });
    expect(manifestIn(widened).value).toEqual({ ...value, spec: { ...specOf(value), parallelism: 7 } });
  });

  test('is shown also where the file is refused today', () => {
    const wrong = job.replace('restartPolicy: Never', 'restartPolicy: Always');
    expect(beside(wrong, stored(job))).toBe(job);
  });
});
