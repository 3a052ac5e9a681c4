import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { newestMinor } from '../admission/index.ts';
import { describeError } from '../base/index.ts';
import { defaultControllerName } from '../contributions.ts';
import { explainKubeError, KubeError } from '../kube/index.ts';
import { createManifestSession, type ManifestObject } from '../manifest/index.ts';
import { checkWorkers, dispatchJob, type NamedWorker, planDispatch } from '../reconciler/index.ts';
import { type Clusters, clusterOptions, isUsersToCorrect, managementOf, pairOf, withClusters } from './connect.ts';
import { type CommandIo, orUsageError, UsageError } from './io.ts';

const help = `Usage: delegated-jobs dispatch --management CONTEXT [OPTION]… FILE|-

Creates the Jobs of a manifest on the management cluster, delegated to our reconciler:
spec.managedBy is set where it is absent, and another controller's is refused. Each Job is
judged offline first, and rehearsed on the server. What its pods ask for beyond running
their containers (a service account, the node's own network or files, privileges) is named
on standard error.

  --management CONTEXT    context of the cluster that holds the Jobs
  --worker NAME[=CONTEXT] the worker that shall run them, by the name the reconciler knows it
                          under; without it the reconciler takes the first that accepts. With
                          a context that cluster is asked first for what the pods refer to
  -n, --namespace NAME    where a Job goes that names no namespace. Default: the one that the
                          context selects
  --controller-name NAME  the spec.managedBy value that is ours; default ${defaultControllerName}
  --dry-run               the server checks everything and stores nothing
  --kubeconfig FILE       default: KUBECONFIG, else the usual file
  --help                  this text

Exit codes: 0 created, 1 a Job was refused, 2 bad usage or unreadable input.
`;

interface DispatchArguments {
  readonly file: string;
  readonly kubeconfig: string | undefined;
  readonly management: string;
  readonly worker: string | undefined;
  readonly workerContext: string | undefined;
  readonly namespace: string | undefined;
  readonly controllerName: string;
  readonly dryRun: boolean;
}

/** `delegated-jobs dispatch`: see `help`. */
export async function runDispatch(args: readonly string[], io: CommandIo): Promise<number> {
  const options = readOptions(args);
  if (options === 'help') {
    await io.stdout(help);
    return 0;
  }
  const found = await readJobs(options, io);
  return await withClusters(options.kubeconfig, io, async (clusters) => {
    try {
      return await send(found, options, clusters, io);
    } catch (error) {
      if (!(error instanceof KubeError) || isUsersToCorrect(error)) throw error;
      const { what, remedy } = explainKubeError(error);
      io.stderr(`${what}. ${remedy}`);
      return 1;
    }
  });
}

async function send(
  found: readonly ManifestObject[],
  options: DispatchArguments,
  clusters: Clusters,
  io: CommandIo,
): Promise<number> {
  const { file, controllerName, dryRun, worker } = options;
  const management = clusters.open(options.management, { userAgent: 'delegated-jobs-dispatch' });
  const namespace = options.namespace ?? clusters.namespaceOf(options.management);
  const { minor } = await management.serverVersion(io.signal);
  const workers = chosenWorker(options, clusters);
  let isRefused = false;
  for (const { value, name = '(generated name)' } of found) {
    const { grants, namespace: itsNamespace } = planDispatch(value, controllerName, namespace);
    for (const obstacle of await checkWorkers(workers, value, itsNamespace, io.clock, io.signal))
      io.stderr(`${file}: Job ${name}: ${obstacle}`);
    if (grants.length > 0) io.stderr(`${file}: the pods of Job ${name} ask for: ${grants.join(', ')}.`);
    const request = { object: value, namespace, dryRun, ...(worker === undefined ? {} : { worker }) };
    const outcome = await dispatchJob(request, { management, controllerName, minor }, io.signal);
    if (outcome.kind === 'refused') {
      isRefused = true;
      io.stderr(`${file}: Job ${name} was not created. ${outcome.message}`);
      continue;
    }
    const { metadata } = outcome.job;
    for (const warning of outcome.warnings) io.stderr(`Warning: ${warning}`);
    const how = outcome.kind === 'created' ? 'created' : 'created (server dry run)';
    await io.stdout(`job.batch/${metadata.name} ${how} in namespace ${metadata.namespace ?? namespace}\n`);
  }
  return isRefused ? 1 : 0;
}

/** The worker that can be asked beforehand, if there is one. */
function chosenWorker({ worker, workerContext }: DispatchArguments, clusters: Clusters): readonly NamedWorker[] {
  if (worker === undefined || workerContext === undefined) return [];
  return [{ name: worker, api: clusters.open(workerContext, { userAgent: 'delegated-jobs-dispatch' }) }];
}

/** The batch/v1 Jobs of the manifest, in its order; what else stands there is named and left alone. */
async function readJobs({ file, controllerName }: DispatchArguments, io: CommandIo): Promise<ManifestObject[]> {
  const text = file === '-' ? await textOf(io.stdin) : await readText(file, io.cwd);
  const settings = { version: newestMinor, controllerName, readsOtherKinds: true };
  const found: ManifestObject[] = [];
  for (const { state, problem, range, objects } of createManifestSession().check(text, settings).documents) {
    if (state === 'unreadable') {
      const { line } = (problem?.range ?? range).start;
      throw new UsageError(`${file}:${line + 1}: ${problem?.message ?? 'this is no YAML that kubectl can read.'}`);
    }
    const wanted = objects.filter(({ kind, apiVersion }) => kind === 'Job' && apiVersion === 'batch/v1');
    found.push(...wanted);
    const isOther = wanted.length < Math.max(objects.length, 1);
    if (isOther && holdsAnything(text.slice(range.start.offset, range.end.offset))) {
      io.stderr(`${file}:${range.start.line + 1}: what is no batch/v1 Job is left alone.`);
    }
  }
  if (found.length === 0) throw new UsageError(`${file}: there is no batch/v1 Job in it.`);
  return found;
}

/** More than comments, blank lines and separators. */
function holdsAnything(document: string): boolean {
  return document.split('\n').some((line) => !/^\s*(#.*|---.*|\.\.\.)?$/.test(line));
}

async function readText(file: string, cwd: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, file), 'utf8');
  } catch (error) {
    throw new UsageError(`${file}: it can't be read: ${describeError(error)}. Check the path and your rights.`);
  }
}

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

function readOptions(args: readonly string[]): DispatchArguments | 'help' {
  const { values, positionals } = parse(args);
  if (values.help) return 'help';
  const management = managementOf(values);
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new UsageError('Give one FILE, or - for standard input.');
  return {
    file,
    kubeconfig: values.kubeconfig,
    management,
    ...workerOf(values.worker),
    namespace: values.namespace,
    controllerName: values['controller-name'] ?? defaultControllerName,
    dryRun: values['dry-run'] ?? false,
  };
}

function workerOf(text: string | undefined): Pick<DispatchArguments, 'worker' | 'workerContext'> {
  if (text?.includes('=') !== true) return { worker: text, workerContext: undefined };
  const [worker, workerContext] = pairOf('--worker', text, 'NAME or NAME=CONTEXT');
  return { worker, workerContext };
}

function parse(args: readonly string[]) {
  return orUsageError('dispatch', () =>
    parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        ...clusterOptions,
        worker: { type: 'string' },
        namespace: { type: 'string', short: 'n' },
        'dry-run': { type: 'boolean' },
      },
    }),
  );
}
