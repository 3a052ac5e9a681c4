import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from './base/index.ts';

/** Texts that belong to no file (a Job as YAML, a log, the live side of a comparison), as read-only documents. */
export interface KeptTexts extends Disposable {
  /** Kept as long as an editor shows it. `title` is what its tab says. */
  keep(title: string, language: string, text: string): Promise<vscode.Uri>;
  /** Opens it in an editor; an object is shown as YAML. */
  show(title: string, language: 'yaml' | 'log', content: string | object): Promise<void>;
}

const scheme = 'delegated-jobs';

export function keepTexts(toYaml: (object: object) => Promise<string>): KeptTexts {
  const owned = new DisposableStore();
  const texts = new Map<string, string>();
  owned.add(
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? '',
    }),
  );
  owned.add(
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      texts.delete(uri.toString());
    }),
  );
  let count = 0;
  const open = async (title: string, language: string, text: string): Promise<vscode.TextDocument> => {
    count++;
    // Names of contexts may hold slashes, and a tab shows what stands behind the last one.
    const uri = vscode.Uri.from({ scheme, path: `/${count}/${title.replaceAll('/', '∕')}` });
    texts.set(uri.toString(), text);
    const document = await vscode.workspace.openTextDocument(uri);
    return await vscode.languages.setTextDocumentLanguage(document, language);
  };
  return {
    keep: async (title, language, text) => (await open(title, language, text)).uri,
    show: async (title, language, content) => {
      const text = typeof content === 'string' ? content : await toYaml(content);
      await vscode.window.showTextDocument(await open(title, language, text), { preview: true });
    },
    dispose: () => owned.dispose(),
  };
}
