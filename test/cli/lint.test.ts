import { describe, expect, test } from 'vitest';
import { job, run } from './lintRun.ts';

const stored = `${job('parallelism: 2', 'managedBy: example.com/a')}  # as kubectl prints it\n`;

describe('exit codes', () => {
  test.each([
    ['nothing to say', job(), 0, ''],
    ['a warning is no error', job('managedBy: kueue.x-k8s.io/multikueue'), 0, ''],
    ['an error', job('parallelism: -1'), 1, ''],
    ['text that is no YAML', 'kind: Job\nspec: [', 2, 'a.yaml:2:8: '],
    ['text that is nothing at all', '}{', 2, 'a.yaml:1:1: '],
    ['another kind that can be read', 'kind: ConfigMap\n', 0, ''],
    ['a template', 'kind: Job\napiVersion: batch/v1\n{{ if .x }}\n', 0, ''],
  ])('%s', async (_, text, code, message) => {
    const result = await run('lint', { args: ['a.yaml'], files: { 'a.yaml': text } });
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code, stderr: expect.stringContaining(message) });
  });

  test.each([
    ['no files', [], 'Name files'],
    ['a file that is not there', ['b.yaml'], 'b.yaml: there is no such file'],
    ['an unknown option', ['--nope', 'a.yaml'], '--nope'],
    ['an unknown format', ['--format', 'xml', 'a.yaml'], 'text, json, sarif'],
    ['a version that is none', ['--kubernetes', 'new', 'a.yaml'], '--kubernetes new'],
    ['a change without what is stored', ['--replace', 'a.yaml'], '--live OLD'],
    ['fixing standard input', ['--fix', '-'], '--fix'],
    ['a live file that is not there', ['--live', 'b.yaml', 'a.yaml'], '--live b.yaml'],
  ])('bad usage: %s', async (_, args, message) => {
    const result = await run('lint', { args, files: { 'a.yaml': job() } });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain(message);
  });

  test('a rule that is ignored decides nothing', async () => {
    const files = { 'a.yaml': job('parallelism: -1') };
    const { code, stdout } = await run('lint', { args: ['--ignore', 'parallelism-negative', 'a.yaml'], files });
    expect([code, stdout]).toEqual([0, '']);
  });

  test('a file in another encoding is not touched', async () => {
    const bytes = Uint8Array.from([0x6b, 0x3a, 0x20, 0xff]);
    const result = await run('lint', { args: ['--fix', 'a.yaml'], files: { 'a.yaml': bytes } });
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('not UTF-8');
  });
});

