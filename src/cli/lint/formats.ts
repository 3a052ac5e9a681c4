import { pathToFileURL } from 'node:url';
import { ruleCatalogue } from '../../admission/index.ts';
import type { Finding, Severity, TextRange } from '../../manifest/index.ts';
import { LineIndex, pagesByCode, type Rule, rules } from '../../manifest/index.ts';

/** What was found in one file. */
export interface FileFindings {
  readonly name: string;
  readonly path?: string;
  readonly text: string;
  readonly findings: readonly Finding[];
}

export type LintFormat = 'text' | 'json' | 'sarif';

export const lintFormats: readonly LintFormat[] = ['text', 'json', 'sarif'];

export function render(format: LintFormat, files: readonly FileFindings[]): string {
  switch (format) {
    case 'text':
      return renderText(files);
    case 'json':
      return `${JSON.stringify({ findings: files.flatMap(jsonFindings) })}\n`;
    case 'sarif':
      return `${JSON.stringify(sarifLog(files), undefined, 2)}\n`;
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

const sarifLevels: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'note',
  hint: 'note',
};

/** SARIF 2.1.0, as code scanning services take it. */
function sarifLog(files: readonly FileFindings[]): object {
  const used = [...new Set(files.flatMap(({ findings }) => findings.map(({ code }) => code)))].sort();
  const pageOf = pagesByCode();
  const byCode = new Map<string, Pick<Rule, 'says'>>();
  for (const rule of [...ruleCatalogue(), ...rules]) byCode.set(rule.code, rule);
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'delegated-jobs',
            rules: used.map((id) => {
              const rule = byCode.get(id);
              return {
                id,
                shortDescription: { text: rule?.says ?? 'What the Kubernetes API server refuses.' },
                helpUri: pageOf(id),
              };
            }),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: files.flatMap((file) => {
          const lines = new LineIndex(file.text);
          return file.findings.map((finding) => sarifResult(file, finding, used, lines));
        }),
      },
    ],
  };
}

function sarifResult(file: FileFindings, finding: Finding, used: readonly string[], lines: LineIndex): object {
  const artifactLocation = { uri: uriOf(file) };
  const fixes = finding.fixes.filter(({ isSuppression }) => isSuppression !== true);
  return {
    ruleId: finding.code,
    ruleIndex: used.indexOf(finding.code),
    level: sarifLevels[finding.severity],
    message: { text: finding.field === undefined ? finding.message : `${finding.field}: ${finding.message}` },
    locations: [{ physicalLocation: { artifactLocation, region: region(finding.range) } }],
    ...(fixes.length === 0
      ? {}
      : {
          fixes: fixes.map(({ title, edits }) => ({
            description: { text: title },
            artifactChanges: [
              {
                artifactLocation,
                replacements: edits.map((edit) => ({
                  deletedRegion: region(lines.range(edit)),
                  insertedContent: { text: edit.newText },
                })),
              },
            ],
          })),
        }),
  };
}

function region(range: TextRange): object {
  const { line, column, endLine, endColumn } = fromOne(range);
  return { startLine: line, startColumn: column, endLine, endColumn };
}

/** Relative to where the command ran, as code scanning services expect it; a file: URI for an absolute path. */
function uriOf({ name, path }: FileFindings): string {
  if (path === undefined) return 'stdin';
  if (name === path) return pathToFileURL(path).href;
  return name.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
}
