import * as vscode from 'vscode';
import { type Clock, type Disposable, DisposableStore, describeError, type Log, nextTurn } from '../base/index.ts';
import { diagnosticSource } from '../contributions.ts';
import type { Finding } from '../manifest/index.ts';
import { toDiagnostics } from './diagnostics.ts';
import type { ManifestDocuments } from './manifestDocuments.ts';

export interface WorkspaceChecksDeps {
  readonly documents: ManifestDocuments;
  readonly clock: Clock;
  readonly log: Log;
}

/** What came of a pass over the workspace. */
export interface WorkspacePass {
  readonly files: number;
  readonly manifests: number;
  readonly findings: number;
  readonly tooLarge: number;
  readonly isCancelled: boolean;
}

const pattern = '**/*.{yaml,yml,json}';
/** kube-apiserver reads no larger request. */
const maxBytes = 3 * 1024 * 1024;

/**
 * Findings in files that are not open. A pass reads all manifests of the workspace; from then on they follow the files
 * on the disk. What is open is left to `ManifestDocuments`.
 */
export class WorkspaceChecks implements Disposable {
  readonly #deps: WorkspaceChecksDeps;
  readonly #owned = new DisposableStore();
  readonly #collection = this.#owned.add(vscode.languages.createDiagnosticCollection(`${diagnosticSource}-workspace`));
  /** Files of the last pass, by URI: whether something is shown of them here. */
  readonly #passed = new Map<string, boolean>();
  #isFollowing = false;

  constructor(deps: WorkspaceChecksDeps) {
    this.#deps = deps;
  }

  /** Checks all files that the workspace shows. Cancelled, it leaves what it found so far. */
  async checkAll(
    progress: (done: number, all: number, file: vscode.Uri) => void,
    token: vscode.CancellationToken,
  ): Promise<WorkspacePass> {
    // Without an exclusion of our own, those of files.exclude hold.
    const found = await vscode.workspace.findFiles(pattern, undefined, undefined, token);
    const files = found.filter(({ path }) => !path.includes('/node_modules/'));
    this.#collection.clear();
    this.#passed.clear();
    this.#follow();
    let manifests = 0;
    let findings = 0;
    let tooLarge = 0;
    for (const [index, uri] of files.entries()) {
      if (token.isCancellationRequested) break;
      progress(index, files.length, uri);
      const outcome = await this.#check(uri);
      if (outcome === 'too-large') tooLarge++;
      else if (outcome !== undefined) {
        manifests++;
        findings += outcome;
      }
      // Whatever else waits goes first: a pass has time.
      await nextTurn(this.#deps.clock);
    }
    const isCancelled = token.isCancellationRequested;
    return { files: files.length, manifests, findings, tooLarge, isCancelled };
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** The number of findings; undefined for what is no manifest. */
  async #check(uri: vscode.Uri): Promise<number | 'too-large' | undefined> {
    const open = this.#deps.documents.lastCheck(uri);
    if (open !== undefined) {
      this.#show(uri, []);
      return open.check.findings.length;
    }
    try {
      const { size } = await vscode.workspace.fs.stat(uri);
      if (size > maxBytes) return 'too-large';
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
      const check = await this.#deps.documents.checkClosed(uri, text);
      // It may have been opened in the meantime, and then is no longer ours to show.
      const isOpen = this.#deps.documents.lastCheck(uri) !== undefined;
      this.#show(uri, isOpen ? [] : (check?.findings ?? []));
      const isManifest = check?.documents.some(({ objects, state }) => objects.length > 0 || state === 'unreadable');
      return isManifest ? check?.findings.length : undefined;
    } catch (error) {
      this.#show(uri, []);
      this.#deps.log.debug('A file could not be checked.', { file: uri.path, error: describeError(error) });
      return undefined;
    }
  }

  #show(uri: vscode.Uri, findings: readonly Finding[]): void {
    const key = uri.toString();
    const isShown = this.#passed.get(key) === true;
    this.#passed.set(key, findings.length > 0);
    if (findings.length > 0) this.#collection.set(uri, toDiagnostics(findings));
    else if (isShown) this.#collection.delete(uri);
  }

  /** Keeps what is shown of closed files true. */
  #follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    const lookAgain = (uri: vscode.Uri): void => {
      if (this.#passed.has(uri.toString())) void this.#check(uri);
    };
    const watcher = this.#owned.add(vscode.workspace.createFileSystemWatcher(pattern));
    this.#owned.add(watcher.onDidChange(lookAgain));
    this.#owned.add(watcher.onDidDelete(lookAgain));
    // Opened, a file shows its own findings; closed, those that it has on the disk come back.
    this.#owned.add(this.#deps.documents.onDidCheck(lookAgain));
  }
}
