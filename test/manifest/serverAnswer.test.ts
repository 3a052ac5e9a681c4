import { describe, expect, test } from 'vitest';
import {
  compareAnswers,
  createManifestSession,
  type ManifestObject,
  placeAnswer,
  reportOf,
  type ServerAnswer,
  type ServerRefusal,
} from '../../src/manifest/index.ts';

const settings = { version: '1.35' } as const;

const job = (spec = '', pod = 'restartPolicy: Never'): string => `apiVersion: batch/v1
kind: Job
metadata:
  name: train
  labels: {example.com/a: b}
spec:
${spec}  template:
    spec:
      ${pod}
      containers:
      - name: main
        image: r/x
        env:
        - {name: TOKEN, value: secret}
`;

const answerOf = (refusal?: Partial<ServerRefusal>, warnings: readonly string[] = []): ServerAnswer => ({
  operation: 'create',
  serverVersion: 'v1.35.4',
  warnings,
  ...(refusal && { refusal: { by: 'validation', message: 'refused', causes: [], ...refusal } }),
});

const cause = (field: string, reason: string, message: string) => ({ field, reason, message });

function read(text: string): { readonly object: ManifestObject; readonly findings: Parameters<typeof placeAnswer>[3] } {
  const { documents, findings } = createManifestSession().check(text, settings);
  const object = documents.flatMap(({ objects }) => objects).find(({ name }) => name === 'train');
  if (object === undefined) throw new Error('There is no Job named train.');
  return { object, findings };
}

/** One door: `severity: the marked words: message` for each line of an answer. */
function placed(text: string, answer: ServerAnswer): readonly string[] {
  const { object, findings } = read(text);
  return placeAnswer(text, object, answer, findings).map(
    ({ range, severity, message }) => `${severity}: ${text.slice(range.start.offset, range.end.offset)}: ${message}`,
  );
}

describe('an answer is put where it belongs', () => {
  test.each([
    ['nothing to say', job(), answerOf(), []],
    [
      'a value',
      job('  parallelism: -1\n'),
      answerOf({ causes: [cause('spec.parallelism', 'FieldValueInvalid', 'Invalid value: -1: must be …')] }),
      ['error: -1: Invalid value: -1: must be …'],
    ],
    [
      'an item of a list',
      job(),
      answerOf({ causes: [cause('spec.template.spec.containers[0].image', 'FieldValueInvalid', 'bad')] }),
      ['error: r/x: bad'],
    ],
    [
      'a label',
      job(),
      answerOf({ causes: [cause('metadata.labels[example.com/a]', 'FieldValueInvalid', 'bad')] }),
      ['error: b: bad'],
    ],
    [
      'what is missing',
      job(),
      answerOf({ causes: [cause('spec.completions', 'FieldValueRequired', 'Required value')] }),
      ['error: spec: Required value'],
    ],
    [
      'a field that can not be decoded',
      job('  paralelism: 1\n'),
      answerOf({
        by: 'decoding',
        message:
          'Job in version "v1" cannot be handled as a Job: strict decoding error: unknown field "spec.paralelism"',
      }),
      ['error: paralelism: unknown field "spec.paralelism"'],
    ],
    [
      'a type that can not be decoded',
      job('  parallelism: many\n'),
      answerOf({
        by: 'decoding',
        message:
          'Job in version "v1" cannot be handled as a Job: json: cannot unmarshal string into Go struct field JobSpec.spec.parallelism of type int32',
      }),
      ['error: many: json: cannot unmarshal string into Go struct field JobSpec.spec.parallelism of type int32'],
    ],
    [
      'a refusal without a place',
      job(),
      answerOf({ by: 'policy', message: 'admission webhook "w" denied the request: no' }),
      ['error: Job: admission webhook "w" denied the request: no'],
    ],
    [
      'a warning',
      job(),
      answerOf(undefined, ['spec.template.spec.containers[0].image: is old', 'something else']),
      ['warning: r/x: is old', 'warning: Job: something else'],
    ],
    [
      'the second document of a file',
      `kind: ConfigMap\napiVersion: v1\n---\n${job()}`,
      answerOf({ causes: [cause('spec.template.spec.containers[0].image', 'FieldValueInvalid', 'bad')] }),
      ['error: r/x: bad'],
    ],
  ])('%s', (_, text, answer, expected) => {
    expect(placed(text, answer)).toEqual(expected);
  });

  test('a message that prints a whole template is cut in its middle', () => {
    const message = `Invalid value: core.PodTemplateSpec{${'x'.repeat(5000)}}: field is immutable`;
    const [line = ''] = placed(job(), answerOf({ causes: [cause('spec.template', 'FieldValueInvalid', message)] }));
    expect(line.length).toBeLessThan(400);
    expect(line).toContain('field is immutable');
  });
});

describe('server and engine', () => {
  test.each([
    ['agree that all is well', job(), answerOf(), undefined],
    [
      'agree on a value, whatever words the server has',
      job('  parallelism: -1\n'),
      answerOf({ causes: [cause('spec.parallelism', 'FieldValueInvalid', 'Invalid value: -1: whatever')] }),
      undefined,
    ],
    [
      'agree on the first value that can not be read',
      job('  parallelism: many\n  completions: more\n'),
      answerOf({
        by: 'decoding',
        message:
          'Job in version "v1" cannot be handled as a Job: json: cannot unmarshal string into Go struct field JobSpec.spec.parallelism of type int32',
      }),
      undefined,
    ],
    [
      'can not be compared where a webhook stands between',
      job('  parallelism: -1\n'),
      answerOf({ by: 'policy', message: 'denied' }),
      undefined,
    ],
    [
      'differ: the server alone refuses',
      job(),
      answerOf({ causes: [cause('spec.parallelism', 'FieldValueForbidden', 'Forbidden: x')] }),
      { onlyServer: ['spec.parallelism: Forbidden'], onlyOurs: [] },
    ],
    [
      'differ: the engine alone refuses',
      job('  parallelism: -1\n'),
      answerOf(),
      { onlyServer: [], onlyOurs: ['spec.parallelism: Invalid'] },
    ],
  ])('%s', (_, text, answer, expected) => {
    const request = { operation: 'create', object: read(text).object.value } as const;
    expect(compareAnswers(request, answer, '1.35').disagreement).toEqual(expected);
  });

  test('are both in the report, with the object, without its secrets', () => {
    const { object } = read(job('  parallelism: -1\n'));
    const answer = answerOf();
    const compared = compareAnswers({ operation: 'create', object: object.value }, answer, '1.35');
    const facts = { object, answer, ...settings, extensionVersion: '0.1.0', disagreement: undefined, ...compared };
    const report = reportOf(facts, (value) => `${JSON.stringify(value)}\n`);
    expect(report).toContain('## Only Delegated Jobs says\n\n- spec.parallelism: Invalid');
    expect(report).toContain('The cluster runs v1.35.4');
    expect(report).toContain('## The cluster\n\nAccepted.');
    expect(report).toContain('"parallelism":-1');
    expect(report).not.toContain('secret');
  });
});
