import { systemRandom } from '../../../src/base/index.ts';

/** New cases each run: what once agreed by chance won't for long. The environment's `SEED` repeats a run. */
export function seedOfThisRun(): number {
  const asked = process.env['SEED'];
  return asked ? Number(asked) : Math.floor(systemRandom() * 2 ** 31);
}
