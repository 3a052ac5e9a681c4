/** Completion: what may be typed at a place of a text that is mostly unfinished. */
export { completionsAt } from './complete.ts';
export { type NamesUsed, namesUsed } from './namesUsed.ts';
export type { Completion } from './offer.ts';
export { snippetFile } from './skeletons.ts';
