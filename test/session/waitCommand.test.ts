import { execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { waitCommand } from '../../src/session/index.ts';
import { ScratchFolder } from '../kube/scratchFolder.ts';

const subject = { kubeconfig: '', context: 'hub', namespace: 'research', name: 'train' };

/** Runs the line in a shell whose kubectl answers one line after the other, and then says that there is no such Job. */
async function ran(line: string, answers: readonly string[]) {
  using folder = new ScratchFolder();
  const script = (name: string, text: string): void => chmodSync(folder.write(name, `#!/bin/sh\n${text}\n`), 0o755);
  folder.write('answers', answers.map((answer) => `${answer}\n`).join(''));
  script(
    'kubectl',
    [
      `cd '${folder.path}'`,
      'for word; do printf "%s\\n" "$word" >> words; done',
      '[ -s answers ] || exit 1',
      'head -n 1 answers',
      'tail -n +2 answers > rest',
      'mv rest answers',
    ].join('\n'),
  );
  // Nobody waits here.
  script('sleep', 'exit 0');
  const env = { PATH: `${folder.path}:${process.env['PATH']}` };
  const code = await new Promise<unknown>((resolve) => {
    execFile('/bin/sh', ['-c', line], { env }, (error) => resolve(error === null ? 0 : error.code));
  });
  return { code, words: folder.read('words').trimEnd().split('\n') };
}

describe('waiting ends', () => {
  test.each<[string, readonly string[], number]>([
    ['when the Job completes', ['', 'SuccessCriteriaMet', 'SuccessCriteriaMet Complete'], 0],
    ['when it fails', ['', 'FailureTarget', 'FailureTarget Failed'], 1],
    ['when it is complete already', ['Complete'], 0],
    ['after it was suspended and resumed', ['Suspended', 'Suspended', '', 'Complete'], 0],
    ['when it is gone', ['', 'Suspended'], 2],
    ['not for an outcome whose pods still run', ['FailureTarget', 'SuccessCriteriaMet'], 2],
  ])('%s', async (_, answers, code) => {
    expect((await ran(waitCommand(subject), answers)).code).toBe(code);
  });

  test('for the Job that is meant, however its cluster is called', async () => {
    const context = `team's "hub" $(date) \\n`;
    const odd = { kubeconfig: '/home/a b/config', context, namespace: 'research', name: 'train' };
    const { code, words } = await ran(waitCommand(odd), ['Complete']);
    expect(code).toBe(0);
    expect(words).toEqual([
      ...['--kubeconfig', '/home/a b/config', '--context', context, '-n', 'research', 'get', 'job', 'train'],
      ...['-o', 'jsonpath={.status.conditions[?(@.status=="True")].type}'],
    ]);
  });
});
