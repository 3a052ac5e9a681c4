import { atOnce } from '../../src/base/index.ts';
import { type Completion, completionsAt } from '../../src/language/index.ts';
import type { ManifestSettings } from '../../src/manifest/index.ts';

/** A text with a cursor, and what may be done at it. Each answers the text after, as an editor would have it. */
export interface Typing {
  readonly text: string;
  readonly offset: number;
}

export const typingSettings: ManifestSettings = {
  version: '1.35',
  controllerName: 'delegated-jobs.dev/reconciler',
  knownControllers: ['acme.io/runner'],
};

/** The cursor is where the text has a `‸`. */
export function typing(marked: string): Typing {
  return { text: marked.replace('‸', ''), offset: marked.indexOf('‸') };
}

export function offersAt({ text, offset }: Typing, settings: Partial<ManifestSettings> = {}): readonly Completion[] {
  return atOnce(completionsAt(text, offset, { ...typingSettings, ...settings }));
}

/** Takes an offer, with the first or only text that it proposes at each of its places; the cursor stands behind it. */
export function take({ text }: Typing, { insertText, isSnippet, range }: Completion): Typing {
  const inserted = isSnippet ? expanded(insertText) : insertText;
  return {
    text: text.slice(0, range.start.offset) + inserted + text.slice(range.end.offset),
    offset: range.start.offset + inserted.length,
  };
}

/** Takes the offer of that name; fails with the names that there are. */
export function choose(state: Typing, label: string, settings: Partial<ManifestSettings> = {}): Typing {
  const offers = offersAt(state, settings);
  const found = offers.find((offer) => offer.label === label);
  if (found === undefined) {
    throw new Error(`No '${label}' among: ${offers.map((offer) => offer.label).join(', ')}\n${state.text}`);
  }
  return take(state, found);
}

/** Types letters, blanks and line breaks. */
export function write({ text, offset }: Typing, letters: string): Typing {
  return { text: text.slice(0, offset) + letters + text.slice(offset), offset: offset + letters.length };
}

/** A snippet as it stands when nobody changes what it proposes. */
export function expanded(snippet: string): string {
  return snippet
    .replaceAll(/\$\{\d+\|((?:[^|\\]|\\.)*)\|\}/g, (_, choices: string) => choices.split(/(?<!\\),/)[0] ?? '')
    .replaceAll(/\$\{\d+:((?:[^}\\]|\\.)*)\}/g, '$1')
    .replaceAll(/\$\{?\d+\}?/g, '')
    .replaceAll(/\\([\\$},|])/g, '$1');
}
