import { stringify } from 'yaml';

/** An object as a person reads it, and as most manifests are laid out. */
export function toYaml(object: object): string {
  return stringify(object, { lineWidth: 0, indentSeq: false, aliasDuplicateObjects: false });
}
