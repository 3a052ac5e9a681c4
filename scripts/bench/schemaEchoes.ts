import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { controlPlaneMinor } from '../cluster/versions.ts';
import { schemaFolder } from '../schemas/files.ts';
import { startLanguageServer } from './languageServer.ts';
import { type Figure, single } from './measure.ts';

/**
 * Asks yaml-language-server, which the Red Hat YAML extension is built on, about the faulty manifests of a fixture, by which
 * a test sees that nothing is said twice. Tells how many answers are others than the recorded ones; with `UPDATE_GOLDEN=1`
 * it records them anew.
 */
const fixture = join(import.meta.dirname, '../../test/fixtures/manifest/schemaEchoes.json');

interface Recorded {
  readonly name: string;
  readonly text: string;
  readonly theirs: readonly object[];
}

interface Schema {
  readonly properties?: object;
}

export async function benchSchemaEchoes(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'delegated-jobs-echoes-'));
  const recorded: readonly Recorded[] = JSON.parse(readFileSync(fixture, 'utf8')).cases;
  try {
    const schema = join(folder, 'job.json');
    writeFileSync(schema, JSON.stringify(closedSchema()));
    const server = await startLanguageServer('', pathToFileURL(schema).href, (line) => console.error(`  ${line}`));
    const cases: Recorded[] = [];
    try {
      for (const { name, text } of recorded) {
        const answered = server.diagnostics();
        server.change(text);
        const theirs = (await answered).map(({ message, source, code, range }) => ({ message, source, code, range }));
        cases.push({ name, text, theirs });
      }
    } finally {
      await server.stop();
    }
    const others = cases.filter((one, index) => JSON.stringify(one) !== JSON.stringify(recorded[index]));
    if (process.env['UPDATE_GOLDEN'] === '1') {
      const by = `yaml-language-server ${server.version}`;
      writeFileSync(fixture, `${JSON.stringify({ server: by, cases }, null, 2)}\n`);
    }
    return [
      single('faulty manifests', '', cases.length),
      single('  that the server answers otherwise than recorded', '', others.length, '0'),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What Kubernetes says of Jobs, with the sets of values that it lists, and closed: what it doesn't name is refused. */
function closedSchema(): object {
  const text = readFileSync(join(schemaFolder, `kubernetes-${controlPlaneMinor}.json`), 'utf8');
  const { $defs }: { $defs: Readonly<Record<string, Schema>> } = JSON.parse(text);
  const closed = Object.entries($defs).map(([name, schema]) => [
    name,
    schema.properties === undefined ? schema : { ...schema, additionalProperties: false },
  ]);
  return { title: 'Kubernetes', $ref: '#/$defs/Job', $defs: Object.fromEntries(closed) };
}
