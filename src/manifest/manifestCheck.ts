import type { JsonObject } from '../base/index.ts';
import type { Finding } from './finding.ts';
import type { TextRange } from './yaml/text.ts';

/** An object of a kind that we know. */
export interface ManifestObject {
  readonly document: number;
  readonly apiVersion: string;
  readonly kind: string;
  readonly name?: string;
  readonly namespace?: string;
  /** As kubectl would send it. */
  readonly value: JsonObject;
  readonly range: TextRange;
  /** The value of `kind`: where to say what concerns the object as a whole. */
  readonly kindRange: TextRange;
}

/** One document of a text. */
export interface ManifestDocument {
  readonly index: number;
  readonly range: TextRange;
  readonly objects: readonly ManifestObject[];
  /** 'template', 'encrypted': left alone. 'waiting': not looked at yet. 'unreadable': kubectl can't read it, whether or not it is one of ours. */
  readonly state: 'read' | 'template' | 'encrypted' | 'unreadable' | 'waiting';
  /** What is wrong with an unreadable document, also where it is none of ours and so has no finding. */
  readonly problem?: { readonly message: string; readonly range: TextRange };
}

/**
 * What a check of a whole text found: what editor, commands and command line read. An incomplete one is put together when it
 * is first looked at.
 */
export interface ManifestCheck {
  readonly documents: readonly ManifestDocument[];
  /** In the order of the text. */
  readonly findings: readonly Finding[];
  /** Present while documents wait because of `isTimeUp`: call again with the same text. */
  readonly isIncomplete?: true;
}
