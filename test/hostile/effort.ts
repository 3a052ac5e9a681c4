import { expect } from 'vitest';
import { parseAllDocuments } from 'yaml';

/**
 * What a piece of work costs is told in processor time of this thread, as a multiple of what a plain parser takes, in
 * the same run, for an ordinary text of the same length: a limit that holds on slow and on busy machines alike.
 */
export interface Limit {
  /** Characters that went into the work. */
  readonly length: number;
  /** How many times the plain parser's effort is fine. */
  readonly times: number;
  readonly parser: 'yaml' | 'json';
}

/** Runs the work and returns its answer; fails if it took more than the limit, even at a second and third try. */
export async function withinEffort<T>(limit: Limit, work: () => T | Promise<T>): Promise<T> {
  const allowed = limit.times * plainEffort(limit);
  let least = Number.POSITIVE_INFINITY;
  for (;;) {
    const start = spent();
    const answer = await work();
    const effort = spent() - start;
    if (effort <= allowed) return answer;
    const isImproving = effort < 0.9 * least;
    least = Math.min(least, effort);
    if (!isImproving || least > 4 * allowed) {
      expect.fail(
        `took ${Math.round(least)} ms of processor time; ${Math.round(allowed)} ms are ${limit.times} plain parses`,
      );
    }
  }
}

/** Short texts are allowed what this many characters are: start-up costs are not what is looked for. */
const least = 300_000;
const perCharacter = new Map<Limit['parser'], number>();

function plainEffort({ length, parser }: Limit): number {
  const known = perCharacter.get(parser) ?? measure(parser);
  perCharacter.set(parser, known);
  return Math.max(length, least) * known;
}

/** Milliseconds a character, over enough rounds that the steps of the processor's clock don't count. */
function measure(parser: Limit['parser']): number {
  const text = parser === 'yaml' ? ordinaryYaml : ordinaryJson;
  const parse: (text: string) => unknown = parser === 'yaml' ? (yaml) => parseAllDocuments(yaml) : JSON.parse;
  parse(text);
  const start = spent();
  let characters = 0;
  while (spent() - start < 200) {
    parse(text);
    characters += text.length;
  }
  return (spent() - start) / characters;
}

const ordinaryDocument = `apiVersion: batch/v1
kind: Job
metadata:
  name: demo
  labels: {app: demo, team: a}
spec:
  parallelism: 2
  template:
    spec:
      restartPolicy: Never
      containers:
        - name: main
          image: registry.example/app:1
          args: ["--verbose", "run"]
`;
const ordinaryYaml = `${ordinaryDocument}---\n`.repeat(200);
const ordinaryJson = JSON.stringify(
  Array.from({ length: 300 }, (_, index) => ({
    name: `main-${index}`,
    image: 'registry.example/app:1',
    ports: [1, 2],
  })),
);

function spent(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
