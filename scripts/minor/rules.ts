/** Where the engine and a minor's own code disagree: on recorded cases, on odd templates, and on generated ones. */

import type { KubernetesMinor } from '../../src/admission/index.ts';
import { isJsonObject } from '../../src/base/index.ts';
import { oddTemplateRequest } from '../../test/admission/pod/odd/templates.ts';
import { recordedTemplates } from '../../test/admission/pod/recorded.ts';
import { generatedSamples, writtenSamples } from '../../test/admission/samples.ts';
import { differences } from '../../test/conformance/fuzz/compare.ts';
import { drawFrom } from '../../test/conformance/fuzz/draw.ts';
import { askEngine, engineErrors } from '../../test/conformance/fuzz/engine.ts';
import type { Shapes } from '../../test/conformance/fuzz/generate.ts';
import type { Oracle, OracleRequest } from '../../test/conformance/fuzz/oracle.ts';
import { compareAll, type Fault, fuzz } from '../../test/conformance/fuzz/run.ts';

/** What a disagreement is about. */
export type Kind = 'rule' | 'warning' | 'default' | 'decoding' | 'crash';

/** One disagreement, however many places of the schema it shows at. */
export interface Disagreement {
  readonly kind: Kind;
  /** As compare.ts puts it, without the number of the container and the CronJob around it. */
  readonly line: string;
  readonly count: number;
  readonly smallest: OracleRequest;
  /** What the minor's own code says to the smallest case at that place, if anything. */
  readonly server: { readonly field: string; readonly message: string } | undefined;
  /** True if it takes the smallest case. */
  readonly isTaken: boolean;
  /** True if the minor before says otherwise to the smallest case. */
  readonly isNew: boolean;
  /** The codes of our rules that speak there, if it is we who refuse. */
  readonly rules: readonly string[];
}

export interface Comparison {
  readonly cases: number;
  /** The most frequent first. */
  readonly disagreements: readonly Disagreement[];
}

export interface ComparisonInput {
  readonly minor: KubernetesMinor;
  readonly shapes: Shapes;
  readonly oracle: Oracle;
  /** The minor before; undefined for the oldest. */
  readonly previous: Oracle | undefined;
  readonly cases: number;
  readonly seed: number;
  /** Places that the minor before lacks, their steps joined by dots. */
  readonly focus: ReadonlySet<string>;
  /** How many faults are made as small as they can be, of each sort of cases; the others stay as they were found. */
  readonly shrunkFaults: number;
}

/** Compares and groups. Takes about a minute for 20,000 cases. */
export async function compare(input: ComparisonInput): Promise<Comparison> {
  const { minor, shapes, oracle, cases, seed, focus, shrunkFaults } = input;
  const engine = (request: OracleRequest) => askEngine(request, minor);
  const recorded = recordedRequests();
  const draw = drawFrom(seed);
  const options = { seed, cases, only: [], shrunkFaults };
  const results = [
    await compareAll((index) => recorded[index] ?? failing(index), oracle, engine, {
      cases: recorded.length,
      shrunkFaults,
    }),
    await compareAll((index) => oddTemplateRequest(`odd-${seed}-${index}`, draw), oracle, engine, {
      cases,
      shrunkFaults,
    }),
    await fuzz(shapes, oracle, engine, options),
    ...(focus.size === 0 ? [] : [await fuzz(shapes, oracle, engine, { ...options, focus })]),
  ];
  const groups = grouped(results.flatMap(({ faults }) => faults));
  const disagreements: Disagreement[] = [];
  for (const [line, faults] of groups) disagreements.push(await disagreement(line, faults, input));
  return {
    cases: results.reduce((sum, result) => sum + result.cases, 0),
    disagreements: disagreements.sort((a, b) => b.count - a.count),
  };
}

function failing(index: number): never {
  throw new Error(`There is no recorded case ${index}.`);
}

function recordedRequests(): readonly OracleRequest[] {
  const samples = [...writtenSamples(), ...generatedSamples()].map(
    ({ id, request }): OracleRequest => JSON.parse(JSON.stringify({ ...request, id })),
  );
  return [...samples, ...recordedTemplates().map(({ request }) => request)];
}

/** The line without what makes no difference: the CronJob around, which container, which probe. */
function withoutPlace(line: string): string {
  return line
    .replaceAll('spec.jobTemplate.', '')
    .replaceAll(/\b(init|ephemeral)Containers\b/g, 'containers')
    .replaceAll(/\.(readiness|startup)Probe\b/g, '.livenessProbe')
    .replaceAll(/\.(postStart|preStop)\b/g, '.preStop')
    .replace(/^(stored: \S+ is )\{.*(?=, not )/, '$1{…}')
    .replace(/, not \{.*$/, ', not {…}');
}

/** Disagreements that are one: a pod template is the same wherever it stands, and so is a container. */
function grouped(faults: readonly Fault[]): ReadonlyMap<string, readonly Fault[]> {
  const groups = new Map<string, Fault[]>();
  for (const fault of faults) {
    const line = withoutPlace(fault.line);
    const group = groups.get(line) ?? [];
    group.push(fault);
    groups.set(line, group);
  }
  return groups;
}

async function disagreement(line: string, faults: readonly Fault[], input: ComparisonInput): Promise<Disagreement> {
  const [first] = faults.toSorted((a, b) => sizeOf(a) - sizeOf(b));
  if (first === undefined) throw new Error('A group has no fault.');
  const { smallest } = first;
  const [answer] = await input.oracle.ask([smallest]);
  const [before] = (await input.previous?.ask([smallest])) ?? [];
  // Its paths as they are in the smallest case, positions included.
  const told = (answer?.errors ?? [])
    .filter(({ field, type }) => isAbout(first.line, field, type))
    .map(({ field, message }) => ({ field, message }));
  return {
    kind: kindOf(line),
    line,
    count: faults.reduce((sum, { count }) => sum + count, 0),
    smallest,
    server: told[0],
    isTaken: answer?.code === 200,
    isNew:
      before !== undefined &&
      answer !== undefined &&
      differences(before, {
        ...answer,
        errors: [...answer.errors, ...answer.unknown.map((field) => ({ field, type: 'Unknown' }))],
      }).length > 0,
    rules: engineErrors(smallest, input.minor)
      .filter(({ field, type }) => isAbout(first.line, field, type))
      .map(({ rule }) => rule),
  };
}

function sizeOf({ smallest }: Fault): number {
  return JSON.stringify(smallest).length;
}

function isAbout(line: string, field: string, type: string): boolean {
  return line.endsWith(`: ${field.replace(/\[[^\]]*\]/g, '[*]')} ${type}`);
}

function kindOf(line: string): Kind {
  if (/^(missing|invented): /.test(line))
    return / (Unknown|TypeInvalid)$/.test(line) ? 'decoding' : line.includes(' threw:') ? 'crash' : 'rule';
  if (line.startsWith('warning')) return 'warning';
  return line.startsWith('stored') ? 'default' : 'decoding';
}

/** A request as short as it can be read. */
export function requestText({ operation, object, old }: OracleRequest): string {
  const { apiVersion: _, ...shown } = isJsonObject(object) ? object : {};
  const text = `${operation} ${JSON.stringify(shown)}${old === undefined ? '' : `\n      stored ${JSON.stringify(old)}`}`;
  return text.length > 1600 ? `${text.slice(0, 1600)}…` : text;
}
