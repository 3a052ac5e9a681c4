import type { JsonObject } from '../base/index.ts';

/** The Kubernetes minors whose own code certifies this engine, oldest first. `scripts/minor.ts` adds one. */
export const kubernetesMinors = ['1.34', '1.35', '1.36', '1.37'] as const;
export type KubernetesMinor = (typeof kubernetesMinors)[number];

/**
 * The API server's names for what it refuses. `TypeInvalid` and `Unknown` stand for what it refuses while decoding
 * (HTTP 400): a value of the wrong type, a field that the schema doesn't have (strict field validation, as kubectl asks).
 */
export type FieldErrorType =
  | 'Required'
  | 'Invalid'
  | 'NotSupported'
  | 'Forbidden'
  | 'TooLong'
  | 'TooMany'
  | 'Duplicate'
  | 'NotFound'
  | 'TypeInvalid'
  | 'Unknown';

/** Steps into an object: keys of maps and indexes of lists, from the root. */
export type FieldSegments = readonly (string | number)[];

/** One thing the API server refuses. */
export interface FieldError {
  /** The path as the API server prints it: `spec.template.spec.containers[0].image`. Not always where the fault sits. */
  readonly field: string;
  readonly type: FieldErrorType;
  /** What is wrong, in the server's manner but without the leading `field: Type: `. */
  readonly message: string;
  /** Where in the object the fault sits, or where the missing key belongs. */
  readonly at: FieldSegments;
  /** Stable kebab-case name of the rule, the code of the linter's finding. */
  readonly rule: string;
}

/** A write to a Job or CronJob. `update` is a PUT of the main resource, `status-update` a PUT to `/status`. */
export interface AdmissionRequest {
  readonly operation: 'create' | 'update' | 'status-update';
  /** What the client sends. Anything goes: it may come from a text that somebody is just typing. */
  readonly object: unknown;
  /** What is stored; needed by the updates. */
  readonly old?: unknown;
}

/** What kube-apiserver would say. `errors` is complete, in the order of the fields; empty exactly if `allowed`. */
export interface Verdict {
  readonly allowed: boolean;
  readonly errors: readonly FieldError[];
  /** Texts of the `Warning` headers. */
  readonly warnings: readonly string[];
}

/** What the server itself adds to a created object; fixed values for a mere verdict, real ones in the sandbox. */
export interface ServerIdentity {
  readonly uid: string;
  /** RFC 3339, whole seconds. */
  readonly creationTimestamp: string;
  /** Five characters that complete a `generateName`. */
  readonly nameSuffix: string;
}

/** A verdict together with the object as the server would store it, present exactly if allowed. */
export interface Admission extends Verdict {
  readonly stored?: JsonObject;
}
