import { describe, expect, test } from 'vitest';
import { hoverAt } from '../../src/manifest/index.ts';

/** What is said where the text has a `‸`, and the word that it is said of. */
function hover(marked: string): { word: string; markdown: string } | undefined {
  const offset = marked.indexOf('‸');
  const text = marked.replace('‸', '');
  const found = hoverAt(text, offset, { version: '1.35', controllerName: 'delegated-jobs.dev/reconciler' });
  return found && { word: text.slice(found.range.start.offset, found.range.end.offset), markdown: found.markdown };
}

const job = (spec: string): string =>
  `# first\n---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: demo, labels: {‸kueue.x-k8s.io/queue-name: a}}\nspec:\n${spec}`;
const plain = (spec: string): string => job(spec).replace('‸', '');

describe('a hover tells of', () => {
  test.each([
    [
      'a field of the Job',
      plain('  man‸agedBy: a/b\n'),
      'managedBy',
      /^\*\*managedBy\*\* · string\n\nNames the controller/,
    ],
    ['a field of the pod', plain('  template:\n    spec:\n      ‸restartPolicy: Never\n'), 'restartPolicy', /Always/],
    ['MultiKueue', plain('  managedBy: kueue.x-k8s.io/‸multikueue\n'), 'kueue.x-k8s.io/multikueue', /^MultiKueue/],
    [
      'our own reconciler',
      plain('  managedBy: delegated-jobs.dev/‸reconciler\n'),
      'delegated-jobs.dev/reconciler',
      /this extension/,
    ],
    ['the queue label', job('  suspend: true\n'), 'kueue.x-k8s.io/queue-name', /LocalQueue/],
    [
      'the field of another kind',
      'apiVersion: ray.io/v1\nkind: RayJob\nspec:\n  ‸managedBy: x\n',
      'managedBy',
      /one of two names/,
    ],
    ['a field in a faulty text', plain('  man‸agedBy: a/b\n  x: [\n'), 'managedBy', /controller/],
  ])('%s', (_, text, word, markdown) => {
    expect(hover(text)).toEqual({ word, markdown: expect.stringMatching(markdown) });
  });

  test.each([
    ['fields that others describe', plain('  template:\n    spec:\n      ‸tolerations: []\n')],
    ['names that nobody knows', plain('  managedBy: example.com/‸a\n')],
    ['other kinds', 'apiVersion: v1\nkind: ConfigMap\ndata:\n  ‸managedBy: Job\n'],
    ['blank lines', plain('  suspend: true\n‸\n')],
  ])('nothing for %s', (_, text) => {
    expect(hover(text)).toBeUndefined();
  });
});
