import type { TextRange } from '../../manifest/index.ts';

/** Something that may be typed at a place. */
export interface Completion {
  readonly label: string;
  readonly kind: 'field' | 'value' | 'document';
  /** Takes the place of `range` as it stands: line breaks and indentation included. */
  readonly insertText: string;
  /** `insertText` has places to fill in (`${1:name}`), as editors' snippets do. */
  readonly isSnippet: boolean;
  readonly range: TextRange;
  /** What is compared with the text in `range`, where that isn't the label. */
  readonly filterText?: string;
  /** Type and the like, in a few words. */
  readonly detail?: string;
  /** Markdown. */
  readonly documentation?: string;
  /** Orders the list; equal keys by label. */
  readonly sortKey: string;
  /** Once it is taken there is something to choose from behind it. */
  readonly leadsOn: boolean;
}

/** Before it is known what it replaces, and what follows it. */
export type Offer = Omit<Completion, 'range' | 'leadsOn'>;

/** The places in the list, best first. */
export const ranks = {
  document: '0',
  required: '1',
  common: '2',
  known: '4',
  other: '5',
  conditional: '7',
  deprecated: '9',
} as const;
