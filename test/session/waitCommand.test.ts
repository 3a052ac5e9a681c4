import { execFile, spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type Shell, shellOf, waitCommand } from '../../src/session/index.ts';
import { ScratchFolder } from '../kube/scratchFolder.ts';

const subject = { kubeconfig: '', context: 'hub', namespace: 'research', name: 'train' };

/** What can run a line here: a POSIX shell, and PowerShell where it is installed. */
const runners: readonly (readonly [shell: Shell, program: string, args: readonly string[]])[] = [
  ['posix', '/bin/sh', ['-c']],
  ...(spawnSync('pwsh', ['-NoProfile', '-Command', 'exit 0']).status === 0
    ? [['pwsh', 'pwsh', ['-NoProfile', '-Command']] as const]
    : []),
];
if (runners.length === 1) console.log('Not covered: wait commands run by PowerShell, which is not on the PATH here.');

/** Runs the line in a shell whose kubectl answers one line after the other, and then says that there is no such Job. */
async function ran([shell, program, args]: (typeof runners)[number], of: typeof subject, answers: readonly string[]) {
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
    const line = waitCommand(of, shell);
    const command = shell === 'posix' ? line : `${line}; exit $LASTEXITCODE`;
    execFile(program, [...args, command], { env }, (error) => resolve(error === null ? 0 : error.code));
  });
  return { code, words: folder.read('words').trimEnd().split('\n') };
}

describe.each(runners)('waiting with %s ends', (...runner) => {
  test.each<[string, readonly string[], number]>([
    ['when the Job completes', ['', 'SuccessCriteriaMet', 'SuccessCriteriaMet Complete'], 0],
    ['when it fails', ['', 'FailureTarget', 'FailureTarget Failed'], 1],
    ['when it is complete already', ['Complete'], 0],
    ['after it was suspended and resumed', ['Suspended', 'Suspended', '', 'Complete'], 0],
    ['when it is gone', ['', 'Suspended'], 2],
    ['not for an outcome whose pods still run', ['FailureTarget', 'SuccessCriteriaMet'], 2],
  ])('%s', async (_, answers, code) => {
    expect((await ran(runner, subject, answers)).code).toBe(code);
  });

  test('for the Job that is meant, however its cluster is called', async () => {
    const context = `team's ${runner[0] === 'posix' ? '"hub"' : '\u2018hub\u2019'} $(date) \\n`;
    const odd = { kubeconfig: '/home/a b/config', context, namespace: 'research', name: 'train' };
    const { code, words } = await ran(runner, odd, ['Complete']);
    const literal = runner[0] === 'posix' ? '"True"' : "'True'";
    expect(code).toBe(0);
    expect(words).toEqual([
      ...['--kubeconfig', '/home/a b/config', '--context', context, '-n', 'research', 'get', 'job', 'train'],
      ...['-o', `jsonpath={.status.conditions[?(@.status==${literal})].type}`],
    ]);
  });
});

const block =
  'for (;;) { ' +
  "$s = -split (kubectl --context hub -n research get job train -o 'jsonpath={.status.conditions[?(@.status==''True'')].type}'); " +
  'if ($LASTEXITCODE -ne 0) { exit 2 }; ' +
  "if ($s -ccontains 'Complete') { exit 0 }; if ($s -ccontains 'Failed') { exit 1 }; " +
  'Start-Sleep 5 }';

test.each<[Shell, string]>([
  ['powershell', `powershell -NoProfile -Command { ${block} }`],
  ['pwsh', `pwsh -NoProfile -Command { ${block} }`],
  ['cmd', `powershell -NoProfile -Command "${block}"`],
])('%s gets a line of its own grammar', (shell, line) => {
  expect(waitCommand(subject, shell)).toBe(line);
});

test.each([
  ['a path of Windows', 'C:\\Users\\me\\.kube\\config', 'C:\\Users\\me\\.kube\\config'],
  ['blanks', 'C:\\a b\\config', "'C:\\a b\\config'"],
  ['what would be a variable', 'a$(date)`n', "'a$(date)`n'"],
  ['what would be an array', '@hub', "'@hub'"],
  ['what would be an option', '-hub', "'-hub'"],
  ['a quote', "team's", "'team''s'"],
  ['a quote of printers', 'team\u2019s', "'team\u2019\u2019s'"],
  ['an end of the block', "a' }; exit 7 #", "'a'' }; exit 7 #'"],
])('PowerShell reads back %s', (_, name, literal) => {
  const line = waitCommand({ ...subject, kubeconfig: name, context: name }, 'powershell');
  expect(line).toContain(`kubectl --kubeconfig ${literal} --context ${literal} -n research`);
});

test.each<[string, string, Shell]>([
  ['C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe', 'win32', 'powershell'],
  ['C:\\Program Files\\PowerShell\\7\\pwsh.exe', 'win32', 'pwsh'],
  ['C:\\WINDOWS\\System32\\CMD.EXE', 'win32', 'cmd'],
  ['C:\\Program Files\\Git\\bin\\bash.exe', 'win32', 'posix'],
  ['', 'win32', 'powershell'],
  ['/usr/bin/pwsh-preview', 'linux', 'pwsh'],
  ['/bin/zsh', 'darwin', 'posix'],
  ['', 'linux', 'posix'],
])('the shell of %j on %s is %s', (program, platform, shell) => {
  expect(shellOf(program, platform)).toBe(shell);
});
