import { parseArgs } from 'node:util';
import {
  type AdmissionRequest,
  judge,
  type KubernetesMinor,
  kubernetesMinors,
  nearestMinor,
  newestMinor,
} from '../admission/index.ts';
import { describeError, isJsonObject, type JsonObject } from '../base/index.ts';
import { type CommandIo, orUsageError, UsageError } from './io.ts';

const help = `Usage: delegated-jobs verdict [OPTION]…

Reads requests as JSON lines on standard input and answers each, in order, with the
verdict of kube-apiserver as a JSON line on standard output:

  {"id", "operation": "create|update|status-update", "object", "old"?}
  {"id", "allowed", "errors": [{"field", "type", "message"}], "warnings": []}

  --kubernetes VERSION   judge as this minor does (${kubernetesMinors.join(', ')}); default ${newestMinor}
  --help                 this text

Exit codes: 0 every line was answered, 2 bad usage or a line that is no JSON object.
`;

/** `delegated-jobs verdict`: see `help`. Streams: an answer is written as soon as its chunk of input is read. */
export async function runVerdict(args: readonly string[], io: CommandIo): Promise<number> {
  const { values } = parse(args);
  if (values.help === true) {
    await io.stdout(help);
    return 0;
  }
  const version = values.kubernetes === undefined ? newestMinor : nearestMinor(values.kubernetes);
  if (version === undefined) {
    throw new UsageError(`--kubernetes ${values.kubernetes}: it takes a version such as ${newestMinor}.`);
  }
  const judge = new LineJudge(version, io);
  let rest = '';
  for await (const chunk of io.stdin) {
    if (io.signal.aborted) return 0;
    // Only the new piece is searched: a long request comes in many.
    const [first = '', ...others] = chunk.split('\n');
    rest += first;
    if (others.length === 0) continue;
    const lines = [rest, ...others];
    rest = lines.pop() ?? '';
    await judge.answer(lines);
  }
  await judge.answer([rest]);
  return judge.isEverythingRead ? 0 : 2;
}

function parse(args: readonly string[]) {
  return orUsageError('verdict', () =>
    parseArgs({
      args: [...args],
      options: { kubernetes: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    }),
  );
}

class LineJudge {
  readonly #version: KubernetesMinor;
  readonly #io: CommandIo;
  #line = 0;
  #isEverythingRead = true;

  constructor(version: KubernetesMinor, io: CommandIo) {
    this.#version = version;
    this.#io = io;
  }

  get isEverythingRead(): boolean {
    return this.#isEverythingRead;
  }

  async answer(lines: readonly string[]): Promise<void> {
    let output = '';
    for (const line of lines) {
      this.#line++;
      if (line.trim() === '') continue;
      const request = this.#read(line);
      if (request !== undefined) output += `${JSON.stringify(this.#verdictOn(request))}\n`;
    }
    if (output !== '') await this.#io.stdout(output);
  }

  /** A line that is no object has no id to answer to: it is reported, and the rest goes on. */
  #read(line: string): JsonObject | undefined {
    let reason = 'it is not a JSON object';
    try {
      const value: unknown = JSON.parse(line);
      if (isJsonObject(value)) return value;
    } catch (error) {
      reason = describeError(error);
    }
    this.#isEverythingRead = false;
    this.#io.stderr(
      `delegated-jobs verdict: standard input:${this.#line}: ${reason}. Write one request a line; see --help.`,
    );
    return undefined;
  }

  #verdictOn(request: JsonObject): object {
    const { id = null, operation, object, old } = request;
    if (operation !== 'create' && operation !== 'update' && operation !== 'status-update') {
      const message = 'the operation must be create, update or status-update';
      return { id, allowed: false, errors: [{ field: 'operation', type: 'NotSupported', message }], warnings: [] };
    }
    const admission: AdmissionRequest = { operation, object, ...(old !== undefined && { old }) };
    const { allowed, errors, warnings } = judge(admission, {
      version: this.#version,
      onRuleFailure: (code, error) =>
        this.#io.stderr(`delegated-jobs verdict: the rule ${code} failed: ${describeError(error)}`),
    });
    return { id, allowed, errors: errors.map(({ field, type, message }) => ({ field, type, message })), warnings };
  }
}
