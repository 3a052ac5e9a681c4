import * as vscode from 'vscode';
import type { Disposable } from './base/index.ts';
import { tasks } from './contributions.ts';
import { textsOf } from './session/index.ts';

/**
 * The task "lint": the bundled command line over a folder of the workspace, as a CI would run it. Its output is read by
 * the problem matcher of the same name.
 */
export function registerLintTask(commandLine: string): Disposable {
  return vscode.tasks.registerTaskProvider(tasks.type, {
    provideTasks: () => (vscode.workspace.workspaceFolders ?? []).map((folder) => lintTask(folder, {}, commandLine)),
    resolveTask: ({ definition, scope }) => {
      const folder = typeof scope === 'object' ? scope : vscode.workspace.workspaceFolders?.[0];
      return folder && lintTask(folder, definition, commandLine);
    },
  });
}

function lintTask(
  folder: vscode.WorkspaceFolder,
  definition: Readonly<Record<string, unknown>>,
  commandLine: string,
): vscode.Task {
  const paths = textsOf(definition['paths']);
  const execution = new vscode.ProcessExecution(
    process.execPath,
    [commandLine, 'lint', ...textsOf(definition['args']), ...(paths.length > 0 ? paths : ['.'])],
    // In a desktop VS Code that program is Electron, which with this becomes the Node that it contains.
    { cwd: folder.uri.fsPath, env: { ELECTRON_RUN_AS_NODE: '1' } },
  );
  const task = new vscode.Task(
    { ...definition, type: tasks.type },
    folder,
    'lint',
    'delegated-jobs',
    execution,
    tasks.problemMatcher,
  );
  task.group = vscode.TaskGroup.Test;
  task.detail = 'Checks the Jobs of the folder as the API server would.';
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Silent, clear: true };
  return task;
}
