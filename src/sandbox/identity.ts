import type { JsonObject, Random } from '../base/index.ts';
import { stringAt } from './objects.ts';

// No vowels and no look-alikes, so that a drawn name is never a word. Source: Kubernetes, apimachinery's random names.
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** Five random characters, as the API server hangs them on a `generateName`. */
export function randomSuffix(random: Random): string {
  return Array.from({ length: 5 }, () => suffixAlphabet[Math.floor(random() * suffixAlphabet.length)]).join('');
}

/** A version 4 UUID out of the injected randomness, so that a seeded run repeats itself. */
export function newUid(random: Random): string {
  const digits = Array.from({ length: 32 }, (_, i) => {
    const digit = Math.floor(random() * 16);
    if (i === 12) return '4';
    return (i === 16 ? (digit & 3) | 8 : digit).toString(16);
  }).join('');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}

/** The name that a new object gets: its own, or the prefix, cut so that the suffix fits, with the suffix. */
export function createdName(metadata: JsonObject, suffix: string): string {
  const name = stringAt(metadata, 'name');
  if (name !== undefined) return name;
  const prefix = stringAt(metadata, 'generateName');
  return prefix === undefined ? '' : `${prefix.slice(0, 63 - 5)}${suffix}`;
}
