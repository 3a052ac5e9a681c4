import * as vscode from 'vscode';
import {
  type Clock,
  type Disposable,
  DisposableStore,
  describeError,
  Emitter,
  type Event,
  inStretches,
  type Log,
  nextTurn,
  type Pieces,
  Turns,
} from '../base/index.ts';
import type { Completion, Hover } from '../language/index.ts';
import type {
  ChosenSettings,
  Finding,
  Fix,
  ForeignProblem,
  Lens,
  ManifestCheck,
  OfferedFix,
  TextPart,
} from '../manifest/index.ts';

/**
 * The manifests that are open, each with what was last found in it. Diagnostics, fixes and the dispatch command read
 * from here, so that they can't disagree. The engine is loaded when the first text that may be a manifest is seen.
 */
export interface ManifestDocumentsDeps {
  /** Loads the engine; called once, when it is first needed. */
  readonly loadEngine: () => Promise<AuthoringEngine>;
  /** Loads what helps to write; asked each time, so it should remember. */
  readonly loadLanguage: () => Promise<LanguageEngine>;
  readonly settingsFor: (uri: vscode.Uri) => ChosenSettings;
  readonly clock: Clock;
  readonly log: Log;
}

/** The heavy half of authoring: what the bundle of that name exports. */
export interface AuthoringEngine {
  createSession(onRuleFailure: (code: string, error: unknown) => void): DocumentSession;
  /** Those of our findings that nobody else shows. */
  withoutEchoes(ours: readonly Finding[], others: readonly ForeignProblem[]): readonly Finding[];
  /** What can be done about the findings at a part of a text. */
  fixesAt(findings: readonly Finding[], part: TextPart): readonly OfferedFix[];
  /** All that may be applied unasked, and together. */
  fixesForAll(findings: readonly Finding[]): readonly Fix[];
  /** What stands above the workloads of a text. */
  lenses(check: ManifestCheck, settings: ChosenSettings): readonly Lens[];
}

/** What helps while a manifest is written: what the bundle of that name exports. */
export interface LanguageEngine {
  /** What may be typed at an offset; names that the other open manifests use are offered too. Never throws. */
  complete(
    text: string,
    offset: number,
    settings: ChosenSettings,
    others: readonly ManifestCheck[],
  ): Pieces<readonly Completion[]>;
  /** What is to be said about the word at an offset. Never throws. */
  hover(text: string, offset: number, settings: ChosenSettings): Pieces<Hover | undefined>;
}

/** Checks one text that changes. */
export interface DocumentSession {
  check(text: string, settings: ChosenSettings): ManifestCheck;
}

/** Long enough to spare the engine each keystroke of a word, short enough to feel immediate. */
const typingPauseMs = 150;
/** For how long somebody's question is worked on in one go, as long as a text is looked at. */
const stretchMs = 6;
/** How often what is known so far of a long text is announced, until all is. */
const betweenHalvesMs = 500;

const languageIds = ['yaml', 'json', 'jsonc'] as const;
const languages: ReadonlySet<string> = new Set(languageIds);

/** Texts that nobody can correct: what a cluster has, the other side of a comparison. */
const readOnlySchemes: ReadonlySet<string> = new Set(['delegated-jobs', 'git']);

/** The documents in which a manifest may stand. */
export const manifestSelector: vscode.DocumentSelector = languageIds.map((language) => ({ language }));

const nothing: ManifestCheck = { documents: [], findings: [] };

interface Entry {
  readonly document: vscode.TextDocument;
  readonly session: DocumentSession;
  checkedVersion: number;
  check: ManifestCheck;
  /** All of a text is known, if only of a former one. */
  isWhole: boolean;
  /** When what was found was announced the last time, on the monotonic clock. */
  toldAtMs: number;
  timer: Disposable | undefined;
}

export class ManifestDocuments implements Disposable {
  readonly #deps: ManifestDocumentsDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #owned = new DisposableStore();
  readonly #changed: Emitter<vscode.Uri>;
  /** Looks at texts, by their URI: a stretch of one of them a turn. */
  readonly #looks: Turns;
  #engine: AuthoringEngine | undefined;
  #loading: Promise<AuthoringEngine> | undefined;
  #isDisposed = false;

