import * as vscode from 'vscode';
import {
  type Clock,
  type Disposable,
  DisposableStore,
  describeError,
  Emitter,
  type Event,
  type JsonObject,
  type Log,
  Turns,
} from '../base/index.ts';
import type { ChosenSettings, FindStored, LiveCheck, LiveFinding, ManifestCheck } from '../manifest/index.ts';
import type { ManifestDocuments } from './manifestDocuments.ts';

/** Names an object of the management cluster. */
export interface StoredKey {
  readonly kind: 'Job' | 'CronJob';
  readonly namespace: string;
  readonly name: string;
}

/** What is stored, while the window is connected. Readers are documents, by their URI. */
export interface StoredObjects {
  /** Where an object goes that names no namespace. */
  readonly namespace: string;
  get(key: StoredKey): JsonObject | undefined;
  want(reader: string, keys: readonly StoredKey[]): void;
  refresh(reader: string): void;
  /** Fires with the readers for whom something is another now. */
  readonly onDidChange: Event<ReadonlySet<string>>;
}

/** The part that knows what a change of a stored object meets. */
export interface ComparingEngine {
  createLiveSession(): LiveDocumentSession;
}

/** Compares one text that changes. Never throws. */
export interface LiveDocumentSession {
  check(
    text: string,
    check: ManifestCheck,
    findStored: FindStored,
    settings: ChosenSettings,
    mode: 'apply' | 'replace',
  ): LiveCheck;
}

export interface LiveFindingsDeps {
  readonly documents: ManifestDocuments;
  readonly loadEngine: () => Promise<ComparingEngine>;
  readonly settingsFor: (uri: vscode.Uri) => ChosenSettings;
  readonly modeFor: (uri: vscode.Uri) => 'apply' | 'replace' | 'off';
  readonly clock: Clock;
  readonly log: Log;
}

const nothing: LiveCheck = { findings: [] };

/** What stands in the way of sending the open manifests over what is stored. Empty while the window isn't connected. */
export class LiveFindings implements Disposable {
  readonly #deps: LiveFindingsDeps;
  readonly #owned = new DisposableStore();
  readonly #changed: Emitter<vscode.Uri>;
  readonly #findings = new Map<string, readonly LiveFinding[]>();
  readonly #sessions = new Map<string, LiveDocumentSession>();
  /** Compares texts, by their URI: a stretch of one of them a turn. */
  readonly #turns: Turns;
  #stored: StoredObjects | undefined;
  #listening: Disposable | undefined;
  #engine: ComparingEngine | undefined;

  constructor(deps: LiveFindingsDeps) {
    this.#deps = deps;
    this.#turns = this.#owned.add(new Turns(deps.clock));
    this.#changed = this.#owned.add(
      new Emitter<vscode.Uri>((error) =>
        deps.log.error('A listener to live findings failed.', { error: describeError(error) }),
      ),
    );
    this.#owned.add(deps.documents.onDidCheck((uri) => this.#look(uri)));
    this.#owned.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#sessions.delete(uri.toString());
        this.#turns.delete(uri.toString());
      }),
    );
    this.#owned.add(vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#stored?.refresh(uri.toString())));
  }

  get onDidChange(): Event<vscode.Uri> {
    return this.#changed.event;
  }

  findings(uri: vscode.Uri): readonly LiveFinding[] {
    return this.#findings.get(uri.toString()) ?? [];
  }

  /** The window is connected to other objects now, or to none. They stay the caller's. */
  connect(stored: StoredObjects | undefined): void {
    this.#listening?.dispose();
    this.#stored = stored;
    this.#sessions.clear();
    this.#listening = stored?.onDidChange((readers) => {
      for (const reader of readers) this.#turns.set(reader, () => this.#judge(vscode.Uri.parse(reader)));
    });
    if (stored !== undefined && this.#engine === undefined) {
      this.#deps.loadEngine().then(
        (engine) => {
          this.#engine = engine;
          this.lookAgain();
        },
        (error: unknown) =>
          this.#deps.log.error('The comparing part could not be loaded.', { error: describeError(error) }),
      );
    }
    this.lookAgain();
  }

  /** A setting has changed. */
  lookAgain(): void {
    for (const { uri } of vscode.workspace.textDocuments) this.#turns.set(uri.toString(), () => this.#look(uri));
  }

  dispose(): void {
    this.#listening?.dispose();
    this.#owned.dispose();
  }

  /** Says what the document reads, and judges it by what is known already. */
  #look(uri: vscode.Uri): void {
    const isOff = this.#deps.modeFor(uri) === 'off';
    const check = isOff ? undefined : this.#deps.documents.lastCheck(uri)?.check;
    const objects = check?.documents.flatMap((document) => document.objects) ?? [];
    this.#stored?.want(
      uri.toString(),
      objects.flatMap(({ value }) => this.#keyOf(value) ?? []),
    );
    this.#judge(uri);
  }

  /** What is known at once is told at once, for the places are others now; the rest when all of it is known. */
  #judge(uri: vscode.Uri): void {
    this.#tell(uri, this.#judgeSome(uri).findings);
  }

  /** Judges for a stretch, and what is left after whatever else waits for the event loop. */
  #judgeSome(uri: vscode.Uri): LiveCheck {
    const key = uri.toString();
    this.#turns.delete(key);
    const check = this.#judged(uri);
    if (check.isIncomplete) {
      this.#turns.set(key, () => {
        // Of a text that has changed since, the next check tells.
        if (!this.#deps.documents.isCurrent(uri)) return;
        const { findings, isIncomplete } = this.#judgeSome(uri);
        if (!isIncomplete) this.#tell(uri, findings);
      });
    }
    return check;
  }

  #tell(uri: vscode.Uri, found: readonly LiveFinding[]): void {
    const before = this.findings(uri);
    if (found.length === 0) this.#findings.delete(uri.toString());
    else this.#findings.set(uri.toString(), found);
    if (before.length > 0 || found.length > 0) this.#changed.fire(uri);
  }

  #judged(uri: vscode.Uri): LiveCheck {
    const mode = this.#deps.modeFor(uri);
    const last = this.#deps.documents.lastCheck(uri);
    const document = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
    // What was checked is another text than this for a moment after each keystroke; the next check is under way.
    if (mode === 'off' || this.#stored === undefined || document?.version !== last?.version) return nothing;
    if (last === undefined || document === undefined) return nothing;
    const findStored: FindStored = (value) => {
      const key = this.#keyOf(value);
      return key && this.#stored?.get(key);
    };
    return (
      this.#session(uri)?.check(document.getText(), last.check, findStored, this.#deps.settingsFor(uri), mode) ??
      nothing
    );
  }

  #session(uri: vscode.Uri): LiveDocumentSession | undefined {
    const known = this.#sessions.get(uri.toString());
    if (known !== undefined || this.#engine === undefined) return known;
    const session = this.#engine.createLiveSession();
    this.#sessions.set(uri.toString(), session);
    return session;
  }

  #keyOf({ apiVersion, kind, metadata }: JsonObject): StoredKey | undefined {
    if (this.#stored === undefined || apiVersion !== 'batch/v1' || (kind !== 'Job' && kind !== 'CronJob'))
      return undefined;
    if (typeof metadata !== 'object' || metadata === null || !('name' in metadata)) return undefined;
    const { name, namespace = this.#stored.namespace } = metadata;
    return typeof name === 'string' && typeof namespace === 'string' ? { kind, namespace, name } : undefined;
  }
}
