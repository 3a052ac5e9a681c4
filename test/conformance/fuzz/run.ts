import { differences, type EngineAnswer } from './compare.ts';
import { drawFrom } from './draw.ts';
import { type Area, makeGenerator, type Shapes } from './generate.ts';
import type { Oracle, OracleRequest } from './oracle.ts';
import { shrink } from './shrink.ts';

/** A kind of fault, with the smallest case found that shows it. */
export interface Fault {
  readonly line: string;
  readonly count: number;
  readonly smallest: OracleRequest;
}

export interface FuzzResult {
  readonly cases: number;
  /** Cases that the server allows: a run in which all are refused says little. */
  readonly allowed: number;
  readonly disagreeing: number;
  /** The most frequent first. */
  readonly faults: readonly Fault[];
}

export interface FuzzOptions {
  readonly seed: number;
  readonly cases: number;
  /** Empty: all. */
  readonly only: readonly Area[];
  /** How many kinds of faults are shrunk; the others keep the first case that showed them. */
  readonly shrunkFaults: number;
  /** Places of the schema that most cases change, their steps joined by dots; see `makeGenerator`. */
  readonly focus?: ReadonlySet<string>;
}

const batch = 500;

/** Judges `cases` generated writes by both and collects where they differ. */
export async function fuzz(
  shapes: Shapes,
  oracle: Oracle,
  engine: (request: OracleRequest) => EngineAnswer,
  options: FuzzOptions,
): Promise<FuzzResult> {
  const generate = await makeGenerator(shapes, oracle, options.only, options.focus);
  const draw = drawFrom(options.seed);
  return compareAll((id) => generate(`${options.seed}-${id}`, draw), oracle, engine, options);
}

/** Judges the requests that `next` gives, as many as `cases`, by both, and collects where they differ. */
export async function compareAll(
  next: (index: number) => OracleRequest,
  oracle: Oracle,
  engine: (request: OracleRequest) => EngineAnswer,
  options: Pick<FuzzOptions, 'cases' | 'shrunkFaults'>,
): Promise<FuzzResult> {
  const found = new Map<string, { count: number; first: OracleRequest }>();
  let disagreeing = 0;
  let allowed = 0;
  for (let done = 0; done < options.cases; done += batch) {
    const size = Math.min(batch, options.cases - done);
    const requests = Array.from({ length: size }, (_, index) => next(done + index));
    const answers = await oracle.ask(requests);
    for (const [index, answer] of answers.entries()) {
      const request = requests[index];
      if (request === undefined) continue;
      if (answer.code === 200) allowed += 1;
      const lines = differences(answer, engine(request));
      if (lines.length > 0) disagreeing += 1;
      for (const line of lines) {
        const entry = found.get(line);
        if (entry === undefined) found.set(line, { count: 1, first: request });
        else entry.count += 1;
      }
    }
  }
  const ordered = [...found].sort(([, left], [, right]) => right.count - left.count);
  const faults: Fault[] = [];
  for (const [line, { count, first }] of ordered) {
    const shows = async (candidates: readonly OracleRequest[]): Promise<readonly boolean[]> => {
      const answers = await oracle.ask(candidates);
      return answers.map((answer, index) => {
        const candidate = candidates[index];
        return candidate !== undefined && differences(answer, engine(candidate)).includes(line);
      });
    };
    const smallest = faults.length < options.shrunkFaults ? await shrink(first, shows) : first;
    faults.push({ line, count, smallest });
  }
  return { cases: options.cases, allowed, disagreeing, faults };
}
