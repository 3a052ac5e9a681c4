import type { StoredPod } from '../objects.ts';

/** What shall become of a pod, as its annotations say. */
export interface PodScript {
  /** How long each container runs. */
  readonly durationMs: number;
  /** What it exits with, unless it is picked to fail. */
  readonly exitCode: number;
  /** What it exits with if it is picked to fail. */
  readonly failureCode: number;
  /** Completion indexes whose pods always fail. */
  readonly failIndexes: ReadonlySet<number>;
  /** So many runs of the Job fail first. */
  readonly failTimes: number;
}

/** Of the annotations on a pod template that say what becomes of the pods. */
const scriptPrefix = 'sandbox.delegated-jobs.dev/';

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of `500ms`, `1.5s`, `2m`, `1h`, `1m30s`; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/u.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit = ''] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/gu))
    total += Number(amount) * (unitMs[unit] ?? 0);
  return total;
}

/** An annotation that can't be read counts as absent: a demonstration shouldn't stop at a typo. */
export function scriptOf(pod: StoredPod, defaultDurationMs: number): PodScript {
  const annotation = (name: string): string | undefined => pod.metadata.annotations?.[`${scriptPrefix}${name}`]?.trim();
  const exitCode = wholeNumber(annotation('exit-code'));
  const failIndexes = annotation('fail-indexes');
  const failTimes = wholeNumber(annotation('fail-times'));
  // An exit code alone is for every pod; beside a choice of pods it is for those.
  const isChoosy = failIndexes !== undefined || failTimes !== undefined;
  return {
    durationMs: parseDuration(annotation('duration') ?? '') ?? defaultDurationMs,
    exitCode: isChoosy ? 0 : (exitCode ?? 0),
    failureCode: exitCode === undefined || exitCode === 0 ? 1 : exitCode,
    failIndexes: new Set(
      (failIndexes ?? '')
        .split(',')
        .map(wholeNumber)
        .filter((index) => index !== undefined),
    ),
    failTimes: failTimes ?? 0,
  };
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/u.test(text.trim()) ? Number(text) : undefined;
}
