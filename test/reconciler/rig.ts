import { type Clock, type JsonObject, nullLog, systemRandom } from '../../src/base/index.ts';
import {
  type Job,
  jobs,
  type KubeClient,
  type Kubeconfig,
  KubeError,
  loadKubeconfig,
  pods,
  type Reflector,
  startReflector,
  unlimited,
} from '../../src/kube/index.ts';
import {
  type ActionReport,
  type ReconcilerHandle,
  type ReconcilerSettings,
  startReconciler,
} from '../../src/reconciler/index.ts';
import type { ReconcilerOptions } from '../../src/reconciler/reconciler.ts';
import { type Sandbox, type SandboxCluster, startSandbox } from '../../src/sandbox/index.ts';
import { fastClock } from '../kube/fakeCluster.ts';
import { ScratchFolder } from '../kube/scratchFolder.ts';
import { manifest, ourController } from './builders.ts';

const never = new AbortController().signal;
const namespace = 'default';

/** Two or more embedded clusters over real loopback HTTP, and reconcilers on them, ten times as fast as life. */
export class Rig implements AsyncDisposable {
  readonly clock: Clock = fastClock(10, Date.now());
  readonly actions: ActionReport[] = [];
  readonly #sandbox: Sandbox;
  readonly #kubeconfig: Kubeconfig;
  readonly #clients: KubeClient[] = [];
  readonly #watched = new Map<string, Reflector<Job>>();
  readonly #handles = new Set<ReconcilerHandle>();
  readonly #waiting = new Set<() => void>();

  static async start(workers = 1): Promise<Rig> {
    const clock = fastClock(10, Date.now());
    const sandbox = await startSandbox({ workers, clock, kubelet: { podDurationMs: 1500 } });
    using folder = new ScratchFolder();
    const paths = [folder.write('config', sandbox.kubeconfig)];
    const { value } = await loadKubeconfig({ paths, env: {}, homeDir: '/', cwd: '/', clock });
    const rig = new Rig(sandbox, value);
    for (const { context } of sandbox.clusters) rig.#watch(context);
    return rig;
  }

  private constructor(sandbox: Sandbox, kubeconfig: Kubeconfig) {
    this.#sandbox = sandbox;
    this.#kubeconfig = kubeconfig;
  }

  get management(): KubeClient {
    return this.client('management');
  }

  client(context: string): KubeClient {
    const client = this.#kubeconfig.open(context, { limiter: unlimited });
    this.#clients.push(client);
    return client;
  }

  cluster(context: string): SandboxCluster {
    const found = this.#sandbox.clusters.find((one) => one.context === context);
    if (found === undefined) throw new Error(`There is no cluster ${context}.`);
    return found;
  }

  /** A reconciler on all workers, unless others are given; `identity` tells several apart. */
  reconcile(
    settings: Partial<ReconcilerSettings> = {},
    identity = 'one',
    clusters: Partial<Pick<ReconcilerOptions, 'management' | 'workers'>> = {},
  ): ReconcilerHandle {
    const workers = this.#sandbox.clusters.slice(1).map(({ context }) => [context, this.client(context)] as const);
    const handle = startReconciler({
      management: this.management,
      workers: new Map(workers),
      ...clusters,
      settings: { controllerName: ourController, namespaces: [namespace], retainFinishedMs: 5_000, ...settings },
      clock: this.clock,
      random: systemRandom,
      log: nullLog,
      identity,
      onAction: (action) => {
        this.actions.push(action);
        this.#changed();
      },
    });
    handle.onStateChange(() => this.#changed());
    this.#handles.add(handle);
    return handle;
  }

  async stop(handle: ReconcilerHandle): Promise<void> {
    this.#handles.delete(handle);
    await handle.stop();
  }

  /** Creates a delegated Job; `annotations` go to its pods. */
  async create(
    name: string,
    spec: JsonObject = {},
    annotations: JsonObject = {},
    metadata: JsonObject = {},
  ): Promise<Job> {
    const template = {
      metadata: { annotations },
      spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] },
    };
    const body = manifest(name, { template, ...spec }, metadata);
    const { object } = await this.management.create<Job>(jobs, namespace, body, {}, never);
    return object;
  }

  async createOn(context: string, body: JsonObject): Promise<Job> {
    return (await this.client(context).create<Job>(jobs, namespace, body, {}, never)).object;
  }

  async patch(context: string, name: string, body: JsonObject): Promise<void> {
    const patch = { type: 'application/merge-patch+json', body } as const;
    await this.client(context).patch<Job>(jobs, { namespace, name }, patch, {}, never);
  }

  async delete(context: string, name: string): Promise<void> {
    const { uid } = (await this.job(context, name))?.metadata ?? { uid: 'none' };
    await this.client(context).delete(jobs, { namespace, name }, { uid, propagationPolicy: 'Background' }, never);
  }

  /** The Job as the server has it now, or undefined. */
  async job(context: string, name: string): Promise<Job | undefined> {
    try {
      return await this.client(context).get<Job>(jobs, { namespace, name }, never);
    } catch (error) {
      if (error instanceof KubeError && error.kind === 'not-found') return undefined;
      throw error;
    }
  }

  async podNames(context: string): Promise<string[]> {
    const { items } = await this.client(context).list(pods, { namespace }, never);
    return items.map(({ metadata }) => metadata.name);
  }

  /** The Job as it was last seen by a watch. */
  seen(context: string, name: string): Job | undefined {
    return this.#watched.get(context)?.find(namespace, name);
  }

  /** Resolves once the claim holds; it is looked at again whenever a Job, a state or an action changes. */
  until(claim: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (!claim()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Resolves after so much of the clusters' time, for what must not happen. */
  async later(ms: number): Promise<void> {
    await new Promise<void>((resolve) => this.clock.after(ms, resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#handles].map((handle) => handle.stop()));
    for (const reflector of this.#watched.values()) reflector.dispose();
    for (const client of this.#clients) client.dispose();
    this.#kubeconfig.dispose();
    await this.#sandbox.stop();
  }

  #watch(context: string): void {
    const reflector = startReflector<Job, Job>({
      api: this.client(context),
      type: jobs,
      scope: { namespace },
      keep: (job) => job,
      clock: this.clock,
      random: systemRandom,
      log: nullLog,
    });
    reflector.onChange(() => this.#changed());
    this.#watched.set(context, reflector);
  }

  #changed(): void {
    for (const look of [...this.#waiting]) look();
  }
}
