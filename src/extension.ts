import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir, hostname, userInfo } from 'node:os';
import * as vscode from 'vscode';
import {
  DisposableStore,
  describeError,
  Emitter,
  inStretches,
  type Log,
  nextTurn,
  once,
  systemClock,
  systemRandom,
} from './base/index.ts';
import { type BesideCluster, loadComparing, showBesideCluster } from './besideCluster.ts';
import {
  ask,
  type ClusterLink,
  followKubeconfig,
  followSettings,
  type LiveMode,
  registerCommands,
  resumeReconciler,
  showError,
  showInformation,
  type Workbench,
} from './commands/index.ts';
import { commands, contextKeys, defaultControllerName, settings, views } from './contributions.ts';
import {
  Kustomizations,
  ManifestDocuments,
  publishDiagnostics,
  registerCodeActions,
  registerCompletions,
  registerHovers,
  WorkspaceChecks,
} from './editor/index.ts';
import { keepTexts } from './keptTexts.ts';
import { registerLintTask } from './lintTask.ts';
import type { ChosenSettings } from './manifest/index.ts';
import type { ReconcilerState } from './reconciler/index.ts';
import {
  ClusterSession,
  clustersHeading,
  type OptInMemory,
  optInMemory,
  ReconcilerSession,
  reconcilerLine,
  SandboxSession,
  SettingsFollower,
  textListsByName,
  textOf,
  textsOf,
  wordOf,
} from './session/index.ts';
import { showJobsTree, showStatusBar } from './tree/index.ts';
import {
  affects,
  configuration,
  documentSettings,
  lastingOptIn,
  saveTarget,
  silencedQuestions,
  targetOfSettings,
  windowSettings,
} from './windowSettings.ts';

/**
 * Composition root of the extension: gives the parts what they need of VS Code and of each other. What is heavy (the
 * authoring engine, the clusters, the threads) is a bundle of its own and is imported when it is first needed.
 */

/** What the extension tells of itself to others; the suite inside VS Code reads it too. */
export interface DelegatedJobsApi {
  describeState(): { readonly clusters: string; readonly reconciler: string };
  /** How long `activate` took, in milliseconds. */
  readonly activatedInMs: number;
}

