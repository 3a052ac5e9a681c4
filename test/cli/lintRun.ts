import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CommandThreads } from '../../src/cli/io.ts';
import { runLint } from '../../src/cli/lint.ts';
import { runVerdict } from '../../src/cli/verdict.ts';
import { type Ran, runCommand } from './runCommand.ts';

export interface RunResult extends Ran {
  /** The files as they are afterwards. */
  readonly files: Readonly<Record<string, string>>;
}

interface RunInput {
  readonly args: readonly string[];
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly stdin?: readonly string[];
  /** A folder that is there, and stays; absent: one of the run's own. */
  readonly cwd?: string;
  /** Puts into the folder what is no file. */
  readonly prepare?: (folder: string) => Promise<void>;
  readonly threads?: CommandThreads;
  readonly signal?: AbortSignal;
}

/** A Job to which nothing is to be said, with further lines in its spec. */
export function job(...specLines: readonly string[]): string {
  return `apiVersion: batch/v1
kind: Job
metadata:
  name: demo
spec:
${specLines.map((line) => `  ${line}\n`).join('')}  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: r/x:1
`;
}

const commands = { lint: runLint, verdict: runVerdict };

/** Runs a command in a folder that holds the given files; takes the folder away again if it is the run's own. */
export async function run(command: keyof typeof commands, input: RunInput): Promise<RunResult> {
  const cwd = input.cwd ?? (await mkdtemp(join(tmpdir(), 'delegated-jobs-')));
  try {
    for (const [name, content] of Object.entries(input.files ?? {})) {
      await mkdir(dirname(join(cwd, name)), { recursive: true });
      await writeFile(join(cwd, name), content);
    }
    await input.prepare?.(cwd);
    const { stdin = [], threads, signal } = input;
    const ran = await runCommand(commands[command], input.args, {
      cwd,
      stdin,
      ...(threads !== undefined && { threads }),
      ...(signal !== undefined && { signal }),
    });
    const files: Record<string, string> = {};
    for (const name of Object.keys(input.files ?? {})) files[name] = await readFile(join(cwd, name), 'utf8');
    return { ...ran, files };
  } finally {
    if (input.cwd === undefined) await rm(cwd, { recursive: true });
  }
}
