import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run } from './lintRun.ts';

/** The problem matcher of package.json reads what `lint` prints. */
const manifest: {
  readonly contributes: {
    readonly problemMatchers: readonly { readonly pattern: Readonly<Record<string, string | number>> }[];
  };
} = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));

function matches(output: string): readonly Readonly<Record<string, string | undefined>>[] {
  const { regexp, ...groups } = manifest.contributes.problemMatchers[0]?.pattern ?? {};
  return output.split('\n').flatMap((line) => {
    const match = new RegExp(String(regexp)).exec(line);
    if (match === null) return [];
    return [Object.fromEntries(Object.entries(groups).map(([name, index]) => [name, match[Number(index)]]))];
  });
}

test('each finding is read with its place, severity and name, and the summary is not one', async () => {
  const text = `apiVersion: batch/v1
kind: Job
metadata: {name: demo}
spec:
  parallelism: "3" # (one that --fix can do)
  managedBy: kueue.x-k8s.io/multikueue
  ttlSecondsAfterFinished: 5
  # delegated-jobs: ignore managed-by-blank
  completions: -1
  template: {spec: {restartPolicy: Never, containers: [{name: main, image: r}]}}
`;
  const files = { 'a job: 1.yaml': text };
  const { stdout } = await run('lint', { args: ['.'], files });
  const found = matches(stdout);
  const { stdout: json } = await run('lint', { args: ['--format', 'json', '.'], files });
  const { findings }: { findings: readonly { line: number; column: number; severity: string; code: string }[] } =
    JSON.parse(json);
  expect(found.length).toBeGreaterThan(3);
  expect(found.map(({ file, line, column, code }) => [file, Number(line), Number(column), code])).toEqual(
    findings.map(({ line, column, code }) => ['a job: 1.yaml', line, column, code]),
  );
  // VS Code knows no 'information', but 'info'.
  expect(new Set(found.map(({ severity }) => severity))).toEqual(new Set(['error', 'warning', 'info']));
});
