import * as vscode from 'vscode';
import type { Disposable } from '../base/index.ts';
import { toRange } from './diagnostics.ts';
import { type ManifestDocuments, manifestSelector } from './manifestDocuments.ts';

/** Says what the field or the name below the mouse does in this manifest. */
export function registerHovers(documents: ManifestDocuments): Disposable {
  return vscode.languages.registerHoverProvider(manifestSelector, {
    async provideHover(document, position, token) {
      const hover = await documents.hover(document, document.offsetAt(position));
      if (hover === undefined || token.isCancellationRequested) return undefined;
      return new vscode.Hover(new vscode.MarkdownString(hover.markdown), toRange(hover.range));
    },
  });
}
