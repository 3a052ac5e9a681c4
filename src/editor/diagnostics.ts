import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../base/index.ts';
import { diagnosticSource } from '../contributions.ts';
import type { Finding, Severity, TextRange } from '../manifest/index.ts';
import type { ManifestDocuments } from './manifestDocuments.ts';

/** Publishes what was found in open manifests. Dispose the result to take all of it back. */
export function publishDiagnostics(documents: ManifestDocuments): Disposable {
  const owned = new DisposableStore();
  const collection = owned.add(vscode.languages.createDiagnosticCollection(diagnosticSource));
  owned.add(
    documents.onDidCheck((uri) => {
      const last = documents.lastCheck(uri);
      if (last === undefined) collection.delete(uri);
      else collection.set(uri, last.check.findings.map(toDiagnostic));
    }),
  );
  return owned;
}

const severities: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

function toDiagnostic(finding: Finding): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(toRange(finding.range), messageOf(finding), severities[finding.severity]);
  diagnostic.source = diagnosticSource;
  diagnostic.code =
    finding.url === undefined ? finding.code : { value: finding.code, target: vscode.Uri.parse(finding.url) };
  return diagnostic;
}

/** The server's own form: path, then what is wrong. */
function messageOf(finding: Finding): string {
  return finding.field === undefined || finding.field === '' ? finding.message : `${finding.field}: ${finding.message}`;
}

export function toRange(range: TextRange): vscode.Range {
  return new vscode.Range(range.start.line, range.start.column, range.end.line, range.end.column);
}
