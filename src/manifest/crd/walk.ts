import type { FieldErrorType, FieldSegments } from '../../admission/index.ts';
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../base/index.ts';
import { pathText } from '../locate.ts';
import { allowedBy, isAboutStored, keepsRule } from './celRules.ts';
import { isEqual } from './complete.ts';
import type { CrdFault, FaultTopic } from './fault.ts';
import { type CrdBounds, type CrdNode, crdField, crdNode } from './table.ts';

/**
 * Goes through a value and its schema at once, and notes what kube-apiserver refuses in a custom resource. Source:
 * Kubernetes 1.35, apiextensions-apiserver: pruning (unknown fields), validation, list types, CEL.
 */
export class SchemaWalk {
  readonly faults: CrdFault[] = [];
  readonly #root: CrdNode;
  readonly #isUpdate: boolean;

  constructor(root: CrdNode, isUpdate: boolean) {
    this.#root = root;
    this.#isUpdate = isUpdate;
  }

  /** `value` and `old` are completed; `old` is undefined where nothing is stored, or nothing that can be matched. */
  visit(value: JsonValue, node: CrdNode, at: FieldSegments, old: JsonValue | undefined): void {
    // What an update leaves as it was is not held against it, even if it would be refused today.
    if (this.#isUpdate && old !== undefined && isEqual(value, old)) return;
    const before = this.faults.length;
    const wanted = node.t;
    if (wanted !== undefined && !hasType(value, wanted)) {
      const words = wanted === 'int-or-string' ? 'integer,string' : wanted;
      this.#note(at, 'TypeInvalid', 'type', `${pathText(at)} in body must be of type ${words}: "${typeOf(value)}"`);
      return;
    }
    if (isJsonObject(value)) this.#visitObject(value, node, at, old);
    else if (isList(value)) this.#visitList(value, node, at, old);
    else this.#visitScalar(value, node, at);
    // The server asks the rules only of what has the right form.
    if (this.faults.length === before) this.#askRules(value, node, at, old);
  }

  #visitObject(value: JsonObject, node: CrdNode, at: FieldSegments, old: JsonValue | undefined): void {
    for (const [key, member = null] of Object.entries(value)) {
      const field = crdField(node, key);
      const path = [...at, key];
      if (field !== undefined) this.visit(member, field, path, isJsonObject(old) ? old[key] : undefined);
      else if (node.u === undefined && !isTypeMeta(key, node, at)) {
        this.#note(path, 'Unknown', 'field', `unknown field "${pathText(path)}"`);
      }
    }
    for (const key of node.r ?? []) {
      if (!Object.hasOwn(value, key)) this.#note([...at, key], 'Required', 'required', '');
    }
    if (node.o === 1) this.#visitEmbedded(value, at);
  }

