import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock, systemRandom } from '../../src/base/index.ts';
import { UsageError } from '../../src/cli/io.ts';
import { runLint } from '../../src/cli/lint.ts';
import { runVerdict } from '../../src/cli/verdict.ts';

/** What a command did, as the shell that called it would see it. */
export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The files as they are afterwards. */
  readonly files: Readonly<Record<string, string>>;
}

interface RunInput {
  readonly args: readonly string[];
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly stdin?: readonly string[];
  /** A folder that is there, and stays; absent: one of the run's own. */
  readonly cwd?: string;
}

const commands = { lint: runLint, verdict: runVerdict };

/** Runs a command in a folder that holds the given files; takes the folder away again if it is the run's own. */
export async function run(command: keyof typeof commands, input: RunInput): Promise<RunResult> {
  const cwd = input.cwd ?? (await mkdtemp(join(tmpdir(), 'delegated-jobs-')));
  try {
    for (const [name, content] of Object.entries(input.files ?? {})) await writeFile(join(cwd, name), content);
    const stdout: string[] = [];
    const stderr: string[] = [];
    const io = {
      stdout: async (text: string) => void stdout.push(text),
      stderr: (line: string) => void stderr.push(line),
      stdin: chunks(input.stdin ?? []),
      env: {},
      cwd,
      homeDir: cwd,
      signal: new AbortController().signal,
      clock: systemClock,
      random: systemRandom,
    };
    const code = await commands[command](input.args, io).catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error;
      stderr.push(error.message);
      return 2;
    });
    const files: Record<string, string> = {};
    for (const name of Object.keys(input.files ?? {})) files[name] = await readFile(join(cwd, name), 'utf8');
    return { code, stdout: stdout.join(''), stderr: stderr.join('\n'), files };
  } finally {
    if (input.cwd === undefined) await rm(cwd, { recursive: true });
  }
}

async function* chunks(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}
