import * as vscode from 'vscode';
import { type Disposable, DisposableStore, Emitter, type Event, type Log } from '../base/index.ts';
import { commands, focusJobs } from '../contributions.ts';
import { toRange } from './diagnostics.ts';
import { type ManifestDocuments, manifestSelector } from './manifestDocuments.ts';

/** How a Job that is tracked stands, in a line. */
export interface LiveState {
  /** Name of a codicon. */
  readonly icon: string;
  /** Phase, worker, progress. */
  readonly text: string;
  readonly tooltip: string;
}

export interface LiveLensDeps {
  readonly documents: ManifestDocuments;
  readonly isShown: (uri: vscode.Uri) => boolean;
  /** Undefined while the window isn't connected. */
  readonly connection: () => LiveConnection | undefined;
  /** Fires when the connection or what it says of a Job may be another. */
  readonly onDidChange: Event<void>;
  readonly log: Log;
}

export interface LiveConnection {
  /** How the Job of that name stands; without a namespace, the one where such a Job would go. */
  stateOf(namespace: string | undefined, name: string): LiveState | undefined;
}

/** What stands further right than this is cut off by many a window's edge; the tooltip has all of it. */
const longestText = 64;

function shorten(text: string): string {
  if (text.length <= longestText) return text;
  return `${text.slice(0, longestText).replace(/[\s·,;:]+\S*$/, '')}…`;
}

/** Beyond these a file is a machine's, and its lines are too many to keep current. */
const mostObjects = 200;

/** Above each Job, while the window is connected: where it stands, and what can be asked of the cluster. */
export function registerLiveLenses(deps: LiveLensDeps): Disposable {
  const owned = new DisposableStore();
  const changed = owned.add(
    new Emitter<void>((error) => deps.log.error('A listener to live lenses failed.', { error: `${error}` })),
  );
  /** What was last shown of each document: lenses that come and go make the text jump. */
  const shown = new Map<string, string>();
  const lensesOf = (uri: vscode.Uri): vscode.CodeLens[] => {
    const connection = deps.connection();
    const check = deps.documents.lastCheck(uri)?.check;
    if (connection === undefined || check === undefined || !deps.isShown(uri)) return [];
    return check.documents
      .flatMap(({ objects }) => objects)
      .slice(0, mostObjects)
      .flatMap(({ apiVersion, kind, name, namespace, range }) => {
        if (apiVersion !== 'batch/v1' || (kind !== 'Job' && kind !== 'CronJob')) return [];
        const place = toRange(range);
        const lens = (title: string, command: string, tooltip: string, ...more: unknown[]): vscode.CodeLens =>
          new vscode.CodeLens(place, { title, command, tooltip, arguments: more });
        const state = kind === 'Job' && name !== undefined ? connection.stateOf(namespace, name) : undefined;
        const line = place.start.line;
        const ask = lens(
          'Check with the Cluster',
          commands.checkWithCluster,
          'A dry run: nothing is stored.',
          uri,
          line,
        );
        if (state === undefined) return [ask];
        return [
          lens(`$(${state.icon}) ${shorten(state.text)}`, focusJobs, state.tooltip),
          lens('Compare with Live', commands.compareWithLive, 'The file beside what the cluster has.', uri, line),
          ask,
        ];
      });
  };
  const textOf = (lenses: readonly vscode.CodeLens[]): string =>
    lenses.map(({ range, command }) => `${range.start.line} ${command?.title}`).join('\n');
  owned.add(
    deps.onDidChange(() => {
      const isOther = [...shown].some(([uri, text]) => textOf(lensesOf(vscode.Uri.parse(uri))) !== text);
      if (isOther) changed.fire();
    }),
  );
  owned.add(deps.documents.onDidCheck(() => changed.fire()));
  owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => void shown.delete(uri.toString())));
  owned.add(
    vscode.languages.registerCodeLensProvider(manifestSelector, {
      onDidChangeCodeLenses: (listener) => changed.event(listener),
      async provideCodeLenses({ uri }) {
        await deps.documents.whenCurrent(uri);
        const lenses = lensesOf(uri);
        shown.set(uri.toString(), textOf(lenses));
        return lenses;
      },
    }),
  );
  return owned;
}