  /** What the server asks of an object of whatever kind within another. Its metadata: see `metadataFaults`. */
  #visitEmbedded(value: JsonObject, at: FieldSegments): void {
    for (const key of ['apiVersion', 'kind']) {
      const path = [...at, key];
      if (!Object.hasOwn(value, key)) this.#note(path, 'Required', 'required', '');
      else if (typeof value[key] !== 'string') this.#note(path, 'TypeInvalid', 'type', 'must be a string');
      else if (value[key] === '') this.#note(path, 'Invalid', 'value', 'must not be empty');
    }
  }

  #visitList(value: readonly JsonValue[], node: CrdNode, at: FieldSegments, old: JsonValue | undefined): void {
    const [least = null, most = null] = node.c ?? [];
    const path = pathText(at);
    if (least !== null && value.length < least) {
      this.#note(at, 'Invalid', 'value', `${path} in body should have at least ${least} items`);
    }
    if (most !== null && value.length > most) {
      this.#note(at, 'TooMany', 'value', `must have at most ${most} item${most === 1 ? '' : 's'}`);
    }
    const identities = node.k === undefined ? undefined : value.map((item) => identityOf(item, node.k ?? []));
    const seen = new Set<string>();
    for (const [index, identity] of identities?.entries() ?? []) {
      if (seen.has(identity)) {
        this.#note([...at, index], 'Duplicate', 'duplicate', '', { field: keyedPath(this.#root, [...at, index]) });
      }
      seen.add(identity);
    }
    if (node.i === undefined) return;
    const item = crdNode(node.i);
    const storedItems = new Map(
      identities !== undefined && Array.isArray(old) ? old.map((one) => [identityOf(one, node.k ?? []), one]) : [],
    );
    for (const [index, each] of value.entries()) {
      this.visit(each, item, [...at, index], storedItems.get(identities?.[index] ?? ''));
    }
  }

  #visitScalar(value: string | number | boolean | null, node: CrdNode, at: FieldSegments): void {
    const path = pathText(at);
    if (node.e !== undefined && !node.e.includes(String(value))) {
      const supported = node.e.map((each) => `"${each}"`).join(', ');
      this.#note(at, 'NotSupported', 'value', `supported values: ${supported}`, { allowed: node.e });
    }
    if (typeof value === 'number') {
      const fault = outside(value, node.n);
      if (fault !== undefined) this.#note(at, 'Invalid', 'value', `${path} in body should be ${fault}`);
      if (!isInGoType(value, node)) this.#note(at, 'Invalid', 'range', `${value} is no ${node.f}`);
    }
    if (typeof value === 'string') this.#visitText(value, node, at, path);
  }

  #visitText(value: string, node: CrdNode, at: FieldSegments, path: string): void {
    const [least = null, most = null] = node.l ?? [];
    const length = [...value].length;
    if (most !== null && length > most) this.#note(at, 'TooLong', 'value', `may not be more than ${most} bytes`);
    if (least !== null && length < least) {
      this.#note(at, 'Invalid', 'value', `${path} in body should be at least ${least} chars long`);
    }
    if (node.m !== undefined && !new RegExp(node.m).test(value)) {
      this.#note(at, 'Invalid', 'value', `${path} in body should match '${node.m}'`);
    }
  }

  #askRules(value: JsonValue, node: CrdNode, at: FieldSegments, old: JsonValue | undefined): void {
    for (const [rule, message = `failed rule: ${rule}`] of node.w ?? []) {
      if (keepsRule(rule, value, old)) continue;
      const allowed = allowedBy(rule);
      // The server names the object, people look for the name.
      const place = rule.includes('self.metadata.name') ? [...at, 'metadata', 'name'] : at;
      const more = { rule, field: pathText(at), ...(allowed && { allowed }) };
      this.#note(place, 'Invalid', isAboutStored(rule) ? 'change' : 'rule', message, more);
    }
  }

  #note(
    at: FieldSegments,
    type: FieldErrorType,
    about: FaultTopic,
    message: string,
    more: Pick<CrdFault, 'field' | 'rule' | 'allowed'> = {},
  ): void {
    this.faults.push({ at, type, about, message, ...more });
  }
}

/** A path as the server prints it where it looks at lists: keys of maps in brackets. */
function keyedPath(root: CrdNode, at: FieldSegments): string {
  let node: CrdNode | undefined = root;
  let text = '';
  for (const step of at) {
    if (typeof step === 'number') {
      text += `[${step}]`;
      node = node?.i === undefined ? undefined : crdNode(node.i);
    } else {
      const isField = node?.p !== undefined && Object.hasOwn(node.p, step);
      text += !isField && node?.v !== undefined ? `[${step}]` : text === '' ? step : `.${step}`;
      node = node && crdField(node, step);
    }
  }
  return text;
}

/** Fields that every object has, whether its schema names them or not. */
function isTypeMeta(key: string, node: CrdNode, at: FieldSegments): boolean {
  return (at.length === 0 || node.o === 1) && (key === 'apiVersion' || key === 'kind' || key === 'metadata');
}

function isList(value: JsonValue): value is JsonArray {
  return Array.isArray(value);
}

function hasType(value: JsonValue, type: string): boolean {
  switch (type) {
    case 'object':
      return isJsonObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'int-or-string':
      return typeof value === 'string' || (typeof value === 'number' && Number.isInteger(value));
    default:
      return typeof value === type;
  }
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function outside(value: number, [least, most]: CrdBounds = [null, null]): string | undefined {
  if (least !== null && value < least) return `greater than or equal to ${least}`;
  return most !== null && value > most ? `less than or equal to ${most}` : undefined;
}

/** The server doesn't look at these formats; Go does. */
function isInGoType(value: number, { f }: CrdNode): boolean {
  if (f === 'int32') return value >= -(2 ** 31) && value < 2 ** 31;
  return f !== 'int64' || (value >= -(2 ** 63) && value < 2 ** 63);
}

/** What tells an item of a list apart from the others: its keys, or all of it. */
function identityOf(item: JsonValue, keys: readonly string[]): string {
  if (keys.length === 0 || !isJsonObject(item)) return JSON.stringify(item);
  return JSON.stringify(keys.map((key) => item[key] ?? null));
}
