import * as vscode from 'vscode';
import { type Disposable, DisposableStore, Emitter, type Log } from '../base/index.ts';
import { commands } from '../contributions.ts';
import type { Lens } from '../manifest/index.ts';
import { toRange } from './diagnostics.ts';
import { type ManifestDocuments, manifestSelector } from './manifestDocuments.ts';

/** Says above each workload who will run it, and dispatches a Job from there. */
export function registerCodeLenses(
  documents: ManifestDocuments,
  isShown: (uri: vscode.Uri) => boolean,
  log: Log,
): Disposable {
  const owned = new DisposableStore();
  const changed = owned.add(
    new Emitter<void>((error) => log.error('A listener to lenses failed.', { error: `${error}` })),
  );
  owned.add(documents.onDidCheck(() => changed.fire()));
  owned.add(vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()));
  owned.add(
    vscode.languages.registerCodeLensProvider(manifestSelector, {
      onDidChangeCodeLenses: (listener) => changed.event(listener),
      // Until then the editor keeps those that it has and moves them along: old places would make the lines jump.
      async provideCodeLenses({ uri }) {
        await documents.whenCurrent(uri);
        return isShown(uri) ? documents.lenses(uri).flatMap(toCodeLenses) : [];
      },
    }),
  );
  return owned;
}

function toCodeLenses({ range, title, tooltip, isDispatchable }: Lens): readonly vscode.CodeLens[] {
  const place = toRange(range);
  const dispatch = { command: commands.dispatchJob, title: 'Dispatch…', arguments: [range.start.line] };
  const canDispatch = isDispatchable && vscode.workspace.isTrusted;
  return [
    // Without a command a lens is a text.
    new vscode.CodeLens(place, { command: '', title, tooltip }),
    ...(canDispatch ? [new vscode.CodeLens(place, dispatch)] : []),
  ];
}
