import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/manifest/index.ts';
import { findingsOf } from './check.ts';
import { objectOf, operatorCases } from './operatorCases.ts';

describe('what a webhook or an operator refuses', () => {
  test.each(operatorCases)('of a $kind: $changes', (one) => {
    const told = findingsOf(JSON.stringify(objectOf(one))).filter(isRefusal);
    expect(told.map(({ field }) => field)).toEqual(one.told);
  });
});

/** Of a webhook an error, of an operator without one a warning; and whatever a CRD is said to refuse. */
function isRefusal({ severity, source = '' }: Finding): boolean {
  const isByOperator = /^(?:KubeRay|mpi-operator) [\d.]+$/.test(source);
  return isByOperator ? severity === 'warning' : /^(?:webhook|CRD) of /.test(source);
}
