import type { FieldError, KubernetesMinor } from '../verdict.ts';

/** The kinds whose structure is known. */
export type DecodedKind = 'Job' | 'CronJob' | 'Pod' | 'Deployment' | 'StatefulSet';

/** What the server can refuse while decoding, which stands in no catalogue. */
export const decodeRules = [
  'unknown-field',
  'wrong-type',
  'out-of-range',
  'malformed-quantity',
  'malformed-time',
  'wrong-kind',
  'wrong-api-version',
] as const;

/** Something the server refuses while decoding. */
export interface DecodeError extends FieldError {
  readonly type: 'TypeInvalid' | 'Unknown';
  readonly rule: (typeof decodeRules)[number];
}

/** Which structure to expect. */
export interface DecodeOptions {
  readonly version: KubernetesMinor;
  readonly kind: DecodedKind;
}
