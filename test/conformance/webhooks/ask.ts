import { execFileSync } from 'node:child_process';
import { releasesOf, type WebhookGroup, webhookProgram } from '../../../scripts/cluster/webhooks.ts';
import { readCrds } from '../../../scripts/schemas/crdSources.ts';
import { isJsonObject, type JsonObject } from '../../../src/base/index.ts';

/** Who refuses an object, in their own texts: its CRD, then the webhooks, then the operator itself. */
export interface WebhookAnswer {
  readonly crd: readonly string[];
  readonly webhook: readonly string[];
  readonly operator: readonly string[];
}

/** The creation of an object, or its change. */
export interface WebhookQuestion {
  readonly object: JsonObject;
  readonly old?: JsonObject;
}

/** What a group's operators say to questions, in their order. Builds the program where the cache lacks it. */
export async function askWebhooks(
  group: WebhookGroup,
  questions: readonly WebhookQuestion[],
): Promise<readonly WebhookAnswer[]> {
  const program = await webhookProgram(group, (line) => console.error(line));
  const lines = [{ crds: releasesOf(group).flatMap(readCrds) }, ...questions];
  const input = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const output = execFileSync(program, { input, encoding: 'utf8', maxBuffer: 1 << 30 });
  const answers = output.trim().split('\n').map(readAnswer);
  if (answers.length !== questions.length)
    throw new Error(`${answers.length} answers to ${questions.length} questions`);
  return answers;
}

/** The kinds that a group knows, as `apiVersion kind`. */
export function kindsOf(group: WebhookGroup): ReadonlySet<string> {
  const crds = releasesOf(group).flatMap(readCrds);
  return new Set(
    crds.flatMap(({ spec }) => spec.versions.map(({ name }) => `${spec.group}/${name} ${spec.names.kind}`)),
  );
}

function readAnswer(line: string): WebhookAnswer {
  const answer: unknown = JSON.parse(line);
  const textsOf = (key: string): readonly string[] => {
    const texts = isJsonObject(answer) ? answer[key] : undefined;
    return Array.isArray(texts) ? texts.map(String) : [];
  };
  return { crd: textsOf('crd'), webhook: textsOf('webhook'), operator: textsOf('operator') };
}
