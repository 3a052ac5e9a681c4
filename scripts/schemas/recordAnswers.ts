/**
 * Asks Kubernetes' own decoder, in each release that has a schema file, about the objects of the decoder's test
 * fixture, and writes its answers into it. Needs Go. To add objects, append lines of {"kind", "object"} and run it:
 *
 *     node scripts/schemas/recordAnswers.ts [FILE.ndjson with more lines]
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { minorOf, readSchemaFiles, type SchemaFile } from './files.ts';

const fixture = path.resolve(import.meta.dirname, '../../test/fixtures/decode/server.ndjson.gz');
const baseMinor = '1.35';

/** A question as the text of a line: Go shall see integers of any length as they are. */
interface Question {
  readonly kind: string;
  /** JSON, with `{"$integer":"…"}` where an integer has more digits than a number holds. */
  readonly object: string;
}

/**
 * Asks about all objects of the fixture and about `more`, lines of questions. With `only`, those already recorded are
 * asked of that minor alone, and the answers of the others stay.
 */
export function recordAnswers({
  more = [],
  only,
}: {
  readonly more?: readonly string[];
  readonly only?: string;
}): void {
  const lines = gunzipSync(readFileSync(fixture)).toString('utf8').trimEnd().split('\n').concat(more);
  const questions = lines.map(readQuestion);
  const answers = new Map<string, readonly string[]>();
  for (const file of readSchemaFiles()) {
    const minor = minorOf(file);
    const isKept = only !== undefined && only !== minor;
    answers.set(minor, isKept ? lines.map((line) => recordedAnswer(line, minor)) : ask(file, questions));
  }
  const base = answers.get(baseMinor);
  if (!base) throw new Error(`no schema file for ${baseMinor}`);
  const recorded = questions.map(({ kind, object }, index) => {
    const answer = base[index] ?? '""';
    const others = [...answers].filter(([, each]) => each[index] !== answer);
    const otherAnswers = others.map(([minor, each]) => `"${minor}":${each[index]}`).join(',');
    return `{"kind":"${kind}","answer":${answer},"otherAnswers":{${otherAnswers}},"object":${object}}`;
  });
  writeFileSync(fixture, gzipSync(`${recorded.join('\n')}\n`, { level: 9 }));
  console.log(`${recorded.length} objects, answers of ${[...answers.keys()].join(', ')}`);
}

function recordedAnswer(line: string, minor: string): string {
  const { answer, otherAnswers = {} } = JSON.parse(line);
  return JSON.stringify(otherAnswers[minor] ?? answer);
}

function readQuestion(line: string): Question {
  const { kind, object } = JSON.parse(line);
  return { kind, object: JSON.stringify(object) };
}

function ask(file: SchemaFile, questions: readonly Question[]): readonly string[] {
  const release = file['x-source'].version.slice(1);
  const folder = mkdtempSync(path.join(tmpdir(), 'decoder-'));
  try {
    cpSync(path.join(import.meta.dirname, 'decoder/main.go'), path.join(folder, 'main.go'));
    const go = (...args: string[]): void => {
      execFileSync('go', args, { cwd: folder, stdio: ['ignore', 'inherit', 'pipe'] });
    };
    go('mod', 'init', 'decoder');
    for (const name of ['api', 'apimachinery']) go('get', `k8s.io/${name}@v0${release.slice(1)}`);
    go('mod', 'tidy');
    go('build', '-o', 'decoder', '.');
    const input = questions.map(({ kind, object }) => `{"kind":"${kind}","object":${withIntegers(object)}}\n`).join('');
    const output = execFileSync(path.join(folder, 'decoder'), { input, encoding: 'utf8', maxBuffer: 1 << 28 });
    return output.trimEnd().split('\n').map(withoutSurroundings).map(normalized);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function withIntegers(object: string): string {
  return object.replaceAll(/\{"\$integer":"(-?\d+)"\}/g, '$1');
}

// The same text escapes the same characters, whoever wrote it.
function normalized(answer: string): string {
  return JSON.stringify(JSON.parse(answer));
}

// The object itself and the place in the server's source stand in some answers, and say nothing here.
function withoutSurroundings(answer: string): string {
  return answer.replace(/^"(Object 'apiVersion' is missing).*"$/, '"$1"').replace(/ in scheme \\".*"$/, '"');
}

if (import.meta.main) {
  const [file] = process.argv.slice(2);
  recordAnswers({ more: file === undefined ? [] : readFileSync(file, 'utf8').trimEnd().split('\n') });
}
