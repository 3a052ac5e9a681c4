import type { Worker } from 'node:worker_threads';
import { type Clock, describeError, type Log, type Random } from '../base/index.ts';

/**
 * What a command of the command line may touch of the outside, handed in by `cli.ts` and faked in tests.
 * Every `run…(args, io)` resolves with the exit code: 0 done, 1 the answer is no, 2 bad usage or unreadable input.
 */
export interface CommandIo {
  /** Writes to standard output as is: no newline is added. Resolves once the reader keeps up (back-pressure). */
  readonly stdout: (text: string) => Promise<void>;
  /** One message for a person, a line of its own on standard error. */
  readonly stderr: (line: string) => void;
  /** Standard input in chunks of UTF-8 text. */
  readonly stdin: AsyncIterable<string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute. Relative paths in arguments are resolved against it. */
  readonly cwd: string;
  readonly homeDir: string;
  /** Aborts at SIGINT and SIGTERM. A long-running command then stops in good order and resolves with 0. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly random: Random;
  /** Absent where a command must do with the one thread. */
  readonly threads?: CommandThreads;
}

/** Threads that a command may start beside its own. */
export interface CommandThreads {
  /** How many the machine has processors for. */
  readonly atMost: number;
  /** Starts one. `task` is what tells it what to do: plain data with a `kind`. Whoever starts it terminates it. */
  readonly start: (task: { readonly kind: string }) => Worker;
}

/** Bad usage or unreadable input: the message names the file, the place and the remedy. Ends in exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Runs `parse`; what it throws is the usage's fault. */
export function orUsageError<T>(command: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw new UsageError(`${describeError(error)} Run 'delegated-jobs ${command} --help' for the options.`);
  }
}

/** Resolves when `signal` aborts: a command that runs until it is stopped waits for this. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Warnings and errors, and `info` where it is wanted, as lines on standard error. */
export function logTo(io: CommandIo, { info }: { readonly info: boolean }): Log {
  const line = (message: string, fields?: object): void => io.stderr(`${message} ${JSON.stringify(fields ?? {})}`);
  return { debug() {}, info: info ? line : () => {}, warn: line, error: line };
}
