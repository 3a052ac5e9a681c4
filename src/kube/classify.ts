import { isJsonObject, type JsonObject } from '../base/index.ts';
import { KubeError, type KubeErrorDetails, type KubeErrorKind } from './errors.ts';

/** What is known of a request by the time it failed. */
export interface RequestFacts {
  readonly contextName: string;
  /** As it stands in `KubeError.request`. */
  readonly request: string;
}

/** An answer that is not a success, as it came off the wire. */
export interface FailedAnswer {
  readonly status: number;
  readonly body: string;
  /** Raw `Retry-After` header. */
  readonly retryAfter?: string | undefined;
}

/**
 * The only place that judges a failed answer. A message's text is looked at where the API gives nothing else: the
 * families of 403, and webhooks, which choose their own code.
 */
export function classifyAnswer(facts: RequestFacts, answer: FailedAnswer): KubeError {
  const status = parseStatus(answer.body);
  const kind = status === undefined ? kindOfForeignAnswer(answer) : kindOfStatus(facts, answer.status, status);
  const retryAfterMs = parseRetryAfter(answer.retryAfter) ?? status?.retryAfterMs;
  return new KubeError(status?.message || describeForeignAnswer(answer), {
    ...facts,
    kind,
    status: answer.status,
    ...(status?.reason ? { reason: status.reason } : {}),
    ...(status && status.causes.length > 0 ? { causes: status.causes } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

/** The error that an `ERROR` event of a watch carries as its object. */
export function classifyWatchError(facts: RequestFacts, object: unknown): KubeError {
  const status = isJsonObject(object) ? readStatus(object) : undefined;
  const code = isJsonObject(object) && typeof object['code'] === 'number' ? object['code'] : 500;
  const kind = status === undefined ? 'bad-answer' : kindOfStatus(facts, code, status);
  return new KubeError(status?.message || 'The watch reported an error that it did not name.', {
    ...facts,
    kind,
    status: code,
    ...(status?.reason ? { reason: status.reason } : {}),
    ...(status?.retryAfterMs === undefined ? {} : { retryAfterMs: status.retryAfterMs }),
  });
}

/** An error that the network, TLS or Node reported before or while the answer came. */
export function classifyNetworkError(facts: RequestFacts, error: unknown): KubeError {
  const cause = firstOf(error);
  const code = errorCode(cause);
  const kind = kindOfNetworkCode(code);
  const details: KubeErrorDetails = { ...facts, kind, cause, ...(code === undefined ? {} : { reason: code }) };
  return new KubeError(cause instanceof Error && cause.message !== '' ? cause.message : String(code ?? cause), details);
}

/** An answer that is well-formed HTTP but not what this API returns. */
export function badAnswer(facts: RequestFacts, what: string, status?: number): KubeError {
  return new KubeError(what, { ...facts, kind: 'bad-answer', ...(status === undefined ? {} : { status }) });
}

interface StatusFacts {
  readonly message: string;
  readonly reason: string;
  readonly detailsKind: string;
  readonly causes: readonly { readonly field: string; readonly reason: string; readonly message: string }[];
  readonly retryAfterMs: number | undefined;
}

function parseStatus(body: string): StatusFacts | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isJsonObject(value) && value['kind'] === 'Status' ? readStatus(value) : undefined;
  } catch {
    // Not JSON: a proxy or another server answered; the caller treats it as a foreign answer.
    return undefined;
  }
}

function readStatus(status: JsonObject): StatusFacts {
  const details = isJsonObject(status['details']) ? status['details'] : {};
  const causes = Array.isArray(details['causes']) ? details['causes'].filter(isJsonObject) : [];
  const seconds = details['retryAfterSeconds'];
  return {
    message: text(status['message']),
    reason: text(status['reason']),
    detailsKind: text(details['kind']),
    causes: causes.map((cause) => ({
      field: text(cause['field']),
      reason: text(cause['reason']),
      message: text(cause['message']),
    })),
    retryAfterMs: typeof seconds === 'number' && seconds > 0 ? pauseMs(seconds) : undefined,
  };
}

function kindOfStatus(facts: RequestFacts, code: number, status: StatusFacts): KubeErrorKind {
  // A webhook may answer with any code; Kubernetes puts this phrase before its text.
  if (code !== 401 && /admission webhook .+ denied the request/.test(status.message)) return 'admission-denied';
  switch (code) {
    case 401:
      return 'unauthorized';
    case 403:
      return kindOfForbidden(status);
    case 404:
      return kindOfNotFound(facts, status);
    case 409:
      return status.reason === 'AlreadyExists' ? 'already-exists' : 'conflict';
    case 410:
      return 'gone';
    case 413:
    case 507:
      return 'too-large';
    case 422:
      return 'invalid';
    case 429:
      return 'too-many-requests';
    default:
      if (/request is too large/.test(status.message)) return 'too-large';
      return code >= 500 ? 'server-error' : 'bad-request';
  }
}

function kindOfForbidden(status: StatusFacts): KubeErrorKind {
  if (status.causes.some((cause) => cause.reason === 'NamespaceTerminating')) return 'namespace-missing';
  if (/because it is being terminated/.test(status.message)) return 'namespace-missing';
  if (/exceeded quota:|failed quota:/.test(status.message)) return 'quota-exceeded';
  // Authorizers always say who cannot do what; everything else in this family comes from admission.
  return /\bcannot [a-z]+ (resource|path|url)/i.test(status.message) ? 'forbidden' : 'admission-denied';
}

function kindOfNotFound(facts: RequestFacts, status: StatusFacts): KubeErrorKind {
  if (/could not find the requested resource/.test(status.message)) return 'not-served';
  const isAboutNamespace = status.detailsKind === 'namespaces' || /^namespaces ".*" not found/.test(status.message);
  const asksForNamespace = /\/api\/v1\/namespaces\/[^/?]+$/.test(facts.request);
  return isAboutNamespace && !asksForNamespace ? 'namespace-missing' : 'not-found';
}

/**
 * An answer without a Status did not come from the API machinery: a proxy, a login page, a load balancer. A 404 of
 * that sort must never be taken for "the object is gone".
 */
function kindOfForeignAnswer(answer: FailedAnswer): KubeErrorKind {
  if (answer.status === 401) return 'unauthorized';
  if (answer.status === 429) return 'too-many-requests';
  if (answer.status === 413) return 'too-large';
  if (answer.status === 403) return 'forbidden';
  if (answer.status === 404 && answer.body.trim() === '404 page not found') return 'not-served';
  return answer.status >= 500 ? 'server-error' : 'bad-answer';
}

function describeForeignAnswer(answer: FailedAnswer): string {
  const line = answer.body
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
  return line === '' ? `HTTP ${answer.status}` : `HTTP ${answer.status}: ${line}`;
}

function parseRetryAfter(header: string | undefined): number | undefined {
  const seconds = header === undefined ? Number.NaN : Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? pauseMs(seconds) : undefined;
}

/** Nobody is paused for longer than ten minutes, whatever a proxy asks for. */
function pauseMs(seconds: number): number {
  return Math.min(seconds, 600) * 1000;
}

/** Connecting to several addresses at once fails with one error that holds the others. */
function firstOf(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? firstOf(error.errors[0]) : error;
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const certificateCodes =
  /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH)/;
const loginCodes = /ALERT_(CERTIFICATE_REQUIRED|BAD_CERTIFICATE|CERTIFICATE_EXPIRED|UNKNOWN_CA|CERTIFICATE_UNKNOWN)/;

function kindOfNetworkCode(code: string | undefined): KubeErrorKind {
  if (code === undefined) return 'unreachable';
  if (certificateCodes.test(code)) return 'certificate';
  // The server closed the handshake because of the certificate that this side presented, or the lack of one.
  if (loginCodes.test(code)) return 'credentials';
  // PEM that OpenSSL can't read: the fault lies in the kubeconfig, nothing was sent.
  if (/^ERR_OSSL_(PEM|X509|ASN1|EVP|UNSUPPORTED)/.test(code)) return 'kubeconfig';
  if (/^HPE_/.test(code)) return 'bad-answer';
  return code === 'ETIMEDOUT' ? 'timeout' : 'unreachable';
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
