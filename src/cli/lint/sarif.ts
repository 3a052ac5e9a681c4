import { isAbsolute, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ruleCatalogue } from '../../admission/index.ts';
import type { Finding, Fix, Severity, TextRange } from '../../manifest/index.ts';
import { LineIndex, pagesByCode, readingMeanings, rules } from '../../manifest/index.ts';
import { lineFingerprints } from './lineFingerprints.ts';
import type { FileFindings, Report, Unreadable } from './report.ts';

const levels: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'note',
  hint: 'note',
};

/** What GitHub's code scanning shows beside a finding; it asks for each of these texts. */
interface RuleDescription {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription: { readonly text: string };
  readonly help: { readonly text: string; readonly markdown: string };
  readonly helpUri: string;
}

/**
 * SARIF 2.1.0, as code scanning services take it. A finding that a comment silences isn't in it: services that take a
 * log with suppressions show such findings all the same. What is known last stands last: the rules, in the order of
 * their first findings, and what could not be read.
 */
export function sarifReport(cwd: string): Report {
  const indexes = new Map<string, number>();
  const missed: object[] = [];
  let lead = `{
  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
  "version": "2.1.0",
  "runs": [
    {
      "columnKind": "utf16CodeUnits",
      "results": [`;
  return {
    add({ code, text }) {
      const index = indexes.get(code) ?? indexes.size;
      indexes.set(code, index);
      const piece = `${lead}\n${indented(text.replace('{', `{\n  "ruleIndex": ${index},`), 8)}`;
      lead = ',';
      return piece;
    },
    miss: (problem) => void missed.push(notification(problem, cwd)),
    end() {
      const rest = {
        // Without this, a text that couldn't be read would pass for one without findings.
        invocations: [{ executionSuccessful: missed.length === 0, toolExecutionNotifications: missed }],
        tool: {
          driver: {
            name: 'delegated-jobs',
            informationUri: 'https://github.com/delegated-jobs/vscode-delegated-jobs',
            rules: descriptionsOf([...indexes.keys()]),
          },
        },
      };
      const end = indexes.size === 0 ? `${lead}]` : '\n      ]';
      return `${end},${indented(JSON.stringify(rest, undefined, 2).slice(1, -2), 4)}\n    }\n  ]\n}\n`;
    },
  };
}

/** Blank-indented, save what continues a line. */
function indented(text: string, blanks: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(blanks));
}

function descriptionsOf(codes: readonly string[]): readonly RuleDescription[] {
  const pageOf = pagesByCode();
  const meanings = new Map(readingMeanings);
  for (const { code, says } of [...ruleCatalogue(), ...rules]) meanings.set(code, says);
  return codes.map((id) => {
    const text = meanings.get(id) ?? id;
    const helpUri = pageOf(id);
    return {
      id,
      shortDescription: { text },
      fullDescription: { text },
      help: { text: `${text} See ${helpUri}`, markdown: `${text} [What it means and what to do](${helpUri})` },
      helpUri,
    };
  });
}

function notification({ range, message, ...file }: Unreadable, cwd: string): object {
  const physicalLocation = {
    artifactLocation: { uri: uriOf(file, cwd) },
    ...(range !== undefined && { region: region(range) }),
  };
  return { level: 'error', message: { text: message }, locations: [{ physicalLocation }] };
}

/** The results of one file, each whole but for its `ruleIndex`, which only the whole log knows. */
export function sarifResult(file: FileFindings, cwd: string): (finding: Finding) => object {
  const lines = new LineIndex(file.text);
  const fingerprints = lineFingerprints(file.text);
  const artifactLocation = { uri: uriOf(file, cwd) };
  return ({ code, severity, field, message, range, fixes }) => {
    const offered = fixes.filter(({ isSuppression }) => isSuppression !== true);
    const fingerprint = fingerprints[range.start.line];
    return {
      ruleId: code,
      level: levels[severity],
      message: { text: field === undefined ? message : `${field}: ${message}` },
      locations: [{ physicalLocation: { artifactLocation, region: region(range) } }],
      ...(fingerprint !== undefined && { partialFingerprints: { primaryLocationLineHash: fingerprint } }),
      ...(offered.length > 0 && { fixes: offered.map((fix) => sarifFix(fix, artifactLocation, lines)) }),
    };
  };
}

function sarifFix({ title, edits }: Fix, artifactLocation: object, lines: LineIndex): object {
  const replacements = edits.map((edit) => ({
    deletedRegion: region(lines.range(edit)),
    insertedContent: { text: edit.newText },
  }));
  return { description: { text: title }, artifactChanges: [{ artifactLocation, replacements }] };
}

/** Lines and columns count from 1. */
function region({ start, end }: TextRange): object {
  return { startLine: start.line + 1, startColumn: start.column + 1, endLine: end.line + 1, endColumn: end.column + 1 };
}

/** Relative to where the command ran, as code scanning services expect it; a file: URI for what lies elsewhere. */
function uriOf({ path }: { readonly path?: string }, cwd: string): string {
  if (path === undefined) return 'stdin';
  const below = relative(cwd, path);
  const isElsewhere = isAbsolute(below) || below.split(sep)[0] === '..';
  return isElsewhere ? pathToFileURL(path).href : below.split(sep).map(encodeURIComponent).join('/');
}
