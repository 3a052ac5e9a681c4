import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import sarifSchema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' };
import { Ajv } from 'ajv';
import { describe, expect, it, test } from 'vitest';
import { lineFingerprints } from '../../src/cli/lint/lineFingerprints.ts';
import { job, run } from './lintRun.ts';

/** What of a log is looked at here. */
interface Region {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}
interface Artifact {
  readonly uri: string;
}
interface Location {
  readonly physicalLocation: { readonly artifactLocation: Artifact; readonly region: Region };
}
interface Text {
  readonly text: string;
}
interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly locations: readonly Location[];
  readonly partialFingerprints: { readonly primaryLocationLineHash: string };
  readonly fixes?: readonly {
    readonly artifactChanges: readonly {
      readonly artifactLocation: Artifact;
      readonly replacements: readonly { readonly deletedRegion: Region; readonly insertedContent: { text: string } }[];
    }[];
  }[];
}
interface Log {
  readonly version: string;
  readonly runs: readonly {
    readonly tool: {
      readonly driver: {
        readonly rules: readonly {
          readonly id: string;
          readonly shortDescription: Text;
          readonly fullDescription: Text;
          readonly help: Text;
          readonly helpUri: string;
        }[];
      };
    };
    readonly invocations: readonly {
      readonly executionSuccessful: boolean;
      readonly toolExecutionNotifications: readonly {
        readonly message: Text;
        readonly locations: readonly Location[];
      }[];
    }[];
    readonly results: readonly Result[];
  }[];
}

const manifest = `# Zeilen mit Umlauten: ä, 😀
apiVersion: batch/v1
kind: Job
metadata:
  name: Demo
spec:
  parallelism: -1
  managedBy: kueue.x-k8s.io/multikeue
  completionMode: indexed
  paralellism: 1
  template:
    spec:
      containers:
      - name: main
        image: x
`;

