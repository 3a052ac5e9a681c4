import type { KubernetesMinor } from '../admission/index.ts';
import {
  type Clock,
  type Disposable,
  type Log,
  nullLog,
  type Random,
  systemClock,
  systemRandom,
} from '../base/index.ts';
import type { AccessRule } from './access.ts';
import { createCertificateAuthority } from './certificate.ts';
import { Cluster } from './cluster.ts';
import type { FaultHandle, FaultRule } from './faults.ts';
import type { BackoffSettings } from './job/backoff.ts';
import { kubeconfigText } from './kubeconfig.ts';
import type { KubeletSettings } from './kubelet/kubelet.ts';

/** All optional: without any, two workers run at the pace of a real cluster. */
export interface SandboxOptions {
  /** How many clusters besides the management cluster; 2 by default. */
  readonly workers?: number;
  /** Port of the management cluster; the workers have the next ones. 0, the default, takes any that are free. */
  readonly port?: number;
  /** The Kubernetes that all clusters pretend to be; 1.35, the first with managedBy for all, by default. */
  readonly version?: KubernetesMinor;
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Log;
  /** Times in a pod's life; false: pods are left as they are made, for tests that play the kubelet. */
  readonly kubelet?: Partial<KubeletSettings> | false;
  /** False: no cluster has a Job controller. */
  readonly jobController?: { readonly batchMs?: number; readonly backoff?: Partial<BackoffSettings> } | false;
  /** How many changes of each type a watch may have missed before it gets a 410. */
  readonly historyLimit?: number;
}

/** What may be done to a cluster behind the back of its API. */
export interface ClusterFaults {
  add(rule: FaultRule): FaultHandle;
  clear(): void;
  /** Breaks open watches off, of one resource (`jobs`) or of all. */
  cutWatches(resource?: string): void;
  /** Sends open watches a 410, and forgets the past, so that resuming gets one too. */
  expireWatches(resource?: string): void;
  /** Watches say nothing any more, without ending; what happens until the result is disposed is lost to them. */
  stallWatches(): Disposable;
  /** Events arrive so much later, until the result is disposed. */
  delayWatches(ms: number): Disposable;
  /** Continue tokens of lists get a 410. */
  expireContinues(): void;
  /** Sets the cluster's wall clock ahead (or back) by so much. */
  setClockSkew(ms: number): void;
}

/** One cluster, for whoever started the sandbox. */
export interface SandboxCluster {
  /** `management`, `worker-1`, … */
  readonly context: string;
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  /** An administrator's. */
  readonly token: string;
  readonly faults: ClusterFaults;
  /** Watches that are open over HTTP. */
  readonly openWatches: () => number;
  /** A new user with these rights alone; returns the token. */
  addUser(name: string, rules: readonly AccessRule[]): string;
  setRules(token: string, rules: readonly AccessRule[]): void;
  /** From now on the token gets a 401. */
  revoke(token: string): void;
}

/** A sandbox that runs. Whoever started it must stop it. */
export interface Sandbox {
  /** YAML text with a context for each cluster; `management` is the current one. */
  readonly kubeconfig: string;
  /** PEM of the authority that all servers' certificates come from. */
  readonly caCertificate: string;
  /** The management cluster first. */
  readonly clusters: readonly SandboxCluster[];
  /** Closes everything; no socket and no timer is left. */
  stop(): Promise<void>;
}

const defaultKubelet: KubeletSettings = { podDurationMs: 2000, scheduleMs: 50, startMs: 200, stopMs: 700 };

/** Starts a management cluster and its workers, each a Kubernetes API over HTTPS on loopback. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { workers = 2, port = 0, version = '1.35', historyLimit = 4096 } = options;
  const { clock = systemClock, random = systemRandom, log = nullLog } = options;
  const authority = createCertificateAuthority(clock.now());
  const names = ['management', ...Array.from({ length: workers }, (_, i) => `worker-${i + 1}`)];
  const clusters: Cluster[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
  };
  try {
    const entries = [];
    for (const [i, name] of names.entries()) {
      const cluster = new Cluster({
        name,
        version,
        authority,
        clock,
        random,
        log,
        historyLimit,
        ...(options.kubelet === false ? {} : { kubelet: { ...defaultKubelet, ...options.kubelet } }),
        ...(options.jobController === false ? {} : { jobController: jobControllerSettings(options.jobController) }),
      });
      clusters.push(cluster);
      const listening = await cluster.listen(port === 0 ? 0 : port + i);
      entries.push({
        cluster,
        context: name,
        url: `https://127.0.0.1:${listening}`,
        token: cluster.access.addAdmin(`${name}-admin`),
      });
    }
    return {
      kubeconfig: kubeconfigText(entries, authority.certificate),
      caCertificate: authority.certificate,
      clusters: entries.map(({ cluster, context, url, token }) => handleOf(cluster, { context, url, token })),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function jobControllerSettings(settings: Exclude<SandboxOptions['jobController'], false>) {
  const { batchMs = 1000, backoff } = settings ?? {};
  return { batchMs, backoff: { baseMs: 10_000, maxMs: 600_000, ...backoff } };
}

function handleOf(cluster: Cluster, address: Pick<SandboxCluster, 'context' | 'url' | 'token'>): SandboxCluster {
  const { access, faults, watches, reader, clock } = cluster;
  return {
    ...address,
    faults: {
      add: (rule) => faults.add(rule),
      clear: () => faults.clear(),
      cutWatches: (resource) => watches.cut(resource),
      expireWatches: (resource) => watches.expire(resource),
      stallWatches: () => watches.stall(),
      delayWatches: (ms) => watches.delay(ms),
      expireContinues: () => reader.expireContinues(),
      setClockSkew: (ms) => {
        clock.skewMs = ms;
      },
    },
    openWatches: () => watches.count,
    addUser: (name, rules) => access.addUser(name, rules),
    setRules: (token, rules) => access.setRules(token, rules),
    revoke: (token) => access.revoke(token),
  };
}
