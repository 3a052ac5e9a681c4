import * as vscode from 'vscode';
import type { Disposable } from '../base/index.ts';
import type { Completion } from '../language/index.ts';
import { toRange } from './diagnostics.ts';
import { type ManifestDocuments, manifestSelector } from './manifestDocuments.ts';

/** Offers fields, values and whole documents while a manifest is typed. */
export function registerCompletions(documents: ManifestDocuments): Disposable {
  return vscode.languages.registerCompletionItemProvider(
    manifestSelector,
    new ManifestCompletions(documents),
    ' ',
    '"',
    '/',
  );
}

/** Says whose offer it is: the YAML extension may offer a field of the same name. */
const signature = 'Delegated Jobs';

class ManifestCompletions implements vscode.CompletionItemProvider {
  readonly #documents: ManifestDocuments;

  constructor(documents: ManifestDocuments) {
    this.#documents = documents;
  }

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
    context: vscode.CompletionContext,
  ): Promise<vscode.CompletionItem[]> {
    // Blanks indent far more often than they stand in front of a value, where alone they should open the list.
    const lead = document.lineAt(position.line).text.slice(0, position.character);
    if (context.triggerCharacter === ' ' && !/[:-] $/.test(lead)) return [];
    // What stands in an empty text is YAML.
    if (document.languageId !== 'yaml' && document.getText().trim() === '') return [];
    const offers = await this.#documents.complete(document, document.offsetAt(position), token);
    return token.isCancellationRequested ? [] : offers.map(toItem);
  }
}

const kinds: Readonly<Record<Completion['kind'], vscode.CompletionItemKind>> = {
  field: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.EnumMember,
  document: vscode.CompletionItemKind.Snippet,
};

function toItem(offer: Completion): vscode.CompletionItem {
  const label = offer.detail === undefined ? offer.label : { label: offer.label, description: offer.detail };
  const item = new vscode.CompletionItem(label, kinds[offer.kind]);
  item.detail = signature;
  item.insertText = offer.isSnippet ? new vscode.SnippetString(offer.insertText) : offer.insertText;
  item.range = toRange(offer.range);
  item.sortText = offer.sortKey + offer.label;
  item.filterText = offer.filterText ?? offer.label;
  // Its indentation is that of the text already.
  item.keepWhitespace = true;
  if (offer.documentation !== undefined) item.documentation = new vscode.MarkdownString(offer.documentation);
  // Only where there is something to choose: an empty list would say so in a box.
  if (offer.leadsOn) item.command = { title: 'Suggest', command: 'editor.action.triggerSuggest' };
  return item;
}
