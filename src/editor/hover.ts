import * as vscode from 'vscode';
import type { Disposable } from '../base/index.ts';
import type { HoverField } from '../language/index.ts';
import { toRange } from './diagnostics.ts';
import { type ManifestDocuments, manifestSelector } from './manifestDocuments.ts';
import { plainMarkdown } from './plainMarkdown.ts';

/** What a connected cluster itself says of a field; undefined where it says nothing. */
export type DescribeField = (field: HoverField) => Promise<ClusterWords | undefined>;

export interface ClusterWords {
  /** The cluster's context. */
  readonly cluster: string;
  /** Plain text. */
  readonly text: string;
}

/** Says what the field or the name below the mouse does in this manifest. */
export function registerHovers(documents: ManifestDocuments, describeField: DescribeField): Disposable {
  return vscode.languages.registerHoverProvider(manifestSelector, {
    async provideHover(document, position, token) {
      const hover = await documents.hover(document, document.offsetAt(position), token);
      if (hover === undefined || token.isCancellationRequested) return undefined;
      const parts = [new vscode.MarkdownString(hover.markdown)];
      const more = hover.field === undefined ? undefined : await describeField(hover.field);
      if (more !== undefined) parts.push(wordsOf(more));
      return token.isCancellationRequested ? undefined : new vscode.Hover(parts, toRange(hover.range));
    },
  });
}

/** Apart from ours by a line, since it says much of the same. */
function wordsOf({ cluster, text }: ClusterWords): vscode.MarkdownString {
  return new vscode.MarkdownString(`---\n\n*Cluster ${plainMarkdown(cluster)}:* ${plainMarkdown(text)}`);
}
