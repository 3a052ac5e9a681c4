import { describe, expect, test } from 'vitest';
import { gatesOf } from '../../scripts/minor/gates.ts';
import { kubernetesMinors } from '../../src/admission/index.ts';
import { gateDefaults } from '../../src/admission/pod/gates.ts';
import { askEngine } from './fuzz/engine.ts';
import { startOracle } from './fuzz/oracle.ts';
import { fuzz } from './fuzz/run.ts';
import { seedOfThisRun } from './fuzz/seed.ts';
import { shapesFor } from './fuzz/shapes.ts';

const seed = seedOfThisRun();
const cases = 20_000;

describe(`our engine says what Kubernetes says (seed ${seed})`, () => {
  test.each(kubernetesMinors.map((minor, index) => ({ minor, own: seed + index })))(
    'Kubernetes $minor',
    async ({ minor, own }) => {
      const oracle = await startOracle(minor, (line) => console.error(line));
      try {
        const options = { seed: own, cases, only: [], shrunkFaults: 10 };
        const result = await fuzz(await shapesFor(minor), oracle, (request) => askEngine(request, minor), options);
        expect(
          result.faults.map(({ line, count, smallest }) => ({ line, count, smallest: JSON.stringify(smallest) })),
          `node test/conformance/fuzz.ts --kubernetes ${minor} --cases ${cases} --seed ${own}`,
        ).toEqual([]);
        // Wholly refused cases would leave warnings and defaults unasked.
        expect(result.allowed).toBeGreaterThan(cases / 10);
      } finally {
        await oracle.close();
      }
    },
  );
});

test.each(kubernetesMinors)('our feature gates are on where Kubernetes %s has them on', async (minor) => {
  const theirs = await gatesOf(minor, (line) => console.error(line));
  // A gate that is absent is yet to come, or its feature is on for good.
  const known = [...gateDefaults(minor)].filter(([gate]) => theirs.has(gate));
  expect(known.length).toBeGreaterThan(5);
  expect(known.filter(([gate, isOn]) => theirs.get(gate) !== isOn)).toEqual([]);
});
