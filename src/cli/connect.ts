import { explainKubeError, type Kubeconfig, KubeError, loadKubeconfig } from '../kube/index.ts';
import { type CommandIo, UsageError } from './io.ts';

/** Reads `--kubeconfig`, else `KUBECONFIG`, else the usual file. The caller disposes the result. */
export async function readKubeconfig(file: string | undefined, io: CommandIo): Promise<Kubeconfig> {
  const { env, homeDir, clock, cwd } = io;
  try {
    const { value } = await loadKubeconfig({
      ...(file === undefined ? {} : { paths: [file] }),
      env,
      homeDir,
      clock,
      cwd,
    });
    return value;
  } catch (error) {
    throw asUsageError(error);
  }
}

/** What can't be used of a kubeconfig is the user's to correct: exit code 2. Everything else passes through. */
export function asUsageError(error: unknown): unknown {
  if (!(error instanceof KubeError) || error.kind !== 'credentials') return error;
  const { what, remedy } = explainKubeError(error);
  return new UsageError(`${what}. ${remedy}`);
}
