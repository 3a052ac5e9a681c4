import type { AdmissionRequest, KubernetesMinor } from '../admission/index.ts';
import type { JsonObject } from '../base/index.ts';
import type { WorkloadKind } from './kinds.ts';

/** A queue of Kueue's in a namespace. */
export interface LocalQueue {
  readonly name: string;
  /** Whether what it takes in is handed to MultiKueue; absent where that can't be seen. */
  readonly leadsToMultiKueue?: boolean;
}

/** The LocalQueues of a cluster. */
export interface QueuesOfCluster {
  /** Where an object goes that names no namespace. */
  readonly defaultNamespace: string;
  /** A namespace that is missing is one of which nothing is known. */
  readonly byNamespace: Readonly<Record<string, readonly LocalQueue[]>>;
}

/** What decides about a text besides the text itself. */
export interface ManifestSettings {
  readonly version: KubernetesMinor;
  /** What the cluster runs, such as `1.31`, where that isn't known here and `version` only comes nearest to it. */
  readonly unlistedVersion?: string | undefined;
  /** The name under which our own reconciler runs here. */
  readonly controllerName?: string;
  /** Further names that may stand in `managedBy`. */
  readonly knownControllers?: readonly string[];
  /** LocalQueues that may be named; a help for typing alone. */
  readonly knownQueues?: readonly string[];
  /** Something says that the text holds pieces of objects: a kustomization lists it among its patches. */
  readonly isPartial?: boolean;
  /** A kustomization lists the text among its resources: it may give selectors to what has none. */
  readonly isResource?: boolean;
  /** What the connected cluster has; absent while there is none. */
  readonly clusterQueues?: QueuesOfCluster | undefined;
  /** Names of rules that nobody wants to hear of here. */
  readonly ignoredRules?: readonly string[];
  /** Read documents of other kinds too, only to say whether they can be read. */
  readonly readsOtherKinds?: boolean;
  /**
   * Asked at the beginning of a call and after each piece of its work, a fraction of a millisecond mostly; once it says yes,
   * what is left and wasn't in the text before waits for the next call with the same text. A call does one piece at least.
   * For editors, which must not stall for a long file. Default: never.
   */
  readonly isTimeUp?: () => boolean;
}

/** How a session works, whatever the text. */
export interface SessionOptions {
  /**
   * Turns an object into the request that it stands for, a creation where it answers undefined. `isPiece`: something
   * else completes it.
   */
  readonly requestFor?: (object: JsonObject, kind: WorkloadKind, isPiece: boolean) => AdmissionRequest | undefined;
  /** Told of a rule that threw: a fault of ours, which silences nobody else. */
  readonly onRuleFailure?: (code: string, error: unknown) => void;
}
