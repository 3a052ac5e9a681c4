import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createManifestSession, type Finding } from '../../src/manifest/index.ts';
import { findingsOf } from './check.ts';

/** Manifests of every kind, whose file names say what is to be said of them. */
const folder = new URL('../fixtures/manifest/ecosystem/', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

const severities = (findings: readonly Finding[]): readonly string[] => findings.map(({ severity }) => severity);

describe('manifests of the ecosystem', () => {
  test.each(files.filter((name) => /-valid\./.test(name)))('%s: nothing to say', (name) => {
    expect(findingsOf(read(name))).toEqual([]);
  });
  test.each(files.filter((name) => /-warn-/.test(name)))('%s: accepted, but wrong', (name) => {
    expect(severities(findingsOf(read(name)))).toContain('warning');
    expect(severities(findingsOf(read(name)))).not.toContain('error');
  });
  test.each(files.filter((name) => /-invalid-/.test(name)))('%s: refused', (name) => {
    expect(severities(findingsOf(read(name)))).toContain('error');
  });
});

describe('a change of the controller', () => {
  test.each([
    ['jobset', ['spec.managedBy']],
    ['trainjob', ['spec.managedBy']],
    ['raycluster', ['spec.managedBy']],
    ['pipelinerun', ['spec.managedBy']],
    ['pytorchjob', []],
    ['mpijob-v2beta1', []],
  ])('of a %s', (name, fields) => {
    const [old] = createManifestSession().check(read(`updates/${name}-change.old.yaml`), { version: '1.35' }).documents;
    const session = createManifestSession({
      requestFor: (object) => ({ operation: 'update', object, old: old?.objects[0]?.value }),
    });
    const { findings } = session.check(read(`updates/${name}-change.new.yaml`), { version: '1.35' });
    expect(findings.filter(({ severity }) => severity === 'error').map(({ field }) => field)).toEqual(fields);
  });
});
