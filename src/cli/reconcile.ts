import { hostname, userInfo } from 'node:os';
import { parseArgs } from 'node:util';
import { defaultControllerName } from '../contributions.ts';
import { type KubeClient, tokenBucket } from '../kube/index.ts';
import {
  type ActionReport,
  type ReconcilerHandle,
  type ReconcilerSettings,
  requestRate,
  startReconciler,
} from '../reconciler/index.ts';
import { parseDuration } from '../sandbox/index.ts';
import {
  type Clusters,
  clusterOptions,
  managementOf,
  pairOf,
  type WorkerArgument,
  withClusters,
  workersOf,
} from './connect.ts';
import { type CommandIo, logTo, orUsageError, UsageError, untilAborted } from './io.ts';

const help = `Usage: delegated-jobs reconcile --management CONTEXT --worker NAME=CONTEXT… [OPTION]…

Runs the reconciler without an editor until it is stopped by a signal: Jobs of the
management cluster whose spec.managedBy is ours run as mirrors on a worker, and their
status flows back. Prints one JSON line for each action; what it waits for goes to
standard error. Any number of them may run at once: one leads.

  --management CONTEXT    context of the cluster that holds the Jobs
  --worker NAME=CONTEXT   a cluster that runs mirrors, under a name of yours; may be repeated:
                          a Job that names none gets the first that takes it
  -n, --namespace NAME    a namespace to look after; may be repeated. Default: the one that
                          the management context selects
  --controller-name NAME  the spec.managedBy value that is ours; default ${defaultControllerName}
  --retain-finished TIME  how long a finished mirror is kept for its logs; default 10m
  --max-mirrors N         mirrors that may live on one worker at a time; default 50
  --delete-orphans        delete mirrors whose Job is gone; without it they are only counted
  --qps N                 requests a second to each cluster, twice as many in a burst; default ${requestRate.perSecond}
  --cluster-id NAME=UID   identity of a worker (or of 'management') whose kube-system can't be
                          read; may be repeated
  --kubeconfig FILE       default: KUBECONFIG, else the usual file
  --help                  this text

Exit codes: 0 stopped by a signal, 2 bad usage or unreadable input.
`;

interface ReconcileArguments {
  readonly kubeconfig: string | undefined;
  readonly management: string;
  readonly workers: readonly WorkerArgument[];
  readonly namespaces: readonly string[];
  readonly settings: Omit<ReconcilerSettings, 'namespaces'>;
  readonly qps: number;
}

/** `delegated-jobs reconcile`: see `help`. */
export async function runReconcile(args: readonly string[], io: CommandIo): Promise<number> {
  const options = readOptions(args);
  if (options === 'help') {
    await io.stdout(help);
    return 0;
  }
  const output = new LineWriter(io);
  return await withClusters(options.kubeconfig, io, async (clusters) => {
    const handle = start(options, clusters, output, io);
    const reports = new StateReporter(handle, io);
    await untilAborted(io.signal);
    reports.dispose();
    await handle.stop();
    await output.flushed();
    return 0;
  });
}

function start(options: ReconcileArguments, clusters: Clusters, output: LineWriter, io: CommandIo): ReconcilerHandle {
  const { clock, random } = io;
  const open = (context: string): KubeClient => {
    const limiter = tokenBucket(clock, { ratePerSecond: options.qps, burst: options.qps * 2 });
    return clusters.open(context, { userAgent: 'delegated-jobs-reconciler', limiter });
  };
  const management = open(options.management);
  return startReconciler({
    management,
    workers: new Map(options.workers.map(({ name, context }) => [name, open(context)])),
    settings: {
      ...options.settings,
      namespaces: options.namespaces.length > 0 ? options.namespaces : [clusters.namespaceOf(options.management)],
    },
    clock,
    random,
    log: logTo(io, { info: true }),
    identity: identityOf(random),
    onAction: (action) => output.write(lineOf(action, clock.now())),
  });
}

