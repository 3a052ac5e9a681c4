import * as vscode from 'vscode';
import type { Disposable } from '../base/index.ts';
import { commands, diagnosticSource } from '../contributions.ts';
import type { Finding, Fix, LiveFinding, ManifestCheck } from '../manifest/index.ts';
import { toPart, toRange } from './diagnostics.ts';
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
    const { only } = context;
    const actions =
      only === undefined || only.intersects(vscode.CodeActionKind.QuickFix)
        ? this.#quickFixes(document, range, context.diagnostics, check)
        : [];
    // Nothing shows it save where it is asked for.
    const all = only?.contains(fixAllKind) ? this.#documents.fixesForAll(check.findings) : [];
    return all.length === 0 ? actions : [...actions, fixAll(document, all)];
  }

  #quickFixes(
    document: vscode.TextDocument,
    range: vscode.Range,
    diagnostics: readonly vscode.Diagnostic[],
    check: ManifestCheck,
  ): vscode.CodeAction[] {
    const live = this.#live.findings(document.uri);
    const offers = this.#documents.fixesAt([...check.findings, ...live], toPart(range));
    const actions = offers.map(({ finding, fix }) => {
      const place = toRange(finding.range);
      const diagnostic = diagnostics.find(
        (one) => one.source === diagnosticSource && one.range.isEqual(place) && codeOf(one) === finding.code,
      );
      return quickFix(document, finding, fix, diagnostic);
    });
    const refused = live.find((finding) => toRange(finding.range).intersection(range));
    return refused === undefined ? actions : [...actions, recreate(document, refused)];
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

function editOf(document: vscode.TextDocument, fixes: readonly Fix[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  for (const { start, end, newText } of fixes.flatMap(({ edits }) => edits)) {
    edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), newText);
  }
  return edit;
}

function codeOf(diagnostic: vscode.Diagnostic): unknown {
  return typeof diagnostic.code === 'object' ? diagnostic.code.value : diagnostic.code;
}
