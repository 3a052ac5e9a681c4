import {
  type Job,
  KubeError,
  type KubeErrorKind,
  type KubeObject,
  type ResourceType,
  type WatchEvent,
  type WatchRequest,
} from '../kube/index.ts';
import type { ClusterApi } from './ports.ts';

/** Takes down how the requests to a cluster end. */
export interface RequestEar {
  /** Grows with everything that comes from the cluster. */
  readonly heardCount: number;
  /** An answer came that is worth something, whatever it says; or an event of a watch. */
  heard(): void;
  failed(error: KubeError): void;
}

/** What tells of a whole cluster when it ends a watch. After anything else the watch is opened anew, and that tells. */
const tellingForWatch: ReadonlySet<KubeErrorKind> = new Set([
  'unauthorized',
  'credentials',
  'kubeconfig',
  'certificate',
  'timeout',
]);

/**
 * The same client, with an ear to each request: ordinary ones, watches, leases. A request that was given up on purpose
 * says nothing. Nor does a failure while others got their answers, or one of the server over a write: what fails there
 * may be a webhook.
 */
export function heardApi(api: ClusterApi, ear: RequestEar): ClusterApi {
  async function hear<T>(request: Promise<T>, isWrite = false): Promise<T> {
    const before = ear.heardCount;
    try {
      const value = await request;
      ear.heard();
      return value;
    } catch (error) {
      const tells = error instanceof KubeError && ear.heardCount === before;
      if (tells && !(isWrite && error.kind === 'server-error')) ear.failed(error);
      throw error;
    }
  }
  return {
    contextName: api.contextName,
    get clockOffsetMs() {
      return api.clockOffsetMs;
    },
    get: (type, key, signal) => hear(api.get(type, key, signal)),
    has: (type, key, signal) => hear(api.has(type, key, signal)),
    list: (type, scope, signal) => hear(api.list(type, scope, signal)),
    create: (type, namespace, body, options, signal) => hear(api.create(type, namespace, body, options, signal), true),
    replace: (type, key, body, options, signal) => hear(api.replace(type, key, body, options, signal), true),
    patch: (type, key, patch, options, signal) => hear(api.patch(type, key, patch, options, signal), true),
    delete: (type, key, request, signal) => hear(api.delete(type, key, request, signal), true),
    serverVersion: (signal) => hear(api.serverVersion(signal)),
    canI: (attributes, signal) => hear(api.canI(attributes, signal)),
    podLog: (key, options, signal) => hear(api.podLog(key, options, signal)),
    async watch<T extends KubeObject | Job>(
      type: ResourceType,
      request: WatchRequest,
      onEvent: (event: WatchEvent<T>) => void,
      signal: AbortSignal,
    ) {
      const before = ear.heardCount;
      let isOpen = false;
      const onOpen = (): void => {
        isOpen = true;
        ear.heard();
        request.onOpen?.();
      };
      try {
        const onHeard = (event: WatchEvent<T>): void => {
          ear.heard();
          onEvent(event);
        };
        await api.watch<T>(type, { ...request, onOpen }, onHeard, signal);
      } catch (error) {
        const tells =
          error instanceof KubeError && (isOpen ? tellingForWatch.has(error.kind) : ear.heardCount === before);
        if (tells) ear.failed(error);
        throw error;
      }
    },
    dispose: () => api.dispose(),
  };
}
