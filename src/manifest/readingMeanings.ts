/**
 * What is found while a text is read and decoded, which no rule of a list says: each code with its meaning. The table in
 * docs/rules/README.md says the same.
 */
export const readingMeanings: ReadonlyMap<string, string> = new Map([
  ['yaml-syntax', "kubectl can't read the document."],
  [
    'yaml-value',
    "A value that kubectl's reader refuses: `.inf`, a tag that doesn't fit, a null key, a merge of something that is no map.",
  ],
  [
    'yaml-aliases',
    'An alias without its anchor, an anchor that contains itself, or aliases that would blow the document up.',
  ],
  ['yaml-depth', 'Nested more deeply than any object.'],
  ['yaml-separator', 'Something stands behind `---` on its line: kubectl refuses the file.'],
  ['merge-conflict', 'The marks of an unresolved merge.'],
  ['document-too-large', 'More than the 3 MiB that the API server reads.'],
  ['duplicate-key', 'A key stands twice in a map; kubectl silently takes the last.'],
  ['unknown-field', "A field that the kind doesn't have, at this place."],
  ['wrong-type', "A value of another type than the field's."],
  ['out-of-range', 'A whole number that is too large for its field.'],
  ['malformed-quantity', "An amount (of memory, of CPU) that can't be read."],
  ['malformed-time', "A time that can't be read."],
  ['wrong-kind', 'An object of another kind than its address is of.'],
  ['wrong-api-version', 'An object of another version than its address is of.'],
  ['kind-not-served', 'A workload in a version that no server has, or spelt otherwise.'],
  ['api-server-warning', 'What the API server would answer as a `Warning` header.'],
  [
    'kubernetes-version-unlisted',
    "The connected cluster runs a version of Kubernetes that isn't known here, and the nearest one judges. Said once a file.",
  ],
  ['unused-suppression', 'A comment that silences nothing.'],
]);
