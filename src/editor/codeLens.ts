import * as vscode from 'vscode';
import { type Disposable, DisposableStore, describeError, Emitter, type Event, type Log } from '../base/index.ts';
import { commands, focusJobs } from '../contributions.ts';
import type { Lens } from '../manifest/index.ts';
import { toRange } from './diagnostics.ts';
import { type ManifestDocuments, manifestSelector } from './manifestDocuments.ts';

/** How a Job that is tracked stands, in a line. */
interface LiveState {
  /** Name of a codicon. */
  readonly icon: string;
  /** Phase, worker, progress. */
  readonly text: string;
  readonly tooltip: string;
}

interface LiveConnection {
  /** How the Job of that name stands; without a namespace, the one where such a Job would go. */
  stateOf(namespace: string | undefined, name: string): LiveState | undefined;
}

interface CodeLensDeps {
  readonly documents: ManifestDocuments;
  readonly isShown: (uri: vscode.Uri) => boolean;
  /** Undefined while the window isn't connected. */
  readonly connection: () => LiveConnection | undefined;
  /** Fires when the connection or what it says of a Job may be another. */
  readonly onDidChange: Event<void>;
  readonly log: Log;
}

/** Beyond these a file is a machine's, and its lines are too many to keep current. */
const mostLiveObjects = 200;

/**
 * Above each workload: who will run it; of a Job, how it stands in the cluster that the window is connected to, and what
 * can be asked there, or that it can be dispatched from here.
 */
export function registerCodeLenses({ documents, isShown, connection, onDidChange, log }: CodeLensDeps): Disposable {
  const owned = new DisposableStore();
  const changed = owned.add(
    new Emitter<void>((error) => log.error('A listener to lenses failed.', { error: describeError(error) })),
  );
  /** What was last shown of each document: lenses that come and go make the text jump. */
  const shown = new Map<string, string>();
  const lensesOf = (uri: vscode.Uri): vscode.CodeLens[] => {
    if (!isShown(uri)) return [];
    const live = connection();
    return documents
      .lenses(uri)
      .flatMap((lens, index) => toCodeLenses(lens, uri, index < mostLiveObjects ? live : undefined));
  };
  owned.add(
    onDidChange(() => {
      const isOther = [...shown].some(([uri, text]) => textOf(lensesOf(vscode.Uri.parse(uri))) !== text);
      if (isOther) changed.fire();
    }),
  );
  owned.add(documents.onDidCheck(() => changed.fire()));
  owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()));
  owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => void shown.delete(uri.toString())));
  owned.add(
    vscode.languages.registerCodeLensProvider(manifestSelector, {
      onDidChangeCodeLenses: (listener) => changed.event(listener),
      // Until then the editor keeps those that it has and moves them along: old places would make the lines jump.
      async provideCodeLenses({ uri }) {
        await documents.whenCurrent(uri);
        const lenses = lensesOf(uri);
        shown.set(uri.toString(), textOf(lenses));
        return lenses;
      },
    }),
  );
  return owned;
}

function textOf(lenses: readonly vscode.CodeLens[]): string {
  return lenses.map(({ range, command }) => `${range.start.line} ${command?.title}`).join('\n');
}

function toCodeLenses(
  { object, title, tooltip, isDispatchable }: Lens,
  uri: vscode.Uri,
  connection: LiveConnection | undefined,
): readonly vscode.CodeLens[] {
  const { apiVersion, kind, name, namespace, range } = object;
  const place = toRange(range);
  const { line } = place.start;
  const lens = (text: string, command: string, explanation: string, ...more: unknown[]): vscode.CodeLens =>
    new vscode.CodeLens(place, { title: text, command, tooltip: explanation, arguments: more });
  // Without a command a lens is a text.
  const who = lens(title, '', tooltip);
  const isStorable = apiVersion === 'batch/v1' && (kind === 'Job' || kind === 'CronJob');
  const state = kind === 'Job' && isStorable && name !== undefined ? connection?.stateOf(namespace, name) : undefined;
  const canDispatch = isDispatchable && state === undefined && vscode.workspace.isTrusted;
  return [
    who,
    ...(canDispatch
      ? [lens('Dispatch…', commands.dispatchJob, 'To the management cluster, after a question.', line)]
      : []),
    ...(state === undefined
      ? []
      : [
          // A plain space behind an icon isn't drawn.
          lens(`$(${state.icon})\u00a0${shorten(state.text)}`, focusJobs, state.tooltip),
          lens('Compare with Live', commands.compareWithLive, 'The file beside what the cluster has.', uri, line),
        ]),
    ...(connection !== undefined && isStorable
      ? [lens('Check with the Cluster', commands.checkWithCluster, 'A dry run: nothing is stored.', uri, line)]
      : []),
  ];
}

/** What stands further right than this is cut off by many a window's edge; the tooltip has all of it. */
const longestText = 64;

function shorten(text: string): string {
  if (text.length <= longestText) return text;
  return `${text.slice(0, longestText).replace(/[\s·,;:]+\S*$/, '')}…`;
}
