/** `fine`: as it should be; `waiting`: changes by itself; `attention`: somebody has to act. */
export type Level = 'fine' | 'waiting' | 'attention';

/** Why a row is where it is. */
export interface Reason {
  /** Stable word for it: one of ours, or the one that the cluster gave. Empty where there is nothing to say. */
  readonly code: string;
  /** One or two sentences for a person; empty where there is nothing to say. */
  readonly text: string;
  /** Who has to do what; empty where nothing is to be done. */
  readonly remedy: string;
  readonly level: Level;
}

/** All is as it should be. */
export const nothing: Reason = { code: '', text: '', remedy: '', level: 'fine' };

/** Changes by itself. */
export function waiting(code: string, text: string, remedy = ''): Reason {
  return { code, text, remedy, level: 'waiting' };
}

/** Somebody has to act: there is always a remedy. */
export function attention(code: string, text: string, remedy: string): Reason {
  return { code, text, remedy, level: 'attention' };
}

/** Ends a text of somebody else with a full stop, without its white space. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  return trimmed === '' || /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** `NoWorkerAccepts` → `No worker accepts`. */
export function spellOut(code: string): string {
  const words = code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
