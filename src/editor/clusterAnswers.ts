import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/index.ts';
import { diagnosticSource } from '../contributions.ts';
import type { AnswerLine } from '../manifest/index.ts';
import { toRange } from './diagnostics.ts';

/** Shows what a cluster said of a document, beside our own findings, until the text changes. */
export class ClusterAnswers implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #collection = this.#owned.add(vscode.languages.createDiagnosticCollection(`${diagnosticSource}-cluster`));

  constructor() {
    this.#owned.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#collection.delete(document.uri)));
    this.#owned.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#collection.delete(uri)));
  }

  show(uri: vscode.Uri, clusterName: string, lines: readonly AnswerLine[]): void {
    const { Error: error, Warning: warning } = vscode.DiagnosticSeverity;
    this.#collection.set(
      uri,
      lines.map(({ range, severity, field, message }) => {
        const text = field === undefined ? message : `${field}: ${message}`;
        const diagnostic = new vscode.Diagnostic(toRange(range), text, severity === 'error' ? error : warning);
        diagnostic.source = `${diagnosticSource}: cluster ${clusterName}`;
        return diagnostic;
      }),
    );
  }

  /** The clusters are others now. */
  clear(): void {
    this.#collection.clear();
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
