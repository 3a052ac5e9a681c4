import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as authoring from '../../src/parts/authoring.ts';
import { held, isDoneInStretch } from './held.ts';
import { typedTexts, typingSettings } from './typedTexts.ts';

/**
 * A program: loads the product's bundles as the extension does and looks at the text of that name, in an engine that has
 * compiled nothing of it yet. Prints how long each turn held the event loop, as JSON: `load` and `look`, in milliseconds.
 */
const load = createRequire(join(import.meta.dirname, '../../dist/extension.cjs'));
const { ms: verdictsMs } = held(() => load('./verdicts.cjs'));
const { value, ms: authoringMs } = held((): typeof authoring => load('./authoring.cjs'));
const look: number[] = [];
for (let isDone = false, pieces = value.rehearse(); !isDone; ) {
  const { value: isLast, ms } = held(() => isDoneInStretch(pieces));
  look.push(ms);
  isDone = isLast;
}
const text = typedTexts[process.argv[2] ?? '']?.('4') ?? '';
const session = value.createSession((code, error) => {
  throw new Error(`The rule ${code} failed.`, { cause: error });
});
for (let isIncomplete = true; isIncomplete; ) {
  const { value: check, ms } = held(() => session.check(text, typingSettings));
  look.push(ms);
  isIncomplete = check.isIncomplete === true;
}
process.stdout.write(JSON.stringify({ load: [verdictsMs, authoringMs], look }));
