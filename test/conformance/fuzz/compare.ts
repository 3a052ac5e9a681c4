import { isMap, type Json, type JsonMap } from './json.ts';
import type { OracleAnswer } from './oracle.ts';

/** What our engine says to the same request. */
export interface EngineAnswer {
  readonly errors: readonly { readonly field: string; readonly type: string }[];
  readonly warnings: readonly string[];
  readonly stored: JsonMap | undefined;
}

const decodingTypes: readonly string[] = ['TypeInvalid', 'Unknown'];

/**
 * How the two answers differ, a line each, empty if they agree. Positions in lists are left out, so that lines can be
 * counted as kinds of faults.
 */
export function differences(oracle: OracleAnswer, engine: EngineAnswer): readonly string[] {
  if (oracle.code === 500) return engine.errors.length > 0 ? [] : [`allowed, but the server breaks: ${oracle.message}`];
  const mistyped = engine.errors.filter(({ type }) => type === 'TypeInvalid');
  if (oracle.code === 400 && oracle.unknown.length === 0) {
    // The server stops at the first value that it can't decode; a linter goes on. Only that they refuse is compared.
    return mistyped.length > 0 ? [] : [`decodes, but the server says: ${general(oracle.message)}`];
  }
  const theirs = [
    ...oracle.unknown.map((field) => `${field} Unknown`),
    ...oracle.errors.map(({ field, type }) => `${field} ${type}`),
  ];
  const ours = engine.errors.map(({ field, type }) => `${field} ${type}`);
  const lines = [
    ...without(theirs, ours).map((line) => `missing: ${general(line)}`),
    ...without(ours, theirs).map((line) => `invented: ${general(line)}`),
  ];
  if (lines.length > 0 || engine.errors.some(({ type }) => decodingTypes.includes(type))) return [...new Set(lines)];
  if (oracle.code !== 200) return [];
  return [...warningDifferences(oracle.warnings, engine.warnings), ...storedDifferences(oracle.stored, engine.stored)];
}

function warningDifferences(theirs: readonly string[], ours: readonly string[]): readonly string[] {
  if (JSON.stringify(theirs) === JSON.stringify(ours)) return [];
  const lines = [
    ...without(theirs, ours).map((text) => `warning missing: ${general(text)}`),
    ...without(ours, theirs).map((text) => `warning invented: ${general(text)}`),
  ];
  return lines.length > 0 ? [...new Set(lines)] : ['warnings in another order or number'];
}

/** Compares what would be stored; a null and an absent field are the same. Stops at the places that differ. */
function storedDifferences(theirs: JsonMap | undefined, ours: JsonMap | undefined): readonly string[] {
  const lines: string[] = [];
  const compare = (left: Json | undefined, right: Json | undefined, path: string): void => {
    if ((left ?? null) === (right ?? null)) return;
    if (isMap(left) && isMap(right)) {
      for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
        compare(left[key], right[key], path === '' ? key : `${path}.${key}`);
      }
    } else if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
      for (const [index, item] of left.entries()) compare(item, right[index], `${path}[*]`);
    } else {
      lines.push(`stored: ${path} is ${brief(left)}, not ${brief(right)}`);
    }
  };
  compare(theirs, ours, '');
  return [...new Set(lines)];
}

function without(from: readonly string[], others: readonly string[]): readonly string[] {
  return [...new Set(from)].filter((line) => !others.includes(line));
}

/** The line without positions and without what the case alone has. */
function general(line: string): string {
  return line
    .replace(/\[[^\]]*\]/g, '[*]')
    .replace(/"[^"]*"/g, '"…"')
    .slice(0, 200);
}

function brief(value: Json | undefined): string {
  return (JSON.stringify(value) ?? 'absent').slice(0, 60);
}
