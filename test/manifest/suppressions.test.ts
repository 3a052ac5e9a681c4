import { describe, expect, test } from 'vitest';
import { applyFixes, createManifestSession, manifestSettings } from '../../src/manifest/index.ts';
import { check, findingsOf } from './check.ts';
import { yaml } from './markup.ts';

const codesOf = (text: string): readonly string[] => findingsOf(text).map(({ code }) => code);

/** A Job about which two things are to be said, with comments of the row's own. */
const job = (above: string, behind: string, top = ''): string => `${top}apiVersion: batch/v1
kind: Job
metadata: {name: demo}
spec:
${above}  managedBy: example.com/a${behind}
  ttlSecondsAfterFinished: 5
  template: {spec: {restartPolicy: Never, containers: [{name: main, image: r}]}}
`;

const name = 'managed-by-unknown-controller';
const ttl = 'delegated-short-ttl';

describe('a comment', () => {
  test.each([
    ['none', job('', ''), [name, ttl]],
    ['behind', job('', ` # delegated-jobs: ignore ${name}`), [ttl]],
    ['above', job(`  # delegated-jobs: ignore ${name}\n`, ''), [ttl]],
    ['above another comment', job(`  # delegated-jobs: ignore ${name}\n  # it runs here\n`, ''), [ttl]],
    ['for the whole document', job('', '', `# delegated-jobs: ignore-document ${ttl}\n`), [name]],
    ['with two names', job('', '', `# delegated-jobs: ignore-document ${ttl}, ${name}\n`), []],
    ['for another document', `# delegated-jobs: ignore-document ${ttl}\n---\n${job('', '')}`, [name, ttl]],
    ['of another name', job('', ' # delegated-jobs: ignore managed-by-built-in'), [name, 'unused-suppression', ttl]],
    ['on another line', job('', '', `# delegated-jobs: ignore ${name}\n`), ['unused-suppression', name, ttl]],
  ])('%s', (_, text, codes) => {
    expect(codesOf(text)).toEqual(codes);
  });

  test('in a script is none', () => {
    expect(
      codesOf(
        yaml`
          apiVersion: batch/v1
          kind: Job
          metadata: {name: demo}
          spec:
            template:
              spec:
                restartPolicy: Never
                containers:
                - name: main
                  image: r
                  command:
                  - |
                    # delegated-jobs: ignore managed-by-near-miss
        `.text,
      ),
    ).toEqual([]);
  });
});

test('a comment without effect is marked where its name stands', () => {
  check(yaml`
    apiVersion: batch/v1
    kind: Job
    metadata: {name: demo} # delegated-jobs: ignore managed-by-built-in
                                                    ^^^^^^^^^^^^^^^^^^^ unused-suppression
    spec:
      template: {spec: {restartPolicy: Never, containers: [{name: main, image: r}]}}
  `);
});

describe('the fix that ignores', () => {
  test.each([
    ['alone', job('', '')],
    ['beside another name', job('  # delegated-jobs: ignore something-else\n', '')],
    ['with CRLF', job('', '').replaceAll('\n', '\r\n')],
  ])('%s silences exactly its finding', (_, text) => {
    for (const finding of findingsOf(text).filter(({ code }) => code !== 'unused-suppression')) {
      const ignore = finding.fixes.find(({ title }) => title.startsWith('Ignore'));
      const fixed = applyFixes(text, ignore === undefined ? [] : [ignore]);
      expect(codesOf(fixed)).toEqual(codesOf(text).filter((code) => code !== finding.code));
    }
  });

  test('and the one that removes a comment without effect gives the text back', () => {
    const text = job('', '');
    const commented = job('  # delegated-jobs: ignore managed-by-built-in\n', '');
    const unused = findingsOf(commented).find(({ code }) => code === 'unused-suppression');
    expect(applyFixes(commented, unused?.fixes ?? [])).toBe(text);
  });
});

describe('settings that ignore a rule for files', () => {
  test.each<readonly [path: string, glob: string, isMeant: boolean]>([
    ['a.yaml', '*.yaml', true],
    ['deep/er/a.yaml', '*.yaml', true],
    ['legacy/a.yaml', 'legacy/**', true],
    ['legacy/deep/a.yaml', 'legacy/**', true],
    ['legacy', 'legacy/**', false],
    ['other/legacy/a.yaml', 'legacy/**', false],
    ['other/legacy/a.yaml', '**/legacy/**', true],
    ['legacy/a.yaml', '**/legacy/*', true],
    ['legacy/deep/a.yaml', 'legacy/*', false],
    ['a.json', '*.{yaml,json}', true],
    ['a.yml', '*.{yaml,json}', false],
    ['a+b.yaml', 'a+?.yaml', true],
    ['axyaml', 'a.yaml', false],
    ['a.yaml', '[', false],
  ])('%s by %s: %s', (path, glob, isMeant) => {
    const chosen = {
      version: 'auto',
      clusterVersion: undefined,
      controllerName: 'delegated-jobs.dev/reconciler',
      knownControllers: [],
      isPartial: false,
      ignored: { path, globsByRule: { [ttl]: [glob] } },
    };
    const codes = createManifestSession()
      .check(job('', ''), manifestSettings(chosen))
      .findings.map(({ code }) => code);
    expect(codes).toEqual(isMeant ? [name] : [name, ttl]);
  });
});
