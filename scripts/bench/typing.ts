import { join } from 'node:path';
import type { Pieces } from '../../src/base/index.ts';
import { asStored } from '../../src/manifest/index.ts';
import { createSession, fixesAt, lenses } from '../../src/parts/authoring.ts';
import { createLiveSession } from '../../src/parts/comparing.ts';
import { complete, hover } from '../../src/parts/language.ts';
import { held, isDoneInStretch } from './held.ts';
import { type Figure, spread } from './measure.ts';
import { runProgram } from './runProgram.ts';
import { typingSettings as settings, typedTexts } from './typedTexts.ts';

/** How long the authoring part holds the event loop at a stretch while somebody types, for each thing that it is asked. */
const keystrokes = 200;
const firstLooks = 5;
const longest = '< 16 ms';

export async function benchTyping(): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  const loads: number[] = [];
  for (const [name, textWith] of Object.entries(typedTexts)) {
    const { load, look } = await benchFirstLook(name);
    loads.push(...load);
    const lines = textWith('4').split('\n').length - 1;
    const all = [
      spread('opened as the first of all, a stretch', 'ms', look, longest),
      benchPasting(textWith),
      ...benchKeystrokes(textWith),
    ];
    figures.push(...all.map((figure) => ({ ...figure, name: `${name} (${lines} lines): ${figure.name}` })));
  }
  return [spread('the engine is loaded, a stretch', 'ms', loads, longest), ...figures];
}

/** The stretches of looking at a text in a process that has seen no other. */
async function benchFirstLook(name: string): Promise<Record<'load' | 'look', readonly number[]>> {
  const load: number[] = [];
  const look: number[] = [];
  for (let run = 0; run < firstLooks; run++) {
    const program = join(import.meta.dirname, 'firstLook.ts');
    const { output } = await runProgram(process.execPath, ['--disable-warning=ExperimentalWarning', program, name]);
    const spent = JSON.parse(output);
    load.push(...spent.load);
    look.push(...spent.look);
  }
  return { load, look };
}

/** The stretches of looking at a text of which nothing is known. */
function benchPasting(textWith: (parallelism: string) => string): Figure {
  const text = textWith('4');
  const spent = Array.from({ length: 6 }, () => {
    const session = createSession(failed);
    return stretches(() => session.check(text, settings)).spentMs;
  });
  // The first compiles the most.
  return spread('pasted whole, a stretch', 'ms', spent.slice(1).flat(), longest);
}

/** Asks until all is known, as an editor does that lets others go first in between. */
function stretches<T extends { readonly isIncomplete?: true }>(ask: () => T): { value: T; spentMs: readonly number[] } {
  const spentMs: number[] = [];
  for (;;) {
    const { value, ms } = held(ask);
    spentMs.push(ms);
    if (value.isIncomplete !== true) return { value, spentMs };
  }
}

type Asked = 'findings' | 'code actions' | 'lenses' | 'live comparison' | 'completion' | 'hover';

function benchKeystrokes(textWith: (parallelism: string) => string): readonly Figure[] {
  const session = createSession(failed);
  const live = createLiveSession();
  const { value: first } = stretches(() => session.check(textWith('4'), settings));
  /** Each object of the text, as a server has stored it. */
  const stored = new Map(
    first.documents
      .flatMap(({ objects }) => objects)
      .map(({ name, value }) => [name, asStored(value, '1.35')] as const),
  );
  const spent: Record<Asked, number[]> = {
    findings: [],
    'code actions': [],
    lenses: [],
    'live comparison': [],
    completion: [],
    hover: [],
  };
  for (let keystroke = 0; keystroke < keystrokes; keystroke++) {
    const { text, offset } = typed(textWith, keystroke);
    const { value: check, spentMs } = stretches(() => session.check(text, settings));
    spent.findings.push(...spentMs);
    const ask = (what: Asked, work: () => unknown): void => void spent[what].push(held(work).ms);
    const { line } = check.findings[Math.floor(check.findings.length / 2)]?.range.start ?? { line: 0 };
    const part = { start: { line, column: 0 }, end: { line, column: 40 } };
    ask('code actions', () => fixesAt(check.findings, part));
    ask('lenses', () => lenses(check, settings));
    const askInStretches = (what: Asked, pieces: Pieces<unknown>): void => {
      for (let isDone = false; !isDone; ) {
        const { value, ms } = held(() => isDoneInStretch(pieces));
        isDone = value;
        spent[what].push(ms);
      }
    };
    askInStretches('completion', complete(text, offset, settings, [check]));
    askInStretches('hover', hover(text, offset, settings));
    const find = ({ metadata }: { readonly metadata?: unknown }) =>
      stored.get(typeof metadata === 'object' && metadata !== null && 'name' in metadata ? `${metadata.name}` : '');
    spent['live comparison'].push(...stretches(() => live.check(text, check, find, settings, 'apply')).spentMs);
  }
  return Object.entries(spent).map(([name, samples]) =>
    spread(`keystroke → ${name}, a stretch`, 'ms', samples, longest),
  );
}

/** Values are typed, right and wrong ones, and every fourth time a key, of which a half is there. */
function typed(textWith: (parallelism: string) => string, keystroke: number): { text: string; offset: number } {
  const whole = textWith(keystroke % 2 === 0 ? 'x' : `${keystroke}`);
  const behind = whole.indexOf('parallelism', whole.length / 2);
  const at = behind < 0 ? whole.indexOf('parallelism') : behind;
  const isHalf = keystroke % 4 === 0;
  return { text: isHalf ? whole.slice(0, at + 5) + whole.slice(whole.indexOf('\n', at)) : whole, offset: at + 3 };
}

function failed(code: string, error: unknown): never {
  throw new Error(`The rule ${code} failed.`, { cause: error });
}