  constructor(deps: ManifestDocumentsDeps) {
    this.#deps = deps;
    this.#looks = this.#owned.add(new Turns(deps.clock));
    this.#changed = this.#owned.add(
      new Emitter<vscode.Uri>((error) =>
        deps.log.error('A listener to checked manifests failed.', { error: describeError(error) }),
      ),
    );
    this.#owned.add(vscode.workspace.onDidOpenTextDocument((document) => this.#consider(document, 0)));
    this.#owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#consider(document, typingPauseMs)),
    );
    this.#owned.add(vscode.workspace.onDidCloseTextDocument((document) => this.#forget(document.uri)));
    for (const document of vscode.workspace.textDocuments) this.#consider(document, 0);
  }

  /** Announces the documents whose findings are new, and those that were closed. */
  get onDidCheck(): Event<vscode.Uri> {
    return this.#changed.event;
  }

  /** What was last found in a document; absent where it isn't open or holds no manifest. May be one keystroke old. */
  lastCheck(uri: vscode.Uri): { readonly check: ManifestCheck; readonly version: number } | undefined {
    const entry = this.#entries.get(uri.toString());
    return entry && entry.checkedVersion >= 0 ? { check: entry.check, version: entry.checkedVersion } : undefined;
  }

  /** Whether what was last found is of the text as it stands: else its places are not those of the text. */
  isCurrent(uri: vscode.Uri): boolean {
    const entry = this.#entries.get(uri.toString());
    return entry !== undefined && entry.checkedVersion === entry.document.version;
  }

  /** Resolves when what was last found is of the text as it stands, or nothing is known of it. */
  whenCurrent(uri: vscode.Uri): Promise<void> {
    return this.#until(() => this.#isSettled(uri));
  }

  /** Checks a document as it stands now, whatever it is, and all of it. */
  async checkNow(document: vscode.TextDocument): Promise<ManifestCheck> {
    const engine = await this.#load();
    this.#check(document, engine);
    const isDone = (): boolean => this.lastCheck(document.uri)?.check.isIncomplete !== true;
    await this.#until(() => this.#isSettled(document.uri) && isDone());
    return this.lastCheck(document.uri)?.check ?? nothing;
  }

  /** Checks a text that is not open, a piece at a time. Undefined where it holds no manifest. */
  async checkClosed(uri: vscode.Uri, text: string): Promise<ManifestCheck | undefined> {
    if (!mayBeManifest(text)) return undefined;
    const engine = await this.#load();
    const session = this.#newSession(engine);
    const settings = this.#deps.settingsFor(uri);
    for (;;) {
      const check = session.check(text, settings);
      if (check.isIncomplete !== true || this.#isDisposed) return check;
      await nextTurn(this.#deps.clock);
    }
  }

  /** Those of our findings that no other extension shows. */
  withoutEchoes(ours: readonly Finding[], others: readonly ForeignProblem[]): readonly Finding[] {
    return others.length === 0 ? ours : (this.#engine?.withoutEchoes(ours, others) ?? ours);
  }

  /** What can be done about findings of ours at a part of their text. */
  fixesAt(findings: readonly Finding[], part: TextPart): readonly OfferedFix[] {
    return this.#engine?.fixesAt(findings, part) ?? [];
  }

  /** All that may be applied to a text unasked, and together. */
  fixesForAll(findings: readonly Finding[]): readonly Fix[] {
    return this.#engine?.fixesForAll(findings) ?? [];
  }

  /** What may be typed at an offset of a document, be it a manifest already or not yet. */
  async complete(
    document: vscode.TextDocument,
    offset: number,
    token: vscode.CancellationToken,
  ): Promise<readonly Completion[]> {
    const text = document.getText();
    const language = await this.#deps.loadLanguage();
    const others = [...this.#entries].flatMap(([uri, { check }]) => (uri === document.uri.toString() ? [] : [check]));
    const offers = language.complete(text, offset, this.#deps.settingsFor(document.uri), others);
    return (await this.#inStretches(offers, token)) ?? [];
  }

  /** What is to be said about the word at an offset of a document. */
  async hover(
    document: vscode.TextDocument,
    offset: number,
    token: vscode.CancellationToken,
  ): Promise<Hover | undefined> {
    const text = document.getText();
    if (!mayBeManifest(text)) return undefined;
    const language = await this.#deps.loadLanguage();
    return await this.#inStretches(language.hover(text, offset, this.#deps.settingsFor(document.uri)), token);
  }

  /** What stands above the workloads of a document, as it was last checked. */
  lenses(uri: vscode.Uri): readonly Lens[] {
    const last = this.lastCheck(uri);
    return last === undefined ? [] : (this.#engine?.lenses(last.check, this.#deps.settingsFor(uri)) ?? []);
  }

  /** Looks at all open documents again: a setting or the cluster's version has changed. */
  checkAll(): void {
    for (const document of vscode.workspace.textDocuments) this.#consider(document, 0);
  }

  dispose(): void {
    this.#isDisposed = true;
    for (const entry of this.#entries.values()) entry.timer?.dispose();
    this.#entries.clear();
    this.#owned.dispose();
  }

  #consider(document: vscode.TextDocument, delayMs: number): void {
    if (!languages.has(document.languageId) || readOnlySchemes.has(document.uri.scheme) || this.#isDisposed) return;
    const known = this.#entries.get(document.uri.toString());
    if (known === undefined && !mayBeManifest(document.getText())) return;
    known?.timer?.dispose();
    // Of a text that has changed the rest doesn't matter.
    if (delayMs > 0) this.#looks.delete(document.uri.toString());
    if (this.#engine !== undefined && delayMs === 0) {
      this.#lookSoon(document, this.#engine);
      return;
    }
    const timer = this.#deps.clock.after(delayMs, () => {
      this.#load().then(
        (engine) => this.#lookSoon(document, engine),
        (error: unknown) =>
          this.#deps.log.error('The authoring engine could not be loaded.', { error: describeError(error) }),
      );
    });
    if (known !== undefined) known.timer = timer;
  }

  #lookSoon(document: vscode.TextDocument, engine: AuthoringEngine): void {
    if (document.isClosed || this.#isDisposed) return;
    this.#looks.set(document.uri.toString(), () => this.#check(document, engine));
  }

  #check(document: vscode.TextDocument, engine: AuthoringEngine): void {
    const key = document.uri.toString();
    let entry = this.#entries.get(key);
    if (entry === undefined) {
      const session = this.#newSession(engine);
      entry = {
        document,
        session,
        checkedVersion: -1,
        check: nothing,
        isWhole: false,
        toldAtMs: -Infinity,
        timer: undefined,
      };
      this.#entries.set(key, entry);
    }
    entry.timer?.dispose();
    entry.timer = undefined;
    this.#looks.delete(key);
    const { version } = document;
    const check = entry.session.check(document.getText(), this.#deps.settingsFor(document.uri));
    // The rest of a long text follows after whatever else waits for the event loop.
    if (check.isIncomplete) this.#lookSoon(document, engine);
    // What was found of a text as it was before stays until all is known of the new one: its places move with the
    // typing, and half an answer would make the others flicker. Of a text that is new, half is better than nothing, but
    // each half is told anew from its beginning: told after every stretch, a long text would take for ever.
    const nowMs = this.#deps.clock.monotonicMs();
    if (check.isIncomplete && (entry.isWhole || nowMs - entry.toldAtMs < betweenHalvesMs)) return;
    entry.toldAtMs = nowMs;
    entry.isWhole = check.isIncomplete !== true;
    entry.check = check;
    entry.checkedVersion = version;
    this.#changed.fire(document.uri);
  }

  #inStretches<T>(pieces: Pieces<T>, token: vscode.CancellationToken): Promise<T | undefined> {
    return inStretches(pieces, stretchMs, this.#deps.clock, () => !token.isCancellationRequested);
  }

  #isSettled(uri: vscode.Uri): boolean {
    return !this.#entries.has(uri.toString()) || this.isCurrent(uri);
  }

  /** Resolves as soon as a claim about the checks holds. */
  #until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => {
      const listening = this.#changed.event(() => {
        if (!holds()) return;
        listening.dispose();
        resolve();
      });
    });
  }

  #newSession(engine: AuthoringEngine): DocumentSession {
    return engine.createSession((code, error) =>
      this.#deps.log.error('A rule failed.', { rule: code, error: describeError(error) }),
    );
  }

  #load(): Promise<AuthoringEngine> {
    this.#loading ??= this.#deps.loadEngine().then((engine) => {
      this.#engine = engine;
      return engine;
    });
    return this.#loading;
  }

  #forget(uri: vscode.Uri): void {
    const entry = this.#entries.get(uri.toString());
    entry?.timer?.dispose();
    this.#looks.delete(uri.toString());
    if (this.#entries.delete(uri.toString())) this.#changed.fire(uri);
  }
}

/** Cheap enough for every file that is opened: any manifest names its apiVersion. */
function mayBeManifest(text: string): boolean {
  return /\bapiVersion\b/.test(text);
}
