import { describe, expect, it } from 'vitest';
import { isAtLeast, judge, kubernetesMinors, ruleCatalogue } from '../../src/admission/index.ts';
import { rareFaults } from './rareFaults.ts';
import { generatedSamples, writtenSamples } from './samples.ts';

const catalogue = ruleCatalogue();

/** Rules that no request can reach, each with the reason. */
const unreachable: ReadonlySet<string> = new Set([
  // Defaulting fills it in.
  'failure-policy-condition-status-required',
]);

describe('the catalogue of rules', () => {
  it('has each code once', () => {
    const codes = catalogue.map(({ code }) => code);
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
  });
  it.each(catalogue.map((entry) => [entry.code, entry] as const))('describes %s', (code, entry) => {
    expect(code).toMatch(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/);
    expect(entry.says).toMatch(/^[A-Za-z@].*\.$/);
    expect(entry.source).not.toBe('');
    if (entry.since !== undefined && entry.until !== undefined) expect(isAtLeast(entry.until, entry.since)).toBe(true);
  });
});

describe('the rules of Jobs and CronJobs', () => {
  it('are each broken by a sample or a rare fault', () => {
    const broken = new Set(rareFaults.map(({ code }) => code));
    for (const { request } of [...writtenSamples(), ...generatedSamples()]) {
      for (const version of kubernetesMinors) {
        for (const { rule } of judge(request, { version }).errors) broken.add(rule);
      }
    }
    const ours = catalogue.filter(({ source }) => /^[A-F]\d/.test(source));
    expect(ours.map(({ code }) => code).filter((code) => !broken.has(code) && !unreachable.has(code))).toEqual([]);
  });
});
