import { describe, expect, test } from 'vitest';
import { createManifestSession, type Finding } from '../../src/manifest/index.ts';
import { findingsOf } from './check.ts';
import { objectOf, operatorCases, operatorUpdates, updateOf } from './operatorCases.ts';

describe('what a webhook or an operator refuses', () => {
  test.each(operatorCases)('of a $kind: $changes', (one) => {
    const told = findingsOf(JSON.stringify(objectOf(one))).filter(isRefusal);
    expect(told.map(({ field }) => field)).toEqual(one.told);
  });
});

/** Of a webhook an error, of an operator without one a warning; and whatever a CRD is said to refuse. */
describe('what a webhook keeps of a stored object', () => {
  test.each(operatorUpdates)('of a $kind: $before, then $changes', (one) => {
    const { old, object } = updateOf(one);
    const session = createManifestSession({ requestFor: () => ({ operation: 'update', object, old }) });
    const told = session.check(JSON.stringify(object), { version: '1.35' }).findings.filter(isRefusal);
    expect(told.map(({ field }) => field)).toEqual(one.told);
  });
});

function isRefusal({ severity, source = '' }: Finding): boolean {
  const isByOperator = /^(?:KubeRay|mpi-operator) [\d.]+$/.test(source);
  return isByOperator ? severity === 'warning' : /^(?:webhook|CRD) of /.test(source);
}
