import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { oracleProgram } from '../../../scripts/cluster/binaries.ts';
import type { Report } from '../../../scripts/cluster/goBuild.ts';
import type { KubernetesMinor } from '../../../src/admission/index.ts';
import { isMap, type Json, type JsonMap } from './json.ts';

/** One write, as the oracle takes it. */
export interface OracleRequest {
  readonly id: string;
  readonly operation: 'create' | 'update' | 'status-update';
  readonly object: JsonMap;
  readonly old?: JsonMap;
}

export interface OracleAnswer {
  readonly id: string;
  readonly code: number;
  readonly errors: readonly { readonly field: string; readonly type: string; readonly message: string }[];
  readonly warnings: readonly string[];
  readonly unknown: readonly string[];
  readonly message: string;
  readonly stored: JsonMap | undefined;
}

/** The program that answers as kube-apiserver of one minor would. */
export interface Oracle {
  /** Answers in the order of the requests. */
  ask(requests: readonly OracleRequest[]): Promise<readonly OracleAnswer[]>;
  /** Ends the program. */
  close(): Promise<void>;
}

/** Starts the oracle, building it first where the cache lacks it. */
export async function startOracle(minor: KubernetesMinor, report: Report): Promise<Oracle> {
  const program = await oracleProgram(minor, report);
  const child = spawn(program, ['--defaults'], { stdio: ['pipe', 'pipe', 'inherit'] });
  return new OracleProcess(child);
}

class OracleProcess implements Oracle {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: Interface;
  #waiting: { resolve: (answer: OracleAnswer) => void; reject: (error: Error) => void }[] = [];

  constructor(child: ChildProcessByStdio<Writable, Readable, null>) {
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout });
    this.#lines.on('line', (line) => this.#waiting.shift()?.resolve(readAnswer(line)));
    child.on('close', (code) => {
      const error = new Error(`The oracle ended with code ${code} and ${this.#waiting.length} questions open.`);
      for (const { reject } of this.#waiting) reject(error);
    });
  }

  async ask(requests: readonly OracleRequest[]): Promise<readonly OracleAnswer[]> {
    const answers = requests.map(
      () => new Promise<OracleAnswer>((resolve, reject) => this.#waiting.push({ resolve, reject })),
    );
    this.#child.stdin.write(requests.map((request) => `${asGoWrites(request)}\n`).join(''));
    return Promise.all(answers);
  }

  async close(): Promise<void> {
    const closed = once(this.#child, 'close');
    this.#child.stdin.end();
    await closed;
  }
}

function readAnswer(line: string): OracleAnswer {
  const answer: Json = JSON.parse(line);
  if (!isMap(answer)) throw new Error(`Not an answer: ${line}`);
  const stored = answer['stored'];
  return {
    id: textOf(answer['id']),
    code: Number(answer['code']),
    errors: listOf(answer['errors']).map((error) => ({
      field: textOf(isMap(error) ? error['field'] : ''),
      type: textOf(isMap(error) ? error['type'] : ''),
      message: textOf(isMap(error) ? error['message'] : ''),
    })),
    warnings: listOf(answer['warnings']).map(textOf),
    unknown: listOf(answer['unknown']).map(textOf),
    message: textOf(answer['message']),
    stored: isMap(stored) ? stored : undefined,
  };
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** JSON as kubectl sends it. To the server, an escaped line separator around an amount is no white space, a bare one is. */
function asGoWrites(request: OracleRequest): string {
  return JSON.stringify(request).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
