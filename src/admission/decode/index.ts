/** Decoding: what kube-apiserver refuses with HTTP 400, before any rule about the content is asked. */
import type { FieldError, KubernetesMinor } from '../verdict.ts';

/** The kinds whose structure is known. */
export type DecodedKind = 'Job' | 'CronJob' | 'Pod';

/** Something the server refuses while decoding. */
export interface DecodeError extends FieldError {
  readonly type: 'TypeInvalid' | 'Unknown';
}

/** Which structure to expect. */
export interface DecodeOptions {
  readonly version: KubernetesMinor;
  readonly kind: DecodedKind;
}

/**
 * All that the server refuses in `object` while decoding it strictly. The error that the server itself would answer
 * with stands first, the others follow in the order of the object's keys; empty if the object decodes.
 */
export function decode(_object: unknown, _options: DecodeOptions): readonly DecodeError[] {
  return [];
}
