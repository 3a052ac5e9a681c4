import { isJsonObject, type JsonObject } from '../../base/index.ts';
import type { GoStruct, GoType } from './goTypes.ts';

/**
 * True if all of a value can be decoded into a type. Null decodes into everything. Knows nothing of places: nearly every
 * object fits, and then nobody asks where.
 */
export function fits(value: unknown, type: GoType): boolean {
  if (value === undefined || value === null) return true;
  const { struct, item, value: member } = type;
  if (struct !== undefined) return isJsonObject(value) && fitsStruct(value, struct);
  if (item !== undefined) return Array.isArray(value) && fitsList(value, item);
  if (member !== undefined) return isJsonObject(value) && fitsMap(value, member);
  return type.holds(value);
}

/** True if a value has the right kind, whatever is in it. */
export function fitsAtTheTop(value: unknown, type: GoType): boolean {
  if (value === undefined || value === null) return true;
  if (type.item !== undefined) return Array.isArray(value);
  return type.struct !== undefined || type.value !== undefined ? isJsonObject(value) : type.holds(value);
}

function fitsStruct(object: JsonObject, struct: GoStruct): boolean {
  for (const key in object) {
    const field = struct.field(key);
    if (field === undefined || !fits(object[key], field.type)) return false;
  }
  return true;
}

function fitsList(list: readonly unknown[], type: GoType): boolean {
  for (const one of list) if (!fits(one, type)) return false;
  return true;
}

function fitsMap(object: JsonObject, type: GoType): boolean {
  for (const key in object) if (!fits(object[key], type)) return false;
  return true;
}
