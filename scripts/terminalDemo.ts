import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { end } from './host/process.ts';

/** The main job without a VS Code: the same three steps by the command line, ended when the Job has. */
export interface TerminalDemo {
  readonly cli: string;
  readonly workspace: string;
  readonly hello: string;
  readonly kubeconfig: string;
  readonly say: (line: string) => void;
  readonly stop: Promise<void>;
}

interface Row {
  readonly name?: string;
  readonly phase?: string;
  readonly reason?: string;
  readonly worker?: string | null;
  readonly active?: number;
  readonly succeeded?: number;
  readonly completions?: number | null;
}

/** Resolves with the exit code: 0 if the Job succeeded. */
export async function showInTerminal(demo: TerminalDemo): Promise<number> {
  const clusters = ['--kubeconfig', demo.kubeconfig, '--management', 'management'];
  const workers = ['--worker', 'worker-1=worker-1', '--worker', 'worker-2=worker-2'];
  const children: ChildProcess[] = [];
  const start = (args: readonly string[], stdio: 'inherit' | 'pipe' | 'ignore'): ChildProcess => {
    const child = spawn(process.execPath, [demo.cli, ...args], {
      cwd: demo.workspace,
      stdio: ['ignore', stdio, stdio === 'ignore' ? 'ignore' : 'inherit'],
    });
    children.push(child);
    return child;
  };
  const step = async (title: string, args: readonly string[]): Promise<void> => {
    demo.say(
      `\n${title}\n$ delegated-jobs ${args.map((arg) => (arg === demo.hello ? join('manifests', 'hello.yaml') : arg)).join(' ')}`,
    );
    const child = start(args, 'inherit');
    await new Promise((resolve) => child.once('exit', resolve));
  };
  try {
    await step('What would the API server say of the sample?', ['lint', demo.hello]);
    await step('Take the fix:', ['lint', '--fix', demo.hello]);
    demo.say('\nThe reconciler, on the side:\n$ delegated-jobs reconcile …');
    start(['reconcile', ...clusters, ...workers, '-n', 'default'], 'ignore');
    await step('Dispatch it to the management cluster:', ['dispatch', ...clusters, demo.hello]);
    demo.say('\nAnd watch it:\n$ delegated-jobs status --watch');
    const watch = start(['status', ...clusters, ...workers, '-n', 'default', '--watch', '-o', 'json'], 'pipe');
    return await Promise.race([untilEnded(watch, demo.say), demo.stop.then(() => 0)]);
  } finally {
    await Promise.all(children.map((child) => end(child)));
  }
}

async function untilEnded(watch: ChildProcess, say: (line: string) => void): Promise<number> {
  if (watch.stdout === null) throw new Error('The watch has no output.');
  let last = '';
  for await (const line of createInterface({ input: watch.stdout })) {
    const row: Row = JSON.parse(line);
    if (row.name === undefined) continue;
    const where = row.worker ? ` on ${row.worker}` : '';
    const reason = row.reason ? ` – ${row.reason}` : '';
    const now = `  ${row.name}: ${row.phase}${where}, ${row.succeeded ?? 0}/${row.completions ?? '?'} succeeded${reason}`;
    if (now !== last) say(now);
    last = now;
    if (row.phase === 'Succeeded') {
      say('\nDone: the Job ran on another cluster, and its status came back.');
      return 0;
    }
    if (row.phase === 'Failed') return 1;
  }
  return 1;
}
