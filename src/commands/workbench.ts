import type * as vscode from 'vscode';
import type { Clock, Disposable, Event, JsonObject, Log } from '../base/index.ts';
import type { KubeApi, KubeconfigContext } from '../kube/index.ts';
import type {
  AnswerLine,
  ChosenSettings,
  Finding,
  ManifestCheck,
  ManifestObject,
  ServerAnswer,
} from '../manifest/index.ts';
import type { OutlineNode } from '../model/index.ts';
import type { DispatchOutcome, DispatchRequest, ReconcilerState } from '../reconciler/index.ts';
import type {
  ClusterSession,
  ClusterTarget,
  LiveKey,
  QueuesByNamespace,
  ReconcilerSession,
  Rehearsal,
  RehearsalAnswer,
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
  /** The row of the management cluster's Job of that name, where its namespace is watched. */
  readonly nodeNamed: (namespace: string, name: string) => OutlineNode | undefined;
  /** The object as the management cluster has it now; undefined where there is none. */
  readonly readLive: (key: LiveKey, signal: AbortSignal) => Promise<JsonObject | undefined>;
  /** The management cluster's OpenAPI document (v3) of an API version; undefined where it has none. */
  readonly readOpenApi: (apiVersion: string, signal: AbortSignal) => Promise<JsonObject | undefined>;
  /** The LocalQueues of the namespaces that are watched. */
  readonly readQueues: (signal: AbortSignal) => Promise<QueuesByNamespace>;
  readonly onDidChange: Event<void>;
  /** `1.35`, once the management cluster has said it. */
  readonly kubernetesMinor: () => string | undefined;
  /** There is news of the window's reconciler, or of queues: rows may now have other reasons. */
  judgeAnew(): void;
  /** Tries anew what failed for want of a login or a network: at one cluster (its worker's name, or ''), or at all. */
  retry(cluster?: string): void;
  /** The kubeconfig now names other clusters or logins than those that are open, or can't be read any more. */
  readonly onOutdated: Event<void>;
}

/** What a kubeconfig offers, with what is wrong with it: file, place, remedy. */
export interface KubeconfigOffer {
  readonly contexts: readonly KubeconfigContext[];
  readonly current: string | undefined;
  readonly troubles: readonly KubeconfigTrouble[];
}

/** Something that is wrong with a kubeconfig. */
export interface KubeconfigTrouble {
  /** File, place, what is wrong, what to do. */
  readonly text: string;
  /** Where in the file, or its name where the whole of it is meant. */
  readonly place: string;
  /** Empty where no file is to blame. */
  readonly file: string;
  readonly isMissing?: boolean;
}

/** The heavy half of the clusters, loaded when a command first needs it. */
export interface ClustersPart {
  readKubeconfig(path: string): Promise<KubeconfigOffer>;
  /** Throws with a message for people if a context is missing. */
  resolveTarget(target: ClusterTarget): Promise<ResolvedTarget>;
  dispatch(link: ClusterLink, request: DispatchRequest, signal: AbortSignal): Promise<DispatchOutcome>;
  /** What stands in the way of the Job on the workers, a sentence for each that has something; empty where nothing does. */
  checkWorkers(link: ClusterLink, job: JsonObject, namespace: string, signal: AbortSignal): Promise<readonly string[]>;
  /** What the management cluster says to a write that is not carried out. */
  rehearse(link: ClusterLink, rehearsal: Rehearsal, signal: AbortSignal): Promise<RehearsalAnswer>;
  /** One sentence for people: what happened, and what to do. */
  explain(error: unknown): string;
  /** The kubeconfig file to correct, where one is to blame. */
  fileToCorrect(error: unknown): string | undefined;
}

/** How a file meets what is stored under its name. */
export type LiveMode = 'apply' | 'replace' | 'off';

/** A write as the server would get it. */
export interface PlannedWrite {
  readonly operation: 'create' | 'update' | 'status-update';
  readonly object: JsonObject;
  readonly old?: unknown;
}

/** What lays a manifest beside a cluster, loaded when it is first needed. */
export interface ComparingPart {
  /** The write that sending the object comes to. */
  writeOf(
    object: ManifestObject,
    namespace: string,
    live: JsonObject | undefined,
    mode: 'apply' | 'replace',
  ): PlannedWrite;
  /** The text with the object as it is stored. */
  textWithLive(text: string, object: ManifestObject, live: JsonObject, settings: ChosenSettings): string;
  besideAnswer(
    text: string,
    object: ManifestObject,
    findings: readonly Finding[],
    request: PlannedWrite,
    answer: ServerAnswer & { readonly serverMinor: string },
    extensionVersion: string,
  ): { readonly lines: readonly AnswerLine[]; readonly differences: readonly string[]; readonly report: string };
}

/** What came of a pass over the files of the workspace. */
export interface WorkspacePass {
  readonly files: number;
  readonly manifests: number;
  readonly findings: number;
  readonly tooLarge: number;
  readonly isCancelled: boolean;
}

/** What commands work with; made once, by the composition root. */
export interface Workbench {
  readonly clusters: ClusterSession<ClusterLink>;
  readonly sandbox: SandboxSession;
  readonly reconciler: ReconcilerSession<ReconcilerState>;
  readonly loadClusters: () => Promise<ClustersPart>;
  readonly loadComparing: () => Promise<ComparingPart>;
  readonly checkManifest: (document: vscode.TextDocument) => Promise<ManifestCheck>;
  readonly checkClosedFiles: (
    progress: (done: number, all: number, file: vscode.Uri) => void,
    token: vscode.CancellationToken,
  ) => Promise<WorkspacePass>;
  readonly settingsFor: (uri: vscode.Uri) => ChosenSettings;
  readonly liveMode: (uri: vscode.Uri) => LiveMode;
  /** Shows a cluster's answer at the lines of a document until its text changes. */
  readonly showAnswer: (uri: vscode.Uri, clusterName: string, lines: readonly AnswerLine[]) => void;
  /** Keeps a text that belongs to no file as long as an editor shows it. */
  readonly keepText: (title: string, language: string, text: string) => Promise<vscode.Uri>;
  readonly extensionVersion: string;
  /** The sandbox's while it runs, else what the settings say. */
  readonly target: () => ClusterTarget;
  /** What the settings say, also while the sandbox runs. */
  readonly settingsTarget: () => ClusterTarget;
  readonly saveTarget: (target: ClusterTarget) => Promise<void>;
  /** The row with that id, as it stands now. */
  readonly row: (id: string) => OutlineNode | undefined;
  /** Questions, by their consent keys, that this workspace is not asked again on this machine. */
  readonly silenced: { has(key: string): boolean; add(key: string): Promise<void> };
  readonly showLog: () => void;
  readonly clock: Clock;
  readonly log: Log;
}
