import { containerWords } from './container.ts';
import { cronJobWords } from './cronJob.ts';
import type { FieldWords, WordsByType } from './fieldWords.ts';
import { jobWords } from './job.ts';
import { jobStatusWords } from './jobStatus.ts';
import { metadataWords } from './metadata.ts';
import { podWords } from './pod.ts';
import { schedulingWords } from './scheduling.ts';
import { securityWords } from './security.ts';
import { volumeWords } from './volume.ts';

/** Words: what is said of fields, labels and controllers, in general and in the object at hand. */
export { tellChanges } from './changes.ts';
export { controllerWords, delegationFields, keyWords, writableKeys } from './delegation.ts';
export type { FieldWords } from './fieldWords.ts';
export { tellHere } from './here.ts';
export { factLines, paragraphs } from './markdown.ts';

/** Types never stand in two of them. */
const all: readonly WordsByType[] = [
  jobWords,
  jobStatusWords,
  cronJobWords,
  metadataWords,
  podWords,
  containerWords,
  volumeWords,
  securityWords,
  schedulingWords,
];

const byType: ReadonlyMap<string, WordsByType[string]> = new Map(all.flatMap((words) => Object.entries(words)));

/** What we have to say of a field by the API's name of its type; undefined for those we have no words for. */
export function fieldWords(type: string, field: string): FieldWords | undefined {
  const fields = byType.get(type);
  const words = fields !== undefined && Object.hasOwn(fields, field) ? fields[field] : undefined;
  return typeof words === 'string' ? { says: words } : words;
}

/** Every field that we have words for: type and field. */
export function knownWords(): readonly (readonly [type: string, field: string])[] {
  return [...byType].flatMap(([type, fields]) => Object.keys(fields).map((field) => [type, field] as const));
}
