import { type CommandIo, UsageError } from './io.ts';

export async function runStatus(_args: readonly string[], _io: CommandIo): Promise<number> {
  throw new UsageError('This command is not built yet.');
}
