import type { FieldError, KubernetesMinor } from '../verdict.ts';

/** The kinds whose structure is known. */
export type DecodedKind = 'Job' | 'CronJob' | 'Pod' | 'Deployment' | 'StatefulSet';

/** Something the server refuses while decoding. */
export interface DecodeError extends FieldError {
  readonly type: 'TypeInvalid' | 'Unknown';
}

/** Which structure to expect. */
export interface DecodeOptions {
  readonly version: KubernetesMinor;
  readonly kind: DecodedKind;
}
