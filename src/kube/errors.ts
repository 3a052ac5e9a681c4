/**
 * What became of a failed request, classified once, here at the HTTP edge. Nobody looks at message texts later.
 *
 * `outcomeUnknown` errors (timeout, reset, 5xx, EOF) may have been carried out by the server.
 */
export type KubeErrorKind =
  | 'unauthorized' // 401: the login expired or was never there
  | 'forbidden' // 403 by RBAC
  | 'quota-exceeded' // 403 by a ResourceQuota
  | 'admission-denied' // 403 (or another code) by a webhook, a policy or Pod Security
  | 'not-found' // 404 on the object
  | 'not-served' // 404 on the resource type: its API group or version is not installed there
  | 'namespace-missing' // 404 on the namespace, or the namespace is terminating
  | 'already-exists' // 409 on create
  | 'conflict' // 409 on a conditional write, or a UID precondition that failed
  | 'gone' // 410: the resourceVersion is too old
  | 'invalid' // 422
  | 'bad-request' // 400, 405, 415
  | 'too-large' // 413, 507
  | 'too-many-requests' // 429
  | 'server-error' // 5xx
  | 'timeout' // no answer within the deadline
  | 'unreachable' // DNS, refused, reset, EOF
  | 'certificate' // TLS: the server's certificate is not trusted, expired or for another name
  | 'kubeconfig' // it can't be used as it stands: no such context, a file or a login program that it names is missing
  | 'credentials' // no login to be had: its program failed, or the server wants another one
  | 'bad-answer'; // not JSON, or not what was asked for

export interface KubeErrorDetails {
  readonly kind: KubeErrorKind;
  readonly contextName: string;
  /** `PUT /apis/batch/v1/namespaces/default/jobs/hello/status` */
  readonly request: string;
  readonly status?: number;
  /** The `reason` of the server's Status. */
  readonly reason?: string;
  readonly causes?: readonly { readonly field: string; readonly reason: string; readonly message: string }[];
  readonly retryAfterMs?: number;
  /** What to do about it, where whoever raises it knows better than its kind does. */
  readonly remedy?: string;
  /** The kubeconfig file to correct, where one is to blame. */
  readonly file?: string;
  readonly cause?: unknown;
}

export class KubeError extends Error {
  override readonly name = 'KubeError';
  readonly kind: KubeErrorKind;
  readonly contextName: string;
  readonly request: string;
  readonly status: number | undefined;
  readonly reason: string | undefined;
  readonly causes: readonly { readonly field: string; readonly reason: string; readonly message: string }[];
  readonly retryAfterMs: number | undefined;
  readonly remedy: string | undefined;
  readonly file: string | undefined;

  constructor(message: string, details: KubeErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = details.kind;
    this.contextName = details.contextName;
    this.request = details.request;
    this.status = details.status;
    this.reason = details.reason;
    this.causes = details.causes ?? [];
    this.retryAfterMs = details.retryAfterMs;
    this.remedy = details.remedy;
    this.file = details.file;
  }

  /** The server may have carried the request out all the same: look before repeating it. */
  get isOutcomeUnknown(): boolean {
    return (
      this.kind === 'timeout' ||
      this.kind === 'unreachable' ||
      this.kind === 'server-error' ||
      this.kind === 'bad-answer'
    );
  }
}
