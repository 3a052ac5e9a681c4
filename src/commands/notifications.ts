import * as vscode from 'vscode';
import { withoutLinks } from './withoutLinks.ts';

/**
 * The one way to tell a person something or to ask: each resolves with the button that was chosen, undefined for none.
 * Text from elsewhere may stand in all of it.
 */

interface Asked {
  readonly message: string;
  readonly detail: string;
  /** Something will be lost. */
  readonly isWarning?: boolean;
}

export async function showInformation(text: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return await vscode.window.showInformationMessage(withoutLinks(text), ...buttons);
}

export async function showWarning(text: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return await vscode.window.showWarningMessage(withoutLinks(text), ...buttons);
}

export async function showError(text: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return await vscode.window.showErrorMessage(withoutLinks(text), ...buttons);
}

/** A dialog that must be answered; VS Code adds the button that cancels. */
export async function ask(
  { message, detail, isWarning = false }: Asked,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const show = isWarning ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  return await show(withoutLinks(message), { modal: true, detail }, ...buttons);
}
