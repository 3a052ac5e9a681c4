import type { Finding, Severity, TextRange } from '../../manifest/index.ts';

/** What goes into the output of `lint`, whatever its format, and the output itself. */

/** What was found in one file. */
export interface FileFindings {
  /** As it is printed. */
  readonly name: string;
  /** Absolute; absent for standard input. */
  readonly path?: string;
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** What could not be read: a file, or a document in one. Plain data: threads send it. */
export interface Unreadable {
  readonly name: string;
  readonly path?: string;
  /** Absent where it is the whole file. */
  readonly range?: TextRange;
  /** What is wrong and what to do about it. */
  readonly message: string;
}

/** A finding in its format, and what the whole must know of it. Plain data: threads send it. */
export interface RenderedFinding {
  readonly code: string;
  readonly severity: Severity;
  readonly text: string;
}

/** Puts findings together to an output, a piece at a time: what was told is not kept. */
export interface Report {
  /** What to print for a finding. */
  add(finding: RenderedFinding): string;
  /** Told of what could not be read. */
  miss(problem: Unreadable): void;
  /** What to print last, told how many files were looked at. */
  end(files: number): string;
}
