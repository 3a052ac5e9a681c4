import { describe, expect, test } from 'vitest';
import { kubernetesMinors, newestMinor } from '../../src/admission/index.ts';
import { type JsonObject, textAt } from '../../src/base/index.ts';
import {
  type ChosenSettings,
  createLiveSession,
  createManifestSession,
  manifestSettings,
} from '../../src/manifest/index.ts';

/** A cluster that runs a version of Kubernetes which isn't among the known ones. */

const job = (name: string, spec = '', comment = ''): string => `---
${comment}apiVersion: batch/v1
kind: Job
metadata: {name: ${name}}
spec: {${spec}template: {spec: {restartPolicy: Never, containers: [{name: main, image: r}]}}}
`;
const jobSet = '---\napiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {name: a}\n';
const oldest = kubernetesMinors[0];

/** The door: what an editor says, with these settings and this cluster. */
function findings(text: string, clusterVersion: string | undefined, more: Partial<ChosenSettings> = {}) {
  const chosen = { controllerName: 'c/d', knownControllers: [], isPartial: false, version: 'auto', ...more };
  return createManifestSession().check(text, manifestSettings({ clusterVersion, ...chosen })).findings;
}

const told = (text: string, clusterVersion: string | undefined, more?: Partial<ChosenSettings>): readonly string[] =>
  findings(text, clusterVersion, more).map(
    ({ code, severity, range }) => `${range.start.line}:${range.start.column} ${severity} ${code}`,
  );

const hint = 'information kubernetes-version-unlisted';

describe('what is not known here is said', () => {
  test.each<[string, string | undefined, string, ...string[]]>([
    ['of a newer cluster', '1.99', job('a'), `1:12 ${hint}`],
    ['of an older cluster', '1.29', job('a'), `1:12 ${hint}`],
    ['once, at the first object of the file', '1.99', jobSet + job('a') + job('b'), `5:12 ${hint}`],
    ['not where no version matters', '1.99', jobSet],
    ['not of a known cluster', newestMinor, job('a')],
    ['not of the oldest known one', oldest, job('a')],
    ['not without a cluster', undefined, job('a')],
    [
      'not where a comment silences it',
      '1.99',
      job('a', '', '# delegated-jobs: ignore-document kubernetes-version-unlisted\n'),
    ],
  ])('%s', (_, version, text, ...expected) => expect(told(text, version)).toEqual(expected));

  test('not where somebody has set a version', () => {
    expect(told(job('a'), '1.99', { version: '1.35' })).toEqual([]);
  });

  test('with the version whose rules are applied', () => {
    expect(findings(job('a'), '1.99')[0]?.message).toContain(`rules of ${newestMinor}, the newest`);
    expect(findings(job('a'), '1.29')[0]?.message).toContain(`rules of ${oldest}, the oldest`);
  });

  test('also while a text changes, and no longer when the cluster is another', () => {
    const session = createManifestSession();
    const settings = { version: newestMinor, unlistedVersion: '1.99' };
    const codes = (text: string, more: object = {}): readonly string[] =>
      session.check(text, { ...settings, ...more }).findings.map(({ code }) => code);
    expect(codes(job('a') + job('b'))).toEqual(['kubernetes-version-unlisted']);
    expect(codes(job('b'))).toEqual(['kubernetes-version-unlisted']);
    expect(codes(job('b'), { unlistedVersion: undefined })).toEqual([]);
  });
});

test('nothing is said a second time where an object is stored', () => {
  const settings = { version: newestMinor, unlistedVersion: '1.99' };
  const text = job('a') + job('b');
  const check = createManifestSession().check(text, settings);
  const [, second] = check.documents.flatMap(({ objects }) => objects.map(({ value }) => value));
  const stored = { ...second, metadata: { name: 'b', namespace: 'x', uid: 'u', resourceVersion: '1' } };
  const find = ({ metadata }: JsonObject) => (textAt(metadata, ['name']) === 'b' ? stored : undefined);
  const { findings: live } = createLiveSession().check(text, check, find, { ...settings, mode: 'apply' });
  // What is stored has no selector, which a server would have given it: something is found.
  expect(live.map(({ document }) => document)).toContain(1);
  expect(live.map(({ code }) => code)).not.toContain('kubernetes-version-unlisted');
});

describe('a cluster that does not keep managedBy', () => {
  const delegated = job('a', 'managedBy: c/d, ');
  test.each<[string, string, RegExp | undefined]>([
    ['1.29', delegated, /1\.29 has no such field/],
    ['1.30', delegated, /1\.30 drops this field unless its feature gate/],
    ['1.31', delegated, /1\.31 drops this field/],
    ['1.32', delegated, undefined],
    ['1.99', delegated, undefined],
    ['1.31', job('a'), undefined],
  ])('%s', (version, text, message) => {
    const dropped = findings(text, version).filter(({ code }) => code === 'managed-by-dropped');
    expect(dropped.map((finding) => finding.severity)).toEqual(message === undefined ? [] : ['warning']);
    if (message !== undefined) expect(dropped[0]?.message).toMatch(message);
  });
});
