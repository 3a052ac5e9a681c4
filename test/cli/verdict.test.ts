import { expect, test } from 'vitest';
import { run } from './lintRun.ts';

const object = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'demo' },
  spec: { parallelism: -1, template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'r' }] } } },
};
/** As it is stored: with what the server generates for it. */
const old = {
  ...object,
  metadata: { name: 'demo', uid: 'u' },
  spec: {
    ...object.spec,
    parallelism: 1,
    manualSelector: true,
    selector: { matchLabels: { app: 'x' } },
    template: { ...object.spec.template, metadata: { labels: { app: 'x' } } },
  },
};

test('answers each request in order, wherever the chunks end', async () => {
  const lines = [
    { id: 1, operation: 'create', object },
    { id: 'two', operation: 'update', object: old, old },
    { id: 3, operation: 'delete', object },
    { id: 4, operation: 'create', object: 'nonsense' },
  ];
  const text = lines.map((line) => JSON.stringify(line)).join('\n');
  const { code, stdout } = await run('verdict', {
    args: [],
    stdin: [text.slice(0, 7), text.slice(7, 300), text.slice(300)],
  });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(code).toBe(0);
  expect(
    answers.map(({ id, allowed, errors }) => [id, allowed, errors.map((error: { field: string }) => error.field)]),
  ).toEqual([
    [1, false, ['spec.parallelism']],
    ['two', true, []],
    [3, false, ['operation']],
    [4, false, ['kind']],
  ]);
});

test('a line that is no JSON object is reported by its number, and the rest is answered', async () => {
  const stdin = [`{"id":\n[]\n\n${JSON.stringify({ id: 5, operation: 'create', object: old })}\n`];
  const { code, stdout, stderr } = await run('verdict', { args: ['--kubernetes', '1.35'], stdin });
  expect(code).toBe(2);
  expect(stderr).toMatch(/input:1: .*\n.*input:2: /);
  expect(JSON.parse(stdout)).toEqual({ id: 5, allowed: true, errors: [], warnings: [] });
});
