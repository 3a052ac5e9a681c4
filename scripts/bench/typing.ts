import { newestMinor } from '../../src/admission/index.ts';
import type { ChosenSettings, ManifestCheck } from '../../src/manifest/index.ts';
import { createSession, lenses } from '../../src/parts/authoring.ts';
import { complete, hover } from '../../src/parts/language.ts';
import { jobText, severalJobs } from './manifests.ts';
import { type Figure, spread } from './measure.ts';

/**
 * How long the authoring part holds the event loop at a stretch while somebody types, for each thing that it is asked:
 * processor time of the process, so that what else the machine does hardly counts. It includes what the engine's own
 * helpers (garbage collector, compiler) do beside it, and so is rather too much than too little.
 */
const keystrokes = 200;
const longest = '< 16 ms';
const settings: ChosenSettings = {
  version: newestMinor,
  clusterVersion: undefined,
  controllerName: 'delegated-jobs.dev/reconciler',
  knownControllers: [],
  isPartial: false,
};

/** `parallelism` is where somebody types. */
const files: Readonly<Record<string, (parallelism: string) => string>> = {
  '200 documents': (parallelism) => severalJobs(200, parallelism),
  'one Job of 2,000 lines': (parallelism) => jobText('render', parallelism, 125),
  'a List of 100 Jobs': (parallelism) => {
    const item = (index: number): string =>
      `- ${jobText(`render-${index}`, index === 50 ? parallelism : '4').replace(/\n(?=.)/g, '\n  ')}`;
    return `apiVersion: v1\nkind: List\nitems:\n${Array.from({ length: 100 }, (_, index) => item(index)).join('')}`;
  },
};

export function benchTyping(): readonly Figure[] {
  return Object.entries(files).flatMap(([name, textWith]) => {
    const lines = textWith('4').split('\n').length - 1;
    return [...benchOpening(textWith), ...benchKeystrokes(textWith)].map((figure) => ({
      ...figure,
      name: `${name} (${lines} lines): ${figure.name}`,
    }));
  });
}

/** The stretches of looking at a text of which nothing is known: opened, or pasted as a whole. The first is cold. */
function benchOpening(textWith: (parallelism: string) => string): readonly Figure[] {
  const text = textWith('4');
  const opened = (): readonly number[] => stretches(createSession(failed), text).spentMs;
  const cold = opened();
  const warm = Array.from({ length: 5 }, opened).flat();
  return [
    spread('opened for the first time, a stretch', 'ms', cold, longest),
    spread('pasted whole, a stretch', 'ms', warm, longest),
  ];
}

interface Stretches {
  readonly check: ManifestCheck;
  readonly spentMs: readonly number[];
}

/** Looks at all of a text, as an editor does that lets others go first in between. */
function stretches(session: ReturnType<typeof createSession>, text: string): Stretches {
  const spentMs: number[] = [];
  for (;;) {
    const { value: check, ms } = processorTime(() => session.check(text, settings));
    spentMs.push(ms);
    if (check.isIncomplete !== true) return { check, spentMs };
  }
}

function benchKeystrokes(textWith: (parallelism: string) => string): readonly Figure[] {
  const session = createSession(failed);
  stretches(session, textWith('4'));
  const spent: Record<'findings' | 'lenses' | 'completion' | 'hover', number[]> = {
    findings: [],
    lenses: [],
    completion: [],
    hover: [],
  };
  for (let keystroke = 0; keystroke < keystrokes; keystroke++) {
    const text = textWith(keystroke % 2 === 0 ? 'x' : `${keystroke}`);
    const behind = text.indexOf('parallelism:', text.length / 2);
    const offset = behind < 0 ? text.indexOf('parallelism:') : behind;
    const { check, spentMs } = stretches(session, text);
    spent.findings.push(...spentMs);
    spent.lenses.push(processorTime(() => lenses(check, settings)).ms);
    spent.completion.push(processorTime(() => complete(text, offset, settings, [check])).ms);
    spent.hover.push(processorTime(() => hover(text, offset + 3, settings)).ms);
  }
  return Object.entries(spent).map(([name, samples]) =>
    spread(`keystroke → ${name}, a stretch`, 'ms', samples, longest),
  );
}

function processorTime<T>(work: () => T): { readonly value: T; readonly ms: number } {
  const before = process.cpuUsage();
  const value = work();
  const { user, system } = process.cpuUsage(before);
  return { value, ms: (user + system) / 1000 };
}

function failed(code: string, error: unknown): never {
  throw new Error(`The rule ${code} failed.`, { cause: error });
}
