import { unwatchFile, watchFile } from 'node:fs';
import { homedir } from 'node:os';
import { basename } from 'node:path';
import {
  type Clock,
  type Disposable,
  DisposableStore,
  describeError,
  Emitter,
  type Event,
  type JsonObject,
  type Log,
  type Random,
  systemClock,
} from '../base/index.ts';
import {
  describeProblem,
  ExecPlugins,
  explainKubeError,
  type KubeApi,
  type KubeClient,
  type Kubeconfig,
  KubeError,
  loadKubeconfig,
} from '../kube/index.ts';
import { type LiveModel, Outline, type OutlineNode, openModel, type ReasonHints, rowNode } from '../model/index.ts';
import {
  checkWorkers as checkWorkersOf,
  type DispatchOutcome,
  type DispatchRequest,
  dispatchJob,
  type ReconcilerState,
  reasons,
} from '../reconciler/index.ts';
import {
  type ClusterTarget,
  clusterConcern,
  KubeconfigWatch,
  type LiveKey,
  type Rehearsal,
  type RehearsalAnswer,
  type ResolvedTarget,
  readLive,
  readQueues,
  rehearse as rehearseOn,
} from '../session/index.ts';

/** The clusters' half of the extension, a bundle of its own: loaded when a cluster is first asked for. */

/** What the shell knows and the clusters' half doesn't. */
export interface ClustersContext {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** What this window's reconciler last told of itself. */
  readonly reconcilerState: () => ReconcilerState | undefined;
  /** Whether a queue of the connected cluster leads to MultiKueue; undefined where that isn't known. */
  readonly leadsToMultiKueue: (namespace: string, queue: string) => boolean | undefined;
  /** A login program says something to the person, such as a code to type in somewhere. Never logged. */
  readonly onLoginMessage: (command: string, text: string) => void;
}

/** A kubeconfig's contexts, and all that is wrong with it in words for people. Nothing is contacted. */
export async function readKubeconfig(path: string) {
  const { value, problems } = await load(path);
  try {
    const troubles = problems.map((problem) => ({
      text: describeProblem(problem),
      place: problem.place || basename(problem.file),
      file: problem.file,
      isMissing: !value.files.includes(problem.file),
    }));
    return { contexts: value.contexts, current: value.current, troubles };
  } finally {
    value.dispose();
  }
}

/** Fills in what the kubeconfig knows: servers, and the namespace where none is set. Throws for a context that it lacks. */
export async function resolveTarget(target: ClusterTarget): Promise<ResolvedTarget> {
  const { value } = await load(target.kubeconfig);
  try {
    return resolve(target, value);
  } finally {
    value.dispose();
  }
}

/** Opens clusters for one window. Logins are kept from one link to the next, until it is disposed. */
export class ClusterOpener implements Disposable {
  readonly #context: ClustersContext;
  readonly #plugins: ExecPlugins;

  constructor(context: ClustersContext) {
    this.#context = context;
    const { clock, onLoginMessage: onMessage } = context;
    this.#plugins = new ExecPlugins({ clock, env: process.env, onMessage });
  }

