import { describe, expect, it } from 'vitest';
import { parseFieldSelector, parseLabelSelector } from '../../src/sandbox/selectors.ts';

describe('a label selector', () => {
  const labels = { tier: 'a', n: '5', 'example.com/x': '' };

  function check(selector: string, isSelected: boolean): void {
    expect(parseLabelSelector(selector)?.(labels) ?? true).toBe(isSelected);
  }

  it.each([
    ['nothing selects everything', '', true],
    ['an equal value', 'tier=a', true],
    ['an equal value, doubled sign', 'tier==a', true],
    ['another value', 'tier=b', false],
    ['an unequal value', 'tier!=b', true],
    ['an unequal value where the label is absent', 'zone!=b', true],
    ['a key that is there', 'tier', true],
    ['a key that is not', 'zone', false],
    ['an absent key', '!zone', true],
    ['an absent key that is there', '!tier', false],
    ['one of a set', 'tier in (a, b)', true],
    ['none of a set', 'tier in (b,c)', false],
    ['not in a set', 'tier notin (b,c)', true],
    ['not in a set where the label is absent', 'zone notin (b)', true],
    ['a greater number', 'n>4', true],
    ['a greater number that is equal', 'n>5', false],
    ['a smaller number', 'n<6', true],
    ['a number where there is none', 'tier>1', false],
    ['all of several', 'tier=a, n in (5),!zone', true],
    ['not all of several', 'tier=a,n=6', false],
    ['an empty value', 'example.com/x=', true],
  ])('%s', (_, selector, isSelected) => check(selector, isSelected));

  it.each(['a b c', 'a=b=c', 'tier in a', 'n>many', '=a', '!a=b'])(
    'is refused if it cannot be read: %s',
    (selector) => {
      expect(() => parseLabelSelector(selector)).toThrow(/unable to parse requirement/u);
    },
  );
});

describe('a field selector', () => {
  const known = ['metadata.name', 'status.phase'];

  function check(selector: string, isSelected: boolean): void {
    expect(parseFieldSelector(selector, known, 'Pod')?.({ 'metadata.name': 'a', 'status.phase': '' }) ?? true).toBe(
      isSelected,
    );
  }

  it.each([
    ['an equal field', 'metadata.name=a', true],
    ['an unequal field', 'metadata.name!=a', false],
    ['an empty field', 'status.phase=', true],
    ['all of several', 'metadata.name==a,status.phase!=Running', true],
  ])('%s', (_, selector, isSelected) => check(selector, isSelected));

  it('knows only the fields of its type', () => {
    expect(() => parseFieldSelector('spec.managedBy=x', known, 'Job')).toThrow(
      'field label "spec.managedBy" not supported for Job',
    );
  });
});
