import {
  Composer,
  type CST,
  Document,
  isMap,
  isNode,
  isPair,
  isSeq,
  Lexer,
  type Node,
  Parser,
  type YAMLMap,
  type YAMLParseError,
  type YAMLSeq,
} from 'yaml';
import type { Pieces } from '../../base/index.ts';

/** What the parser's own `parseDocument` says of a text. Comments are lost where the text was composed in pieces. */
export interface Parsed {
  readonly contents: Node | undefined;
  readonly errors: readonly YAMLParseError[];
}

export const parseOptions = {
  // Every scalar arrives as it is written; scalars.ts decides what it means.
  schema: 'failsafe',
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
  keepSourceTokens: false,
} as const;

/** Taken in by the parser in one go: about a millisecond. */
const lexemesOfPiece = 1000;

/** So many characters of the text are composed in one go: about a millisecond. */
const charactersOfPiece = 10_000;

/**
 * The parser's own `parseDocument`, with pauses. It composes a document in one go: so a long one is handed to it in parts,
 * which are put together to the same nodes and errors.
 */
export function* parseInPieces(text: string, most = charactersOfPiece): Pieces<Parsed> {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (++count % lexemesOfPiece === 0) yield;
  }
  for (const token of parser.end()) tokens.push(token);
  yield;
  const index = tokens.findIndex(({ type }) => type === 'document');
  const document = tokens[index];
  const isShort = text.length <= most;
  if (isShort || document?.type !== 'document' || !isCollection(document.value) || !isUsual(tokens)) {
    const { contents, errors } = composeAtOnce(tokens, text.length);
    return { contents: contents ?? undefined, errors };
  }
  const emptied = { ...document, value: emptiedOf(document.value) };
  // What is wrong in front of the contents, in them, and behind them, in this order.
  const { errors: before } = composeAtOnce([...tokens.slice(0, index), { ...emptied, end: [] }], text.length);
  const { errors: around } = composeAtOnce(tokens.with(index, emptied), text.length);
  const errors = [...before];
  const contents = yield* new PartComposer(errors, most).compose(document.value, text.length, 0);
  return { contents, errors: [...errors, ...around.slice(before.length)] };
}

function composeAtOnce(tokens: readonly CST.Token[], endOffset: number): Document {
  // To its end, though it gives but one: what an iterator that is left early refers to lives on for long.
  const [document] = [...new Composer(parseOptions).compose(tokens, true, endOffset)];
  // It composes one, be it empty, whatever it is given.
  return document ?? new Document();
}

/** Whether the text holds but one document, without a tag or an anchor, and no directives, which tags in its depth would need. */
function isUsual(tokens: readonly CST.Token[]): boolean {
  let documents = 0;
  for (const token of tokens) {
    if (token.type === 'directive' || token.type === 'doc-end') return false;
    if (token.type !== 'document') continue;
    documents++;
    if (token.start.some(({ type }) => type === 'anchor' || type === 'tag')) return false;
  }
  return documents === 1;
}

type Collection = CST.BlockMap | CST.BlockSequence | CST.FlowCollection;

/** Items that are composed in one go; or one that is too long for that, whose value is composed for itself. */
interface Run {
  readonly items: readonly CST.CollectionItem[];
  readonly opened?: { readonly value: Collection; readonly end: number };
}

/** Deeper than any object; what lies below is composed in one go. */
const maxDepth = 100;

class PartComposer {
  readonly #errors: YAMLParseError[];
  readonly #most: number;

  constructor(errors: YAMLParseError[], most: number) {
    this.#errors = errors;
    this.#most = most;
  }

  /** Composes a collection that ends in front of an offset. */
  *compose(collection: Collection, end: number, depth: number): Pieces<Node | undefined> {
    const runs = this.#runsOf(collection, end, depth);
    if (runs.length < 2 && runs[0]?.opened === undefined) return this.#composeAlone(collection, depth);
    let whole: YAMLMap | YAMLSeq | undefined;
    for (const { items, opened } of runs) {
      const part = this.#composeRun(collection, items, whole, depth);
      // Where the stack ends there is no collection.
      if (!isMap(part) && !isSeq(part)) return part;
      if (opened !== undefined) putLast(part, yield* this.compose(opened.value, opened.end, depth + 1));
      if (whole === undefined) whole = part;
      else append(whole, part);
      yield;
    }
    if (collection.type !== 'flow-collection' || whole === undefined) return whole;
    const last = this.#composeAlone({ ...collection, items: [placeAt(collection, whole)] }, depth);
    if (isMap(last) || isSeq(last)) whole.range = [collection.offset, last.range?.[1] ?? end, last.range?.[2] ?? end];
    return whole;
  }

  #runsOf(collection: Collection, end: number, depth: number): readonly Run[] {
    const { items } = collection;
    const isOdd = items.slice(0, -1).some(isRemark);
    if (isOdd || depth > maxDepth) return [{ items }];
    const runs: Run[] = [];
    let from = 0;
    const cut = (to: number): void => {
      if (to > from) runs.push({ items: items.slice(from, to) });
      from = to;
    };
    for (const [index, item] of items.entries()) {
      const next = items[index + 1];
      const endOfItem = next === undefined ? end : startOf(next, end);
      const value = endOfItem - startOf(item, end) > this.#most ? openable(collection, item) : undefined;
      if (value !== undefined) {
        cut(index);
        runs.push({ items: [{ ...item, value: emptiedOf(value) }], opened: { value, end: endOfItem } });
        from = index + 1;
      } else if (endOfItem - startOf(items[from] ?? item, end) > this.#most) cut(index + 1);
    }
    cut(items.length);
    return runs;
  }

