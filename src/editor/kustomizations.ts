import * as vscode from 'vscode';
import { type Disposable, DisposableStore, describeError, Emitter, type Event, type Log } from '../base/index.ts';
import type { KustomizedFiles } from '../manifest/index.ts';

/**
 * Which files of the workspace a kustomization lists as patches (they hold pieces of objects, so nothing that is missing
 * in them is a fault) or as resources (it may complete them). Reads the workspace's kustomizations when it is first asked, and again as they change.
 */
export interface KustomizationsDeps {
  /** The names of files in a kustomization's text, relative to it. */
  readonly kustomizedFilesOf: (text: string) => Promise<KustomizedFiles>;
  readonly log: Log;
}

const pattern = '**/{kustomization.yaml,kustomization.yml,Kustomization}';
/** A workspace with more than this is a monorepo, in which the rest is taken for what it looks like. */
const limit = 500;

export class Kustomizations implements Disposable {
  readonly #deps: KustomizationsDeps;
  readonly #owned = new DisposableStore();
  readonly #changed: Emitter<void>;
  /** Files by the kustomization that lists them. */
  readonly #listed = new Map<string, ReadonlyMap<string, keyof KustomizedFiles>>();
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
    return this.#isIn('patches', uri);
  }

  /** False until the kustomizations have been read. */
  isResource(uri: vscode.Uri): boolean {
    return this.#isIn('resources', uri);
  }

  #isIn(list: keyof KustomizedFiles, uri: vscode.Uri): boolean {
    this.#start();
    const file = uri.toString();
    for (const listed of this.#listed.values()) if (listed.get(file) === list) return true;
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
        if (this.#listed.delete(uri.toString())) this.#changed.fire();
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
      const { patches, resources } = await this.#deps.kustomizedFilesOf(text);
      const entry = (list: keyof KustomizedFiles) => (name: string) =>
        [vscode.Uri.joinPath(uri, '..', name).toString(), list] as const;
      this.#listed.set(
        uri.toString(),
        new Map([...resources.map(entry('resources')), ...patches.map(entry('patches'))]),
      );
      this.#changed.fire();
    } catch (error) {
      this.#deps.log.warn('A kustomization could not be read.', { file: uri.path, error: describeError(error) });
    }
  }
}
