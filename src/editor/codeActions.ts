import * as vscode from 'vscode';
import type { Disposable } from '../base/index.ts';
import { commands, diagnosticSource } from '../contributions.ts';
import type { Finding, Fix, LiveFinding } from '../manifest/index.ts';
import { toRange } from './diagnostics.ts';
import type { LiveFindings } from './liveFindings.ts';
import type { ManifestDocuments } from './manifestDocuments.ts';

const fixAllKind = vscode.CodeActionKind.SourceFixAll.append('delegatedJobs');

/** Offers the fixes of findings, and "fix all" for those that are safe to apply unasked. */
export function registerCodeActions(documents: ManifestDocuments, live: LiveFindings): Disposable {
  const selector: vscode.DocumentSelector = [{ language: 'yaml' }, { language: 'json' }, { language: 'jsonc' }];
  return vscode.languages.registerCodeActionsProvider(selector, new FixProvider(documents, live), {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, fixAllKind],
  });
}

class FixProvider implements vscode.CodeActionProvider {
  readonly #documents: ManifestDocuments;
  readonly #live: LiveFindings;

  constructor(documents: ManifestDocuments, live: LiveFindings) {
    this.#documents = documents;
    this.#live = live;
  }

  async provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    context: vscode.CodeActionContext,
  ): Promise<vscode.CodeAction[]> {
    const last = this.#documents.lastCheck(document.uri);
    if (last === undefined) return [];
    // Offsets hold for the text that was checked alone.
    const check = last.version === document.version ? last.check : await this.#documents.checkNow(document);
    const live = this.#live.findings(document.uri);
    const actions: vscode.CodeAction[] = [];
    for (const finding of [...check.findings, ...live]) {
      const place = toRange(finding.range);
      if (!place.intersection(range)) continue;
      const diagnostic = context.diagnostics.find(
        (one) => one.source === diagnosticSource && one.range.isEqual(place) && codeOf(one) === finding.code,
      );
      const fixes = [...finding.fixes].sort(
        (a, b) => Number(a.isSuppression ?? false) - Number(b.isSuppression ?? false),
      );
      for (const fix of fixes) actions.push(quickFix(document, finding, fix, diagnostic));
    }
    const refused = live.find((finding) => toRange(finding.range).intersection(range));
    if (refused !== undefined) actions.push(recreate(document, refused));
    const safe = check.findings.flatMap(({ fixes }) => fixes.filter((fix) => fix.isPreferred));
    if (safe.length > 0 && (context.only?.contains(fixAllKind) || safe.length > 1))
      actions.push(fixAll(document, safe));
    return actions;
  }
}

function quickFix(
  document: vscode.TextDocument,
  finding: Finding,
  fix: Fix,
  diagnostic: vscode.Diagnostic | undefined,
): vscode.CodeAction {
  const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
  action.edit = editOf(document, [fix]);
  action.isPreferred = fix.isPreferred;
  if (diagnostic !== undefined) action.diagnostics = [diagnostic];
  else action.diagnostics = [new vscode.Diagnostic(toRange(finding.range), finding.message)];
  return action;
}

/** What can't be changed can be deleted and made anew: a question asks before anything happens. */
function recreate(document: vscode.TextDocument, { stored, range }: LiveFinding): vscode.CodeAction {
  const title = `Delete the live ${stored.kind} '${stored.name}' and create it anew…`;
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.command = { command: commands.recreateJob, title, arguments: [document.uri, range.start.line, stored.uid] };
  return action;
}

function fixAll(document: vscode.TextDocument, fixes: readonly Fix[]): vscode.CodeAction {
  const action = new vscode.CodeAction('Fix all that has one safe answer', fixAllKind);
  action.edit = editOf(document, fixes);
  return action;
}

/** Edits of several fixes that touch each other would be refused as a whole: the first of such counts. */
function editOf(document: vscode.TextDocument, fixes: readonly Fix[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  const taken: vscode.Range[] = [];
  for (const fix of fixes) {
    const ranges = fix.edits.map(
      ({ start, end }) => new vscode.Range(document.positionAt(start), document.positionAt(end)),
    );
    if (ranges.some((range) => taken.some((other) => range.intersection(other)))) continue;
    taken.push(...ranges);
    for (const [index, range] of ranges.entries()) edit.replace(document.uri, range, fix.edits[index]?.newText ?? '');
  }
  return edit;
}

function codeOf(diagnostic: vscode.Diagnostic): unknown {
  return typeof diagnostic.code === 'object' ? diagnostic.code.value : diagnostic.code;
}