  /** Composes some items as if those that stand in `before` stood in front of them. */
  #composeRun(
    collection: Collection,
    items: readonly CST.CollectionItem[],
    before: YAMLMap | YAMLSeq | undefined,
    depth: number,
  ): Node | undefined {
    if (collection.type !== 'flow-collection') {
      const offset = before?.range?.[1] ?? collection.offset;
      return this.#composeAlone(withItems({ ...collection, offset }, items), depth);
    }
    // Left open, it ends where its last item does. That this is a fault is said last.
    const given = before === undefined ? items : [placeAt(collection, before), ...items];
    const part = this.#composeAlone({ ...collection, items: [...given], end: [] }, depth);
    if (!isMap(part) && !isSeq(part)) return part;
    this.#errors.pop();
    if (before !== undefined) part.items.shift();
    return part;
  }

  #composeAlone(collection: Collection, depth: number): Node | undefined {
    const { offset, indent } = collection;
    // Some faults of the root are told in other words: what isn't one stands in a list here.
    const item = { start: [{ type: 'seq-item-ind', offset, indent, source: '-' } as const], value: collection };
    const value: CST.Token = depth === 0 ? collection : { type: 'block-seq', offset, indent, items: [item] };
    const { contents, errors } = composeAtOnce([{ type: 'document', offset, start: [], value }], 0);
    for (const error of errors) this.#errors.push(error);
    const node = depth > 0 && isSeq(contents) ? contents.items[0] : contents;
    return isNode(node) ? node : undefined;
  }
}

function isCollection(token: CST.Token | null | undefined): token is Collection {
  return token?.type === 'block-map' || token?.type === 'block-seq' || token?.type === 'flow-collection';
}

/** The value of an item, if it can be composed for itself: that it stands there is all that is said of it by its item. */
function openable(holder: Collection, { start, key, sep, value }: CST.CollectionItem): Collection | undefined {
  if (!isCollection(value)) return undefined;
  if (holder.type === 'flow-collection') {
    // A pair in a list, and a block in brackets, which is a fault.
    const isPairInList = holder.start.source === '[' && (key !== undefined || sep !== undefined);
    if (isPairInList || value.type !== 'flow-collection') return undefined;
  }
  // What stands in a map without a colon is left out.
  if (holder.type === 'block-map' && sep?.some(({ type }) => type === 'map-value-ind') !== true) return undefined;
  // A tag may make something else of a collection, and an anchor without a name is said to be one behind it.
  const isOdd = [...start, ...(sep ?? [])].some(({ type, source }) => type === 'tag' || source === '&');
  return isOdd ? undefined : value;
}

/** Comments behind the last item, which are an item of their own; elsewhere they are a fault. */
function isRemark({ start, key, sep, value }: CST.CollectionItem): boolean {
  const isNothing = key === undefined && sep === undefined && value === undefined;
  return isNothing && !start.some(({ type }) => type === 'seq-item-ind' || type === 'explicit-key-ind');
}

function startOf({ start, key, sep, value }: CST.CollectionItem, otherwise: number): number {
  return (start[0] ?? key ?? sep?.[0] ?? value)?.offset ?? otherwise;
}

function withItems(block: CST.BlockMap | CST.BlockSequence, items: readonly CST.CollectionItem[]): Collection {
  return Object.assign({ ...block }, { items: [...items] });
}

/** Stands in for a collection that is composed for itself. */
function emptiedOf(collection: Collection): Collection {
  if (collection.type !== 'flow-collection') return { ...collection, items: [] };
  const { offset, indent, start } = collection;
  const source = start.source === '{' ? '}' : ']';
  const type = source === '}' ? 'flow-map-end' : 'flow-seq-end';
  return { ...collection, items: [], end: [{ type, offset: offset + 1, indent, source }] };
}

/** An item of nothing, where the last of some items ends. */
function placeAt({ start }: CST.FlowCollection, { range }: Node): CST.CollectionItem {
  const nothing = { type: 'scalar', offset: range?.[1] ?? 0, indent: -1, source: '' } as const;
  return start.source === '{' ? { start: [], key: nothing, sep: [] } : { start: [], value: nothing };
}

/** Gives its value to the last item of a part, which ends where the value does. */
function putLast(part: YAMLMap | YAMLSeq, value: Node | undefined): void {
  const last = part.items.at(-1);
  const placeholder = isPair(last) ? last.value : last;
  if (value === undefined) return;
  if (
    (isMap(value) || isSeq(value)) &&
    (isMap(placeholder) || isSeq(placeholder)) &&
    placeholder.anchor !== undefined
  ) {
    value.anchor = placeholder.anchor;
  }
  if (isPair(last)) last.value = value;
  else part.items[part.items.length - 1] = value;
  const [start = 0] = part.range ?? [];
  const [, , end = start] = value.range ?? [];
  part.range = [start, end, end];
}

function append(whole: YAMLMap | YAMLSeq, part: YAMLMap | YAMLSeq): void {
  for (const item of part.items) {
    if (isSeq(whole)) whole.items.push(item);
    else if (isPair(item)) whole.items.push(item);
  }
  const [start = 0] = whole.range ?? [];
  const [, end = start, endOfAll = end] = part.range ?? [];
  whole.range = [start, end, endOfAll];
}
