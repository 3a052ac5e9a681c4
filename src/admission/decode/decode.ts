import type { JsonObject } from '../../base/index.ts';
import { isJsonObject } from '../../base/index.ts';
import { below, type Path, renderPath, segmentsOf } from '../path.ts';
import type { FieldError, KubernetesMinor } from '../verdict.ts';
import { FaultCollector, type FaultNode } from './faults.ts';
import { CronJob, Job, minors, Pod, structs as structsText, type Validator } from './generated/validators.js';
import { goQuote } from './goQuote.ts';
import { elementType, fieldOf, type GoStructs, printedType, structName } from './goTypes.ts';
import { quantityFault } from './quantity.ts';
import { timeFault } from './time.ts';

/** The kinds whose structure is known. */
export type DecodedKind = 'Job' | 'CronJob' | 'Pod';

/** Something the server refuses while decoding. */
export interface DecodeError extends FieldError {
  readonly type: 'TypeInvalid' | 'Unknown';
}

/** Which structure to expect. */
export interface DecodeOptions {
  readonly version: KubernetesMinor;
  readonly kind: DecodedKind;
}

const validators: Readonly<Record<DecodedKind, Validator>> = { Job, CronJob, Pod };

// The server gives up counting here; a document with more faults isn't read by anybody.
const maxErrorsOfAType = 100;

/**
 * All that the server refuses in `object` while decoding it strictly. The error that the server itself would answer
 * with stands first, the others follow in the order of the object's keys; empty if the object decodes. The server
 * names unknown fields only where the types are right; here they are named in any case. At most a hundred of a type.
 */
export function decode(object: unknown, { version, kind }: DecodeOptions): readonly DecodeError[] {
  const collector = new FaultCollector(1 << minors.indexOf(version));
  validators[kind].call(collector, object);
  const faults = collector.root ? tell(collector.root, object, kind, version) : noFaults;
  const fault = typeMetaFault(object, kind);
  if (fault === undefined && faults === noFaults) return [];
  return inServersOrder(fault === undefined ? faults : [...faults, fault]);
}

/** How the server comes upon a fault, which decides whether another one outdoes it. */
type Discovery =
  /** Before the object itself is read: its apiVersion and kind. */
  | 'type-meta'
  /** By a type that decodes itself: reading ends there. */
  | 'abort'
  /** By the decoder at large: it notes the first and reads on. */
  | 'noted'
  /** By the strict check: only answered if there is nothing else. */
  | 'strict';

interface Fault {
  readonly error: DecodeError;
  readonly discovery: Discovery;
}

const noFaults: readonly Fault[] = [];
const precedence: readonly Discovery[] = ['type-meta', 'abort', 'noted', 'strict'];

function inServersOrder(faults: readonly Fault[]): readonly DecodeError[] {
  const strongest = precedence.find((discovery) => faults.some((fault) => fault.discovery === discovery));
  const first = faults.find((fault) => fault.discovery === strongest);
  const counts = { TypeInvalid: 0, Unknown: 0 };
  const errors = first ? [first.error] : [];
  for (const { error } of faults) {
    if (error !== first?.error && counts[error.type]++ < maxErrorsOfAType) errors.push(error);
  }
  return errors;
}

/** What the server knows about the place where it is reading. */
interface Place {
  readonly path: Path | undefined;
  readonly type: string;
  /** The struct whose field is being read, and the names of the fields that led there. Lists and maps add none. */
  readonly struct: string;
  readonly fields: string;
}

function tell(root: FaultNode, object: unknown, kind: DecodedKind, version: KubernetesMinor): readonly Fault[] {
  const structs: GoStructs = JSON.parse(structsText);
  const namesEmbedded = version !== '1.34';
  const faults: Fault[] = [];
  visit(root, object, { path: undefined, type: `v1.${kind}`, struct: '', fields: '' });
  return faults;

  function visit(node: FaultNode, value: unknown, place: Place): void {
    if (node.isWrong) faults.push(wrongType(value, place));
    if (Array.isArray(value)) visitItems(node, value, place);
    else if (isJsonObject(value)) visitKeys(node, value, place);
  }

  function visitItems(node: FaultNode, list: readonly unknown[], place: Place): void {
    const type = elementType(place.type);
    if (type === undefined) return;
    // Ascending, because the validators go along a list.
    for (const [key, child] of node.children) {
      const index = Number(key);
      visit(child, list[index], { ...place, path: below(place.path, index), type });
    }
  }

  function visitKeys(node: FaultNode, object: JsonObject, place: Place): void {
    const struct = structName(structs, place.type);
    for (const key of Object.keys(object)) {
      if (node.unknown.has(key)) {
        faults.push(unknownField(below(place.path, key)));
        continue;
      }
      const child = node.children.get(key);
      if (!child) continue;
      const field = struct === undefined ? undefined : fieldOf(structs, struct, key);
      if (struct !== undefined && field) {
        const name = namesEmbedded ? field.embeddedPrefix + key : key;
        const fields = place.fields === '' ? name : `${place.fields}.${name}`;
        visit(child, object[key], { path: below(place.path, key), type: field.type, struct, fields });
        continue;
      }
      const type = elementType(place.type);
      if (type !== undefined) visit(child, object[key], { ...place, path: below(place.path, { key }), type });
    }
  }
}

