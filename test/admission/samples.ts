import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { type AdmissionRequest, type KubernetesMinor, kubernetesMinors } from '../../src/admission/index.ts';
import { isJsonObject, type JsonObject } from '../../src/base/index.ts';

/** What Kubernetes answered: see test/fixtures/admission/README.md. */
export interface Answer {
  readonly code: 200 | 400 | 422;
  /** Sorted, each `field type`. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[] | undefined;
}

export interface Sample {
  readonly id: string;
  /** Ids of the rules in the rule sheet that the case is about; empty for generated ones. */
  readonly sources: readonly string[];
  readonly request: AdmissionRequest;
  readonly answers: ReadonlyMap<KubernetesMinor, Answer>;
}

/** Cases written by hand. Their files say nothing about warnings. */
export function writtenSamples(): readonly Sample[] {
  return parseList(read('job-cases.json.gz')).map((line) => {
    const errors = pairsOf(line['errors']);
    const answer: Answer = { code: errors.length > 0 ? 422 : 200, errors, warnings: undefined };
    return sampleOf(line, line['kind'], answer, stringsOf(line['rules']));
  });
}

/** Generated cases. */
export function generatedSamples(): readonly Sample[] {
  const lines = read('job-fuzz.ndjson.gz').split('\n');
  return parseList(`[${lines.filter((line) => line !== '').join(',')}]`).map((line) =>
    sampleOf(line, line['operation'], answerOf(line['verdict']), []),
  );
}

function read(name: string): string {
  return gunzipSync(readFileSync(new URL(`../fixtures/admission/${name}`, import.meta.url))).toString('utf8');
}

function parseList(text: string): readonly JsonObject[] {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) throw new Error('The samples are not a list.');
  return list.filter(isJsonObject);
}

function sampleOf(line: JsonObject, operation: unknown, answer: Answer, sources: readonly string[]): Sample {
  if (operation !== 'create' && operation !== 'update' && operation !== 'status-update') {
    throw new Error(`Sample ${String(line['id'])} has no operation.`);
  }
  const others = isJsonObject(line['otherVersions']) ? line['otherVersions'] : {};
  return {
    id: String(line['id']),
    sources,
    request: { operation, object: line['object'], ...(isJsonObject(line['old']) && { old: line['old'] }) },
    answers: new Map(
      kubernetesMinors.map((minor) => [minor, others[minor] === undefined ? answer : answerOf(others[minor])]),
    ),
  };
}

function answerOf(verdict: unknown): Answer {
  if (!isJsonObject(verdict)) throw new Error('A verdict is missing.');
  const code = verdict['code'];
  if (code !== 200 && code !== 400 && code !== 422) throw new Error(`Unknown code ${String(code)}.`);
  return { code, errors: pairsOf(verdict['errors']), warnings: stringsOf(verdict['warnings']).toSorted() };
}

/** The errors come as `{ field, type }` or as a pair. */
function pairsOf(errors: unknown): readonly string[] {
  if (!Array.isArray(errors)) return [];
  const pairs = errors.map((error: unknown) =>
    Array.isArray(error) ? error.join(' ') : isJsonObject(error) ? `${error['field']} ${error['type']}` : '',
  );
  return [...new Set(pairs)].toSorted();
}

function stringsOf(list: unknown): readonly string[] {
  return Array.isArray(list) ? list.map(String) : [];
}
