import type { Span } from './text.ts';

/** One document of a file, cut out before anything is parsed. Spans are offsets in the file. */
export interface DocumentSlice {
  /** Counts from 0. A comment in front of the first `---` belongs to the document behind it. */
  readonly index: number;
  readonly text: string;
  readonly span: Span;
  /** What stands behind `---` on its line and isn't a comment; kubectl refuses the file for it. */
  readonly strayContent?: Span;
}

/**
 * Cuts a file into documents where kubectl does: before each line that begins with `---`. A file that begins with `{`
 * may also be a row of JSON objects. Source: k8s.io/apimachinery, util/yaml, the reader that splits documents.
 */
export function cutDocuments(text: string): readonly DocumentSlice[] {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  return cutJson(text, start) ?? cutYaml(text, start);
}

const separator = /^---([^\r\n]*)/gm;

function cutYaml(text: string, start: number): readonly DocumentSlice[] {
  const slices: DocumentSlice[] = [];
  let from = start;
  let strayContent: Span | undefined;
  const add = (to: number, isExplicit: boolean): void => {
    const content = text.slice(from, to);
    if (!isExplicit && /^(?:[ \t]*(?:#.*)?(?:\r?\n|$))*$/.test(content)) return;
    const slice = { index: slices.length, text: content, span: { start: from, end: to } };
    slices.push(strayContent === undefined ? slice : { ...slice, strayContent });
  };
  let isExplicit = false;
  for (const match of text.matchAll(separator)) {
    if (match.index < start) continue;
    // Without the m flag's help: a lone CR is no line end where kubectl cuts.
    if (match.index > 0 && text[match.index - 1] === '\r') continue;
    add(match.index, isExplicit);
    const rest = match[1] ?? '';
    const content = rest.trim();
    from = match.index + match[0].length;
    const at = from - rest.length + rest.indexOf(content);
    strayContent = content === '' || content.startsWith('#') ? undefined : { start: at, end: at + content.length };
    isExplicit = true;
  }
  add(text.length, isExplicit);
  return slices;
}

/** Undefined unless the text is nothing but JSON objects in a row. */
function cutJson(text: string, start: number): readonly DocumentSlice[] | undefined {
  if (!/^\s*\{/.test(text.slice(start, start + 4096))) return undefined;
  const slices: DocumentSlice[] = [];
  const token = /["{}[\]]|[^\s"{}[\]]/g;
  token.lastIndex = start;
  let depth = 0;
  let from = start;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const char = match[0];
    if (depth === 0) {
      if (char !== '{') return undefined;
      from = match.index;
    }
    if (char === '"') {
      const end = endOfString(text, match.index);
      if (end === undefined) return undefined;
      token.lastIndex = end;
    } else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') {
      depth--;
      if (depth < 0) return undefined;
      if (depth === 0) {
        const end = match.index + 1;
        slices.push({ index: slices.length, text: text.slice(from, end), span: { start: from, end } });
      }
    }
  }
  return depth === 0 ? slices : undefined;
}

function endOfString(text: string, start: number): number | undefined {
  for (let offset = start + 1; offset < text.length; offset++) {
    const char = text[offset];
    if (char === '\\') offset++;
    else if (char === '"') return offset + 1;
    else if (char === '\n') return undefined;
  }
  return undefined;
}
