import type * as vscode from 'vscode';
import type { Clock, Disposable, Event, Log } from '../base/index.ts';
import type { KubeApi, KubeconfigContext } from '../kube/index.ts';
import type { ManifestCheck } from '../manifest/index.ts';
import type { OutlineNode } from '../model/index.ts';
import type { DispatchOutcome, DispatchRequest, ReconcilerState } from '../reconciler/index.ts';
import type {
  ClusterSession,
  ClusterTarget,
  ReconcilerSession,
  ResolvedTarget,
  SandboxSession,
} from '../session/index.ts';

/** The clusters of a window while it is connected. */
export interface ClusterLink extends Disposable {
  readonly target: ResolvedTarget;
  readonly management: KubeApi;
  /** By the workspace's name of the worker. */
  readonly workers: ReadonlyMap<string, KubeApi>;
  readonly outline: () => readonly OutlineNode[];
  readonly onDidChange: Event<void>;
  /** `1.35`, once the management cluster has said it. */
  readonly kubernetesMinor: () => string | undefined;
  /** The window's reconciler has news: rows may now have other reasons. */
  reconcilerChanged(): void;
  /** Tries anew what failed for want of a login or a network. */
  retry(): void;
}

/** What a kubeconfig offers, with what is wrong with it: file, place, remedy. */
export interface KubeconfigOffer {
  readonly contexts: readonly KubeconfigContext[];
  readonly current: string | undefined;
  readonly problems: readonly string[];
}

/** The heavy half of the clusters, loaded when a command first needs it. */
export interface ClustersPart {
  readKubeconfig(path: string): Promise<KubeconfigOffer>;
  /** Throws with a message for people if a context is missing. */
  resolveTarget(target: ClusterTarget): Promise<ResolvedTarget>;
  dispatch(link: ClusterLink, request: DispatchRequest, signal: AbortSignal): Promise<DispatchOutcome>;
  /** One sentence for people: what happened, and what to do. */
  explain(error: unknown): string;
}

/** What commands work with; made once, by the composition root. */
export interface Workbench {
  readonly clusters: ClusterSession<ClusterLink>;
  readonly sandbox: SandboxSession;
  readonly reconciler: ReconcilerSession<ReconcilerState>;
  readonly loadClusters: () => Promise<ClustersPart>;
  readonly checkManifest: (document: vscode.TextDocument) => Promise<ManifestCheck>;
  /** The sandbox's while it runs, else what the settings say. */
  readonly target: () => ClusterTarget;
  readonly saveTarget: (target: ClusterTarget) => Promise<void>;
  /** The row with that id, as it stands now. */
  readonly row: (id: string) => OutlineNode | undefined;
  readonly showLog: () => void;
  readonly clock: Clock;
  readonly log: Log;
}