export function activate(context: vscode.ExtensionContext): DelegatedJobsApi {
  const startedAt = systemClock.monotonicMs();
  const owned = new DisposableStore();
  context.subscriptions.push(owned);
  const { channel, log } = createLog(owned);
  const onError = (error: unknown): void => log.error('A listener failed.', { error: describeError(error) });

  // Each in turns of the event loop of its own, and none in that of the first look at a text.
  const loadAuthoring = once(async () => {
    await import('./parts/verdicts.ts');
    await nextTurn(systemClock);
    const authoring = await import('./parts/authoring.ts');
    await nextTurn(systemClock);
    await inStretches(authoring.rehearse(), authoring.stretchMs, systemClock, () => true);
    await nextTurn(systemClock);
    return authoring;
  });
  const kustomizations = owned.add(
    new Kustomizations({ kustomizedFilesOf: async (text) => (await loadAuthoring()).kustomizedFilesOf(text), log }),
  );
  const settingsFor = (uri: vscode.Uri): ChosenSettings => ({
    version: textOf(configuration(uri).get(settings.kubernetesVersion), 'auto'),
    clusterVersion: clusters.link?.kubernetesMinor(),
    controllerName: textOf(configuration(uri).get(settings.controllerName), defaultControllerName),
    knownControllers: textsOf(configuration(uri).get(settings.knownControllers)),
    isPartial: kustomizations.isPatch(uri),
    isResource: kustomizations.isResource(uri),
    clusterQueues: beside.queues(),
    ignored: {
      path: vscode.workspace.asRelativePath(uri, false).replaceAll('\\', '/'),
      globsByRule: textListsByName(configuration(uri).get(settings.ignore)),
    },
  });
  const documents = owned.add(
    new ManifestDocuments({
      loadEngine: loadAuthoring,
      loadLanguage: () => import('./parts/language.ts'),
      settingsFor,
      clock: systemClock,
      log,
    }),
  );
  owned.add(kustomizations.onDidChange(() => documents.checkAll()));
  owned.add(registerCompletions(documents));
  owned.add(registerHovers(documents, (field) => beside.describeField(field)));

  const loadClusters = async () => await import('./parts/clusters.ts');
  const clusters = owned.add(
    new ClusterSession<ClusterLink>(async (target, signal) => await (await loadOpener()).open(target, signal), onError),
  );
  const loadOpener = once(async () => {
    const { ClusterOpener } = await loadClusters();
    const { leadsToMultiKueue } = beside;
    const shell = { log, reconcilerState, leadsToMultiKueue, onLoginMessage };
    return owned.add(new ClusterOpener({ clock: systemClock, random: systemRandom, ...shell }));
  });
  const isLensShown = (uri: vscode.Uri): boolean => configuration(uri).get(settings.codeLensEnabled) !== false;
  const liveMode = (uri: vscode.Uri): LiveMode =>
    wordOf(configuration(uri).get(settings.liveMode), ['apply', 'replace', 'off']);
  const beside: BesideCluster = owned.add(
    showBesideCluster({ documents, clusters, settingsFor, liveMode, isLensShown, log }),
  );
  const workspaceChecks = owned.add(new WorkspaceChecks({ documents, clock: systemClock, log }));
  owned.add(publishDiagnostics(documents, [beside.live]));
  owned.add(registerCodeActions(documents, beside.live));
  owned.add(registerLintTask(bundle(context, 'cli.cjs')));

  const sandbox = owned.add(
    new SandboxSession(
      { start: startSandboxThread, keepKubeconfig, onEnded: (reason) => void sandboxEnded(reason) },
      onError,
    ),
  );
  const optIn = optInMemory(
    lastingOptIn(context),
    () => sandbox.target !== undefined || vscode.workspace.workspaceFolders === undefined,
  );
  const reconciler = owned.add(new ReconcilerSession<ReconcilerState>(reconcilerPorts(context, optIn, log), onError));

  // What the tree shows: the outline of the open link, whichever that is at the moment.
  const outlineChanged = owned.add(new Emitter<void>(onError));
  let listeningToLink = owned.add(new DisposableStore());
  owned.add(
    clusters.onDidChange(() => {
      listeningToLink.dispose();
      listeningToLink = new DisposableStore();
      const { link } = clusters;
      if (link !== undefined) {
        listeningToLink.add(link.onDidChange(() => outlineChanged.fire()));
        listeningToLink.add(link.onOutdated(() => void followKubeconfig(workbench)));
      }
      setContext(contextKeys.connected, link !== undefined);
      outlineChanged.fire();
      documents.checkAll();
    }),
  );
  owned.add({ dispose: () => listeningToLink.dispose() });
  owned.add(sandbox.onDidChange(() => setContext(contextKeys.sandbox, sandbox.target !== undefined)));
  owned.add(
    reconciler.onDidChange(() => {
      setContext(contextKeys.reconciling, ['starting', 'running'].includes(reconciler.phase.kind));
      clusters.link?.judgeAnew();
    }),
  );
  const tree = owned.add(
    showJobsTree(views.jobs, {
      outline: () => clusters.link?.outline() ?? [],
      heading: () => clustersHeading(clusters.state, sandbox.target !== undefined),
      explain: async (error) => (await loadClusters()).explain(error),
      onDidChange: outlineChanged.event,
    }),
  );
  owned.add(
    showStatusBar(
      () => reconcilerLine(reconciler.phase, clusters.link !== undefined),
      [reconciler.onDidChange, clusters.onDidChange],
    ),
  );

  const follower = owned.add(
    new SettingsFollower({
      clock: systemClock,
      follow: () => followSettings(workbench, optIn.isEnabled()),
      onError: (error) =>
        log.warn('The clusters could not be changed as the settings say.', { error: describeError(error) }),
    }),
  );
  const texts = owned.add(keepTexts(async (object) => (await loadAuthoring()).toYaml(object)));
  const workbench: Workbench = {
    clusters,
    sandbox,
    reconciler,
    loadClusters,
    loadComparing,
    checkManifest: (document) => documents.checkNow(document),
    checkClosedFiles: (progress, token) => workspaceChecks.checkAll(progress, token),
    settingsFor,
    liveMode,
    showAnswer: (uri, clusterName, lines) => beside.answers.show(uri, clusterName, lines),
    keepText: texts.keep,
    extensionVersion: String(context.extension.packageJSON.version),
    target: () => sandbox.target ?? targetOfSettings(),
    settingsTarget: targetOfSettings,
    silenced: silencedQuestions(context),
    saveTarget: (target) => follower.holdWhile(() => saveTarget(target)),
    row: tree.row,
    showLog: () => channel.show(),
    clock: systemClock,
    log,
  };
  owned.add(registerCommands(workbench, texts.show));
  owned.add(markJobInEditor(documents));
  owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void resumeReconciler(workbench)));
  owned.add(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (affects(change, documentSettings)) documents.checkAll();
      if (affects(change, [settings.liveMode])) beside.live.lookAgain();
      if (affects(change, [settings.codeLensEnabled])) documents.checkAll();
      if (affects(change, windowSettings)) follower.note();
    }),
  );
  void resumeReconciler(workbench);

  function reconcilerState(): ReconcilerState | undefined {
    return reconciler.phase.kind === 'running' ? reconciler.phase.report : undefined;
  }

  async function startSandboxThread() {
    const { startSandbox } = await import('./parts/threads.ts');
    return await startSandbox(bundle(context, 'sandbox.cjs'), log);
  }

  async function sandboxEnded(reason: string): Promise<void> {
    log.error('The sandbox clusters ended.', { reason });
    await reconciler.stop();
    clusters.disconnect();
    const again = 'Start Sandbox Clusters';
    const answer = await showError(`The sandbox clusters ended: ${reason}`, again);
    if (answer === again) await vscode.commands.executeCommand(commands.startSandbox);
  }

  /** In the extension's own folder, for this window's process alone, readable by its user alone. */
  async function keepKubeconfig(text: string) {
    const folder = vscode.Uri.joinPath(context.globalStorageUri, `sandbox-${process.pid}`).fsPath;
    const path = vscode.Uri.joinPath(vscode.Uri.file(folder), 'kubeconfig').fsPath;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(path, text, { mode: 0o600 });
    await chmod(path, 0o600);
    return { path, remove: () => rm(folder, { recursive: true, force: true }) };
  }

  return {
    activatedInMs: systemClock.monotonicMs() - startedAt,
    describeState: () => ({
      clusters: clusters.state.kind,
      reconciler: vscode.workspace.isTrusted ? reconciler.phase.kind : 'untrusted',
    }),
  };
}

