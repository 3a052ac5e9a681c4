import { cutDocuments } from './documents.ts';
import { type ManifestNode, stringAt } from './nodes.ts';
import { readYaml } from './readYaml.ts';
import type { Span } from './text.ts';

/** Where in an object somebody is typing. */
export interface Cursor {
  /** 'key': a field's name; 'value': what stands behind its colon or behind a dash. */
  readonly role: 'key' | 'value';
  /** Keys and indexes from the document's root to what is typed; for a key, to the map that gets it. */
  readonly path: readonly (string | number)[];
  /** The word that is there already, as offsets in the whole text. */
  readonly word: Span;
  /** The document with a placeholder in the place of the word. */
  readonly root: ManifestNode;
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
  /** Whether a colon follows the word already. */
  readonly hasColon: boolean;
}

const placeholder = 'cursor-placeholder';

/**
 * Finds out what is being typed, in text that is mostly unfinished: puts a placeholder there and looks where it ends up.
 * Undefined within comments, and where the text can't be read even so. `'empty'` for a document that has nothing yet.
 */
export function cursorAt(text: string, offset: number): Cursor | 'empty' | undefined {
  const slice = cutDocuments(text).findLast(({ span }) => span.start <= offset && offset <= span.end);
  const documentText = slice?.text ?? text;
  const base = slice?.span.start ?? 0;
  const at = offset - base;
  const lineStart = Math.max(documentText.lastIndexOf('\n', at - 1), documentText.lastIndexOf('\r', at - 1)) + 1;
  const lead = documentText.slice(lineStart, at);
  if (/(?:^|\s)#/.test(lead)) return undefined;
  const before = /[A-Za-z0-9_./-]*$/.exec(lead)?.[0] ?? '';
  const after = /^[A-Za-z0-9_./-]*/.exec(documentText.slice(at))?.[0] ?? '';
  // A dash that opens an item is no part of the word behind it.
  const typed = /^[ \t-]*-$/.test(lead) ? '' : before;
  const start = at - typed.length;
  const end = at + after.length;
  const rest = documentText.slice(end);
  if (`${documentText.slice(0, start)}${rest}`.replaceAll(/#[^\n]*/g, '').trim() === '') return 'empty';
  const role = isValuePosition(documentText.slice(lineStart, start)) ? 'value' : 'key';
  const hasColon = /^["']?[ \t]*:/.test(rest);
  const inserted = role === 'key' && !hasColon ? `${placeholder}: ` : placeholder;
  const { root } = readYaml(documentText.slice(0, start) + inserted + rest);
  const found = root === undefined ? undefined : findPlaceholder(root, []);
  if (root === undefined || found === undefined) return undefined;
  return {
    role: found.role,
    path: found.path,
    word: { start: start + base, end: end + base },
    root,
    apiVersion: stringAt(root, ['apiVersion']),
    kind: stringAt(root, ['kind']),
    hasColon,
  };
}

/** Behind `key: `, and behind `- ` where a list of words is being written; the tree then says which. */
function isValuePosition(lead: string): boolean {
  return /^[ \t]*(?:- +)*["']?[^\s:"'{}[\],][^:{}[\],]*["']?:[ \t]+["']?$/.test(lead) || /[[,][ \t]*["']?$/.test(lead);
}

function findPlaceholder(
  node: ManifestNode,
  path: readonly (string | number)[],
): Pick<Cursor, 'role' | 'path'> | undefined {
  if (node.kind === 'scalar') {
    return typeof node.value === 'string' && node.value.startsWith(placeholder) ? { role: 'value', path } : undefined;
  }
  if (node.kind === 'sequence') {
    for (const [index, item] of node.items.entries()) {
      const found = findPlaceholder(item, [...path, index]);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  for (const { key, value } of node.entries) {
    if (key.startsWith(placeholder)) return { role: 'key', path };
    const found = findPlaceholder(value, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}
