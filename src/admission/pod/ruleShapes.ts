import { negativeMessage, unsupportedMessage } from '../formats.ts';
import type { Step } from '../path.ts';
import { type Complaint, type Context, type Rule, type RuleFacts, rule } from '../rule.ts';

/** Rules of which many fields have one of their own. */

/** What a shaped rule still has to say about itself; the error type follows from the shape unless given. */
export interface Words {
  readonly code: string;
  readonly source: string;
  readonly says: string;
  readonly since?: RuleFacts['since'];
  readonly until?: RuleFacts['until'];
}

/** The message where the server says no more than the error's type. */
export const missingMessage = '';

/** A fault with the value that has it in front, as the server prints both. */
export function about(value: string | number | boolean, fault: string): string {
  return `${JSON.stringify(value)}: ${fault}`;
}

/** Several faults of one value. */
export function aboutEach(value: string | number | boolean, faults: readonly string[]): readonly string[] {
  return faults.map((fault) => about(value, fault));
}

/** White space as Go knows it: with the next line, without the byte order mark. */
const space = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const padding = new RegExp(`^${space}|${space}$`);

/** True for a text with white space at either end. */
export function isPadded(text: string): boolean {
  return padding.test(text);
}

/** A text that must be there and not be empty. */
export function required(words: Words): Rule<string> {
  return rule<string>({
    ...factsOf(words),
    type: 'Required',
    evenIfAbsent: true,
    refuses: (text = '') => text === '' && missingMessage,
  });
}

/** A text out of a closed list. An empty text isn't in it. */
export function oneOf(words: Words, supported: readonly string[]): Rule<string> {
  return rule<string>({
    ...factsOf(words),
    type: 'NotSupported',
    refuses: (text) => !supported.includes(text) && unsupportedMessage(text, supported),
  });
}

/** A text out of a closed list, or empty, which means the same as absent. */
export function oneOfIfSet(words: Words, supported: readonly string[]): Rule<string> {
  return rule<string>({
    ...factsOf(words),
    type: 'NotSupported',
    refuses: (text) => text !== '' && !supported.includes(text) && unsupportedMessage(text, supported),
  });
}

/** A text in a format, empty ones included. */
export function formatted(words: Words, faults: (text: string) => readonly string[]): Rule<string> {
  return rule<string>({
    ...factsOf(words),
    type: 'Invalid',
    refuses: (text) => aboutEach(text, faults(text)),
  });
}

/** A text in a format, which an absent one hasn't unless an empty one has. */
export function alwaysFormatted(words: Words, faults: (text: string) => readonly string[]): Rule<string> {
  return rule<string>({
    ...factsOf(words),
    type: 'Invalid',
    evenIfAbsent: true,
    refuses: (text = '') => aboutEach(text, faults(text)),
  });
}

/** A text that may be empty, which means the same as absent, and else has a format. */
export function formattedIfSet(words: Words, faults: (text: string) => readonly string[]): Rule<string> {
  return formatted(words, (text) => (text === '' ? [] : faults(text)));
}

/** A whole number between two bounds, both inclusive. */
export function between(words: Words, lowest: number, highest: number): Rule<number> {
  return rule<number>({
    ...factsOf(words),
    type: 'Invalid',
    refuses: (value) =>
      (value < lowest || value > highest) && about(value, `must be between ${lowest} and ${highest}, inclusive`),
  });
}

/** A number that may be zero but not below. */
export function notNegative(words: Words): Rule<number> {
  return rule<number>({
    ...factsOf(words),
    type: 'Invalid',
    refuses: (value) => value < 0 && about(value, negativeMessage),
  });
}

/** A user or group id. */
export function userOrGroupId(words: Words): Rule<number> {
  return between(words, 0, 2147483647);
}

/** A list without two items of the same key; where `keyOf` answers undefined, the item doesn't count. */
export function unique<Item, C extends Context = Context>(
  words: Words & { readonly type?: 'Duplicate' | 'Invalid' },
  keyOf: (item: Item) => string | undefined,
  ...steps: readonly Step[]
): Rule<readonly Item[], unknown, C> {
  return rule<readonly Item[], unknown, C>({
    ...factsOf(words),
    type: words.type ?? 'Duplicate',
    refuses: (items) => {
      if (items.length < 2) return false;
      const seen = new Set<string>();
      const complaints: Complaint[] = [];
      for (const [index, item] of items.entries()) {
        const key = keyOf(item);
        if (key === undefined) continue;
        if (seen.has(key)) complaints.push({ at: [index, ...steps], message: duplicateMessage(key, words.type) });
        seen.add(key);
      }
      return complaints;
    },
  });
}

/** Of what is called a duplicate, the server prints the value alone. */
function duplicateMessage(key: string, type: 'Duplicate' | 'Invalid' = 'Duplicate'): string {
  return type === 'Duplicate' ? JSON.stringify(key) : about(key, 'must be unique');
}

function factsOf(words: Words): Words {
  const { code, source, says, since, until } = words;
  return { code, source, says, ...(since && { since }), ...(until && { until }) };
}
