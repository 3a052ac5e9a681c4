import * as vscode from 'vscode';
import { withoutLinks } from './withoutLinks.ts';

/**
 * The one way to tell a person something or to ask: each resolves with the button that was chosen, undefined for none.
 * Text from elsewhere may stand in all of it.
 */

interface Asked {
  readonly message: string;
  readonly detail: string;
  /** Something will be lost, or won't work as it is. */
  readonly isWarning?: boolean;
}

export async function showInformation(text: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return await tell(vscode.window.showInformationMessage, text, buttons);
}

export async function showWarning(text: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return await tell(vscode.window.showWarningMessage, text, buttons);
}

export async function showError(text: string, ...buttons: readonly string[]): Promise<string | undefined> {
  return await tell(vscode.window.showErrorMessage, text, buttons);
}

/** VS Code cuts a message after its first line unless there is a button. What is that long is worth a copy. */
async function tell(
  by: (message: string, ...buttons: string[]) => Thenable<string | undefined>,
  text: string,
  buttons: readonly string[],
): Promise<string | undefined> {
  const plain = withoutLinks(text);
  if (buttons.length > 0 || text.length <= firstLine) return await by(plain, ...buttons);
  if ((await by(plain, copy)) === copy) await vscode.env.clipboard.writeText(text);
  return undefined;
}

/** Characters that fit into the first line, as a rule. */
const firstLine = 50;
const copy = 'Copy';

/** A dialog that must be answered; VS Code adds the button that cancels. */
export async function ask(
  { message, detail, isWarning = false }: Asked,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const show = isWarning ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  return await show(withoutLinks(message), { modal: true, detail }, ...buttons);
}
