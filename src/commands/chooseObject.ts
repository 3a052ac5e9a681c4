import * as vscode from 'vscode';
import type { ManifestCheck, ManifestObject } from '../manifest/index.ts';
import { showWarning } from './notifications.ts';

/**
 * The object of the given kinds at a line (that counts from 0), the only one, or the one that a person picks. Says why
 * there is none.
 */
export async function chooseObject(
  check: ManifestCheck,
  line: number,
  kinds: readonly ('Job' | 'CronJob')[],
  purpose: string,
): Promise<ManifestObject | undefined> {
  const found = check.documents
    .flatMap(({ objects }) => objects)
    .filter(({ kind, apiVersion }) => apiVersion === 'batch/v1' && kinds.some((one) => one === kind));
  const here = found.find(({ range }) => range.start.line <= line && line <= range.end.line);
  if (found.length === 0) {
    await tellNoObject(check, kinds, purpose);
    return undefined;
  }
  if (here !== undefined || found.length === 1) return here ?? found[0];
  const picked = await vscode.window.showQuickPick(
    found.map((object) => ({
      label: object.name ?? '(generated name)',
      description: [object.kind, object.namespace ?? ''].join(' '),
      object,
    })),
    { title: `${purpose.charAt(0).toUpperCase()}${purpose.slice(1)} Which Object?` },
  );
  return picked?.object;
}

async function tellNoObject(check: ManifestCheck, kinds: readonly string[], purpose: string): Promise<void> {
  const unreadable = check.documents.find(({ state }) => state === 'unreadable');
  if (unreadable !== undefined) {
    const { problem, range } = unreadable;
    const show = 'Show Problems';
    const line = (problem?.range ?? range).start.line + 1;
    const text = `This file can't be read as a manifest. Line ${line}: ${problem?.message ?? 'it is no YAML.'}`;
    if ((await showWarning(text, show)) === show)
      await vscode.commands.executeCommand('workbench.actions.view.problems');
    return;
  }
  const others = [...new Set(check.documents.flatMap(({ objects }) => objects.flatMap(({ kind }) => kind ?? [])))];
  const instead = others.length === 0 ? '' : ` It holds: ${others.join(', ')}.`;
  await showWarning(`There is no batch/v1 ${kinds.join(' or ')} in this file to ${purpose}.${instead}`);
}
