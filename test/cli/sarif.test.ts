import { describe, expect, it } from 'vitest';
import { run } from './lintRun.ts';

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
interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly locations: readonly { readonly physicalLocation: { artifactLocation: Artifact; region: Region } }[];
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
      readonly driver: { readonly rules: readonly { readonly id: string; readonly helpUri: string }[] };
    };
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

async function logOf(input: Parameters<typeof run>[1]): Promise<Log> {
  const { stdout } = await run('lint', { ...input, args: ['--format', 'sarif', ...input.args] });
  return JSON.parse(stdout);
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
    for (const { helpUri } of rules) expect(new URL(helpUri).protocol).toBe('https:');
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

  it('is whole where there is nothing to say', async () => {
    const log = await logOf({ args: ['-'], stdin: ['kind: ConfigMap\n'] });
    expect(log.runs).toHaveLength(1);
    expect(resultsOf(log)).toEqual([]);
  });
});
