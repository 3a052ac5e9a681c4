import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type KubernetesMinor, kubernetesMinors, newestMinor } from '../../src/admission/index.ts';
import { createManifestSession, type Finding, toYaml } from '../../src/manifest/index.ts';
import { generatedSamples, writtenSamples } from '../admission/samples.ts';
import { findingsOf } from './check.ts';

/** What nobody may be bothered with: manifests that are right, and objects that Kubernetes accepts. */

const folder = new URL('../fixtures/manifest/examples/', import.meta.url);
const examples = readdirSync(folder);

describe.each(kubernetesMinors)('Kubernetes %s has nothing to say to', (version) => {
  test.each(examples)('%s', (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    expect(findingsOf(text, { version })).toEqual([]);
    expect(findingsOf(text.replaceAll('\n', '\r\n'), { version })).toEqual([]);
  });
});

test('the examples are Jobs, CronJobs and what goes with them', () => {
  const kinds = new Set<string>();
  for (const name of examples) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const { documents } = createManifestSession().check(text, { version: '1.35' });
    const found = documents.flatMap(({ objects }) => objects.map(({ kind }) => kind));
    // An example without an object that is judged would prove nothing.
    expect(found, name).not.toEqual([]);
    for (const kind of found) kinds.add(kind);
  }
  expect([...kinds].sort()).toEqual(['CronJob', 'Job', 'JobSet', 'Pod']);
});

const samples = [...writtenSamples(), ...generatedSamples()];

test.each(kubernetesMinors)('what Kubernetes %s accepts is no error', (version) => check(version, toYaml));

test('nor is it as JSON', () => check(newestMinor, (object) => JSON.stringify(object, undefined, 2)));

function check(version: KubernetesMinor, write: (object: object) => string): void {
  const errors: (readonly [string, Finding])[] = [];
  const session = createManifestSession();
  let judged = 0;
  for (const { id, request, answers } of samples) {
    const { operation, object } = request;
    if (operation !== 'create' || answers.get(version)?.code !== 200) continue;
    if (typeof object !== 'object' || object === null) continue;
    const { documents, findings } = session.check(write(object), { version });
    judged += documents.flatMap(({ objects }) => objects).length;
    for (const finding of findings) if (finding.severity === 'error') errors.push([id, finding]);
  }
  expect(errors).toEqual([]);
  expect(judged).toBeGreaterThan(500);
}
