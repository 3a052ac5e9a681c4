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
  'key\n',
  '\\n',
  '\\"',
  '\\',
  "''",
  '"a\\n\\"b\\\\"',
  "'it''s'",
  '- \n',
  '>-\n    folded\n    text\n',
  'templ\n  ',
  '\n    tw\n    ',
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

/** One of the texts with a line that ends too soon, as it does while it is typed. */
export function unfinished(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(texts, fc.nat(), fc.nat()).map(([text, place, length]) => {
    const all = text.split('\n');
    const at = place % all.length;
    const line = all[at] ?? '';
    const indent = line.length - line.trimStart().length;
    return all.with(at, line.slice(0, indent + 1 + (length % (line.length - indent + 1)))).join('\n');
  });
}

/** Texts full of anchors, aliases and merges; in one of a few of them something is wrong. */
export const anchored: fc.Arbitrary<string> = fc
  .array(fc.nat(999), { minLength: 60, maxLength: 200 })
  .map((choices) => new AnchoredText(choices).write());

/** Each choice decides one thing; where they end, everything is as simple as it can be. */
class AnchoredText {
  readonly #choices: readonly number[];
  #at = 0;
  readonly #names: string[] = [];
  readonly #maps: string[] = [];
  #anchors = 0;

  constructor(choices: readonly number[]) {
    this.#choices = choices;
  }

  write(): string {
    return this.#block('', this.#oneOf(4) === 3, 0);
  }

  #oneOf(count: number): number {
    return (this.#choices[this.#at++] ?? 0) % count;
  }

  #alias(names: readonly string[] = this.#names): string | undefined {
    return this.#oneOf(60) === 59 ? '*none' : names.length === 0 ? undefined : `*${names[this.#oneOf(names.length)]}`;
  }

  #merged(): string {
    return this.#alias(this.#oneOf(60) === 59 ? this.#names : this.#maps) ?? '{k0: w, k9: x}';
  }

  /** Mostly there is none. */
  #anchor(): string {
    return this.#oneOf(2) === 0 ? '' : this.#oneOf(60) === 59 ? 'n0' : `n${this.#anchors++}`;
  }

  #comment(): string {
    return ['', '', '', ' # c', '  # *n0'][this.#oneOf(5)] ?? '';
  }

  #inline(depth: number): string {
    switch (this.#oneOf(depth > 2 ? 7 : 12)) {
      case 1:
        return '12';
      case 2:
        return ['"a b"', '"a\\n\\"b\\\\"', "'it''s'"][this.#oneOf(3)] ?? '';
      case 3:
      case 4:
      case 5:
      case 6:
        return this.#alias() ?? 'v';
      case 7:
      case 8:
        return `[${Array.from({ length: this.#oneOf(4) }, () => this.#inline(depth + 1)).join(', ')}]`;
      case 9:
      case 10:
        return `{k${this.#oneOf(3)}: ${this.#inline(depth + 1)}, k3: ${this.#inline(depth + 1)}}`;
      case 11:
        return this.#oneOf(10) === 9 ? `{k0: v, <<: ${this.#merged()}, k1: ${this.#inline(depth + 1)}}` : '{}';
      default:
        return 'v';
    }
  }

  /** What stands behind a key or a dash, up to the end of its lines. */
  #value(indent: string, depth: number, isItem: boolean): string {
    const name = this.#anchor();
    const isMap = depth < 4 && this.#oneOf(2) === 1;
    // Sooner it would contain itself.
    const isSoon = this.#oneOf(60) === 59;
    if (isSoon && name !== '') this.#names.push(name);
    const written = isMap ? this.#blockValue(indent, depth, isItem, name) : this.#lineValue(indent, name);
    if (name !== '' && !isSoon) this.#names.push(name);
    return written;
  }

  #lineValue(indent: string, name: string): string {
    const anchor = name === '' ? ' ' : ` &${name} `;
    if (this.#oneOf(6) === 5) {
      const header = ['|', '>', '|-', '>-'][this.#oneOf(4)];
      return `${anchor}${header}\n${indent}    text\n${indent}    more\n`;
    }
    const value = this.#inline(0);
    const isAlias = value.startsWith('*') && this.#oneOf(60) !== 59;
    if (value.startsWith('{') && name !== '') this.#maps.push(name);
    return `${isAlias ? ' ' : anchor}${value}${this.#comment()}\n`;
  }

  #blockValue(indent: string, depth: number, isItem: boolean, name: string): string {
    const isList = this.#oneOf(4) === 3;
    if (isItem && name === '') return ` ${this.#block(`${indent}  `, false, depth + 1).trimStart()}`;
    const below = isList && !isItem && this.#oneOf(2) === 0 ? indent : `${indent}  `;
    const block = this.#block(below, isList, depth + 1);
    if (!isList && name !== '') this.#maps.push(name);
    return `${name === '' ? '' : ` &${name}`}${this.#comment()}\n${block}`;
  }

  #block(indent: string, isList: boolean, depth: number): string {
    const count = 1 + this.#oneOf(depth === 0 ? 8 : 4);
    const entry = (index: number): string => {
      if (isList) return `${indent}-${this.#value(indent, depth, true)}`;
      const isMerge = this.#oneOf(4) === 3;
      if (!isMerge) return `${indent}k${this.#oneOf(30) === 29 ? 0 : index}:${this.#value(indent, depth, false)}`;
      const merged = [this.#merged(), `[${this.#merged()}, ${this.#merged()}]`][this.#oneOf(2)];
      return `${indent}<<: ${merged}${this.#comment()}\n`;
    };
    return Array.from({ length: count }, (_, index) => entry(index)).join('');
  }
}
