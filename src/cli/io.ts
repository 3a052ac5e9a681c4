import type { Clock, Random } from '../base/index.ts';

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
}

/** Bad usage or unreadable input: the message names the file, the place and the remedy. Ends in exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
