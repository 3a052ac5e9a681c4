import { type Clock, type Disposable, describeError, type Log, type Random } from '../base/index.ts';
import { explainKubeError, type KubeClient, loadKubeconfig, tokenBucket } from '../kube/index.ts';
import { type MessageFromThread, readMessageToThread, type ThreadTarget } from './messages.ts';
import { type ReconcilerHandle, startReconciler } from './reconciler.ts';
import { requestRate } from './requestRate.ts';

/** The thread's side of the border; the composition root puts it on what the platform has. */
export interface ThreadHostDeps {
  readonly post: (message: MessageFromThread) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
}

/** States follow one another at most this often; only the last of a burst is sent. */
const statePeriodMs = 250;

interface Running {
  readonly handle: ReconcilerHandle;
  readonly retry: (cluster: string | undefined) => void;
  readonly dispose: () => void;
}

/** Does what the messages say, one reconciler at most. Resolves nothing: it lives until `stop`. */
export class ThreadHost {
  readonly #deps: ThreadHostDeps;
  readonly #log: Log;
  #running: Running | undefined;
  #starting: Promise<void> = Promise.resolve();
  #pending: Disposable | undefined;

  constructor(deps: ThreadHostDeps) {
    this.#deps = deps;
    const at = (level: 'debug' | 'info' | 'warn' | 'error'): Log['info'] => {
      return (message, fields = {}) => deps.post({ kind: 'log', level, message, fields });
    };
    this.#log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  }

  /** Takes one message; resolves when it has been acted upon. */
  async receive(value: unknown): Promise<void> {
    const message = readMessageToThread(value);
    switch (message?.kind) {
      case undefined:
        this.#log.warn('The reconciler got something that is no message.');
        return;
      case 'start':
        this.#starting = this.#start(message.target);
        await this.#starting;
        return;
      case 'retry':
        this.#running?.retry(message.cluster);
        return;
      case 'stop':
        await this.#starting;
        await this.#stop();
        this.#deps.post({ kind: 'stopped' });
    }
  }

  async #start(target: ThreadTarget): Promise<void> {
    await this.#stop();
    const { clock, random, post } = this.#deps;
    /** By the reconciler's names. */
    const clients: (readonly [name: string, client: KubeClient])[] = [];
    try {
      const { value: kubeconfig } = await loadKubeconfig({
        ...(target.kubeconfig === '' ? {} : { paths: [target.kubeconfig] }),
        env: this.#deps.env,
        homeDir: target.homeDir,
        cwd: target.homeDir,
        clock,
        logins: { onMessage: (command, text) => post({ kind: 'login', command, text }) },
      });
      const open = (name: string, context: string): KubeClient => {
        const limiter = tokenBucket(clock, { ratePerSecond: requestRate.perSecond, burst: requestRate.burst });
        const client = kubeconfig.open(context, { userAgent: 'delegated-jobs-reconciler', limiter });
        clients.push([name, client]);
        return client;
      };
      const handle = startReconciler({
        management: open('management', target.management),
        workers: new Map(target.workers.map(({ name, context }) => [name, open(name, context)])),
        settings: {
          controllerName: target.controllerName,
          namespaces: target.namespaces,
          clusterIds: idsByName(target),
        },
        clock,
        random,
        log: this.#log,
        identity: target.identity,
        onAction: (action) => post({ kind: 'action', action }),
      });
      const retry = (cluster: string | undefined): void => {
        // A login program that failed is kept from running until a person asks.
        for (const [name, client] of clients) if (cluster === undefined || cluster === name) client.resetCredentials();
        handle.retry(cluster);
      };
      const dispose = (): void => {
        for (const [, client] of clients) client.dispose();
        kubeconfig.dispose();
      };
      this.#running = { handle, retry, dispose };
      handle.onStateChange(() => this.#announce());
      post({ kind: 'state', state: handle.state });
    } catch (error) {
      for (const [, client] of clients) client.dispose();
      const { what, remedy } = explainKubeError(error);
      this.#log.error('The reconciler could not start.', { error: describeError(error) });
      post({ kind: 'failed', reason: `${what}. ${remedy}` });
    }
  }

  #announce(): void {
    this.#pending ??= this.#deps.clock.after(statePeriodMs, () => {
      this.#pending = undefined;
      if (this.#running !== undefined) this.#deps.post({ kind: 'state', state: this.#running.handle.state });
    });
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    this.#pending?.dispose();
    this.#pending = undefined;
    await running?.handle.stop();
    running?.dispose();
  }
}

/** The identities that were given by hand, by the names that the reconciler has for the clusters. */
function idsByName({ management, workers, clusterIds }: ThreadTarget): Record<string, string> {
  const clusters = [{ name: 'management', context: management }, ...workers];
  return Object.fromEntries(
    clusters.flatMap(({ name, context }) => {
      const uid = clusterIds[context];
      return uid === undefined || uid === '' ? [] : [[name, uid]];
    }),
  );
}
