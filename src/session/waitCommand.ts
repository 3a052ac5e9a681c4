/** A Job as kubectl finds it. */
export interface WaitSubject {
  /** A file to read in place of the usual ones; empty: those. */
  readonly kubeconfig: string;
  readonly context: string;
  readonly namespace: string;
  readonly name: string;
}

/**
 * A line for a POSIX shell that waits for a Job's end, whichever it is, and ends with 0 if it completed, 1 if it failed, 2 if
 * it can't be read, because it was deleted for example. `kubectl wait` watches for one condition only: for the other end it
 * waits until its timeout.
 */
export function waitCommand({ kubeconfig, context, namespace, name }: WaitSubject): string {
  const file = kubeconfig === '' ? '' : ` --kubeconfig ${quoted(kubeconfig)}`;
  const job = `kubectl${file} --context ${quoted(context)} -n ${quoted(namespace)} get job ${quoted(name)}`;
  const conditions = `jsonpath={.status.conditions[?(@.status=="True")].type}`;
  // Blanks on both sides: FailureTarget tells of a failure that is not over yet.
  const cases = `case " $s " in *" Complete "*) exit 0;; *" Failed "*) exit 1;; esac`;
  return `( while s=$(${job} -o ${quoted(conditions)}); do ${cases}; sleep 5; done; exit 2 )`;
}

/** As a POSIX shell reads it back. */
function quoted(text: string): string {
  return /^[A-Za-z0-9_./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