function createLog(owned: DisposableStore): { readonly channel: vscode.LogOutputChannel; readonly log: Log } {
  const channel = owned.add(vscode.window.createOutputChannel('Delegated Jobs', { log: true }));
  const write =
    (level: 'debug' | 'info' | 'warn' | 'error'): Log['info'] =>
    (message, fields) => {
      const details = Object.entries(fields ?? {}).filter(([, value]) => value !== undefined);
      channel[level]([message, ...details.map(([key, value]) => `${key}=${JSON.stringify(value)}`)].join(' '));
    };
  return { channel, log: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') } };
}

function reconcilerPorts(
  context: vscode.ExtensionContext,
  { isEnabled, setEnabled, consents, setConsents }: OptInMemory,
  log: Log,
): ConstructorParameters<typeof ReconcilerSession<ReconcilerState>>[0] {
  return {
    isTrusted: () => vscode.workspace.isTrusted,
    isEnabled,
    setEnabled,
    consents,
    rememberConsent: (consent) => setConsents([...new Set([...consents(), consent])]),
    forgetConsent: (consent) => setConsents(consents().filter((one) => one !== consent)),
    ask: async ({ message, detail, yes }) => (await ask({ message, detail }, yes)) === yes,
    run: async (target) => {
      const { startReconciler } = await import('./parts/threads.ts');
      const identity = `${userInfo().username}@${hostname()}-${process.pid}-${vscode.env.sessionId.slice(0, 8)}`;
      const { clusterIds = {} } = target;
      const threadTarget = { ...target, clusterIds, homeDir: homedir(), identity };
      const deps = { clock: systemClock, log, onLoginMessage };
      return await startReconciler(threadTarget, bundle(context, 'reconciler.cjs'), deps);
    },
  };
}

function bundle(context: vscode.ExtensionContext, file: string): string {
  return vscode.Uri.joinPath(context.extensionUri, 'dist', file).fsPath;
}

function setContext(key: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', key, value);
}

/** Tells the menus whether the editor in front holds a Job, and whether a CronJob. */
function markJobInEditor(documents: ManifestDocuments): vscode.Disposable {
  const update = (): void => {
    const uri = vscode.window.activeTextEditor?.document.uri;
    const check = uri && documents.lastCheck(uri)?.check;
    const objects = check?.documents.flatMap((document) => document.objects) ?? [];
    setContext(
      contextKeys.jobInEditor,
      objects.some(({ kind }) => kind === 'Job'),
    );
    setContext(
      contextKeys.cronJobInEditor,
      objects.some(({ kind }) => kind === 'CronJob'),
    );
  };
  const owned = new DisposableStore();
  owned.add(vscode.window.onDidChangeActiveTextEditor(update));
  owned.add(documents.onDidCheck(update));
  update();
  return owned;
}

/** A login program's own words: a code that the person types in somewhere, an address. Shown, never kept. */
async function onLoginMessage(command: string, text: string): Promise<void> {
  const copy = 'Copy';
  const answer = await showInformation(`${command}: ${text}`, copy);
  if (answer === copy) await vscode.env.clipboard.writeText(text);
}
