import { type Disposable, Emitter, type Event } from '../base/index.ts';
import type { ClusterTarget } from './target.ts';

/** A sandbox that runs, in a thread of its own. */
export interface RunningSandbox {
  readonly kubeconfig: string;
  /** Resolves with the reason when it ends without being asked to. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface SandboxPorts {
  readonly start: () => Promise<RunningSandbox>;
  /** Keeps the kubeconfig in a file that only this user reads; resolves with its path. */
  readonly keepKubeconfig: (text: string) => Promise<{ readonly path: string; readonly remove: () => Promise<void> }>;
  /** It ended by itself; there is no target any more. */
  readonly onEnded: (reason: string) => void;
}

/**
 * The embedded clusters of one window: started on demand, gone with the window. While they run they are the window's
 * target in place of what the settings name. Invariants: at most one runs; one that comes up after it was given up is
 * stopped at once.
 */
export class SandboxSession implements Disposable {
  readonly #ports: SandboxPorts;
  readonly #changed: Emitter<void>;
  #starting: Promise<ClusterTarget> | undefined;
  #stop: (() => Promise<void>) | undefined;
  #target: ClusterTarget | undefined;
  /** Grows with every stop, so that what comes late can tell that it is late. */
  #turn = 0;

  constructor(ports: SandboxPorts, onError: (error: unknown) => void) {
    this.#ports = ports;
    this.#changed = new Emitter(onError);
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** What to connect to; absent while no sandbox runs. */
  get target(): ClusterTarget | undefined {
    return this.#target;
  }

  start(controllerName: string): Promise<ClusterTarget> {
    this.#starting ??= this.#start(controllerName, this.#turn);
    return this.#starting;
  }

  async stop(): Promise<void> {
    this.#turn++;
    const stop = this.#stop;
    this.#stop = undefined;
    this.#starting = undefined;
    if (this.#target !== undefined) {
      this.#target = undefined;
      this.#changed.fire();
    }
    await stop?.();
  }

  dispose(): void {
    void this.stop();
    this.#changed.dispose();
  }

  async #start(controllerName: string, turn: number): Promise<ClusterTarget> {
    try {
      const { path, stop, ended } = await this.#launch();
      if (turn !== this.#turn) {
        await stop();
        throw new DOMException('The sandbox was stopped before it had started.', 'AbortError');
      }
      this.#stop = stop;
      this.#target = {
        kubeconfig: path,
        management: 'management',
        workers: ['worker-1', 'worker-2'].map((name) => ({ name, context: name })),
        namespaces: ['default'],
        controllerName,
      };
      void ended.then(async (reason) => {
        if (turn !== this.#turn) return;
        await this.stop();
        this.#ports.onEnded(reason);
      });
      this.#changed.fire();
      return this.#target;
    } catch (error) {
      if (turn === this.#turn) this.#starting = undefined;
      throw error;
    }
  }

  async #launch() {
    const running = await this.#ports.start();
    try {
      const file = await this.#ports.keepKubeconfig(running.kubeconfig);
      const stop = async (): Promise<void> => {
        await Promise.all([running.stop(), file.remove()]);
      };
      return { path: file.path, stop, ended: running.ended };
    } catch (error) {
      await running.stop();
      throw error;
    }
  }
}
