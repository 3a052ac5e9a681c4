import type { FieldErrorType } from '../admission/index.ts';
import type { Span, TextEdit, TextRange } from './yaml/text.ts';

/**
 * 'error': the API server, or kubectl before it, refuses the object. 'warning': accepted, but it won't do what was
 * meant. 'information' and 'hint': advice.
 */
export type Severity = 'error' | 'warning' | 'information' | 'hint';

/** A change of the text that answers a finding. Offsets are of the checked text; every byte outside the edits stays. */
export interface Fix {
  /** In the imperative: "Use 'kueue.x-k8s.io/multikueue'". */
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** Safe to apply unasked, and what nearly everybody wants. At most one of a finding. */
  readonly isPreferred: boolean;
  /** It doesn't answer the finding but silences it. */
  readonly isSuppression?: boolean;
}

/** Something to tell about a place in a text. */
export interface Finding {
  /** Which document of the file, from 0. */
  readonly document: number;
  readonly range: TextRange;
  readonly severity: Severity;
  /** Stable kebab-case name of the rule. */
  readonly code: string;
  readonly message: string;
  /** The path as the API server prints it; of a list's item it starts at the item. */
  readonly field?: string;
  /** The API server's error type; on its errors only. */
  readonly type?: FieldErrorType;
  /** Where the rule comes from. */
  readonly source?: string;
  /** The page of ours about the rule. */
  readonly url?: string;
  readonly fixes: readonly Fix[];
}

/** A finding before its document has a place in a file: spans are offsets in the document. */
export interface DocumentFinding {
  readonly span: Span;
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  /** How the text and what is stored differ there, as a sentence; stands in front of the server's words. */
  readonly change?: string;
  readonly field?: string;
  readonly type?: FieldErrorType;
  readonly source?: string;
  readonly url?: string;
  readonly fixes?: readonly Fix[];
}
