import { describe, expect, test } from 'vitest';
import { findingsOf } from './check.ts';

/** Errors that only follow from others, and values that aren't there yet. */

const codesOf = (text: string): readonly string[] => findingsOf(text).map(({ code }) => code);
const spec = (more: string): string =>
  `spec: {${more}template: {spec: {restartPolicy: Never, containers: [{name: a, image: r}]}}}\n`;
const job = (metadata: string, more = ''): string =>
  `apiVersion: batch/v1\nkind: Job\nmetadata: ${metadata}\n${spec(more)}`;
const indexed = 'completionMode: Indexed, completions: 2, ';
const deployment = (selector: string, labels: string, name = 'a'): string =>
  `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec: {${selector}template: {metadata: {labels: ${labels}}, spec: {containers: [{name: a, image: r}]}}}
`;

describe('one fault is told once', () => {
  test.each([
    ['a Job without a name', job('{}', indexed), ['name-required']],
    ['a name of other characters', job('{name: A_b}'), ['name-format']],
    ['the same of an Indexed Job', job('{name: A_b}', indexed), ['name-format']],
    ['a Deployment without a selector', deployment('', '{a: b}'), ['apps-selector-required']],
    [
      'a mistyped list of containers',
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {container: [{name: a, image: r}]}\n',
      ['unknown-field'],
    ],
    [
      'a restart policy beside the pod template',
      job('{name: a}', 'restartPolicy: Never, ').replace('{restartPolicy: Never, containers', '{containers'),
      ['unknown-field'],
    ],
    [
      'but two are told apart',
      job('{name: a}', 'retries: 3, ').replace('{restartPolicy: Never, containers', '{containers'),
      ['unknown-field', 'restart-policy-required'],
    ],
  ])('%s', (_, text, expected) => expect(codesOf(text)).toEqual(expected));

  test.each([
    ['a long name of an Indexed Job', job(`{name: ${'a'.repeat(62)}}`, indexed), 'name-for-indexes'],
    ['a long name, which becomes a label', job(`{name: ${'a'.repeat(70)}}`), 'label-format'],
    ['a selector of other labels', deployment('selector: {matchLabels: {a: c}}, ', '{a: b}'), 'apps-template-selected'],
  ])('but on its own: %s', (_, text, expected) => expect(codesOf(text)).toContain(expected));
});

describe('beside values that are filled in later', () => {
  test.each([
    ['what stands there is judged', job(`{name: "\${NAME}"}`, 'parallelism: -1, '), ['parallelism-negative']],
    [
      'a selector that says nothing of them is judged',
      deployment('selector: {matchLabels: {a: b c}}, ', '{a: b}', `"\${NAME}"`),
      ['apps-selector-readable', 'label-format'],
    ],
    ['a price is a value', job('{name: "5$"}'), ['name-format']],
    ['what the kubelet fills in is a value', job('{name: $(NAME)}'), ['name-format']],
    ['an unknown field is one', job('{name: a}', `$count: "\${COUNT}", `), ['unknown-field']],
  ])('%s', (_, text, expected) => expect(codesOf(text)).toEqual(expected));
});

test('a UID that only the server knows is not made up', () => {
  const text = job('{name: a}').replace('template: {', 'template: {metadata: {labels: {controller-uid: b}}, ');
  expect(findingsOf(text).map(({ message }) => message)).toEqual([
    expect.stringContaining("must be 'the UID that it will get'"),
  ]);
});
