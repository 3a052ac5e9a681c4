import { writeFileSync } from 'node:fs';
import { describeError } from '../../base/index.ts';
import {
  applyFixes,
  compatibleFixes,
  createManifestSession,
  type Finding,
  type Fix,
  type ManifestCheck,
  type ManifestSession,
  type ManifestSettings,
  preferredFixes,
} from '../../manifest/index.ts';
import type { LintTarget } from './files.ts';
import { type LintFormat, renderFindings } from './formats.ts';
import { KustomizedFiles } from './kustomizedFiles.ts';
import { type LiveObjects, liveRequest } from './live.ts';
import { TextReader } from './readText.ts';
import type { RenderedFinding, Unreadable } from './report.ts';

/** How files are checked. Plain data: it goes to threads. */
export interface CheckOptions {
  readonly settings: ManifestSettings;
  readonly format: LintFormat;
  /** The folder that the command runs in. */
  readonly cwd: string;
  readonly live?: LiveObjects;
}

/** What came of one target. Plain data: threads send it. */
export interface FileReport {
  /** Absent where there was no text to look at. */
  readonly findings?: readonly RenderedFinding[];
  /** Lines for standard error, each without the program's name in front. */
  readonly messages: readonly string[];
  readonly unreadable: readonly Unreadable[];
  /** There is something that `fix` would do. */
  readonly isFixable: boolean;
  /** The file, the same for two paths that lead to it. */
  readonly id?: string;
}

/** One fix may bring up the next finding; an endless row of them would be a fault of ours. */
const maxFixRounds = 10;

const foreign: FileReport = { messages: [], unreadable: [], isFixable: false };

/** Checks files, and rewrites those that it is asked to. What it knows of one file is gone with the next. */
export class FileChecker {
  readonly #options: CheckOptions;
  readonly #kustomized = new KustomizedFiles();
  readonly #reader = new TextReader();

  constructor(options: CheckOptions) {
    this.#options = options;
  }

  check(target: LintTarget): FileReport {
    return this.#look(target, false);
  }

  /** Reads the file again, applies the fixes that are safe to apply unasked, and says which. */
  fix(target: LintTarget): FileReport {
    return this.#look(target, true);
  }

  #look(target: LintTarget, isFixing: boolean): FileReport {
    const { name } = target;
    switch (target.kind) {
      case 'unreadable':
        return missing(target);
      case 'text':
        return this.#checkText(name, target.text, true);
      case 'file': {
        const { path, isNamed } = target;
        const read = this.#reader.read(path, isNamed);
        if (read.kind === 'unreadable') return missing({ name, path, message: read.message });
        if (read.kind === 'foreign') return foreign;
        return { ...this.#checkText(name, read.text, isNamed, path, isFixing), id: read.id };
      }
    }
  }

  #checkText(name: string, text: string, isNamed: boolean, path?: string, isFixing = false): FileReport {
    const list = path === undefined ? undefined : this.#kustomized.listOf(path);
    const { format, cwd } = this.#options;
    const settings = {
      ...this.#options.settings,
      isPartial: list === 'patches',
      isResource: list === 'resources',
      readsOtherKinds: isNamed,
    };
    const messages: string[] = [];
    const session = this.#session(messages);
    let outcome: Outcome = { text, check: session.check(text, settings), fixed: [] };
    const unreadable: Unreadable[] = [];
    if (isFixing && path !== undefined) {
      const fixed = fixedText(session, outcome, settings);
      const failure = fixed.text === text ? undefined : writeFailure(path, fixed.text);
      if (failure === undefined) {
        outcome = fixed;
        for (const fix of fixed.fixed) messages.push(`${name}: fixed: ${fix}`);
      } else {
        const message = `the fixed text could not be written: ${failure}. Check that you may write the file.`;
        unreadable.push({ name, path, message });
      }
    }
    const { findings } = outcome.check;
    const file = { name, ...(path !== undefined && { path }) };
    unreadable.push(...problemsOf(outcome.check, isNamed).map((problem) => ({ ...file, ...problem })));
    return {
      findings: renderFindings(format, { ...file, text: outcome.text, findings }, cwd),
      messages,
      unreadable,
      isFixable: preferredFixes(findings).length > 0,
    };
  }

  #session(messages: string[]): ManifestSession {
    const { live } = this.#options;
    return createManifestSession({
      ...(live !== undefined && { requestFor: (object) => liveRequest(object, live) }),
      onRuleFailure: (code, error) => void messages.push(`the rule ${code} failed: ${describeError(error)}`),
    });
  }
}

function missing({ name, path, message }: Unreadable): FileReport {
  return { messages: [], unreadable: [{ name, ...(path !== undefined && { path }), message }], isFixable: false };
}

interface Outcome {
  readonly text: string;
  readonly check: ManifestCheck;
  /** What was done, a line each. */
  readonly fixed: readonly string[];
}

function fixedText(session: ManifestSession, first: Outcome, settings: ManifestSettings): Outcome {
  let { text, check } = first;
  const done: string[] = [];
  for (let round = 0; round < maxFixRounds; round++) {
    const fixes = compatibleFixes(preferredFixes(check.findings));
    const fixed = applyFixes(text, fixes);
    if (fixed === text) break;
    const { findings } = check;
    for (const fix of fixes) done.push(wordsFor(fix, findings));
    text = fixed;
    check = session.check(text, settings);
  }
  return { text, fixed: done, check };
}

/** `spec.managedBy: Use 'x' (managed-by-near-miss)`. */
function wordsFor(fix: Fix, findings: readonly Finding[]): string {
  const finding = findings.find(({ fixes }) => fixes.includes(fix));
  if (finding === undefined) return fix.title;
  const { field, code } = finding;
  return `${field === undefined ? '' : `${field}: `}${fix.title} (${code})`;
}

function writeFailure(path: string, text: string): string | undefined {
  try {
    writeFileSync(path, text, 'utf8');
    return undefined;
  } catch (error) {
    return describeError(error);
  }
}

/** In a folder, only manifests of ours are asked to be readable; a file that was named always is. */
function problemsOf(
  { documents, findings }: ManifestCheck,
  isNamed: boolean,
): readonly Pick<Unreadable, 'range' | 'message'>[] {
  return documents.flatMap(({ index, problem }) => {
    const isAsked = isNamed || findings.some(({ document }) => document === index);
    if (problem === undefined || !isAsked) return [];
    const message = `${problem.message} Correct the text there: kubectl would refuse it too.`;
    return [{ range: problem.range, message }];
  });
}
