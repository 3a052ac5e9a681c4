import * as vscode from 'vscode';
import { type Disposable, DisposableStore, type Event } from '../base/index.ts';
import { commands } from '../contributions.ts';
import type { ReconcilerLine } from '../session/index.ts';

/** Shows who reconciles, while there is anything to say. Dispose the result to take it away. */
export function showStatusBar(read: () => ReconcilerLine | undefined, changes: readonly Event<void>[]): Disposable {
  const owned = new DisposableStore();
  const item = owned.add(
    vscode.window.createStatusBarItem('delegatedJobs.reconciler', vscode.StatusBarAlignment.Left, 10),
  );
  item.name = 'Delegated Jobs: Reconciler';
  item.command = commands.showReconciler;
  const update = (): void => {
    const line = read();
    if (line === undefined) {
      item.hide();
      return;
    }
    item.text = line.text;
    item.tooltip = line.tooltip;
    item.accessibilityInformation = {
      label: `${line.text.replace(/\$\([^)]*\)\s*/g, '')}. ${line.tooltip}`,
      role: 'button',
    };
    item.backgroundColor = line.isWarning ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.show();
  };
  for (const change of changes) owned.add(change(update));
  update();
  return owned;
}
