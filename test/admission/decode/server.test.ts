import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type DecodedKind, decode } from '../../../src/admission/decode/index.ts';
import { type KubernetesMinor, kubernetesMinors } from '../../../src/admission/index.ts';

/** The message at which Kubernetes' own decoder stopped, or its strict errors; an empty message if it had none. */
type Answer = string | readonly string[];

interface Row {
  readonly kind: DecodedKind;
  readonly object: unknown;
  /** Of 1.35. */
  readonly answer: Answer;
  readonly otherAnswers?: Partial<Record<KubernetesMinor, Answer>>;
}

const rows = readRows();

function readRows(): readonly Row[] {
  const file = new URL('../../fixtures/decode/server.ndjson.gz', import.meta.url);
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line, reviveInteger));
}

// The file spells integers of more digits than a number holds as {"$integer": "9223372036854775808"}.
function reviveInteger(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('$integer' in value)) return value;
  return BigInt(String(value.$integer));
}

function check(version: KubernetesMinor, { kind, object, answer, otherAnswers }: Row): void {
  const expected = otherAnswers?.[version] ?? answer;
  const errors = decode(object, { version, kind });
  const context = JSON.stringify({ version, kind, expected, object }, (_key, value) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  if (typeof expected !== 'string') {
    expect(
      errors.map(({ type, message }) => [type, message]),
      context,
    ).toEqual(expected.map((message) => ['Unknown', message]));
  } else if (expected.startsWith('no kind')) {
    // Which kinds a server has registered is not known here, so the words differ.
    expect(errors[0]?.rule, context).toMatch(/^wrong-(kind|api-version)$/);
  } else {
    expect(errors[0]?.message ?? '', context).toBe(expected);
    if (expected !== '') expect(errors[0]?.type, context).toBe('TypeInvalid');
  }
}

describe("Kubernetes' own decoder", () => {
  it.each(kubernetesMinors)('gives the same answer in %s', (version) => {
    expect(rows.length).toBeGreaterThan(2000);
    for (const row of rows) check(version, row);
  });

  it('is asked about good and bad objects alike', () => {
    const decoded = rows.filter(({ answer }) => answer === '').length;
    const strict = rows.filter(({ answer }) => typeof answer !== 'string').length;
    expect(decoded).toBeGreaterThan(800);
    expect(strict).toBeGreaterThan(200);
    expect(rows.length - decoded - strict).toBeGreaterThan(600);
  });
});
