/**
 * Values of settings as they may be used, whatever a person or a repository wrote: VS Code marks a value of the wrong
 * type where it stands, and hands it out all the same. The results are plain: what VS Code gives is a proxy, which no
 * message to a thread can carry.
 */

/** A number is taken for its text, as for a version that lacks its quotation marks. */
export function textOf(value: unknown, fallback: string): string {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' ? value : fallback;
}

/** What is no text is left out. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

/** The same by name, in the order in which it was written. */
export function textsByName(value: unknown): Record<string, string> {
  return Object.fromEntries(entriesOf(value).flatMap(([name, one]) => (typeof one === 'string' ? [[name, one]] : [])));
}

/** Lists of texts by name. */
export function textListsByName(value: unknown): Record<string, string[]> {
  return Object.fromEntries(entriesOf(value).map(([name, list]) => [name, textsOf(list)]));
}

/** One of a few words, else the first of them. */
export function wordOf<Word extends string>(value: unknown, words: readonly [Word, ...Word[]]): Word {
  return words.find((word) => word === value) ?? words[0];
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
