import { childController, type Disposable, Emitter, type Event } from '../base/index.ts';
import { type ClusterTarget, isSameTarget } from './target.ts';

/**
 * The connection of one window to its clusters.
 *
 * ```
 * disconnected ──connect──▶ connecting ──opened──▶ connected
 *      ▲                        │                      │
 *      └──── failed (problem) ──┘◀──── disconnect ─────┘
 * ```
 * Invariants: at most one link is open; a link that opens after it was given up is closed at once; nothing is opened
 * unless somebody calls `connect`. `Link` is whatever the opener makes; this class only owns it.
 */
export type ClusterState<Link> =
  | { readonly kind: 'disconnected'; readonly problem?: unknown }
  | { readonly kind: 'connecting'; readonly target: ClusterTarget }
  | { readonly kind: 'connected'; readonly target: ClusterTarget; readonly link: Link };

export type OpenLink<Link> = (target: ClusterTarget, signal: AbortSignal) => Promise<Link>;

export class ClusterSession<Link extends Disposable> implements Disposable {
  readonly #open: OpenLink<Link>;
  readonly #changed: Emitter<void>;
  readonly #lifetime = new AbortController();
  #state: ClusterState<Link> = { kind: 'disconnected' };
  #pending: { readonly target: ClusterTarget; readonly result: Promise<Link>; readonly cancel: () => void } | undefined;

  constructor(open: OpenLink<Link>, onError: (error: unknown) => void) {
    this.#open = open;
    this.#changed = new Emitter(onError);
  }

  get state(): ClusterState<Link> {
    return this.#state;
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** The open link, if there is one. */
  get link(): Link | undefined {
    return this.#state.kind === 'connected' ? this.#state.link : undefined;
  }

  /** The link to that target: the open one, the one that is being opened, or a new one in place of another target's. */
  connect(target: ClusterTarget): Promise<Link> {
    if (this.#state.kind === 'connected' && isSameTarget(this.#state.target, target)) {
      return Promise.resolve(this.#state.link);
    }
    if (this.#pending !== undefined && isSameTarget(this.#pending.target, target)) return this.#pending.result;
    this.#close();
    const { controller, release } = childController(this.#lifetime.signal);
    const result = this.#openGuarded(target, controller.signal).finally(release);
    this.#pending = {
      target,
      result,
      cancel: () => controller.abort(new DOMException('Another connection was asked for.', 'AbortError')),
    };
    this.#set({ kind: 'connecting', target });
    return result;
  }

  /**
   * Opens the target anew, because what stands behind its names has changed. The link of before stays until the new one
   * is open, and stays for good if that fails: then this rejects. Resolves with undefined where nothing is connected.
   */
  async reopen(): Promise<Link | undefined> {
    const before = this.#state;
    if (before.kind !== 'connected') return undefined;
    const { controller, release } = childController(this.#lifetime.signal);
    try {
      const link = await this.#open(before.target, controller.signal);
      if (this.#state !== before) {
        // It was disconnected, or connected elsewhere, in the meantime.
        link.dispose();
        return undefined;
      }
      this.#set({ kind: 'connected', target: before.target, link });
      before.link.dispose();
      return link;
    } finally {
      release();
    }
  }

  disconnect(): void {
    this.#close();
    if (this.#state.kind !== 'disconnected') this.#set({ kind: 'disconnected' });
  }

  dispose(): void {
    this.#close();
    this.#lifetime.abort(new DOMException('The window is closing.', 'AbortError'));
    this.#changed.dispose();
  }

  async #openGuarded(target: ClusterTarget, signal: AbortSignal): Promise<Link> {
    try {
      const link = await this.#open(target, signal);
      if (signal.aborted) {
        link.dispose();
        throw signal.reason;
      }
      this.#pending = undefined;
      this.#set({ kind: 'connected', target, link });
      return link;
    } catch (error) {
      if (!signal.aborted) {
        this.#pending = undefined;
        this.#set({ kind: 'disconnected', problem: error });
      }
      throw error;
    }
  }

  #close(): void {
    this.#pending?.cancel();
    this.#pending = undefined;
    if (this.#state.kind === 'connected') this.#state.link.dispose();
  }

  #set(state: ClusterState<Link>): void {
    this.#state = state;
    this.#changed.fire();
  }
}
