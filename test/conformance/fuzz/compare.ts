import { isMap, type Json, type JsonMap } from './json.ts';
import type { OracleAnswer } from './oracle.ts';

/** What our engine says to the same request. */
export interface EngineAnswer {
  readonly errors: readonly { readonly field: string; readonly type: string }[];
  readonly warnings: readonly string[];
  /** 'unsaid' where the engine judges without completing. */
  readonly stored: JsonMap | undefined | 'unsaid';
}

const decodingTypes: readonly string[] = ['TypeInvalid', 'Unknown'];

/**
 * How the two answers differ, a line each, empty if they agree. Positions in lists are left out, so that lines can be
 * counted as kinds of faults.
 */
export function differences(oracle: OracleAnswer, engine: EngineAnswer): readonly string[] {
  // What can't be decoded can't be stored, either.
  if (oracle.message.startsWith('old: ')) return [];
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
  const { stored } = engine;
  return [
    ...warningDifferences(oracle.warnings, engine.warnings),
    ...(stored === 'unsaid' ? [] : storedDifferences(oracle.stored, stored)),
  ];
}

/** Our engine ends a list of warnings here; a server's answer has no room for a tenth of them. */
const mostWarnings = 1000;

function warningDifferences(all: readonly string[], ours: readonly string[]): readonly string[] {
  const theirs = all.slice(0, Math.max(ours.length, mostWarnings));
  if (JSON.stringify(theirs) === JSON.stringify(ours)) return [];
  const lines = [
    ...without(theirs, ours).map((text) => `warning missing: ${general(text)}`),
    ...without(ours, theirs).map((text) => `warning invented: ${general(text)}`),
  ];
  return lines.length > 0 ? [...new Set(lines)] : ['warnings in another order or number'];
}

/**
 * Structs that a server prints where nobody gave one: their Go fields are no pointers. What is in them counts all the
 * same.
 */
const printedStructs: readonly string[] = ['metadata', 'podAffinityTerm', 'preference', 'resources', 'status'];
/**
 * Numbers that it prints as 0 where nobody gave one, after the field that they stand in: Go fields that are no pointers
 * and lack `omitempty`, such as `Weight int32 `json:"weight"``. A test holds them against the schemas.
 */
export const printedZeros: readonly string[] = [
  'grpc.port',
  'httpGet.port',
  'iscsi.lun',
  'ports[*].containerPort',
  'preferredDuringSchedulingIgnoredDuringExecution[*].weight',
  'sleep.seconds',
  'tcpSocket.port',
  'topologySpreadConstraints[*].maxSkew',
];

/**
 * Compares what would be stored, and stops at the places that differ. What means the same is taken as the same: null,
 * absence, and a zero that one of both prints; one instant in two time zones. The version is the caller's.
 */
function storedDifferences(stored: JsonMap | undefined, wouldStore: JsonMap | undefined): readonly string[] {
  const lines: string[] = [];
  const compare = (left: Json | undefined, ours: Json | undefined, path: string): void => {
    if ((left ?? null) === (ours ?? null) || path === 'metadata.resourceVersion') return;
    const [field = '', owner = ''] = path.split('.').reverse();
    const right = ours === undefined && isMap(left) && printedStructs.includes(field) ? {} : ours;
    if (left === undefined && isZero(right)) return;
    if (right === undefined && (left === '' || (left === 0 && printedZeros.includes(`${owner}.${field}`)))) return;
    if (field.endsWith('Time') || field.endsWith('Timestamp')) {
      if (Date.parse(String(left)) === Date.parse(String(right))) return;
    }
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
  compare(stored, wouldStore, '');
  return [...new Set(lines)];
}

/** Go's zero value, which its JSON leaves out. */
function isZero(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isMap(value) ? Object.keys(value).length === 0 : !value;
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