/** Unlike any other process's, and readable for whoever wonders who leads. */
function identityOf(random: () => number): string {
  const suffix = Math.floor(random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0');
  return `${userInfo().username}@${hostname()}/${process.pid}/${suffix}`;
}

function lineOf({ action, namespace, job, uid, worker, detail }: ActionReport, now: number): string {
  return `${JSON.stringify({ time: new Date(now).toISOString(), action, namespace, job, uid, worker, ...detail })}\n`;
}

/** Keeps lines in order while the reader is slow. */
class LineWriter {
  readonly #io: CommandIo;
  #last: Promise<void> = Promise.resolve();

  constructor(io: CommandIo) {
    this.#io = io;
  }

  write(line: string): void {
    this.#last = this.#last.then(() => this.#io.stdout(line));
  }

  flushed(): Promise<void> {
    return this.#last;
  }
}

/** Tells on standard error what changes: clusters, leadership, and Jobs that wait. */
class StateReporter {
  readonly #handle: ReconcilerHandle;
  readonly #io: CommandIo;
  readonly #told = new Map<string, string>();
  readonly #listening;

  constructor(handle: ReconcilerHandle, io: CommandIo) {
    this.#handle = handle;
    this.#io = io;
    this.#listening = handle.onStateChange(() => this.#tell());
  }

  dispose(): void {
    this.#listening.dispose();
  }

  #tell(): void {
    const { management, workers, leases, waiting } = this.#handle.state;
    const lines = new Map<string, string>();
    for (const { name, health, problem } of [management, ...workers]) {
      const trouble = health.kind === 'trouble' ? `${health.reason}: ${health.message}` : health.kind;
      lines.set(`cluster ${name}`, problem ?? trouble);
    }
    for (const { namespace, worker, lease, problems } of leases) {
      const holder = lease.kind === 'standby' ? ` (${lease.holder} leads)` : '';
      lines.set(`${namespace} on ${worker}`, problems.length > 0 ? problems.join('; ') : `${lease.kind}${holder}`);
    }
    for (const { namespace, name, reason, message } of waiting) {
      if (reason !== 'NotLeading') lines.set(`job ${namespace}/${name}`, `${reason} ${message}`.trim());
    }
    for (const [what, text] of lines) {
      if (this.#told.get(what) !== text) this.#io.stderr(`${what}: ${text}`);
    }
    for (const what of this.#told.keys()) if (!lines.has(what)) this.#told.delete(what);
    for (const [what, text] of lines) this.#told.set(what, text);
  }
}

function readOptions(args: readonly string[]): ReconcileArguments | 'help' {
  const { values } = parse(args);
  if (values.help) return 'help';
  const management = managementOf(values);
  const workers = workersOf(values.worker);
  if (workers.length === 0) throw new UsageError('--worker is missing: give at least one NAME=CONTEXT.');
  const retain = values['retain-finished'] ?? '10m';
  const retainFinishedMs = parseDuration(retain);
  if (retainFinishedMs === undefined) {
    throw new UsageError(`--retain-finished ${retain}: give a time such as 30s, 10m or 1h.`);
  }
  return {
    kubeconfig: values.kubeconfig,
    management,
    workers,
    namespaces: values.namespace ?? [],
    qps: wholeNumber('--qps', values.qps ?? String(requestRate.perSecond)),
    settings: {
      controllerName: values['controller-name'] ?? defaultControllerName,
      retainFinishedMs,
      maxLiveMirrors: wholeNumber('--max-mirrors', values['max-mirrors'] ?? '50'),
      garbage: values['delete-orphans'] ? 'delete' : 'report',
      clusterIds: Object.fromEntries(
        (values['cluster-id'] ?? []).map((text) => pairOf('--cluster-id', text, 'NAME=UID')),
      ),
    },
  };
}

function parse(args: readonly string[]) {
  return orUsageError('reconcile', () =>
    parseArgs({
      args: [...args],
      options: {
        ...clusterOptions,
        worker: { type: 'string', multiple: true },
        namespace: { type: 'string', short: 'n', multiple: true },
        'retain-finished': { type: 'string' },
        'max-mirrors': { type: 'string' },
        'delete-orphans': { type: 'boolean' },
        qps: { type: 'string' },
        'cluster-id': { type: 'string', multiple: true },
      },
    }),
  );
}

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (/^[1-9]\d{0,5}$/.test(text)) return value;
  throw new UsageError(`${option} ${text}: give a whole number above 0.`);
}
