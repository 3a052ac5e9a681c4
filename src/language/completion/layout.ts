import { scalarText } from '../../manifest/index.ts';

/** How the text around the cursor is written, so that what is inserted looks the same. */
export interface Layout {
  readonly style: 'block' | 'flow' | 'json';
  /** The column from which deeper lines are indented. */
  readonly column: number;
  /** Blanks a level. */
  readonly indent: number;
  /** Whether the dashes of a list stand below the first letter of its key or one level deeper. */
  readonly dash: 'flush' | 'indented';
  readonly lineBreak: string;
  /** JSON without line breaks. */
  readonly isOneLine: boolean;
  /** Whether another entry follows, from which a comma must part this one. */
  readonly needsComma: boolean;
}

/** A value to insert, in whichever layout. */
export type Piece =
  | { readonly kind: 'map'; readonly entries: readonly (readonly [key: string, value: Piece])[] }
  | { readonly kind: 'list'; readonly items: readonly Piece[] }
  | Leaf;

/** A place to fill in: with a text proposed, with a choice, or with nothing. */
export interface Leaf {
  readonly kind: 'leaf';
  readonly isText: boolean;
  readonly proposals: readonly string[];
  /** The text is meant as it stands: no place to fill in. */
  readonly isFixed?: boolean;
}

/** What is inserted: plain text, or a snippet with tab stops as editors know them. */
export interface Insertion {
  readonly insertText: string;
  readonly isSnippet: boolean;
}

/** A key with its value. One that proposes nothing is left open: the next list of completions fills it. */
export function renderEntry(key: string, value: Piece, layout: Layout): Insertion {
  const isEmpty = value.kind === 'leaf' && value.proposals.length === 0;
  if (isEmpty && layout.style !== 'json' && !layout.needsComma)
    return { insertText: `${keyText(key)}: `, isSnippet: false };
  return new Writer(layout).finish((writer) => writer.entry(key, value, layout.column), layout.needsComma);
}

/** An item of a list, with its dash where the layout has dashes. */
export function renderItem(value: Piece, layout: Layout): Insertion {
  return new Writer(layout).finish((writer) => writer.item(value, layout.column), layout.needsComma);
}

/** A key alone, in front of a colon that is there. */
export function renderKey(key: string, { style }: Layout): string {
  return style === 'json' ? JSON.stringify(key) : keyText(key);
}

/** A whole document. */
export function renderDocument(entries: readonly (readonly [key: string, value: Piece])[], layout: Layout): string {
  return new Writer(layout).finish((writer) => writer.entries(entries, 0), false).insertText;
}

function keyText(key: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9_./-]*$/.test(key) ? key : JSON.stringify(key);
}

class Writer {
  readonly #layout: Layout;
  /** Tab stops count from 1, in the order of the text. */
  #stops = 0;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  finish(write: (writer: Writer) => string, needsComma: boolean): Insertion {
    const text = write(this);
    const isSnippet = this.#stops > 0;
    const end = needsComma ? ', ' : '';
    return isSnippet
      ? { insertText: `${text}${end}`, isSnippet }
      : { insertText: `${text.replaceAll(/\\([\\$}])/g, '$1')}${end}`, isSnippet };
  }

  entries(entries: readonly (readonly [string, Piece])[], column: number): string {
    return entries.map(([key, value]) => this.entry(key, value, column)).join(this.#line(column));
  }

  entry(key: string, value: Piece, column: number): string {
    const { style } = this.#layout;
    if (style === 'json') return `${JSON.stringify(key)}: ${this.#json(value, column)}`;
    if (style === 'flow') return `${keyText(key)}: ${this.#flow(value)}`;
    if (value.kind === 'leaf') return `${keyText(key)}: ${this.#leaf(value)}`;
    return `${keyText(key)}:${this.#line(column + this.#step(value))}${this.#block(value, column + this.#step(value))}`;
  }

  item(value: Piece, column: number): string {
    const { style } = this.#layout;
    if (style === 'json') return this.#json(value, column);
    return style === 'flow' ? this.#flow(value) : `- ${this.#block(value, column + 2)}`;
  }

  #step(value: Piece): number {
    return value.kind === 'list' && this.#layout.dash === 'flush' ? 0 : this.#layout.indent;
  }

  #line(column: number): string {
    return this.#layout.lineBreak + ' '.repeat(column);
  }

  #block(value: Piece, column: number): string {
    switch (value.kind) {
      case 'leaf':
        return this.#leaf(value);
      case 'list':
        return value.items.map((item) => this.item(item, column)).join(this.#line(column));
      case 'map':
        return value.entries.length === 0 ? this.#stop([]) : this.entries(value.entries, column);
    }
  }

  #flow(value: Piece): string {
    if (value.kind === 'leaf') return this.#leaf(value);
    if (value.kind === 'list') return `[${value.items.map((item) => this.#flow(item)).join(', ')}]`;
    const inside = value.entries.map(([key, inner]) => `${keyText(key)}: ${this.#flow(inner)}`).join(', ');
    return `{${inside === '' ? this.#stop([]) : inside}}`;
  }

  #json(value: Piece, column: number): string {
    if (value.kind === 'leaf') return value.isText ? `"${this.#leafText(value)}"` : this.#leafText(value);
    const inner = column + this.#layout.indent;
    const isList = value.kind === 'list';
    const parts = isList
      ? value.items.map((item) => this.#json(item, inner))
      : value.entries.map(([key, one]) => this.entry(key, one, inner));
    const [open, close] = isList ? ['[', ']'] : ['{', '}'];
    const isShort = this.#layout.isOneLine || (isList && value.items.every(({ kind }) => kind === 'leaf'));
    if (parts.length === 0) parts.push(this.#stop([]));
    return isShort
      ? `${open}${parts.join(', ')}${close}`
      : `${open}${this.#line(inner)}${parts.join(`,${this.#line(inner)}`)}${this.#line(column)}${close}`;
  }

  #leaf(leaf: Leaf): string {
    const [first] = leaf.proposals;
    const isPlain = !leaf.isText || first === undefined || isPlainText(first);
    return isPlain ? this.#leafText(leaf) : `"${this.#leafText(leaf)}"`;
  }

  #leafText({ proposals, isFixed }: Leaf): string {
    return isFixed === true ? escaped(proposals[0] ?? '') : this.#stop(proposals);
  }

  #stop(proposals: readonly string[]): string {
    this.#stops++;
    const [only] = proposals;
    if (only === undefined) return `\${${this.#stops}}`;
    if (proposals.length === 1) return `\${${this.#stops}:${escaped(only)}}`;
    return `\${${this.#stops}|${proposals.map((one) => one.replaceAll(/[\\,|]/g, '\\$&')).join(',')}|}`;
  }
}

/** Whether YAML reads a proposed text as that text without quotes. An image's colon is none that parts key and value. */
function isPlainText(text: string): boolean {
  return scalarText(text) === text || /^[A-Za-z/][\w./:-]*\w$/.test(text);
}

/** Text as it must stand in a snippet. */
function escaped(text: string): string {
  return text.replaceAll(/[\\$}]/g, '\\$&');
}