// Of draft 4, whose keywords mean the same to AJV but for its own id; one of its patterns is none to a Unicode-aware engine.
const { $schema: _, id: __, ...schema } = sarifSchema;
const isOasisSarif = new Ajv({
  strict: false,
  unicodeRegExp: false,
  allErrors: true,
  formats: {
    uri: (text: string) => URL.canParse(text),
    // Nothing but what may stand in a URI, and no colon that would make its first part a scheme.
    'uri-reference': (text: string) =>
      URL.canParse(text) || /^(?![^/?#]*:)(?:[\w\-.~!$&'()*+,;=:@/?#]|%[\dA-Fa-f]{2})*$/.test(text),
    'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
  },
}).compile<Log>(schema);

/** The one door: a log, which is valid by the schema of OASIS whatever was linted. */
async function logOf(input: Parameters<typeof run>[1]): Promise<Log> {
  const { stdout } = await run('lint', { ...input, args: ['--format', 'sarif', ...input.args] });
  const log: Log = JSON.parse(stdout);
  isOasisSarif(log);
  expect(isOasisSarif.errors ?? []).toEqual([]);
  return log;
}

function resultsOf({ runs }: Log): readonly Result[] {
  return runs.flatMap(({ results }) => results);
}

/** The text with one replacement made. Columns count UTF-16 units from 1, as the log says of itself. */
function replaced(text: string, { startLine, startColumn, endLine, endColumn }: Region, inserted: string): string {
  const lines = text.split('\n');
  const offset = (line: number, column: number): number =>
    lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0) + column - 1;
  return text.slice(0, offset(startLine, startColumn)) + inserted + text.slice(offset(endLine, endColumn));
}

describe('a SARIF log', () => {
  it('names for each finding a rule that it describes, with a page', async () => {
    const log = await logOf({ args: ['a.yaml'], files: { 'a.yaml': manifest } });
    const rules = log.runs[0]?.tool.driver.rules ?? [];
    const results = resultsOf(log);
    expect(log.version).toBe('2.1.0');
    expect(new Set(results.map(({ ruleId }) => ruleId)).size).toBeGreaterThan(4);
    for (const { ruleId, ruleIndex } of results) expect(rules[ruleIndex]?.id).toBe(ruleId);
    // GitHub asks for all three texts.
    for (const { shortDescription, fullDescription, help, helpUri } of rules) {
      for (const { text } of [shortDescription, fullDescription, help]) expect(text).toMatch(/\w{2}/);
      expect(new URL(helpUri).protocol).toBe('https:');
    }
  });

  it('knows the levels that SARIF knows, and lines and columns from 1', async () => {
    const results = resultsOf(await logOf({ args: ['a.yaml'], files: { 'a.yaml': manifest } }));
    for (const { level, locations } of results) {
      expect(['error', 'warning', 'note']).toContain(level);
      for (const { physicalLocation } of locations) {
        const { startLine, startColumn, endLine, endColumn } = physicalLocation.region;
        expect(Math.min(startLine, startColumn, endLine, endColumn)).toBeGreaterThan(0);
        expect(endLine > startLine || (endLine === startLine && endColumn >= startColumn)).toBe(true);
      }
    }
  });

  it('writes the names of files as references relative to the folder', async () => {
    const name = 'ä job%1 #2.yaml';
    const [result] = resultsOf(await logOf({ args: [name], files: { [name]: manifest } }));
    const uri = result?.locations[0]?.physicalLocation.artifactLocation.uri ?? '';
    expect(uri).toMatch(/^[\w%.-]+$/);
    expect(decodeURIComponent(uri)).toBe(name);
  });

  it('carries each fix so that it can be made by whoever reads the log', async () => {
    const results = resultsOf(await logOf({ args: ['a.yaml'], files: { 'a.yaml': manifest } }));
    const changes = results.flatMap(({ fixes = [] }) => fixes.flatMap(({ artifactChanges }) => artifactChanges));
    const texts = changes.map(({ replacements }) =>
      replacements.reduce(
        (text, { deletedRegion, insertedContent }) => replaced(text, deletedRegion, insertedContent.text),
        manifest,
      ),
    );
    expect(texts).toContain(manifest.replace('multikeue', 'multikueue'));
    expect(texts).toContain(manifest.replace(': indexed', ': Indexed'));
  });

  test.each([
    ['a file that was named with its whole path', (cwd: string) => `${cwd}/jobs/a.yaml`, /^jobs\/a\.yaml$/],
    ['a file that was named by a detour', () => './jobs/../jobs/a.yaml', /^jobs\/a\.yaml$/],
    ['a file elsewhere', (cwd: string) => `../${basename(cwd)}x/a.yaml`, /^file:\/\/\/.*x\/a\.yaml$/],
  ])('refers to %s', async (_name, nameIn, expected) => {
    const cwd = await mkdtemp(join(tmpdir(), 'delegated-jobs-'));
    try {
      for (const folder of [join(cwd, 'jobs'), `${cwd}x`]) {
        await mkdir(folder);
        await writeFile(join(folder, 'a.yaml'), manifest);
      }
      const [result] = resultsOf(await logOf({ cwd, args: [nameIn(cwd)] }));
      expect(result?.locations[0]?.physicalLocation.artifactLocation.uri).toMatch(expected);
    } finally {
      for (const folder of [cwd, `${cwd}x`]) await rm(folder, { recursive: true });
    }
  });

  it('has every level', async () => {
    const text = job(
      'parallelism: -1',
      'activeDeadlineSeconds: 0',
      'managedBy: example.com/nobody',
      'ttlSecondsAfterFinished: 10',
    );
    const levels = resultsOf(await logOf({ args: ['a.yaml'], files: { 'a.yaml': text } })).map(({ level }) => level);
    expect(new Set(levels)).toEqual(new Set(['error', 'warning', 'note']));
  });

  it('tells the findings of several files apart', async () => {
    const files = {
      'a.yaml': manifest,
      'b.json': '{"apiVersion": "batch/v1", "kind": "Job", "spec": {"parallelism": -1}}',
      'c.yaml': job(),
    };
    const results = resultsOf(await logOf({ args: Object.keys(files), files }));
    const uris = results.map(({ locations }) => locations[0]?.physicalLocation.artifactLocation.uri);
    expect(new Set(uris)).toEqual(new Set(['a.yaml', 'b.json']));
  });

  it('says that a text could not be read, and where', async () => {
    const files = { 'a.yaml': `${manifest}---\n}{\n`, 'ü b.yaml': 'kind: Job\nspec: [' };
    const log = await logOf({ args: [...Object.keys(files), 'c.yaml'], files });
    const [invocation] = log.runs[0]?.invocations ?? [];
    expect(resultsOf(log).length).toBeGreaterThan(4);
    expect(invocation?.executionSuccessful).toBe(false);
    const places = invocation?.toolExecutionNotifications.map(({ locations: [location] }) => {
      const { artifactLocation, region } = location?.physicalLocation ?? {};
      return [artifactLocation?.uri, region?.startLine];
    });
    expect(places).toEqual([
      ['a.yaml', 17],
      ['%C3%BC%20b.yaml', 2],
      ['c.yaml', undefined],
    ]);
  });

  it('leaves out what a comment silences', async () => {
    const text = job('parallelism: -1 # delegated-jobs: ignore parallelism-negative', 'completions: -2');
    const results = resultsOf(await logOf({ args: ['a.yaml'], files: { 'a.yaml': text } }));
    expect(results.map(({ ruleId }) => ruleId)).toEqual(['completions-negative']);
  });

  it('knows a line again that has moved, and equal lines from each other', async () => {
    const fingerprints = async (text: string): Promise<readonly string[]> =>
      resultsOf(await logOf({ args: ['a.yaml'], files: { 'a.yaml': text } })).map(
        ({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash,
      );
    const before = await fingerprints(manifest);
    expect(before.length).toBeGreaterThan(4);
    expect(await fingerprints(`# A line more.\n\n${manifest.replaceAll('\n', '\r\n')}`)).toEqual(before);
    const twice = await fingerprints(`${manifest}---\n${manifest}---\n${manifest}`);
    expect(new Set(twice).size).toBeGreaterThan(before.length);
  });

  it('is whole where there is nothing to say', async () => {
    const log = await logOf({ args: ['-'], stdin: ['kind: ConfigMap\n'] });
    expect(log.runs).toHaveLength(1);
    expect(resultsOf(log)).toEqual([]);
    expect(log.runs[0]?.invocations).toEqual([{ executionSuccessful: true, toolExecutionNotifications: [] }]);
  });
});

const longLine = `name: x # ${'long '.repeat(24)}\n`;

// The values are those that Microsoft's sarif-multitool 5.7.0 gives these texts, with the algorithm of GitHub's upload.
test.each([
  ['nothing', '', ['c129715d7a2bc9a3:1']],
  ['a line', 'kind: Job\n', ['2d1a6b1c2c6f1e5c:1', 'c129715d7a2bc9a3:1']],
  [
    'blanks, breaks and wide characters',
    ' a:\tä 😀\r\n\r\n  b: c',
    ['6b0d1e65bc8ecd9e:1', '7470b5ba3eb711cc:1', 'dc2a1de511550012:1'],
  ],
  [
    'lines that are alike for long',
    longLine.repeat(3),
    ['a2ea90fae0f5210a:1', 'a2ea90fae0f5210a:2', 'a2ea90fae0f5210a:3', 'c129715d7a2bc9a3:1'],
  ],
])('the fingerprints of %s', (_name, text, expected) => expect(lineFingerprints(text)).toEqual(expected));
