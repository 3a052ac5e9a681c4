import type { Finding, Severity, TextRange } from '../../manifest/index.ts';
import { printable } from '../printable.ts';
import type { FileFindings, RenderedFinding, Report } from './report.ts';
import { sarifReport, sarifResult } from './sarif.ts';

/** The formats of `lint`: each finding in one of them, and the output that they go into. */

export type LintFormat = 'text' | 'json' | 'sarif';

export const lintFormats: readonly LintFormat[] = ['text', 'json', 'sarif'];

/** `cwd` is the folder that the command runs in. */
export function renderFindings(format: LintFormat, file: FileFindings, cwd: string): readonly RenderedFinding[] {
  if (file.findings.length === 0) return [];
  const render = renderer(format, file, cwd);
  return file.findings.map((finding) => ({
    code: finding.code,
    severity: finding.severity,
    text: render(finding),
  }));
}

function renderer(format: LintFormat, file: FileFindings, cwd: string): (finding: Finding) => string {
  switch (format) {
    case 'text':
      return (finding) => textLine(file.name, finding);
    case 'json':
      return (finding) => JSON.stringify(jsonFinding(file.name, finding));
    case 'sarif': {
      const result = sarifResult(file, cwd);
      return (finding) => JSON.stringify(result(finding), undefined, 2);
    }
  }
}

export function createReport(format: LintFormat, cwd: string): Report {
  switch (format) {
    case 'text':
      return textReport();
    case 'json':
      return jsonReport();
    case 'sarif':
      return sarifReport(cwd);
  }
}

function textReport(): Report {
  const counts = new Map<Severity, number>();
  return {
    add({ severity, text }) {
      counts.set(severity, (counts.get(severity) ?? 0) + 1);
      return `${text}\n`;
    },
    miss() {},
    end(files) {
      const total = (['error', 'warning', 'information', 'hint'] as const)
        .filter((severity) => counts.has(severity))
        .map((severity) => counted(counts.get(severity) ?? 0, severity));
      return total.length === 0 ? '' : `${total.join(', ')} in ${counted(files, 'file')}\n`;
    },
  };
}

function textLine(name: string, { range, severity, field, message, code, fixes }: Finding): string {
  const place = `${name}:${range.start.line + 1}:${range.start.column + 1}`;
  const fixable = fixes.some((fix) => fix.isPreferred) ? ', --fix can do it' : '';
  return printable(`${place}: ${severity}: ${field === undefined ? '' : `${field}: `}${message} (${code}${fixable})`);
}

function counted(count: number, noun: string): string {
  const isPlural = count !== 1 && noun !== 'information';
  return `${count} ${noun}${isPlural ? 's' : ''}`;
}

function jsonReport(): Report {
  let lead = '{"findings":[';
  return {
    add({ text }) {
      const piece = lead + text;
      lead = ',';
      return piece;
    },
    miss() {},
    end: () => `${lead === ',' ? '' : lead}]}\n`,
  };
}

/** The contract of `--format json`: lines and columns count from 1, absent members stay absent. */
function jsonFinding(
  file: string,
  { document, range, severity, code, field, type, message, source, url, fixes }: Finding,
): object {
  return {
    file,
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
  };
}

function fromOne({ start, end }: TextRange): { line: number; column: number; endLine: number; endColumn: number } {
  return { line: start.line + 1, column: start.column + 1, endLine: end.line + 1, endColumn: end.column + 1 };
}
