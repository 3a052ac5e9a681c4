import { type Clock, systemClock, systemRandom } from '../../src/base/index.ts';
import { type CommandIo, UsageError } from '../../src/cli/io.ts';

export type Command = (args: readonly string[], io: CommandIo) => Promise<number>;

/** What a command did, as the shell that called it would see it. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  /** Its lines, without the newline behind the last one. */
  readonly stderr: string;
}

export interface Surroundings {
  /** The home folder, too. */
  readonly cwd: string;
  readonly env?: CommandIo['env'];
  /** Standard input, in the chunks in which it arrives. */
  readonly stdin?: readonly string[];
  /** Called with each piece of standard output; `stop` is the signal that ends the command. */
  readonly onStdout?: (text: string, stop: () => void) => void;
  /** The same for each line of standard error. */
  readonly onStderr?: (line: string, stop: () => void) => void;
  /** The system's if absent. */
  readonly clock?: Clock;
  /** Sees standard output grow, and returns when the command shall be stopped. */
  readonly whileRunning?: (output: () => string) => Promise<void>;
  readonly threads?: CommandIo['threads'];
  /** Stops the command when it aborts. */
  readonly signal?: AbortSignal;
}

/** Runs a command of the command line as `cli.ts` does, in this process. */
export async function runCommand(
  command: Command,
  args: readonly string[],
  {
    cwd,
    env = {},
    stdin = [],
    onStdout,
    onStderr,
    clock = systemClock,
    whileRunning,
    threads,
    signal: outer,
  }: Surroundings,
): Promise<Ran> {
  const signal = new AbortController();
  const stop = (): void => signal.abort(new DOMException('Stopped.', 'AbortError'));
  if (outer?.aborted === true) stop();
  outer?.addEventListener('abort', stop);
  let stdout = '';
  const stderr: string[] = [];
  const io: CommandIo = {
    stdout: async (text) => {
      stdout += text;
      onStdout?.(text, stop);
    },
    stderr: (line) => {
      stderr.push(line);
      onStderr?.(line, stop);
    },
    stdin: chunks(stdin),
    env,
    cwd,
    homeDir: cwd,
    signal: signal.signal,
    clock,
    random: systemRandom,
    ...(threads !== undefined && { threads }),
  };
  const running = command(args, io).catch((error: unknown) => {
    if (signal.signal.aborted && error === signal.signal.reason) return 0;
    if (!(error instanceof UsageError)) throw error;
    stderr.push(error.message);
    return 2;
  });
  if (whileRunning !== undefined) {
    await whileRunning(() => stdout);
    stop();
  }
  return { code: await running, stdout, stderr: stderr.join('\n') };
}

async function* chunks(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}
