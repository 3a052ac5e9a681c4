import { isJsonObject, type JsonObject } from '../../base/index.ts';
import { below } from '../path.ts';
import type { KubernetesMinor } from '../verdict.ts';
import { type Fault, type Place, unknownField, wrongType } from './complaints.ts';
import { fits, fitsAtTheTop } from './fits.ts';
import type { GoStruct, GoType } from './goTypes.ts';

// The server gives up counting here.
const maxUnknownFields = 100;

/** The complaints about all that can't be decoded into `type`, in the order of the document. */
export function tellFaults(object: unknown, type: GoType, version: KubernetesMinor): readonly Fault[] {
  const namesEmbedded = version !== '1.34';
  const faults: Fault[] = [];
  let unknownFields = 0;
  visit(object, type, { path: undefined, struct: '', fields: '' });
  return faults;

  function visit(value: unknown, type: GoType, place: Place): void {
    if (fits(value, type)) return;
    if (!fitsAtTheTop(value, type)) faults.push(wrongType(value, type.printed, place));
    else if (Array.isArray(value)) visitItems(value, type.item, place);
    else if (isJsonObject(value)) visitMembers(value, type, place);
  }

  function visitItems(list: readonly unknown[], type: GoType | undefined, place: Place): void {
    if (type === undefined) return;
    for (const [index, item] of list.entries()) visit(item, type, { ...place, path: below(place.path, index) });
  }

  function visitMembers(object: JsonObject, { struct, value }: GoType, place: Place): void {
    for (const key of Object.keys(object)) {
      if (struct !== undefined) visitField(object, key, struct, place);
      else if (value !== undefined) visit(object[key], value, { ...place, path: below(place.path, { key }) });
    }
  }

  function visitField(object: JsonObject, key: string, struct: GoStruct, place: Place): void {
    const path = below(place.path, key);
    const field = struct.field(key);
    if (field === undefined) {
      if (unknownFields++ < maxUnknownFields) faults.push(unknownField(path));
      return;
    }
    const name = namesEmbedded ? field.embeddedPrefix + key : key;
    const fields = place.fields === '' ? name : `${place.fields}.${name}`;
    visit(object[key], field.type, { path, struct: struct.name, fields });
  }
}