function unknownField(path: Path): Fault {
  const field = renderPath(path);
  return {
    error: {
      field,
      type: 'Unknown',
      message: `unknown field ${goQuote(field)}`,
      at: segmentsOf(path),
      rule: 'unknown-field',
    },
    discovery: 'strict',
  };
}

function wrongType(value: unknown, { path, type, struct, fields }: Place): Fault {
  const printed = printedType(type);
  if (path === undefined) return typeInvalid(undefined, notAnObjectMessage(value), 'wrong-type', 'type-meta');
  if (path.parent === undefined && (path.segment === 'apiVersion' || path.segment === 'kind')) {
    const message = `couldn't get version/kind; json parse error: ${mismatch(value, 'string', '', path.segment)}`;
    return typeInvalid(path, message, 'wrong-type', 'type-meta');
  }
  switch (printed) {
    case 'resource.Quantity':
      return typeInvalid(path, quantityFault(value) ?? '', 'malformed-quantity', 'abort');
    case 'v1.Time':
      return typeof value === 'string'
        ? typeInvalid(path, timeFault(value) ?? '', 'malformed-time', 'abort')
        : typeInvalid(path, mismatch(value, 'string', struct, fields), 'wrong-type', 'abort');
    case 'intstr.IntOrString':
      return typeInvalid(path, mismatch(value, 'int32', struct, fields), integerRule(value), 'abort');
    default:
      return typeInvalid(path, mismatch(value, printed, struct, fields), integerRule(value, printed), 'noted');
  }
}

function integerRule(value: unknown, goType = 'int32'): string {
  return isInteger(goType) && isNumber(value) && Number.isInteger(Number(value)) ? 'out-of-range' : 'wrong-type';
}

function mismatch(value: unknown, goType: string, struct: string, fields: string): string {
  const word = isInteger(goType) && isNumber(value) ? `number ${value}` : jsonWord(value);
  return `json: cannot unmarshal ${word} into Go struct field ${struct}.${fields} of type ${goType}`;
}

function isInteger(goType: string): boolean {
  return goType === 'int32' || goType === 'int64';
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

function jsonWord(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (isNumber(value)) return 'number';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function typeInvalid(path: Path | undefined, message: string, rule: string, discovery: Discovery): Fault {
  return { error: { field: renderPath(path), type: 'TypeInvalid', message, at: segmentsOf(path), rule }, discovery };
}

// The server looks for these two in any JSON first, by a nameless struct that its complaint spells out.
function notAnObjectMessage(value: unknown): string {
  const struct =
    'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';
  return `couldn't get version/kind; json parse error: json: cannot unmarshal ${jsonWord(value)} into Go value of type ${struct}`;
}

/**
 * The server takes a missing apiVersion or kind from the URL; another one than the URL's it refuses.
 * Source: Kubernetes 1.35, apimachinery, JSON serializer.
 */
function typeMetaFault(object: unknown, expectedKind: DecodedKind): Fault | undefined {
  if (!isJsonObject(object)) return undefined;
  const { apiVersion, kind } = object;
  if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2) {
    const message = `unexpected GroupVersion string: ${apiVersion}`;
    return typeInvalid(below(undefined, 'apiVersion'), message, 'wrong-api-version', 'type-meta');
  }
  if (typeof kind === 'string' && kind !== '' && kind !== expectedKind) {
    const message = `${kind} cannot be handled as a ${expectedKind}`;
    return typeInvalid(below(undefined, 'kind'), message, 'wrong-kind', 'type-meta');
  }
  const expected = expectedKind === 'Pod' ? 'v1' : 'batch/v1';
  if (typeof apiVersion === 'string' && apiVersion !== '' && apiVersion !== expected) {
    const message = `no kind ${goQuote(expectedKind)} is registered for version ${goQuote(apiVersion)}`;
    return typeInvalid(below(undefined, 'apiVersion'), message, 'wrong-api-version', 'type-meta');
  }
  return undefined;
}
