import type { Labels } from './objects.ts';
import { badRequest } from './status.ts';

/** A selector that has been read. */
export type Matches<T> = (value: T) => boolean;

/** One requirement at the start of the text, up to the comma after it. A value list keeps its brackets. */
const requirement =
  /^\s*(?:(?<absent>!)?\s*(?<key>[^\s!=<>(),]+)\s*(?:(?<operator>==|!=|=|\bin\b|\bnotin\b|<|>)\s*(?<value>\([^)]*\)|[^\s,()=!<>]*))?)\s*(?:,|$)/u;

/**
 * A label selector in the API's notation: `a=b, c!=d, e in (f,g), h notin (i), j, !k`. Undefined selects everything.
 * Throws the 400 that the server answers to one that can't be read.
 */
export function parseLabelSelector(text: string | undefined): Matches<Labels> | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const tests: Matches<Labels>[] = [];
  let rest = text;
  while (rest.trim() !== '') {
    const match = requirement.exec(rest);
    const groups = match?.groups;
    const key = groups?.['key'];
    if (match === null || groups === undefined || key === undefined) throw unreadable(text);
    tests.push(labelTest(text, key, groups['absent'] !== undefined, groups['operator'], groups['value'] ?? ''));
    rest = rest.slice(match[0].length);
  }
  return (labels) => tests.every((test) => test(labels));
}

/** An operator of inequality also selects objects that lack the label. */
function labelTest(
  text: string,
  key: string,
  isAbsent: boolean,
  operator: string | undefined,
  value: string,
): Matches<Labels> {
  if (operator === undefined)
    return isAbsent ? (labels) => !Object.hasOwn(labels, key) : (labels) => Object.hasOwn(labels, key);
  if (isAbsent) throw unreadable(text);
  switch (operator) {
    case '=':
    case '==':
      return (labels) => labels[key] === value;
    case '!=':
      // An absent label differs from every value.
      return (labels) => labels[key] !== value;
    case 'in':
    case 'notin': {
      if (!value.startsWith('(')) throw unreadable(text);
      const values = new Set(
        value
          .slice(1, -1)
          .split(',')
          .map((item) => item.trim()),
      );
      return operator === 'in'
        ? (labels) => labels[key] !== undefined && values.has(labels[key])
        : (labels) => labels[key] === undefined || !values.has(labels[key]);
    }
    default: {
      const bound = Number(value);
      if (value === '' || !Number.isInteger(bound)) throw unreadable(text);
      return (labels) => {
        const number = Number(labels[key] ?? Number.NaN);
        return operator === '<' ? number < bound : number > bound;
      };
    }
  }
}

function unreadable(found: string): Error {
  return badRequest(`unable to parse requirement: found '${found}', expected: in, notin, =, ==, !=, gt, lt`);
}

/** A field selector: `metadata.name=a,status.phase!=Running`. Only `known` fields may be named; `kind` is whose. */
export function parseFieldSelector(
  text: string | undefined,
  known: readonly string[],
  kind: string,
): Matches<Labels> | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  const tests = text.split(',').map((term): Matches<Labels> => {
    const match = /^\s*(?<field>[^=!\s]+)\s*(?<operator>==|!=|=)\s*(?<value>.*?)\s*$/u.exec(term);
    const field = match?.groups?.['field'];
    const value = match?.groups?.['value'] ?? '';
    if (field === undefined) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    if (!known.includes(field)) throw badRequest(`field label ${JSON.stringify(field)} not supported for ${kind}`);
    const isEqual = match?.groups?.['operator'] !== '!=';
    return (fields) => ((fields[field] ?? '') === value) === isEqual;
  });
  return (fields) => tests.every((test) => test(fields));
}
