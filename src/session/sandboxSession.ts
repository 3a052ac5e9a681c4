import { type Disposable, Emitter, type Event } from '../base/index.ts';
import type { ClusterTarget } from './target.ts';

/** A sandbox that runs, in a thread of its own. */
export interface RunningSandbox {
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

export interface SandboxPorts {
  readonly start: () => Promise<RunningSandbox>;
  /** Keeps the kubeconfig in a file that only this user reads; resolves with its path. */
  readonly keepKubeconfig: (text: string) => Promise<{ readonly path: string; readonly remove: () => Promise<void> }>;
}

/**
 * The embedded clusters of one window: started on demand, gone with the window. While they run they are the window's
 * target in place of what the settings name.
 */
export class SandboxSession implements Disposable {
  readonly #ports: SandboxPorts;
  readonly #changed: Emitter<void>;
  #starting: Promise<ClusterTarget> | undefined;
  #stop: (() => Promise<void>) | undefined;
  #target: ClusterTarget | undefined;

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
    this.#starting ??= this.#start(controllerName).catch((error: unknown) => {
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
  }

  async stop(): Promise<void> {
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

  async #start(controllerName: string): Promise<ClusterTarget> {
    const running = await this.#ports.start();
    const file = await this.#ports.keepKubeconfig(running.kubeconfig);
    this.#stop = async () => {
      await Promise.all([running.stop(), file.remove()]);
    };
    this.#target = {
      kubeconfig: file.path,
      management: 'management',
      workers: ['worker-1', 'worker-2'].map((name) => ({ name, context: name })),
      namespaces: ['default'],
      controllerName,
    };
    this.#changed.fire();
    return this.#target;
  }
}
