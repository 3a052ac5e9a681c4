import { type Clock, type Disposable, DisposableStore } from '../../base/index.ts';
import type { ResourceApi } from '../resourceApi.ts';
import { allDefinitions, definitions } from '../resources.ts';

/** The real controller works from a queue; what is created in between still gets its 403. */
const lagMs = 50;

/** Empties namespaces that are being deleted, and lets them go when nothing is left in them. */
export class NamespaceController implements Disposable {
  readonly #api: ResourceApi;
  readonly #clock: Clock;
  readonly #resources = new DisposableStore();
  /** Terminating namespaces; only for them is the end of an object in them of interest. */
  readonly #terminating = new Set<string>();

  constructor(api: ResourceApi, clock: Clock) {
    this.#api = api;
    this.#clock = clock;
    this.#resources.add(
      api.store.onChange(definitions.namespaces, ({ type, object }) => {
        const { name, deletionTimestamp } = object.metadata;
        if (type === 'DELETED') this.#terminating.delete(name);
        else if (deletionTimestamp !== undefined && !this.#terminating.has(name)) {
          this.#terminating.add(name);
          this.#clock.after(lagMs, () => this.#empty(name));
        }
      }),
    );
    for (const type of namespacedTypes) {
      this.#resources.add(
        api.store.onChange(type, (change) => {
          const { namespace = '' } = change.object.metadata;
          if (change.type === 'DELETED' && this.#terminating.has(namespace))
            this.#clock.after(lagMs, () => this.#empty(namespace));
        }),
      );
    }
  }

  dispose(): void {
    this.#resources.dispose();
  }

  /** Called again whenever something in the namespace is gone, until nothing is left. */
  #empty(namespace: string): void {
    if (!this.#terminating.has(namespace)) return;
    const { store } = this.#api;
    for (const type of namespacedTypes) {
      for (const { metadata } of store.list(type, namespace)) {
        if (metadata.deletionTimestamp === undefined) {
          this.#api.delete(type, namespace, metadata.name, { propagationPolicy: 'Background' });
        }
      }
    }
    // Finalizers of others may hold an object for as long as they like; the namespace then waits with it.
    const isEmpty = namespacedTypes.every((type) => store.list(type, namespace).length === 0);
    const found = store.get(definitions.namespaces, undefined, namespace);
    if (isEmpty && found !== undefined) this.#api.finalizeNamespace(namespace);
  }
}

const namespacedTypes = allDefinitions.filter((type) => type.isNamespaced);
