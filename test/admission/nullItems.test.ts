import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { admit, type KubernetesMinor, kubernetesMinors } from '../../src/admission/index.ts';
import type { JsonValue } from '../../src/base/index.ts';
import { type Shape, shapeOf, type Target, targetsOf } from '../conformance/fuzz/shape.ts';
import { cronJob, identity } from './requests.ts';

/** The lists and maps of a CronJob's spec. */
function targetsFor(version: string): readonly Target[] {
  const file = new URL(`../../schemas/kubernetes-${version}.json`, import.meta.url);
  const targets = targetsOf(shapeOf(JSON.parse(readFileSync(file, 'utf8')), 'CronJob'));
  return targets.filter(({ steps }) => steps[0] === 'spec');
}

/** An object that has `value` at the steps, and nothing else. */
function nested(steps: readonly string[], value: JsonValue): JsonValue {
  const [first, ...rest] = steps;
  if (first === undefined) return value;
  const inner = nested(rest, value);
  return first === '[]' ? [inner] : { [first === '{}' ? 'x' : first]: inner };
}

function at(value: unknown, steps: readonly string[]): unknown {
  const [first, ...rest] = steps;
  if (first === undefined) return value;
  if (typeof value !== 'object' || value === null) return undefined;
  const key = first === '[]' ? '0' : first === '{}' ? 'x' : first;
  return at(Object.entries(value).find(([name]) => name === key)?.[1], rest);
}

/** What stands where a spec brings a null at some steps: a CronJob's status may be written whatever its spec is. */
function decoded(steps: readonly string[], version: KubernetesMinor): unknown {
  const { metadata } = cronJob();
  const old = { apiVersion: 'batch/v1', kind: 'CronJob', metadata, ...(nested(steps, null) as object) };
  const options = { version, identity, isBeyondDecoding: true };
  const { stored, errors } = admit({ operation: 'status-update', object: old, old }, options);
  expect(errors).toEqual([]);
  return at(stored, steps);
}

const zeros: Readonly<Partial<Record<Shape['kind'], unknown>>> = {
  integer: 0,
  object: expect.objectContaining({}),
  quantity: '0',
  string: '',
};

describe.each(kubernetesMinors)('in Kubernetes %s, a null', (version) => {
  test('in a list is the zero of its items', () => {
    const places = targetsFor(version).flatMap(({ steps, shape }) =>
      shape.kind === 'list' ? [{ steps: [...steps, '[]'], kind: shape.item.kind }] : [],
    );
    expect(new Set(places.map(({ kind }) => kind))).toEqual(new Set(['integer', 'object', 'string']));
    for (const { steps, kind } of places) expect(decoded(steps, version), steps.join('.')).toEqual(zeros[kind]);
  });

  test('in a map is the zero of its values', () => {
    const places = targetsFor(version).flatMap(({ steps, shape }) =>
      shape.kind === 'map' ? [{ steps: [...steps, '{}'], kind: shape.value.kind }] : [],
    );
    expect(new Set(places.map(({ kind }) => kind))).toEqual(new Set(['quantity', 'string']));
    for (const { steps, kind } of places) expect(decoded(steps, version), steps.join('.')).toEqual(zeros[kind]);
  });
});
