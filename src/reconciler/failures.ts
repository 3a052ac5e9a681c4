import { describeError } from '../base/index.ts';
import { explainKubeError, KubeError } from '../kube/index.ts';
import type { Reason } from './reasons.ts';

/**
 * The error table: what follows from each way a request can fail. Every row ends in a retry, or in a visible reason with
 * something that ends the wait; nothing is stuck in silence (G7).
 */
export interface Consequence {
  readonly reason: Reason;
  /** Where the cluster itself is in trouble, what that is and what to do about it; else the server's own words. */
  readonly message: string;
  /** First pause; it doubles with each failure in a row up to `maxMs`, with jitter. */
  readonly firstMs: number;
  readonly maxMs: number;
  /** The cluster itself is in trouble: all its Jobs wait together, and one request at a time tries it. */
  readonly isClusterTrouble: boolean;
}

const minuteMs = 60_000;

export function consequenceOf(error: unknown): Consequence {
  if (!(error instanceof KubeError)) {
    // A broken contract of our own: visible, and never in a hot loop.
    return row('RequestRefused', describeError(error), minuteMs, 10 * minuteMs);
  }
  const { message, kind } = error;
  switch (kind) {
    case 'unauthorized':
      return trouble('LoginExpired', error, minuteMs, 5 * minuteMs);
    case 'kubeconfig':
    case 'credentials':
      return trouble('CredentialsUnusable', error, minuteMs, 5 * minuteMs);
    case 'certificate':
      return trouble('CertificateUntrusted', error, minuteMs, 5 * minuteMs);
    case 'forbidden':
      return row('Forbidden', message, 5 * minuteMs, 5 * minuteMs);
    case 'quota-exceeded':
      return row('QuotaExceeded', message, 30_000, 5 * minuteMs);
    case 'admission-denied':
      return row('AdmissionDenied', message, minuteMs, 10 * minuteMs);
    case 'namespace-missing':
      return row('NamespaceMissing', message, 15_000, minuteMs);
    case 'invalid':
      return row('InvalidSpec', message, 10 * minuteMs, 10 * minuteMs);
    case 'bad-request':
      return row('RequestRefused', message, 10 * minuteMs, 10 * minuteMs);
    case 'too-large':
      return row('ObjectTooLarge', message, 10 * minuteMs, 10 * minuteMs);
    case 'too-many-requests': {
      const pauseMs = error.retryAfterMs ?? 1000;
      return trouble('TooManyRequests', error, pauseMs, Math.max(pauseMs, minuteMs));
    }
    // The world moved on between reading and writing: what was decided is void, and everything is read again.
    case 'conflict':
    case 'already-exists':
    case 'not-found':
    case 'gone':
      return row('ObjectChanged', message, 0, 5_000);
    case 'server-error':
    case 'timeout':
    case 'unreachable':
    case 'bad-answer':
    case 'not-served':
      return trouble('Unreachable', error, 1000, 320_000);
    default:
      return unknownKind(kind);
  }
}

/** Doubling pauses with jitter between half and the whole; `failures` counts from 0. */
export function pauseMs(
  { firstMs, maxMs }: Pick<Consequence, 'firstMs' | 'maxMs'>,
  failures: number,
  random: () => number,
): number {
  // Five quick repeats for what a fresh read settles, then the pause grows from a hundredth of the longest.
  const base = firstMs > 0 ? firstMs : failures < 5 ? 0 : maxMs / 100;
  const grown = firstMs > 0 ? base * 2 ** Math.min(failures, 20) : base * 2 ** Math.min(Math.max(failures - 5, 0), 20);
  return Math.min(maxMs, grown) * (0.5 + random() / 2);
}

function row(reason: Reason, message: string, firstMs: number, maxMs: number): Consequence {
  return { reason, message, firstMs, maxMs, isClusterTrouble: false };
}

function trouble(reason: Reason, error: KubeError, firstMs: number, maxMs: number): Consequence {
  const { what, remedy } = explainKubeError(error);
  return { ...row(reason, `${what}. ${remedy}`, firstMs, maxMs), isClusterTrouble: true };
}

/** Doesn't compile while a kind has no row above. */
function unknownKind(kind: never): never {
  throw new Error(`No consequence for a failure of kind ${String(kind)}.`);
}