describe('--kubernetes', () => {
  test.each([
    ['v1.31.4', 'Kubernetes v1.31.4 is not known here; judging as 1.34 does.', ['managed-by-dropped']],
    ['1.99', 'Kubernetes 1.99 is not known here; judging as 1.37 does.', []],
    ['v1.35.2', '', []],
  ])('%s', async (version, said, codes) => {
    const args = ['--kubernetes', version, '--format', 'json', '--controller-name', 'example.com/a', 'a.yaml'];
    const result = await run('lint', { args, files: { 'a.yaml': job('managedBy: example.com/a') } });
    expect(result.stderr).toBe(said === '' ? '' : `delegated-jobs lint: ${said}`);
    expect([...result.stdout.matchAll(/"code":\s*"([^"]+)"/g)].map(([, code]) => code)).toEqual(codes);
  });
});

describe('formats', () => {
  const files = { 'a.yaml': `# one\n---\n${job('managedBy: kueue.x-k8s.io/multikeue')}` };

  test('json has the fields of the contract', async () => {
    const { stdout } = await run('lint', { args: ['--format', 'json', 'a.yaml'], files });
    const answer: { findings: object[] } = JSON.parse(stdout);
    expect(answer.findings).toEqual([
      {
        file: 'a.yaml',
        document: 0,
        line: 8,
        column: 14,
        endLine: 8,
        endColumn: 38,
        severity: 'warning',
        code: 'managed-by-near-miss',
        field: 'spec.managedBy',
        message: expect.stringContaining('kueue.x-k8s.io/multikueue'),
        source: 'B20',
        url: expect.stringMatching(/^https:/),
        fixable: true,
      },
    ]);
  });

  test('sarif names rule, level, place and fix', async () => {
    const { stdout } = await run('lint', { args: ['--format', 'sarif', 'a.yaml'], files });
    const { version, runs } = JSON.parse(stdout);
    expect(version).toBe('2.1.0');
    expect(runs[0].results[0]).toMatchObject({
      ruleId: 'managed-by-near-miss',
      level: 'warning',
      locations: [
        { physicalLocation: { artifactLocation: { uri: 'a.yaml' }, region: { startLine: 8, startColumn: 14 } } },
      ],
      fixes: [{ artifactChanges: [{ replacements: [{ insertedContent: { text: 'kueue.x-k8s.io/multikueue' } }] }] }],
    });
  });

  test('text is a line a finding and a sum', async () => {
    const { stdout } = await run('lint', { args: ['a.yaml'], files });
    expect(stdout).toMatch(/^a\.yaml:8:14: warning: .*\n1 warning in 1 file\n$/);
  });

  test('standard input is read whole', async () => {
    const text = job('parallelism: -1');
    const stdin = [text.slice(0, 50), text.slice(50)];
    const { stdout, code } = await run('lint', { args: ['-'], stdin });
    expect([code, stdout]).toEqual([1, expect.stringContaining('-:6:16: error: spec.parallelism')]);
  });
});

describe('--fix', () => {
  test('applies what is safe and leaves every other byte alone', async () => {
    const before = `\uFEFF${job("managedBy: 'kueue.x-k8s.io/multikeue'   # typo").replaceAll('\n', '\r\n')}`;
    const { files, stdout, stderr } = await run('lint', { args: ['--fix', 'a.yaml'], files: { 'a.yaml': before } });
    expect(files['a.yaml']).toBe(before.replace('multikeue', 'multikueue'));
    expect(stdout).toContain('multikueue-no-queue');
    expect(stderr).toBe(
      "delegated-jobs lint: a.yaml: fixed: spec.managedBy: Use 'kueue.x-k8s.io/multikueue' (managed-by-near-miss)",
    );
  });

  test('goes on until nothing is left to fix', async () => {
    const before = job('completionMode: Indexed', 'parallelism: "3"').replace('      restartPolicy: Never\n', '');
    const { files, code } = await run('lint', { args: ['--fix', 'a.yaml'], files: { 'a.yaml': before } });
    expect(code).toBe(0);
    expect(files['a.yaml']).toBe(
      before
        .replace('parallelism: "3"', 'parallelism: 3')
        .replace('image: r/x:1\n', 'image: r/x:1\n      restartPolicy: Never\n')
        .concat('  completions: 3\n'),
    );
  });
});

describe('--live', () => {
  test.each([
    ['apply keeps what the file leaves out', job('parallelism: 3'), [], []],
    ['apply refuses another controller', job('managedBy: example.com/b'), [], ['spec.managedBy']],
    [
      'a PUT takes away what the file leaves out',
      job('parallelism: 3'),
      ['--replace'],
      ['spec.managedBy', 'spec.selector', 'spec.template', 'spec.template.metadata.labels'],
    ],
    [
      'a status is judged as a status',
      `${job()}status: {active: -1}\n`,
      ['--subresource', 'status'],
      ['status.active'],
    ],
    [
      'a piece of the object is enough to apply',
      'apiVersion: batch/v1\nkind: Job\nmetadata: {name: demo}\nspec: {suspend: true}\n',
      [],
      [],
    ],
  ])('%s', async (_, text, options, fields) => {
    const { stdout } = await run('lint', {
      args: [
        '--format',
        'json',
        '--controller-name',
        'example.com/a',
        '--controller-name',
        'example.com/b',
        '--live',
        'old.yaml',
        ...options,
        'a.yaml',
      ],
      files: { 'a.yaml': text, 'old.yaml': stored },
    });
    const answer: { findings: { severity: string; field: string }[] } = JSON.parse(stdout);
    const refused = answer.findings.filter(({ severity }) => severity === 'error').map(({ field }) => field);
    expect([...new Set(refused)].sort()).toEqual(fields);
  });
});

test('what a kustomization lists as patches is not expected to be whole', async () => {
  const patch =
    'apiVersion: batch/v1\nkind: Job\nmetadata: {name: demo, namespace: a}\nspec: {template: {spec: {containers: [{name: main}]}}}\n';
  const files = { 'patch.yaml': patch, 'kustomization.yaml': 'patches:\n- path: patch.yaml\n' };
  expect((await run('lint', { args: ['.'], files })).stdout).toBe('');
  expect((await run('lint', { args: ['.'], files: { 'patch.yaml': patch } })).code).toBe(1);
});

test('what a kustomization lists as resources may leave its selectors to it', async () => {
  const deployment = (more: string): string =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n${more}  template: {spec: {containers: [{name: web, image: r}]}}\n`;
  const whole = deployment('');
  const kustomization = 'resources: [m/web.yaml]\nlabels: [{pairs: {app: web}, includeSelectors: true}]\n';
  const lint = (web: string, listing: string) =>
    run('lint', { args: ['.'], files: { 'm/web.yaml': web, 'kustomization.yaml': listing } });
  expect((await lint(whole, kustomization)).stdout).toBe('');
  expect((await lint(whole, 'resources: [m]\n')).stdout).toMatch(
    /^m.web\.yaml:4:1: error: .*\n1 error in \d files?\n$/,
  );
  const negative = (await lint(deployment('  replicas: -1\n'), kustomization)).stdout;
  expect(negative).toMatch(/^m.web\.yaml:5:13: error: .*\n1 error in \d files?\n$/);
});

describe('control characters of a manifest', () => {
  const text = job('managedBy: "example.com/\\e]0;x\\a"', '"un\\e[31m\\n::error ::known": 1');

  test('reach no terminal and no CI in the text', async () => {
    const { stdout } = await run('lint', { args: ['a.yaml'], files: { 'a.yaml': text } });
    expect(stdout).toContain('spec.un\\u001b[31m\\n::error ::known: ');
    expect(stdout).toMatch(/^[^\p{Cc}]+$/mu);
    for (const line of stdout.trimEnd().split('\n')) expect(line).toMatch(/^(a\.yaml:\d+:\d+: |\d+ error)[^\p{Cc}]*$/u);
  });

  test('nor those of a file that is named', async () => {
    const name = 'a\u001b[31m\n::error ::b.yaml';
    const { stderr } = await run('lint', { args: [name], files: { [name]: 'kind: Job\nspec: [' } });
    expect(stderr).toContain('a\\u001b[31m\\n::error ::b.yaml:2:8: ');
  });

  test('stay what they are in JSON', async () => {
    const { stdout } = await run('lint', { args: ['--format', 'json', 'a.yaml'], files: { 'a.yaml': text } });
    const { findings } = JSON.parse(stdout);
    expect(findings.map(({ field }: { readonly field: string }) => field)).toContain(
      'spec.un\u001b[31m\n::error ::known',
    );
  });
});
