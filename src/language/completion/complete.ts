import type { Pieces } from '../../base/index.ts';
import { LineIndex, lineBreakOf, type ManifestSettings } from '../../manifest/index.ts';
import { type Cursor, cursorAt } from './cursor.ts';
import { fieldOffers, headerOffers, holdsWord } from './fields.ts';
import type { Completion, Offer } from './offer.ts';
import { documentOffers, emptyLayout } from './skeletons.ts';
import { valueOffers } from './values.ts';

/**
 * All that may stand at an offset of a text, whether or not it fits the word that is there. Pauses while it reads the text,
 * which takes several attempts. Never throws.
 */
export function* completionsAt(
  text: string,
  offset: number,
  settings: ManifestSettings,
): Pieces<readonly Completion[]> {
  const cursor = yield* cursorAt(text, offset);
  if (cursor === undefined) return [];
  const lines = new LineIndex(text);
  if (cursor === 'empty') {
    const word = /[A-Za-z0-9_./-]*$/.exec(text.slice(0, offset))?.[0] ?? '';
    const range = lines.range({ start: offset - word.length, end: offset });
    return emptyOffers(text, settings).map((offer) => ({
      ...offer,
      range,
      leadsOn: offer.label === 'apiVersion' || offer.label === 'kind',
    }));
  }
  const range = lines.range(cursor.word);
  // An item of a list of words is begun like a key.
  const isKey = cursor.role === 'key' && !holdsWord(cursor, settings);
  const offers = isKey ? fieldOffers(cursor, settings) : valueOffers(cursor, settings, text);
  // Editors compare an offer with what it replaces: with the quote too, where that is replaced as well.
  const quote = /^["']/.exec(cursor.typed)?.[0];
  return offers.map((offer) => ({
    ...offer,
    range,
    leadsOn: isKey && !cursor.hasColon && hasValues(cursor, offer.label, settings, text),
    ...(quote !== undefined && { filterText: quote + offer.label }),
  }));
}

function hasValues(cursor: Cursor, key: string, settings: ManifestSettings, text: string): boolean {
  const behind: Cursor = { ...cursor, role: 'value', path: [...cursor.path, key] };
  return valueOffers(behind, settings, text).length > 0;
}

function emptyOffers(text: string, settings: ManifestSettings): readonly Offer[] {
  const lineBreak = lineBreakOf(text);
  const header = headerOffers({ hasColon: false, hasValue: false, layout: emptyLayout(lineBreak) });
  return [...documentOffers(settings.controllerName, lineBreak), ...header];
}
