import * as vscode from 'vscode';
import { type Disposable, DisposableStore, describeError, Emitter, type Event, type Log } from '../base/index.ts';

/**
 * Which files of the workspace a kustomization lists as patches: they hold pieces of objects, so nothing that is missing
 * in them is a fault. Reads the workspace's kustomizations when it is first asked, and again as they change.
 */
export interface KustomizationsDeps {
  /** The names of patch files in a kustomization's text, relative to it. */
  readonly patchFilesOf: (text: string) => Promise<readonly string[]>;
  readonly log: Log;
}

const pattern = '**/{kustomization.yaml,kustomization.yml,Kustomization}';
/** A workspace with more than this is a monorepo, in which the rest is taken for what it looks like. */
const limit = 500;

export class Kustomizations implements Disposable {
  readonly #deps: KustomizationsDeps;
  readonly #owned = new DisposableStore();
  readonly #changed: Emitter<void>;
  /** Patch files by the kustomization that lists them. */
  readonly #patches = new Map<string, ReadonlySet<string>>();
  #isStarted = false;

  constructor(deps: KustomizationsDeps) {
    this.#deps = deps;
    this.#changed = this.#owned.add(
      new Emitter<void>((error) =>
        deps.log.error('A listener to kustomizations failed.', { error: describeError(error) }),
      ),
    );
  }

  /** What was said of a file may have changed. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** False until the kustomizations have been read. */
  isPatch(uri: vscode.Uri): boolean {
    this.#start();
    const file = uri.toString();
    for (const patches of this.#patches.values()) if (patches.has(file)) return true;
    return false;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #start(): void {
    if (this.#isStarted || vscode.workspace.workspaceFolders === undefined) return;
    this.#isStarted = true;
    const watcher = this.#owned.add(vscode.workspace.createFileSystemWatcher(pattern));
    this.#owned.add(watcher.onDidChange((uri) => void this.#read(uri)));
    this.#owned.add(watcher.onDidCreate((uri) => void this.#read(uri)));
    this.#owned.add(
      watcher.onDidDelete((uri) => {
        if (this.#patches.delete(uri.toString())) this.#changed.fire();
      }),
    );
    vscode.workspace.findFiles(pattern, undefined, limit).then(
      (files) => {
        for (const uri of files) void this.#read(uri);
      },
      (error: unknown) =>
        this.#deps.log.warn('The kustomizations could not be listed.', { error: describeError(error) }),
    );
  }

  async #read(uri: vscode.Uri): Promise<void> {
    try {
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      const names = await this.#deps.patchFilesOf(text);
      this.#patches.set(uri.toString(), new Set(names.map((name) => vscode.Uri.joinPath(uri, '..', name).toString())));
      this.#changed.fire();
    } catch (error) {
      this.#deps.log.warn('A kustomization could not be read.', { file: uri.path, error: describeError(error) });
    }
  }
}
