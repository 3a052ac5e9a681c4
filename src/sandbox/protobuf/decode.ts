import type { JsonObject, JsonValue } from '../../base/index.ts';
import { unsupportedMediaType } from '../status.ts';

/**
 * A reader for the protobuf in which Kubernetes' own clients write some requests (`kubectl create job`), by small
 * tables of the types that people make that way. What a table doesn't have is refused, never dropped in silence.
 */
export interface Message {
  readonly [fieldNumber: number]: Field;
}

/**
 * - `text`, `count`, `flag`: Go values; the zero value means absent.
 * - `number`, `switch`: Go pointers; what is there counts, even if it is zero.
 * - `texts`, `messages`: repeated fields.
 * - `textMap`, `dataMap`, `quantityMap`: maps from text to text, to bytes (base64 in JSON), to quantities.
 * - `ignored`: what the server throws away in any case.
 */
export interface Field {
  readonly name: string;
  readonly kind:
    | 'text'
    | 'count'
    | 'flag'
    | 'number'
    | 'switch'
    | 'texts'
    | 'textMap'
    | 'dataMap'
    | 'quantityMap'
    | 'message'
    | 'messages'
    | 'ignored';
  readonly message?: Message;
}

const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/** The object in an envelope of Kubernetes' protobuf. `typeOf` finds the table of a kind. Throws the 415. */
export function decodeProtobuf(bytes: Buffer, typeOf: (kind: string) => Message | undefined): JsonObject {
  if (!bytes.subarray(0, 4).equals(magic)) throw unreadable('it has no magic number');
  let apiVersion = '';
  let kind = '';
  let raw: Buffer = Buffer.alloc(0);
  for (const { number, bytes: content } of fieldsOf(bytes.subarray(4))) {
    if (number === 1) {
      for (const { number: part, bytes: text } of fieldsOf(content)) {
        if (part === 1) apiVersion = text.toString();
        else if (part === 2) kind = text.toString();
      }
    } else if (number === 2) raw = content;
  }
  const type = typeOf(kind);
  if (type === undefined) throw unreadable(`it is a ${kind}`);
  return { apiVersion, kind, ...decodeMessage(raw, type) };
}

interface WireField {
  readonly number: number;
  /** Of a field of any length. */
  readonly bytes: Buffer;
  /** Of a field that is a number. */
  readonly value?: number;
}

function* fieldsOf(bytes: Buffer): Generator<WireField> {
  let offset = 0;
  const varint = (): number => {
    let result = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[offset];
      if (byte === undefined) throw unreadable('it ends too early');
      offset += 1;
      result |= BigInt(byte & 0x7f) << shift;
      // Negative numbers are written as unsigned ones of 64 bits.
      if (byte < 0x80) return Number(BigInt.asIntN(64, result));
    }
    throw unreadable('a number in it does not end');
  };
  while (offset < bytes.length) {
    const tag = varint();
    const number = tag >> 3;
    switch (tag & 7) {
      case 0:
        yield { number, bytes: Buffer.alloc(0), value: varint() };
        break;
      case 2: {
        const length = varint();
        if (length < 0 || offset + length > bytes.length) throw unreadable('it ends too early');
        yield { number, bytes: bytes.subarray(offset, offset + length) };
        offset += length;
        break;
      }
      default:
        throw unreadable(`it has a field of wire type ${tag & 7}`);
    }
  }
}

function decodeMessage(bytes: Buffer, type: Message): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const field of fieldsOf(bytes)) {
    const known = type[field.number];
    if (known === undefined) {
      // Go writes zero values of everything; those say nothing, whatever field it is.
      if (field.bytes.length > 0 || (field.value ?? 0) !== 0) throw unreadable(`it has a field ${field.number}`);
    } else {
      const value = decodeField(field, known, result[known.name]);
      if (value !== undefined) result[known.name] = value;
    }
  }
  return result;
}

/** The field's value, with what the field held before if it is repeated; undefined for a value that means absent. */
function decodeField(
  { bytes, value = 0 }: WireField,
  field: Field,
  before: JsonValue | undefined,
): JsonValue | undefined {
  const list: readonly JsonValue[] = Array.isArray(before) ? before : [];
  switch (field.kind) {
    case 'text':
      return bytes.length === 0 ? undefined : bytes.toString();
    case 'count':
      return value === 0 ? undefined : value;
    case 'flag':
      return value === 0 ? undefined : true;
    case 'number':
      return value;
    case 'switch':
      return value !== 0;
    case 'texts':
      return [...list, bytes.toString()];
    case 'textMap':
    case 'dataMap':
    case 'quantityMap':
      return { ...(typeof before === 'object' ? before : {}), ...mapEntry(bytes, field.kind) };
    case 'message': {
      const message = decodeMessage(bytes, field.message ?? {});
      return Object.keys(message).length === 0 ? undefined : message;
    }
    case 'messages':
      return [...list, decodeMessage(bytes, field.message ?? {})];
    case 'ignored':
      return undefined;
  }
}

/** An entry of a map is a message of its own, with the key in its first field and the value in its second. */
function mapEntry(bytes: Buffer, kind: 'textMap' | 'dataMap' | 'quantityMap'): JsonObject {
  let key = '';
  let value = '';
  for (const { number, bytes: content } of fieldsOf(bytes)) {
    if (number === 1) key = content.toString();
    else if (number === 2)
      value = kind === 'quantityMap' ? quantityText(content) : content.toString(kind === 'dataMap' ? 'base64' : 'utf8');
  }
  return { [key]: value };
}

function quantityText(bytes: Buffer): string {
  for (const { number, bytes: content } of fieldsOf(bytes)) if (number === 1) return content.toString();
  return '0';
}

function unreadable(why: string): Error {
  return unsupportedMediaType(
    ['application/json'],
    `the sandbox reads no protobuf but that of simple objects, and ${why}: use kubectl create -f`,
  );
}
