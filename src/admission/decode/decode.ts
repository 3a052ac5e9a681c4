import { oncePerMinor } from '../version.ts';
import type { Discovery, Fault } from './complaints.ts';
import type { DecodeError, DecodeOptions } from './decodeError.ts';
import { fits } from './fits.ts';
import { structs } from './generated/structs.ts';
import { typeReader } from './goTypes.ts';
import { tellFaults } from './tellFaults.ts';
import { typeMetaFault } from './typeMeta.ts';

const typesOf = oncePerMinor((version) => typeReader(structs, version));

/**
 * All that the server refuses in `object` while decoding it strictly. The error that the server itself would answer
 * with stands first, the others follow in the order of the object's keys; empty if the object decodes. The server
 * names unknown fields only where the types are right; here they are named in any case, a hundred at most.
 */
export function decode(object: unknown, { version, kind }: DecodeOptions): readonly DecodeError[] {
  const type = typesOf(version)(`v1.${kind}`);
  const faults = fits(object, type) ? noFaults : tellFaults(object, type, version);
  const fault = typeMetaFault(object, kind);
  if (fault === undefined && faults === noFaults) return [];
  return inServersOrder(fault === undefined ? faults : [...faults, fault]);
}

const noFaults: readonly Fault[] = [];
const precedence: readonly Discovery[] = ['type-meta', 'abort', 'noted', 'strict'];

function inServersOrder(faults: readonly Fault[]): readonly DecodeError[] {
  const strongest = precedence.find((discovery) => faults.some((fault) => fault.discovery === discovery));
  const first = faults.find((fault) => fault.discovery === strongest);
  return first ? [first.error, ...faults.filter((fault) => fault !== first).map(({ error }) => error)] : [];
}
