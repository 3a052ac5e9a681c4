import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { judge, type KubernetesMinor, kubernetesMinors } from '../../../src/admission/index.ts';
import type { OracleAnswer, OracleRequest } from '../../conformance/fuzz/oracle.ts';

/** A write of a Job and what the minors answered: see test/fixtures/admission-pod/README.md. */
export interface RecordedTemplate {
  readonly request: OracleRequest;
  /** Each answer with the minors that gave it. */
  readonly answers: readonly { readonly minors: readonly KubernetesMinor[]; readonly answer: OracleAnswer }[];
}

export const fixture = new URL('../../fixtures/admission-pod/templates.ndjson.gz', import.meta.url);

export function recordedTemplates(): readonly RecordedTemplate[] {
  const lines = gunzipSync(readFileSync(fixture)).toString('utf8').split('\n');
  return lines.filter((line) => line !== '').map(parse);
}

function parse(line: string): RecordedTemplate {
  // Written by record.ts alone, with this very type.
  return JSON.parse(line);
}

/** The codes of the rules that a case breaks, in any minor. */
export function brokenRules({ request }: RecordedTemplate): readonly string[] {
  const codes = kubernetesMinors.flatMap((version) =>
    judge(request, { version, isBeyondDecoding: true }).errors.map(({ rule }) => rule),
  );
  return [...new Set(codes)];
}
