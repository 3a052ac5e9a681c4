import type { Container } from '../objects.ts';
import type { LogLine } from '../podLogAnswer.ts';

/** One run of a container. Times are epoch milliseconds; `endedAt` and `exitCode` are absent while it runs. */
export interface ContainerRun {
  readonly container: Container;
  readonly podName: string;
  readonly index?: string;
  readonly startedAt: number;
  /** How long it will run if nothing comes between. */
  readonly durationMs: number;
  readonly endedAt?: number;
  readonly exitCode?: number;
}

const steps = 5;

/**
 * The lines that a container has written by `now`: made up, but always the same for the same run, so that a log that is
 * read twice doesn't change. What the command would echo is among them.
 */
export function logLines(run: ContainerRun, now: number): readonly LogLine[] {
  const { startedAt, durationMs, endedAt, exitCode, container, podName, index } = run;
  const end = endedAt ?? Number.POSITIVE_INFINITY;
  const planned: LogLine[] = [
    { at: startedAt, text: `${podName}: started ${container.image ?? container.name}` },
    ...(index === undefined ? [] : [{ at: startedAt, text: `JOB_COMPLETION_INDEX=${index}` }]),
    ...echoes(container).map((text) => ({ at: startedAt + 1, text })),
    ...Array.from({ length: steps }, (_, i) => ({
      at: startedAt + Math.round(((i + 1) * durationMs) / (steps + 1)),
      text: `step ${i + 1} of ${steps} done`,
    })),
  ];
  const written = planned.filter(({ at }) => at <= now && at <= end);
  if (endedAt === undefined || endedAt > now) return written;
  return [...written, { at: endedAt, text: lastWords(exitCode ?? 0) }];
}

function lastWords(exitCode: number): string {
  if (exitCode === 0) return 'finished';
  return exitCode === 143 ? 'terminated by signal 15' : `failed: exit code ${exitCode}`;
}

/** The texts of the `echo` commands in a container's command line. */
function echoes(container: Container): readonly string[] {
  const words = [...(container.command ?? []), ...(container.args ?? [])];
  if (words[0] === 'echo') return [words.slice(1).join(' ')];
  const found = words.flatMap((word) => [...word.matchAll(/\becho\s+(?:"([^"]*)"|'([^']*)'|([^;&|\n]+))/gu)]);
  return found.map(([, double, single, bare]) => (double ?? single ?? bare ?? '').trim()).filter((text) => text !== '');
}
