import { isAbsolute, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ruleCatalogue } from '../../admission/index.ts';
import type { Finding, Fix, Severity, TextRange } from '../../manifest/index.ts';
import { LineIndex, pagesByCode, type Rule, rules } from '../../manifest/index.ts';
import type { FileFindings, LintReport, Unreadable } from './formats.ts';
import { lineFingerprints } from './lineFingerprints.ts';

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
 * log with suppressions show such findings all the same.
 */
export function sarifLog({ files, unreadable, cwd }: LintReport): object {
  const used = [...new Set(files.flatMap(({ findings }) => findings.map(({ code }) => code)))].sort();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'delegated-jobs',
            informationUri: 'https://github.com/delegated-jobs/vscode-delegated-jobs',
            rules: descriptionsOf(used),
          },
        },
        // Without this, a text that couldn't be read would pass for one without findings.
        invocations: [
          {
            executionSuccessful: unreadable.length === 0,
            toolExecutionNotifications: unreadable.map((each) => notification(each, cwd)),
          },
        ],
        columnKind: 'utf16CodeUnits',
        results: files.flatMap((file) => resultsOf(file, used, cwd)),
      },
    ],
  };
}

function descriptionsOf(codes: readonly string[]): readonly RuleDescription[] {
  const pageOf = pagesByCode();
  const byCode = new Map<string, Pick<Rule, 'says'>>();
  for (const rule of [...ruleCatalogue(), ...rules]) byCode.set(rule.code, rule);
  return codes.map((id) => {
    const text = byCode.get(id)?.says ?? 'What the Kubernetes API server refuses.';
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

function resultsOf(file: FileFindings, used: readonly string[], cwd: string): readonly object[] {
  if (file.findings.length === 0) return [];
  const lines = new LineIndex(file.text);
  const fingerprints = lineFingerprints(file.text);
  const artifactLocation = { uri: uriOf(file, cwd) };
  return file.findings.map(({ code, severity, field, message, range, fixes }: Finding) => {
    const offered = fixes.filter(({ isSuppression }) => isSuppression !== true);
    const fingerprint = fingerprints[range.start.line];
    return {
      ruleId: code,
      ruleIndex: used.indexOf(code),
      level: levels[severity],
      message: { text: field === undefined ? message : `${field}: ${message}` },
      locations: [{ physicalLocation: { artifactLocation, region: region(range) } }],
      ...(fingerprint !== undefined && { partialFingerprints: { primaryLocationLineHash: fingerprint } }),
      ...(offered.length > 0 && { fixes: offered.map((fix) => sarifFix(fix, artifactLocation, lines)) }),
    };
  });
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
