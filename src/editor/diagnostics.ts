import * as vscode from 'vscode';
import { type Disposable, DisposableStore, type Event } from '../base/index.ts';
import { diagnosticSource } from '../contributions.ts';
import type { Finding, ForeignProblem, Severity, TextPart, TextRange } from '../manifest/index.ts';
import type { ManifestDocuments } from './manifestDocuments.ts';

/** Findings of open manifests that come from elsewhere than from their text. */
export interface FindingSource {
  findings(uri: vscode.Uri): readonly Finding[];
  readonly onDidChange: Event<vscode.Uri>;
}

/**
 * Publishes what was found in open manifests, save what another extension says of the same place already: its fixes are
 * still offered there. Dispose the result to take all of it back.
 */
export function publishDiagnostics(documents: ManifestDocuments, more: readonly FindingSource[] = []): Disposable {
  const owned = new DisposableStore();
  const collection = owned.add(vscode.languages.createDiagnosticCollection(diagnosticSource));
  /** What is published of each document: to compare by identity, for findings live as long as their text. */
  const published = new Map<string, readonly Finding[]>();
  const publish = (uri: vscode.Uri): void => {
    const key = uri.toString();
    const last = documents.lastCheck(uri);
    if (last === undefined) {
      published.delete(key);
      collection.delete(uri);
      return;
    }
    const found = [
      ...documents.withoutEchoes(last.check.findings, foreignProblems(uri)),
      ...more.flatMap((source) => source.findings(uri)),
    ];
    const before = published.get(key);
    // Our own diagnostics are announced to us as well; without this there would be no end.
    if (before?.length === found.length && before.every((finding, index) => finding === found[index])) return;
    published.set(key, found);
    collection.set(uri, toDiagnostics(found));
  };
  owned.add(documents.onDidCheck(publish));
  // While somebody types, the editor moves what is published along; what was found would be put to where it stood.
  const publishAgain = (uri: vscode.Uri): void => {
    if (published.has(uri.toString()) && documents.isCurrent(uri)) publish(uri);
  };
  for (const source of more) owned.add(source.onDidChange(publishAgain));
  owned.add(
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      for (const uri of uris) publishAgain(uri);
    }),
  );
  return owned;
}

/** What others say of a document. */
function foreignProblems(uri: vscode.Uri): readonly ForeignProblem[] {
  return vscode.languages
    .getDiagnostics(uri)
    .flatMap(({ source, message, range }) =>
      source?.startsWith(diagnosticSource) ? [] : [{ source, message, range: toPart(range) }],
    );
}

const severities: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

export function toDiagnostics(findings: readonly Finding[]): vscode.Diagnostic[] {
  /** Many findings are of few rules, and an address takes longer to read than all else. */
  const pages = new Map<string, vscode.Uri>();
  const pageAt = (url: string): vscode.Uri => {
    const known = pages.get(url) ?? vscode.Uri.parse(url);
    pages.set(url, known);
    return known;
  };
  return findings.map((finding) => {
    const diagnostic = new vscode.Diagnostic(toRange(finding.range), messageOf(finding), severities[finding.severity]);
    diagnostic.source = diagnosticSource;
    diagnostic.code = finding.url === undefined ? finding.code : { value: finding.code, target: pageAt(finding.url) };
    return diagnostic;
  });
}

/** The server's own form: path, then what is wrong. */
function messageOf(finding: Finding): string {
  return finding.field === undefined || finding.field === '' ? finding.message : `${finding.field}: ${finding.message}`;
}

/** The same in our words. */
export function toPart({ start, end }: vscode.Range): TextPart {
  return { start: { line: start.line, column: start.character }, end: { line: end.line, column: end.character } };
}

export function toRange(range: TextRange): vscode.Range {
  return new vscode.Range(range.start.line, range.start.column, range.end.line, range.end.column);
}
