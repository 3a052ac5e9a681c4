import { availableParallelism, homedir } from 'node:os';
import { addAbortSignal } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { isMainThread, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';
import { describeError, isAbort, systemClock, systemRandom } from './base/index.ts';
import type { CommandIo } from './cli/io.ts';
import { UsageError } from './cli/io.ts';
import type { LintThreadTask } from './cli/lint/thread.ts';
import { printable } from './cli/printable.ts';

/**
 * Composition root of the command line: `node dist/cli.cjs COMMAND …`. Finds the command, gives it the real outside,
 * and turns what it answers into an exit code. Each command is a file in cli/, loaded only when it is called. The same
 * file is what a command's threads run: it can be copied alone, whatever its name.
 */

type RunCommand = (args: readonly string[], io: CommandIo) => Promise<number>;

interface Command {
  readonly summary: string;
  readonly load: () => Promise<RunCommand>;
}

const commands: Readonly<Record<string, Command>> = {
  lint: {
    summary: 'What the API server would say of manifests, and what it would not but should',
    load: async () => {
      compileSparingly();
      return (await import('./cli/lint.ts')).runLint;
    },
  },
  verdict: {
    summary: "The API server's verdict on requests, JSON lines in and out",
    load: async () => (await import('./cli/verdict.ts')).runVerdict,
  },
  status: {
    summary: "The management cluster's Jobs joined to their mirrors on the workers",
    load: async () => (await import('./cli/status.ts')).runStatus,
  },
  dispatch: {
    summary: 'Create a Job on the management cluster, delegated to our reconciler',
    load: async () => (await import('./cli/dispatch.ts')).runDispatch,
  },
  reconcile: {
    summary: 'Run the reconciler without an editor, until a signal',
    load: async () => (await import('./cli/reconcile.ts')).runReconcile,
  },
  sandbox: {
    summary: 'Run embedded clusters on loopback, until a signal',
    load: async () => (await import('./cli/sandbox.ts')).runSandbox,
  },
};

function usage(): string {
  const rows = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`);
  return `Usage: delegated-jobs COMMAND [OPTION]…\n\n${rows.join('\n')}\n\nEach has --help. Exit codes: 0 done, 1 the answer is no, 2 bad usage or unreadable input.\n`;
}

function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    if (stream.write(text)) resolve();
    else stream.once('drain', () => resolve());
  });
}

/** A message of a line or several on standard error. */
function tell(text: string): void {
  process.stderr.write(`${text.split('\n').map(printable).join('\n')}\n`);
}

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...args] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    await write(process.stdout, usage());
    return name === undefined ? 2 : 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) {
    tell(`delegated-jobs: there is no command '${name}'. Run 'delegated-jobs --help' for those there are.`);
    return 2;
  }
  const stop = new AbortController();
  const onSignal = (): void => stop.abort(new DOMException('Stopped by a signal.', 'AbortError'));
  process.once('SIGINT', onSignal);
  process.once('SIGTERM', onSignal);
  try {
    const run = await command.load();
    return await run(args, {
      stdout: (text) => write(process.stdout, text),
      stderr: tell,
      stdin: { [Symbol.asyncIterator]: () => standardInput(stop.signal)[Symbol.asyncIterator]() },
      env: process.env,
      cwd: process.cwd(),
      homeDir: homedir(),
      signal: stop.signal,
      clock: systemClock,
      random: systemRandom,
      threads: {
        atMost: availableParallelism() - 1,
        start: (task) => {
          compileInPlace();
          return new Worker(__filename, { workerData: task, resourceLimits: threadMemory });
        },
      },
    });
  } catch (error) {
    if (stop.signal.aborted && isAbort(error, stop.signal)) return 0;
    if (error instanceof UsageError) {
      tell(`delegated-jobs ${name}: ${error.message}`);
      return 2;
    }
    tell(`delegated-jobs ${name}: ${error instanceof Error ? (error.stack ?? error.message) : describeError(error)}`);
    return 2;
  } finally {
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

/** Closed by the signal, or a terminal that nothing is typed in would keep the process. */
function standardInput(signal: AbortSignal): AsyncIterable<string> {
  return addAbortSignal(signal, process.stdin.setEncoding('utf8'));
}

/**
 * For runs of seconds: what V8's last compiler takes, in each thread anew, its code earns back in none but the hottest
 * functions of a lint of thousands of files. What runs longer gets it all the same. From two million on it was slower again.
 */
function compileSparingly(): void {
  setFlag('--invocation-count-for-turbofan=400000');
}

/** Where each processor has a thread of ours, compiling beside them only takes turns with them. */
function compileInPlace(): void {
  setFlag('--no-concurrent-recompilation');
}

function setFlag(flag: string): void {
  // The V8 before doesn't know them all, and says so.
  if (Number.parseInt(process.versions.node, 10) >= 22) setFlagsFromString(flag);
}

/** Nothing of a file outlives it: more room for what is new would be filled before any of it is cleared. */
const threadMemory = { maxYoungGenerationSizeMb: 6 } as const;

/** Only `lint` starts threads. */
async function runThread(task: LintThreadTask, port: MessagePort): Promise<void> {
  (await import('./cli/lint/thread.ts')).runLintThread(task, port);
}

if (isMainThread) {
  // A reader that goes away (`| head`) is no fault of ours and ends the run quietly.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 2));
  }
  main(process.argv.slice(2)).then((code) => {
    // Not process.exit: what is still in the pipe to the reader must arrive.
    process.exitCode = code;
  });
} else if (parentPort !== null) {
  void runThread(workerData, parentPort);
}
