import type { FieldErrorType, FieldSegments } from '../../admission/index.ts';

/** What a schema finds wrong with a value. */
export interface CrdFault {
  /** Where in the object it is, or where the missing field belongs. */
  readonly at: FieldSegments;
  readonly type: FieldErrorType;
  readonly about: FaultTopic;
  /** In the server's words, without the path and the type in front. */
  readonly message: string;
  /** The path as the server prints it, where that isn't `crdPath`. */
  readonly field?: string;
  /** The fault comes from this rule of the schema. */
  readonly rule?: string;
  /** What would do, where that is a short list. */
  readonly allowed?: readonly string[];
}

/**
 * 'range' is the one that the server lets pass: a number that Go's type doesn't hold, so that the operator can't read
 * the object, or any other in the same answer.
 */
export type FaultTopic = 'field' | 'type' | 'required' | 'value' | 'duplicate' | 'rule' | 'change' | 'range';