  /**
   * Opens management cluster and workers, and watches them until the result is disposed. Resolves without waiting for any
   * of them: what can't be reached is a row of the tree. Rejects where the kubeconfig has no such context.
   */
  async open(target: ClusterTarget, signal: AbortSignal) {
    const { value: kubeconfig } = await load(target.kubeconfig, this.#context.clock, this.#plugins);
    const owned = new DisposableStore();
    owned.add(kubeconfig);
    const open = (name: string): KubeClient => owned.add(kubeconfig.open(name));
    try {
      const resolved = resolve(target, kubeconfig);
      signal.throwIfAborted();
      const management = open(target.management);
      const workers = target.workers.map(({ name, context: worker }) => ({ name, api: open(worker) }));
      const model = openModel({
        management,
        workers,
        namespaces: resolved.namespaces,
        controllerName: target.controllerName,
        ...this.#context,
        hints,
        reconcilerOf: (namespace) => reconcilerOf(namespace, this.#context.reconcilerState()),
        concernOf: (name) => clusterConcern(name, this.#context.reconcilerState()),
      });
      const onOutdated = watchKubeconfig(target, kubeconfig, this.#context, owned);
      return link(model, resolved, management, workers, { ...this.#context, owned, onOutdated });
    } catch (error) {
      owned.dispose();
      throw error;
    }
  }

  dispose(): void {
    this.#plugins.dispose();
  }
}

/** A file that is polled is seen on every file system, and however it is replaced. */
const pollMs = 1000;

function watchKubeconfig(
  target: ClusterTarget,
  kubeconfig: Kubeconfig,
  { clock, log }: ClustersContext,
  owned: DisposableStore,
): Event<void> {
  const contexts = [target.management, ...target.workers.map(({ context }) => context)];
  const describe = (one: Kubeconfig): string => contexts.map((name) => one.fingerprint(name)).join(' ');
  const outdated = owned.add(
    new Emitter<void>((error) => log.error('A listener failed.', { error: describeError(error) })),
  );
  owned.add(
    new KubeconfigWatch({
      files: kubeconfig.files,
      watch: (file, onChange) => {
        watchFile(file, { interval: pollMs, persistent: false }, onChange);
        return { dispose: () => unwatchFile(file, onChange) };
      },
      fingerprint: async () => {
        const { value } = await load(target.kubeconfig, clock);
        try {
          // Throws for a context that can't be opened any more.
          resolve(target, value);
          return describe(value);
        } finally {
          value.dispose();
        }
      },
      opened: describe(kubeconfig),
      clock,
      onOutdated: () => outdated.fire(),
    }),
  );
  return outdated.event;
}

function link(
  model: LiveModel,
  target: ResolvedTarget,
  management: KubeClient,
  workers: readonly { readonly name: string; readonly api: KubeClient }[],
  { log, owned, onOutdated }: ClustersContext & { readonly owned: DisposableStore; readonly onOutdated: Event<void> },
) {
  const changed = new Emitter<void>((error) =>
    log.error('The tree could not be redrawn.', { error: describeError(error) }),
  );
  const outline = new Outline(model);
  const listening = model.onChange((change) => {
    outline.invalidate(change);
    changed.fire();
  });
  const stop = new AbortController();
  let minor: string | undefined;
  management.serverVersion(stop.signal).then(
    (version) => {
      minor = version.minor;
      changed.fire();
    },
    (error: unknown) => log.debug('The version of the management cluster is not known.', { error: explain(error) }),
  );
  return {
    target,
    management,
    workers: new Map(workers.map(({ name, api }) => [name, api])),
    outline: () => outline.roots(),
    nodeNamed: (namespace: string, name: string): OutlineNode | undefined => {
      const row = model.rowNamed(namespace, name);
      return row && rowNode(row);
    },
    readLive: (key: LiveKey, signal: AbortSignal) => readLive(management, key, signal),
    readOpenApi: (apiVersion: string, signal: AbortSignal) => management.openApi(apiVersion, signal),
    readQueues: (signal: AbortSignal) => readQueues(management, target.namespaces, signal),
    onDidChange: changed.event,
    kubernetesMinor: () => minor,
    judgeAnew: () => model.refresh(),
    retry: (cluster?: string) => model.retry(cluster),
    onOutdated,
    dispose: () => {
      stop.abort(new DOMException('Disconnected.', 'AbortError'));
      listening.dispose();
      changed.dispose();
      model.dispose();
      owned.dispose();
    },
  };
}

export async function dispatch(
  { management, target }: { readonly management: KubeApi; readonly target: ResolvedTarget },
  request: DispatchRequest,
  signal: AbortSignal,
): Promise<DispatchOutcome> {
  const { controllerName, workers } = target;
  return await dispatchJob(request, { management, controllerName, workers: workers.map(({ name }) => name) }, signal);
}

/** What stands in the way of the Job on the workers, a sentence for each that has something. */
export async function checkWorkers(
  { workers }: { readonly workers: ReadonlyMap<string, KubeApi> },
  job: JsonObject,
  namespace: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const named = [...workers].map(([name, api]) => ({ name, api }));
  return await checkWorkersOf(named, job, namespace, systemClock, signal);
}

/** What the management cluster says to a write that is not carried out. */
export async function rehearse(
  { management }: { readonly management: KubeApi },
  rehearsal: Rehearsal,
  signal: AbortSignal,
): Promise<RehearsalAnswer> {
  return await rehearseOn(management, rehearsal, signal);
}

/** One sentence on what happened and one on what to do. */
export function explain(error: unknown): string {
  if (!(error instanceof KubeError) && error instanceof Error) return error.message;
  const { what, remedy } = explainKubeError(error);
  return `${what}. ${remedy}`;
}

/** The kubeconfig file to correct, where one is to blame. */
export function fileToCorrect(error: unknown): string | undefined {
  return error instanceof KubeError ? error.file : undefined;
}

async function load(path: string, clock: Clock = systemClock, plugins?: ExecPlugins) {
  return await loadKubeconfig({
    ...(path === '' ? {} : { paths: [path] }),
    ...(plugins === undefined ? {} : { plugins }),
    env: process.env,
    homeDir: homedir(),
    cwd: homedir(),
    clock,
  });
}

function resolve(target: ClusterTarget, kubeconfig: Kubeconfig): ResolvedTarget {
  const serverOf = (name: string): string => {
    const found = kubeconfig.contexts.find((one) => one.name === name);
    // `open` has the precise words for what is wrong with a context.
    if (found === undefined) kubeconfig.open(name).dispose();
    return found?.server ?? '';
  };
  const managementServer = serverOf(target.management);
  const own = kubeconfig.contexts.find(({ name }) => name === target.management)?.namespace ?? 'default';
  return {
    ...target,
    namespaces: target.namespaces.length > 0 ? target.namespaces : [own],
    managementServer,
    workerServers: target.workers.map(({ context }) => serverOf(context)),
  };
}

const catalogue = new Map(Object.entries(reasons));
const hints: ReasonHints = (code) => {
  const entry = catalogue.get(code);
  return entry && { level: entry.kind === 'progress' ? 'fine' : entry.kind, remedy: entry.fix };
};

function reconcilerOf(namespace: string, state: ReconcilerState | undefined): 'running' | 'not-running' | 'unknown' {
  const leases = state?.leases.filter((lease) => lease.namespace === namespace) ?? [];
  if (leases.some(({ lease }) => lease.kind === 'leading' || lease.kind === 'standby')) return 'running';
  return state === undefined ? 'not-running' : 'unknown';
}
