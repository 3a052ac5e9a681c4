/** A Job as kubectl finds it. */
export interface WaitSubject {
  /** A file to read in place of the usual ones; empty: those. */
  readonly kubeconfig: string;
  readonly context: string;
  readonly namespace: string;
  readonly name: string;
}

/** By whose grammar a line is read. `pwsh` and `powershell` differ in nothing but the program that the line starts. */
export type Shell = 'posix' | 'pwsh' | 'powershell' | 'cmd';

/**
 * A line for a shell that waits for a Job's end, whichever it is, and ends with 0 if it completed, 1 if it failed, 2 if it
 * can't be read, because it was deleted for example. `kubectl wait` watches for one condition only: for the other end it
 * waits until its timeout.
 */
export function waitCommand(subject: WaitSubject, shell: Shell): string {
  switch (shell) {
    case 'posix':
      return posixLine(subject);
    case 'cmd':
      // It takes all between double quotes as it is, and the block holds none.
      return `powershell -NoProfile -Command "${powerShellBlock(subject)}"`;
    case 'pwsh':
    case 'powershell':
      // A process of its own: to `exit` here would end the shell that the line is put into.
      return `${shell} -NoProfile -Command { ${powerShellBlock(subject)} }`;
  }
}

/**
 * The shell that a line is for, by the path of its program; empty: none is known. `platform` is Node's name of where it runs.
 * Unknown ones are taken for POSIX shells, as most are.
 */
export function shellOf(program: string, platform: string): Shell {
  const name = /[^\\/]*$/.exec(program.toLowerCase())?.[0].replace(/\.exe$/, '') ?? '';
  if (name === 'powershell' || name === 'cmd') return name;
  if (name.startsWith('pwsh')) return 'pwsh';
  return name === '' && platform === 'win32' ? 'powershell' : 'posix';
}

function posixLine({ kubeconfig, context, namespace, name }: WaitSubject): string {
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

/**
 * Statements for any PowerShell from 5.1 on. Without a double quote: those before 7.3 lose them on the way to a program, and
 * so does `cmd` on the way to PowerShell. (A name that holds one, as no cluster's tools make it, is lost with it.)
 */
function powerShellBlock({ kubeconfig, context, namespace, name }: WaitSubject): string {
  const file = kubeconfig === '' ? '' : ` --kubeconfig ${literal(kubeconfig)}`;
  const job = `kubectl${file} --context ${literal(context)} -n ${literal(namespace)} get job ${literal(name)}`;
  const read = `$s = -split (${job} -o ${literal("jsonpath={.status.conditions[?(@.status=='True')].type}")})`;
  const ends = `if ($s -ccontains 'Complete') { exit 0 }; if ($s -ccontains 'Failed') { exit 1 }`;
  return `for (;;) { ${read}; if ($LASTEXITCODE -ne 0) { exit 2 }; ${ends}; Start-Sleep 5 }`;
}

/** As PowerShell reads it back, to which the printers' quotes are quotes as well. */
function literal(text: string): string {
  return /^[A-Za-z][A-Za-z0-9_./:\\-]*$/.test(text) ? text : `'${text.replace(/['\u2018-\u201B]/g, '$&$&')}'`;
}
