import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyFixes, createManifestSession, type Finding, preferredFixes } from '../../src/manifest/index.ts';
import { findingsOf } from './check.ts';

/** Jobs and other documents, good and bad, that a file may be made of. */
const documents = [
  `apiVersion: batch/v1
kind: Job
metadata:
  name: good
spec:
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: r/x:1
`,
  `apiVersion: batch/v1
kind: Job
metadata:
  name: bad
  labels: {app: x}
spec:
  managedBy: kueue.x-k8s.io/multikeue
  completionMode: Indexed
  paralelism: 3
  template:
    spec:
      containers:
      - name: main
        image: 5
        args: ["a", 'b',
          c]
        command:
        - sh
        - -c
        - |
          echo hi
`,
  `apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly, labels: {kueue.x-k8s.io/queue-name: q}}
spec:
  schedule: "0 3 * * *"
  jobTemplate: &template
    spec:
      managedBy: multikueue
      template: {spec: {restartPolicy: Always, containers: [{name: main, image: r}]}}
`,
  'apiVersion: v1\nkind: ConfigMap\ndata:\n  a: |\n    kind: Job\n',
  'apiVersion: nobody.example/v1\nkind: Job\nspec: {paralelism: x, managedBy: multikueue}\n',
  `apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Secret
- {apiVersion: batch/v1, kind: Job, metadata: {name: listed}, spec: {paralelism: 1, managedBy: multikueue}}
`,
  '# only a comment\n',
  '\n',
  'apiVersion: batch/v1\nkind: Job\nspec: [\n',
];

const fileParts = fc.array(fc.constantFrom(...documents), { minLength: 1, maxLength: 5 });
const fileOf = (parts: readonly string[]): string => parts.map((part) => `---\n${part}`).join('');

/** What is said of each document, without where it stands. */
function said(text: string): readonly string[] {
  return findingsOf(text).map(
    ({ document, code, field, message, range }) =>
      `${document} ${code} ${field} ${message} ${range.start.column}-${range.end.column}`,
  );
}

/** Texts that resemble manifests: pieces of them, cut and mixed with whatever YAML knows. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...documents),
      fc.constantFrom(...documents).chain((text) => fc.nat(text.length).map((end) => text.slice(0, end))),
      fc.constantFrom(
        '---',
        '\t',
        '{',
        '}',
        '[',
        ']',
        '&a ',
        '*a',
        '<<: ',
        '? ',
        '- ',
        ': ',
        '"',
        "'",
        '|\n',
        '>',
        '#',
        '!!int ',
        '\r',
        '\r\n',
        '\uFEFF',
        '{{ x }}',
        '%',
        '\u0000',
      ),
      fc.string({ maxLength: 20 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

describe('whatever the text', () => {
  test('nothing throws, and every range and edit lies in the text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        for (const { range, fixes } of findingsOf(text)) {
          const spans = fixes.flatMap(({ edits }) => edits.map(({ start, end }) => [start, end] as const));
          for (const [start, end] of [[range.start.offset, range.end.offset] as const, ...spans]) {
            expect(start).toBeGreaterThanOrEqual(0);
            expect(end).toBeGreaterThanOrEqual(start);
            expect(end).toBeLessThanOrEqual(text.length);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  test('a session that has seen other texts answers as a new one does', () => {
    fc.assert(
      fc.property(fc.array(fileParts, { minLength: 2, maxLength: 4 }), (files) => {
        const session = createManifestSession();
        for (const parts of files) {
          expect(session.check(fileOf(parts), { version: '1.35' }).findings).toEqual(findingsOf(fileOf(parts)));
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('what is said of a document does not depend on', () => {
  test('its neighbours and their order', () => {
    fc.assert(
      fc.property(fileParts, (parts) => {
        const alone = parts.flatMap((part, index) =>
          said(`---\n${part}`).map((line) => line.replace(/^0/, `${index}`)),
        );
        expect(said(fileOf(parts))).toEqual(alone);
      }),
      { numRuns: 200 },
    );
  });

  test('line breaks', () => {
    fc.assert(
      fc.property(fileParts, (parts) => {
        const text = fileOf(parts);
        expect(said(text.replaceAll('\n', '\r\n'))).toEqual(said(text));
      }),
      { numRuns: 60 },
    );
  });

  test('a byte order mark, comments and empty lines', () => {
    fc.assert(
      fc.property(fileParts, (parts) => {
        const text = fileOf(parts);
        const commented = `\uFEFF${parts.map((part) => `---\n# a comment\n\n${part}`).join('')}`;
        expect(said(commented)).toEqual(said(text));
      }),
      { numRuns: 60 },
    );
  });
});

describe('the preferred fixes', () => {
  const keyOf = ({ code, field }: Finding): string => `${code} ${field}`;

  test('end, and change nothing outside their documents', () => {
    fc.assert(
      fc.property(fileParts, (parts) => {
        let text = fileOf(parts);
        for (let round = 0; round < 10; round++) {
          const fixed = applyFixes(text, preferredFixes(findingsOf(text)));
          if (fixed === text) break;
          text = fixed;
        }
        expect(preferredFixes(findingsOf(text))).toEqual([]);
        expect(text.split('---\n').length).toBe(parts.length + 1);
      }),
      { numRuns: 40 },
    );
  });

  test('each take their own finding away', () => {
    for (const document of documents) {
      for (const finding of findingsOf(document)) {
        for (const fix of finding.fixes) {
          expect(findingsOf(applyFixes(document, [fix])).map(keyOf), fix.title).not.toContain(keyOf(finding));
        }
      }
    }
  });
});
