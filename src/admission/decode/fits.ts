import { isJsonObject, type JsonObject } from '../../base/index.ts';
import type { KubernetesMinor } from '../verdict.ts';
import type { GoField, GoStruct, GoType } from './goTypes.ts';

/**
 * True if all of a value can be decoded into a type. Null decodes into everything. Knows nothing of places: nearly every
 * object fits, and then nobody asks where.
 */
export function fits(value: unknown, type: GoType, version: KubernetesMinor): boolean {
  if (value === undefined || value === null) return true;
  const { struct, item, value: member } = type;
  if (struct !== undefined) return isJsonObject(value) && fitsStruct(value, struct, version);
  if (item !== undefined) return Array.isArray(value) && value.every((one) => fits(one, item, version));
  if (member !== undefined) return isJsonObject(value) && fitsMap(value, member, version);
  return type.holds(value);
}

/** True if a value has the right kind, whatever is in it. */
export function fitsAtTheTop(value: unknown, type: GoType): boolean {
  if (value === undefined || value === null) return true;
  if (type.item !== undefined) return Array.isArray(value);
  return type.struct !== undefined || type.value !== undefined ? isJsonObject(value) : type.holds(value);
}

/** The field of this name if a minor has it. */
export function fieldIn(struct: GoStruct, name: string, version: KubernetesMinor): GoField | undefined {
  const field = struct.fields().get(name);
  return field?.minors === undefined || field.minors.includes(version) ? field : undefined;
}

function fitsStruct(object: JsonObject, struct: GoStruct, version: KubernetesMinor): boolean {
  for (const key in object) {
    const field = fieldIn(struct, key, version);
    if (field === undefined || !fits(object[key], field.type, version)) return false;
  }
  return true;
}

function fitsMap(object: JsonObject, type: GoType, version: KubernetesMinor): boolean {
  for (const key in object) if (!fits(object[key], type, version)) return false;
  return true;
}
