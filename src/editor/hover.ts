import * as vscode from 'vscode';
import type { Disposable } from '../base/index.ts';
import type { HoverField } from '../language/index.ts';
import { toRange } from './diagnostics.ts';
import { type ManifestDocuments, manifestSelector } from './manifestDocuments.ts';

/** What a connected cluster itself says of a field, in plain text; undefined where it says nothing. */
export type DescribeField = (field: HoverField) => Promise<string | undefined>;

/** Says what the field or the name below the mouse does in this manifest. */
export function registerHovers(documents: ManifestDocuments, describeField: DescribeField): Disposable {
  return vscode.languages.registerHoverProvider(manifestSelector, {
    async provideHover(document, position, token) {
      const hover = await documents.hover(document, document.offsetAt(position));
      if (hover === undefined || token.isCancellationRequested) return undefined;
      const parts = [new vscode.MarkdownString(hover.markdown)];
      const more = hover.field === undefined ? undefined : await describeField(hover.field);
      if (more !== undefined) parts.push(new vscode.MarkdownString().appendText(more));
      return token.isCancellationRequested ? undefined : new vscode.Hover(parts, toRange(hover.range));
    },
  });
}
