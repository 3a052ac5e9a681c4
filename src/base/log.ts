/** Values that may stand in a log line. Tokens, kubeconfig bodies and Secret data never do. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** A log with constant messages; what varies goes into `fields`. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export const nullLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** The text of anything that was thrown, for a log field or a message. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
