import { parseArgs } from 'node:util';
import { nullLog } from '../base/index.ts';
import { defaultControllerName } from '../contributions.ts';
import { type KubeClient, tokenBucket } from '../kube/index.ts';
import { type Contact, type LiveModel, openModel, type ReasonHints, type Row } from '../model/index.ts';
import { reasons } from '../reconciler/index.ts';
import { clusterOptions, managementOf, type WorkerArgument, withClusters, workersOf } from './connect.ts';
import { type CommandIo, orUsageError, UsageError } from './io.ts';
import { RowPrinter } from './status/rows.ts';

const help = `Usage: delegated-jobs status --management CONTEXT [--worker NAME=CONTEXT]… [OPTION]…

Shows each Job of the management cluster joined to its mirror on a worker: where it stands,
where it runs, and why it does not. Reads only; contacts the named clusters alone.

  --management CONTEXT    context of the cluster that holds the Jobs
  --worker NAME=CONTEXT   a cluster that runs mirrors, under a name of yours; may be repeated
  -n, --namespace NAME    a namespace to look at; may be repeated. Default: all
  --watch                 go on: one line for each row that changes, until a signal
  -o, --output FORMAT     table (default) or json (one line for each row)
  --controller-name NAME  the spec.managedBy value that is ours; default ${defaultControllerName}
  --kubeconfig FILE       default: KUBECONFIG, else the usual file
  --help                  this text

A worker that can't be read is named on standard error; its rows are marked stale.
Exit codes: 0 done, 2 bad usage, unreadable kubeconfig or management cluster.
`;

interface StatusOptions {
  readonly management: string;
  readonly workers: readonly WorkerArgument[];
  readonly namespaces: readonly string[];
  readonly isWatching: boolean;
  readonly format: 'table' | 'json';
  readonly controllerName: string;
  readonly kubeconfig: string | undefined;
}

/** A person waits: shorter than what a background watch allows itself. */
const requestTimeoutMs = 10_000;

/** `delegated-jobs status`: see `help`. */
export async function runStatus(args: readonly string[], io: CommandIo): Promise<number> {
  const options = readOptions(args);
  if (options === 'help') {
    await io.stdout(help);
    return 0;
  }
  return await withClusters(options.kubeconfig, io, async (clusters) => {
    const open = (context: string): KubeClient => {
      const limiter = tokenBucket(io.clock);
      return clusters.open(context, { userAgent: 'delegated-jobs-status', requestTimeoutMs, limiter });
    };
    const model = openModel({
      management: open(options.management),
      workers: options.workers.map(({ name, context }) => ({ name, api: open(context) })),
      namespaces: options.namespaces,
      controllerName: options.controllerName,
      clock: io.clock,
      random: io.random,
      log: nullLog,
      hints: hintsOfReconciler,
    });
    try {
      await untilSettled(model, io);
      failIfUnreadable(model);
      await report(model, options, io);
      return 0;
    } finally {
      model.dispose();
    }
  });
}

const levels = { progress: 'fine', waiting: 'waiting', attention: 'attention' } as const;

const hintsOfReconciler: ReasonHints = (code) => {
  const entry = Object.entries(reasons).find(([name]) => name === code)?.[1];
  return entry === undefined ? undefined : { level: levels[entry.kind], remedy: entry.fix };
};

async function report(model: LiveModel, options: StatusOptions, io: CommandIo): Promise<void> {
  const printer = new RowPrinter(options, io);
  const troubles = new TroubleReporter(io);
  troubles.tell(model);
  await printer.printAll(sortedRows(model), options.isWatching);
  if (!options.isWatching) return;
  const changes = new ChangeQueue(model);
  try {
    for (;;) {
      const ids = await changes.next(io.signal);
      troubles.tell(model);
      await printer.printChanges(model, ids);
    }
  } finally {
    changes.dispose();
  }
}

/** Gathers ids of rows while the reader is slow. */
class ChangeQueue {
  readonly #listening;
  #rows = new Set<string>();
  #isEverything = false;
  #wake: (() => void) | undefined;

  constructor(model: LiveModel) {
    this.#listening = model.onChange(({ rows, isEverything }) => {
      for (const id of rows) this.#rows.add(id);
      this.#isEverything ||= isEverything;
      this.#wake?.();
    });
  }

  /** Rows that may have changed since the last call; `all` if any may have. Rejects when `signal` aborts. */
  async next(signal: AbortSignal): Promise<ReadonlySet<string> | 'all'> {
    while (this.#rows.size === 0 && !this.#isEverything) {
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => reject(signal.reason);
        if (signal.aborted) onAbort();
        signal.addEventListener('abort', onAbort, { once: true });
        this.#wake = () => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
      });
    }
    const result = this.#isEverything ? 'all' : this.#rows;
    this.#rows = new Set();
    this.#isEverything = false;
    return result;
  }

  dispose(): void {
    this.#listening.dispose();
  }
}

function sortedRows(model: LiveModel): Row[] {
  const rows = [...model.entries()].flatMap(({ id }) => model.row(id) ?? []);
  const key = ({ job, id }: Row): string => [job.namespace, job.name, id].join('\0');
  return rows.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** Says on standard error what is wrong with a cluster, once for each thing. */
class TroubleReporter {
  readonly #io: CommandIo;
  readonly #told = new Map<string, string>();

  constructor(io: CommandIo) {
    this.#io = io;
  }

  tell(model: LiveModel): void {
    for (const { name, contextName, status } of model.clusters) {
      const title = name === '' ? `management cluster ${contextName}` : `worker ${name}`;
      const text = status.what === undefined ? '' : `${title}: ${status.what}. ${status.remedy ?? ''}`.trim();
      if (text !== '' && this.#told.get(name) !== text) this.#io.stderr(`delegated-jobs status: ${text}`);
      this.#told.set(name, text);
    }
  }
}

function untilSettled(model: LiveModel, { signal }: CommandIo): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      listening.dispose();
      reject(signal.reason);
    };
    const listening = model.onChange(() => {
      if (!model.isSettled) return;
      listening.dispose();
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

const unreadable: ReadonlySet<Contact> = new Set(['auth-needed', 'misconfigured', 'forbidden', 'unreachable']);

/** Without the management cluster there is nothing to show. */
function failIfUnreadable({ clusters }: LiveModel): void {
  const management = clusters.find(({ name }) => name === '');
  if (management === undefined || !unreadable.has(management.status.contact)) return;
  const { what, remedy } = management.status;
  const hint = management.status.contact === 'forbidden' ? ' Or name namespaces with -n.' : '';
  throw new UsageError(`${what}. ${remedy}${hint}`);
}

function readOptions(args: readonly string[]): StatusOptions | 'help' {
  const { values } = parse(args);
  if (values.help) return 'help';
  const management = managementOf(values);
  const format = values.output ?? 'table';
  if (format !== 'table' && format !== 'json') throw new UsageError(`--output ${format}: give table or json.`);
  return {
    management,
    workers: workersOf(values.worker),
    namespaces: [...new Set(values.namespace)],
    isWatching: values.watch ?? false,
    format,
    controllerName: values['controller-name'] ?? defaultControllerName,
    kubeconfig: values.kubeconfig,
  };
}

function parse(args: readonly string[]) {
  return orUsageError('status', () =>
    parseArgs({
      args: [...args],
      options: {
        ...clusterOptions,
        worker: { type: 'string', multiple: true },
        namespace: { type: 'string', short: 'n', multiple: true },
        watch: { type: 'boolean', short: 'w' },
        output: { type: 'string', short: 'o' },
      },
    }),
  );
}
