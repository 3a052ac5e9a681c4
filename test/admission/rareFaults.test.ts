import { describe, expect, it } from 'vitest';
import { judge } from '../../src/admission/index.ts';
import { type RareFault, rareFaults } from './rareFaults.ts';

function check({ code, broken, mended, version = '1.35' }: RareFault): void {
  expect(judge(broken, { version }).errors.map(({ rule }) => rule)).toContain(code);
  expect(judge(mended, { version }).errors).toEqual([]);
}

describe('rules that are rarely broken', () => {
  it.each(rareFaults.map((fault) => [fault.code, fault] as const))('%s', (_code, fault) => check(fault));
});
