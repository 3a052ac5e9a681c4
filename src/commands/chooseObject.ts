import * as vscode from 'vscode';
import type { ManifestCheck, ManifestObject } from '../manifest/index.ts';

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
    const unreadable = check.documents.find(({ state }) => state === 'unreadable')?.problem;
    await vscode.window.showWarningMessage(
      unreadable
        ? `This file can't be read: ${unreadable.message}`
        : `There is no batch/v1 ${kinds.join(' or ')} in this file to ${purpose}.`,
    );
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
