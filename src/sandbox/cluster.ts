import type { KubernetesMinor } from '../admission/index.ts';
import { type Clock, type Disposable, DisposableStore, describeError, type Log, type Random } from '../base/index.ts';
import { AccessControl } from './access.ts';
import { ApiServer } from './apiServer.ts';
import type { CertificateAuthority } from './certificate.ts';
import { ClusterClock } from './clusterClock.ts';
import { GarbageCollector } from './controllers/garbageCollector.ts';
import { NamespaceController } from './controllers/namespaceController.ts';
import { TtlController } from './controllers/ttlController.ts';
import { EventRecorder } from './events.ts';
import { FaultPlan } from './faults.ts';
import { JobController, type JobControllerSettings } from './job/controller.ts';
import { admissionStrategy } from './jobStrategy.ts';
import { Kubelet, type KubeletSettings } from './kubelet/kubelet.ts';
import { PodLogs } from './kubelet/podLogs.ts';
import { ListReader } from './reads.ts';
import { ResourceApi } from './resourceApi.ts';
import { definitions, type ResourceDefinition } from './resources.ts';
import { ObjectStore } from './store.ts';
import { basicStrategies } from './strategies.ts';
import type { Strategy } from './strategy.ts';
import { WatchHub } from './watchHub.ts';

/** What makes one cluster differ from another. */
export interface ClusterOptions {
  /** Its context's name; also in the name of its node. */
  readonly name: string;
  readonly version: KubernetesMinor;
  readonly authority: CertificateAuthority;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Absent: no pod of this cluster ever runs by itself. */
  readonly kubelet?: KubeletSettings;
  /** Absent: nobody looks at its Jobs. */
  readonly jobController?: Omit<JobControllerSettings, 'clearsStartTime'>;
  readonly historyLimit: number;
}

/** One cluster: a store, the API in front of it, and the controllers that make it live. */
export class Cluster {
  readonly name: string;
  readonly clock: ClusterClock;
  readonly access = new AccessControl();
  readonly faults = new FaultPlan();
  readonly store: ObjectStore;
  readonly api: ResourceApi;
  readonly watches: WatchHub;
  readonly reader: ListReader;
  readonly #server: ApiServer;
  readonly #controllers = new DisposableStore();

  constructor(options: ClusterOptions) {
    const { name, version, log, random } = options;
    this.name = name;
    this.clock = new ClusterClock(options.clock, (error) =>
      log.error('A controller of the sandbox failed.', { cluster: name, error: describeError(error) }),
    );
    const { clock } = this;
    this.store = new ObjectStore({
      historyLimit: options.historyLimit,
      onError: (error) =>
        log.error('A listener of the sandbox failed.', { cluster: name, error: describeError(error) }),
    });
    const strategies = new Map<ResourceDefinition, Strategy>([
      ...basicStrategies(),
      [definitions.jobs, admissionStrategy(definitions.jobs, version)],
      [definitions.cronJobs, admissionStrategy(definitions.cronJobs, version)],
    ]);
    const strategyOf = (type: ResourceDefinition): Strategy => {
      const found = strategies.get(type);
      if (found === undefined) throw new Error(`There are no rules for ${type.qualifiedName}.`);
      return found;
    };
    this.api = new ResourceApi({ store: this.store, strategyOf, clock, random });
    this.reader = new ListReader(this.store, clock);
    this.watches = new WatchHub(this.store, clock, strategyOf);
    const nodeName = `${name}-node`;
    // Before any controller listens: nobody has to be told of what was always there.
    this.#furnish(nodeName, version);
    const recorder = (component: string): EventRecorder => new EventRecorder(this.api, clock, component);
    let kubelet: Kubelet | undefined;
    if (options.kubelet !== undefined) {
      kubelet = new Kubelet({
        api: this.api,
        clock,
        nodeName,
        schedulerEvents: recorder('default-scheduler'),
        kubeletEvents: recorder('kubelet'),
        settings: options.kubelet,
      });
      this.#controllers.add(kubelet);
    }
    const { jobController } = options;
    if (jobController !== undefined) {
      this.#controllers.add(
        new JobController({
          api: this.api,
          events: recorder('job-controller'),
          clock,
          log,
          settings: { ...jobController, clearsStartTime: version !== '1.34' && version !== '1.35' },
        }),
      );
    }
    this.#controllers.add(new GarbageCollector(this.api, clock));
    this.#controllers.add(new TtlController(this.api, clock));
    this.#controllers.add(new NamespaceController(this.api, clock));
    this.#server = new ApiServer({
      ...options.authority.issueServer(name),
      version: { major: '1', minor: version.slice(2), gitVersion: `v${version}.0-sandbox` },
      api: this.api,
      reader: this.reader,
      strategyOf,
      access: this.access,
      faults: this.faults,
      watches: this.watches,
      logs: new PodLogs(this.api, clock, (uid) => kubelet?.lifeOf(uid)),
      clock,
      log,
    });
  }

  /** Opens the port and resolves with its number. */
  listen(port: number): Promise<number> {
    return this.#server.listen(port);
  }

  /** Stops everything: no timer, socket or watch is left. */
  async stop(): Promise<void> {
    const all: readonly Disposable[] = [this.#controllers, this.watches, this.store, this.clock];
    for (const part of all) part.dispose();
    this.faults.clear();
    await this.#server.close();
  }

  /** What every cluster has before anybody uses it. */
  #furnish(nodeName: string, version: KubernetesMinor): void {
    for (const name of ['kube-system', 'kube-public', 'kube-node-lease', 'default']) {
      this.api.create(definitions.namespaces, undefined, { metadata: { name } });
      this.api.create(definitions.serviceAccounts, name, { metadata: { name: 'default' } });
    }
    const node = this.api.create(definitions.nodes, undefined, {
      metadata: {
        name: nodeName,
        labels: { 'kubernetes.io/hostname': nodeName, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' },
      },
      spec: {},
    }).object;
    // Large enough for any demonstration; nothing is ever counted against it.
    const capacity = { cpu: '8', memory: '32Gi', pods: '110' };
    const ready = {
      type: 'Ready',
      status: 'True',
      reason: 'KubeletReady',
      message: 'the sandbox pretends to be ready',
    };
    this.api.update(
      definitions.nodes,
      undefined,
      nodeName,
      {
        ...node,
        status: {
          capacity,
          allocatable: capacity,
          conditions: [ready],
          addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
          nodeInfo: { kubeletVersion: `v${version}.0-sandbox`, operatingSystem: 'linux', architecture: 'amd64' },
        },
      },
      { subresource: 'status' },
    );
  }
}
