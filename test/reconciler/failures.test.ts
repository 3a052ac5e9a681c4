import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KubeError, type KubeErrorKind } from '../../src/kube/index.ts';
import { consequenceOf, pauseMs } from '../../src/reconciler/failures.ts';
import { type Reason, reasons } from '../../src/reconciler/reasons.ts';

function failure(kind: KubeErrorKind, retryAfterMs?: number): KubeError {
  const more = retryAfterMs === undefined ? {} : { retryAfterMs };
  return new KubeError('text', { kind, contextName: 'c', request: 'GET /x', ...more });
}

describe('a failed request', () => {
  test.each<[KubeErrorKind, Reason, boolean]>([
    ['unauthorized', 'LoginExpired', true],
    ['credentials', 'CredentialsUnusable', true],
    ['kubeconfig', 'CredentialsUnusable', true],
    ['certificate', 'CertificateUntrusted', true],
    ['forbidden', 'Forbidden', false],
    ['quota-exceeded', 'QuotaExceeded', false],
    ['admission-denied', 'AdmissionDenied', false],
    ['namespace-missing', 'NamespaceMissing', false],
    ['invalid', 'InvalidSpec', false],
    ['bad-request', 'RequestRefused', false],
    ['too-large', 'ObjectTooLarge', false],
    ['too-many-requests', 'TooManyRequests', true],
    ['conflict', 'ObjectChanged', false],
    ['already-exists', 'ObjectChanged', false],
    ['not-found', 'ObjectChanged', false],
    ['gone', 'ObjectChanged', false],
    ['server-error', 'Unreachable', true],
    ['timeout', 'Unreachable', true],
    ['unreachable', 'Unreachable', true],
    ['bad-answer', 'Unreachable', true],
    ['not-served', 'Unreachable', true],
  ])('of kind %s is %s', (kind, reason, isClusterTrouble) => {
    const { message, ...rest } = consequenceOf(failure(kind));
    expect(rest).toMatchObject({ reason, isClusterTrouble });
    // Trouble of the cluster in a person's words, with the cluster and a remedy; anything else in the server's.
    expect(message).toMatch(isClusterTrouble ? /\(cluster c, while trying to .*\)\. [A-Z].*\.$/ : /^text$/);
  });
  test('that is a fault of ours is shown, and not repeated in a hurry', () => {
    expect(consequenceOf(new TypeError('x'))).toMatchObject({ reason: 'RequestRefused', firstMs: 60_000 });
  });
  test('waits as long as the server asks', () => {
    expect(pauseMs(consequenceOf(failure('too-many-requests', 120_000)), 0, () => 0.999)).toBeGreaterThan(119_000);
  });
});

describe('pauses', () => {
  const all = (kind: KubeErrorKind, random = 1): number[] =>
    Array.from({ length: 14 }, (_, failures) =>
      Math.round(pauseMs(consequenceOf(failure(kind)), failures, () => random)),
    );

  test('double up to their limit', () => {
    expect(all('unreachable').slice(0, 5)).toEqual([1000, 2000, 4000, 8000, 16_000]);
    expect(all('unreachable').at(-1)).toBe(320_000);
    expect(all('quota-exceeded').slice(0, 5)).toEqual([30_000, 60_000, 120_000, 240_000, 300_000]);
  });
  test('have jitter of up to a half', () => expect(all('unreachable', 0).slice(0, 3)).toEqual([500, 1000, 2000]));
  test('come after five quick repeats where a fresh look settles it', () => {
    expect(all('conflict').slice(0, 8)).toEqual([0, 0, 0, 0, 0, 50, 100, 200]);
    expect(all('conflict').at(-1)).toBe(5000);
  });
});

describe('the catalogue of reasons', () => {
  test('tells what to do wherever something is to be done', () => {
    for (const [reason, { kind, fix }] of Object.entries(reasons)) {
      expect(fix === '', reason).toBe(kind === 'progress');
      if (fix !== '') expect(fix).toMatch(/[.]$/);
    }
  });
  test('has no entry that nothing leads to', () => {
    const folder = join(import.meta.dirname, '../../src/reconciler');
    const code = readdirSync(folder)
      .filter((file) => file !== 'reasons.ts')
      .map((file) => readFileSync(join(folder, file), 'utf8'))
      .join('\n');
    expect(Object.keys(reasons).filter((reason) => !code.includes(`'${reason}'`))).toEqual([]);
  });
});
