import type { Finding, Severity, TextRange } from '../../manifest/index.ts';
import { sarifLog } from './sarif.ts';

/** What was found in one file. */
export interface FileFindings {
  /** As it is printed. */
  readonly name: string;
  /** Absolute; absent for standard input. */
  readonly path?: string;
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** What could not be read: a file, or a document in one. */
export interface Unreadable {
  readonly name: string;
  readonly path?: string;
  /** Absent where it is the whole file. */
  readonly range?: TextRange;
  /** What is wrong and what to do about it. */
  readonly message: string;
}

/** What a run has to say, and the folder that it ran in. */
export interface LintReport {
  readonly files: readonly FileFindings[];
  readonly unreadable: readonly Unreadable[];
  readonly cwd: string;
}

export type LintFormat = 'text' | 'json' | 'sarif';

export const lintFormats: readonly LintFormat[] = ['text', 'json', 'sarif'];

export function render(format: LintFormat, report: LintReport): string {
  switch (format) {
    case 'text':
      return renderText(report.files);
    case 'json':
      return `${JSON.stringify({ findings: report.files.flatMap(jsonFindings) })}\n`;
    case 'sarif':
      return `${JSON.stringify(sarifLog(report), undefined, 2)}\n`;
  }
}

function renderText(files: readonly FileFindings[]): string {
  const lines: string[] = [];
  const counts = new Map<Severity, number>();
  for (const { name, findings } of files) {
    for (const { range, severity, field, message, code, fixes } of findings) {
      counts.set(severity, (counts.get(severity) ?? 0) + 1);
      const place = `${name}:${range.start.line + 1}:${range.start.column + 1}`;
      const fixable = fixes.some((fix) => fix.isPreferred) ? ', --fix can do it' : '';
      lines.push(`${place}: ${severity}: ${field === undefined ? '' : `${field}: `}${message} (${code}${fixable})`);
    }
  }
  const total = (['error', 'warning', 'information', 'hint'] as const)
    .filter((severity) => counts.has(severity))
    .map((severity) => counted(counts.get(severity) ?? 0, severity));
  if (total.length > 0) lines.push(`${total.join(', ')} in ${counted(files.length, 'file')}`);
  return lines.map((line) => `${line}\n`).join('');
}

function counted(count: number, noun: string): string {
  const isPlural = count !== 1 && noun !== 'information';
  return `${count} ${noun}${isPlural ? 's' : ''}`;
}

/** The contract of `--format json`: lines and columns count from 1, absent members stay absent. */
function jsonFindings({ name, findings }: FileFindings): readonly object[] {
  return findings.map(({ document, range, severity, code, field, type, message, source, url, fixes }) => ({
    file: name,
    document,
    ...fromOne(range),
    severity,
    code,
    field,
    type,
    message,
    source,
    url,
    fixable: fixes.some((fix) => fix.isPreferred),
  }));
}

function fromOne({ start, end }: TextRange): { line: number; column: number; endLine: number; endColumn: number } {
  return { line: start.line + 1, column: start.column + 1, endLine: end.line + 1, endColumn: end.column + 1 };
}
