import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';

/** Texts as they are while somebody types: manifests, scalars and anchors, each with something put in or taken away. */

const folder = new URL('../fixtures/manifest/', import.meta.url);
const lines = (name: string): readonly { text: string }[] =>
  readFileSync(new URL(name, folder), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

export const manifests: readonly string[] = readdirSync(new URL('ecosystem/', folder))
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(new URL(`ecosystem/${name}`, folder), 'utf8'));

export const scalars: readonly string[] = [...lines('readerAnswers.ndjson'), ...lines('yamlScalars.ndjson')].map(
  ({ text }) => text,
);

const pieces = [
  '\t',
  ' ',
  '  ',
  ':',
  '- ',
  '#',
  ' # c',
  ' &a ',
  ' *x ',
  '{',
  '}',
  '[',
  ']',
  ',',
  '"',
  "'",
  '|',
  '>',
  '|\n',
  '\n',
  '\n\n',
  '\n  ',
  '!',
  '? ',
  '<<: ',
  '...',
  '\r\n',
  '\r',
  '-',
  '~',
  ': ',
  'key: v\n',
  '- x\n',
  '    ',
  '"a"',
  '{a: b}',
  '[1, c]',
  'on',
  '010',
];

/** One of the texts, changed at up to three places. */
export function mangled(texts: readonly string[], more: readonly string[] = []): fc.Arbitrary<string> {
  const change = fc.tuple(fc.nat(), fc.constantFrom(...pieces, ...more), fc.nat(3));
  const changes = fc.array(change, { minLength: 1, maxLength: 3 });
  return fc.tuple(fc.constantFrom(...texts), changes).map(([text, list]) => {
    let changed = text;
    for (const [place, piece, cut] of list) {
      const at = place % (changed.length + 1);
      changed = changed.slice(0, at) + piece + changed.slice(at + cut);
    }
    return changed;
  });
}
