/** Asks a minor's own code about the recorded cases of the tests, and puts its answers beside those of the others. */
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../src/base/index.ts';
import { type OracleAnswer, type OracleRequest, startOracle } from '../../test/conformance/fuzz/oracle.ts';
import { isKubernetesMinor } from '../cluster/versions.ts';

/** A recorded case: its request, and how an answer to it is put into the case. */
interface Case {
  readonly request: OracleRequest;
  readonly withAnswer: (answer: OracleAnswer, minor: string) => JsonObject;
}

interface Fixture {
  readonly file: string;
  readonly parse: (text: string) => readonly JsonObject[];
  readonly print: (cases: readonly JsonObject[]) => string;
  readonly read: (object: JsonObject) => Case;
}

const parseLines = (text: string): readonly JsonObject[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line): JsonObject => JSON.parse(line));
const printLines = (cases: readonly JsonObject[]): string => cases.map((one) => `${JSON.stringify(one)}\n`).join('');

const fixtures: readonly Fixture[] = [
  {
    file: 'admission/job-cases.json.gz',
    parse: (text) => JSON.parse(text),
    print: (cases) => `${JSON.stringify(cases, undefined, 1)}\n`,
    read: (object) => ({
      request: requestOf(object, object['kind']),
      withAnswer: ({ code, errors }, minor) => {
        const told = errors.map(({ field, type }) => ({ field, type }));
        return withOther(object, minor, pairs(told) === pairs(object['errors']), { code, errors: told });
      },
    }),
  },
  {
    file: 'admission/job-fuzz.ndjson.gz',
    parse: parseLines,
    print: printLines,
    read: (object) => ({
      request: requestOf(object, object['operation']),
      withAnswer: (answer, minor) => {
        const verdict = verdictOf(answer);
        return withOther(object, minor, unordered(verdict) === unordered(object['verdict']), verdict);
      },
    }),
  },
  {
    file: 'admission-pod/templates.ndjson.gz',
    parse: parseLines,
    print: printLines,
    read: (object) => {
      const request = isJsonObject(object['request']) ? object['request'] : {};
      return {
        request: requestOf(request, request['operation']),
        withAnswer: (answer, minor) => withGroup(object, answer, minor),
      };
    },
  },
];

/** Brings the fixtures up to date with what `minor` answers; what they know of other minors stays. */
export async function recordSamples(minor: string): Promise<void> {
  if (!isKubernetesMinor(minor)) throw new Error(`${minor} is not in the list of minors in src/admission/verdict.ts`);
  const oracle = await startOracle(minor, (line) => console.log(line));
  for (const { file, parse, print, read } of fixtures) {
    const url = new URL(`../../test/fixtures/${file}`, import.meta.url);
    const before = gunzipSync(readFileSync(url)).toString('utf8');
    const cases = parse(before).map(read);
    const answers = await oracle.ask(cases.map(({ request }) => request));
    const answered = cases.flatMap(({ withAnswer }, index) => {
      const answer = answers[index];
      return answer === undefined ? [] : [withAnswer(answer, minor)];
    });
    const after = print(answered);
    if (after !== before) writeFileSync(url, gzipSync(after, { level: 9 }));
    console.log(`${answered.length} cases of test/fixtures/${file} know what ${minor} says`);
  }
  await oracle.close();
}

function requestOf(holder: JsonObject, operation: unknown): OracleRequest {
  const { id, object, old } = holder;
  return JSON.parse(JSON.stringify({ id, operation, object, old }));
}

/** The other minors' answers are those that differ from the case's own. */
function withOther(object: JsonObject, minor: string, isSame: boolean, verdict: JsonObject): JsonObject {
  const { otherVersions = {}, ...rest } = object;
  const { [minor]: _, ...others } = isJsonObject(otherVersions) ? otherVersions : {};
  const all = Object.entries(isSame ? others : { ...others, [minor]: verdict });
  const ordered = all.sort(([a], [b]) => Number(a.slice(2)) - Number(b.slice(2)));
  return ordered.length === 0 ? rest : { ...rest, otherVersions: Object.fromEntries(ordered) };
}

/** Minors that answer alike stand in one group. */
function withGroup(object: JsonObject, answer: OracleAnswer, minor: string): JsonObject {
  const groups = Array.isArray(object['answers']) ? object['answers'].filter(isJsonObject) : [];
  const told: JsonObject = JSON.parse(
    JSON.stringify({ ...answer, errors: answer.errors.map((error) => ({ ...error, message: '' })) }),
  );
  const isSame = (group: JsonObject): boolean => unordered(group['answer']) === unordered(told);
  const minorsOf = (group: JsonObject): JsonArray => (Array.isArray(group['minors']) ? group['minors'] : []);
  if (groups.some((group) => isSame(group) && minorsOf(group).includes(minor))) return object;
  const others = groups
    .map((group): JsonObject => ({ ...group, minors: minorsOf(group).filter((each) => each !== minor) }))
    .filter((group) => minorsOf(group).length > 0);
  // Two groups may be alike but for the order of their errors: one of them is enough.
  const at = others.findIndex(isSame);
  const answers =
    at < 0
      ? [...others, { minors: [minor], answer: told }]
      : others.map((group, index) => (index === at ? { ...group, minors: [...minorsOf(group), minor] } : group));
  return { ...object, answers };
}

/** Whatever tells two answers apart. Kubernetes walks over maps: its errors, and the message of them, come in any order. */
function unordered(answer: JsonValue | undefined): string {
  if (!isJsonObject(answer)) return '';
  const errors = Array.isArray(answer['errors']) ? answer['errors'].map((error) => JSON.stringify(error)).sort() : [];
  return JSON.stringify({ ...answer, errors, message: '' });
}

function verdictOf({ code, errors, warnings, unknown, message }: OracleAnswer): JsonObject {
  if (code === 400) return { code, unknown, message };
  if (errors.length > 0)
    return {
      code,
      errors: [...new Set(errors.map(({ field, type }) => `${field}\n${type}`))].sort().map((pair) => pair.split('\n')),
    };
  return warnings.length > 0 ? { code, warnings } : { code };
}

function pairs(errors: unknown): string {
  const told = Array.isArray(errors) ? errors.filter(isJsonObject) : [];
  return [...new Set(told.map(({ field, type }) => `${field} ${type}`))].sort().join('\n');
}
