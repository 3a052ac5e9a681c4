import type { FieldWords } from './fieldWords.ts';

/** The lines below a field's words: what holds without it, how old it is, whether it may change. Empty for none. */
export function factLines(words: FieldWords | undefined, since: string | undefined, changes?: string): string {
  const age = words?.since ?? since;
  return [
    words?.unset === undefined ? undefined : `*Default:* ${words.unset}.`,
    age === undefined ? undefined : `*Since Kubernetes* ${age}.`,
    changes === undefined ? undefined : `*Later:* ${changes}`,
  ]
    .filter((line) => line !== undefined)
    .join('  \n');
}

/** Paragraphs of Markdown, empty ones left out. */
export function paragraphs(parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}
