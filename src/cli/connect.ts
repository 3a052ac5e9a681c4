import { DisposableStore } from '../base/index.ts';
import { explainKubeError, type KubeClient, KubeError, loadKubeconfig, type OpenOptions } from '../kube/index.ts';
import { type CommandIo, UsageError } from './io.ts';

/** What the commands that meet clusters (`status`, `dispatch`, `reconcile`) share: their options, and the way in. */

/** For `parseArgs`. */
export const clusterOptions = {
  management: { type: 'string' },
  'controller-name': { type: 'string' },
  kubeconfig: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** The context that `--management` names. */
export function managementOf({ management }: { readonly management?: string | undefined }): string {
  if (management === undefined) throw new UsageError('--management is missing: name a context of the kubeconfig.');
  return management;
}

/** A cluster that runs mirrors, as `--worker` names it. */
export interface WorkerArgument {
  readonly name: string;
  readonly context: string;
}

/** `NAME=CONTEXT` each; a context alone is its own name. */
export function workersOf(texts: readonly string[] = []): WorkerArgument[] {
  const workers = texts.map((text) => {
    const [name, context] = text.includes('=') ? pairOf('--worker', text, 'NAME=CONTEXT') : [text, text];
    return { name, context };
  });
  const names = new Set(workers.map(({ name }) => name));
  if (names.size < workers.length) throw new UsageError('--worker: two workers have the same name.');
  return workers;
}

/** Both sides of the first `=`, neither of them empty; `form` is what the message asks for, such as `NAME=UID`. */
export function pairOf(option: string, text: string, form: string): [string, string] {
  const at = text.indexOf('=');
  if (at <= 0 || at === text.length - 1) throw new UsageError(`${option} ${text}: give ${form}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

/** What keeps a cluster from being asked at all; exit code 2. */
export function isUsersToCorrect(error: unknown): error is KubeError {
  return error instanceof KubeError && (error.kind === 'kubeconfig' || error.kind === 'credentials');
}

/** The clusters of a kubeconfig, while a command runs. */
export interface Clusters {
  /** A client of that context, disposed with the command. Throws `KubeError` that says why there is none. */
  open(context: string, options?: OpenOptions): KubeClient;
  /** The namespace that the context selects; `default` where it selects none. */
  namespaceOf(context: string): string;
}

/** A command that runs on has nobody at hand who asks for another try of a login program that failed. */
const retryAfterMs = 60_000;

/**
 * Reads `file`, else what `KUBECONFIG` names, else the usual file, and runs `act`; what that opened is closed in any
 * case. What can't be used of a kubeconfig is the user's to correct: a `UsageError`, exit code 2. All else passes through.
 */
export async function withClusters<T>(
  file: string | undefined,
  { env, homeDir, clock, cwd, stderr }: CommandIo,
  act: (clusters: Clusters) => Promise<T>,
): Promise<T> {
  const owned = new DisposableStore();
  try {
    const paths = file === undefined ? {} : { paths: [file] };
    const onMessage = (command: string, text: string): void => stderr(`${command}: ${text.trimEnd()}`);
    const logins = { onMessage, retryAfterMs };
    const { value: kubeconfig } = await loadKubeconfig({ ...paths, env, homeDir, clock, cwd, logins });
    owned.add(kubeconfig);
    return await act({
      open: (context, options) => owned.add(kubeconfig.open(context, options)),
      namespaceOf: (context) => kubeconfig.contexts.find(({ name }) => name === context)?.namespace ?? 'default',
    });
  } catch (error) {
    if (!isUsersToCorrect(error)) throw error;
    const { what, remedy } = explainKubeError(error);
    throw new UsageError(`${what}. ${remedy}`);
  } finally {
    owned.dispose();
  }
}
