import { describe, expect, test } from 'vitest';
import { webhookGroups } from '../../../scripts/cluster/webhooks.ts';
import { isJsonObject, type JsonObject } from '../../../src/base/index.ts';
import { createManifestSession, type Finding } from '../../../src/manifest/index.ts';
import { mutationsOf } from '../../cluster/crdMutations.ts';
import { objectOf, operatorCases, operatorUpdates, updateOf } from '../../manifest/operatorCases.ts';
import { validObjects } from '../../manifest/samples.ts';
import { askWebhooks, kindsOf, type WebhookAnswer } from './ask.ts';

/**
 * What the linter says of the kinds of the ecosystem, against what their webhooks and operators say: those modules' own
 * code, behind the CRD's rules and the webhooks' defaults. What the API server says by itself is test/cluster's.
 */

interface Question {
  readonly name: string;
  readonly object: JsonObject;
}

/** What the operators refuse and we say nothing of: by the change and their texts. */
const untold: readonly RegExp[] = [
  // Tekton's CRDs leave open what stands in a pipelineSpec, a taskSpec and a volumeClaimTemplate.
  /can't be decoded: (?!json: unknown field)/,
  /\.volumeClaimTemplate\b.*can't be decoded: json: unknown field/,
  // No number of a port or percentage is that large.
  /cannot unmarshal number 5000000000 into Go struct field .* of type int32/,
  // A known kind that lacks its pods is told where it is made alone.
  /components contains no podspecs|error inferring PodSets/,
  /RuntimeEnvYAML|deletionRules\[\d+\]: duplicate rule/,
];

/** Without its spec, an object is read as a piece of one. */
const isPiece = /: spec: (?:left out|null)$/;

describe.each(webhookGroups)('the %s modules', (group) => {
  const kinds = kindsOf(group);
  const isAsked = ({ apiVersion, kind }: JsonObject): boolean => kinds.has(`${String(apiVersion)} ${String(kind)}`);

  test('refuse the cases of test/manifest of which we say so, and no other', async () => {
    const cases = operatorCases
      .map((one) => ({ one, object: stored(objectOf(one)) }))
      .filter(({ object }) => isAsked(object));
    const answers = await askWebhooks(
      group,
      cases.map(({ object }) => ({ object })),
    );
    const wrong = cases.flatMap(({ one, object }, index) => {
      const texts = refusalsIn(answers[index]).filter((text) => !isAboutCluster(text));
      return texts.length > 0 === one.told.length > 0 ? [] : [{ ...one, texts, object: JSON.stringify(object) }];
    });
    expect(cases.length).toBeGreaterThan(30);
    expect(wrong).toEqual([]);
  });

  test('refuse the changes of stored objects of which we say so, and no other', async () => {
    const updates = operatorUpdates
      .map((one) => ({ one, ...updateOf(one) }))
      .filter(({ object }) => isAsked(object))
      .map(({ one, old, object }) => ({ one, old: stored(old), object: stored(object) }));
    const answers = await askWebhooks(
      group,
      updates.map(({ old, object }) => ({ old, object })),
    );
    const wrong = updates.flatMap(({ one }, index) => {
      const texts = refusalsIn(answers[index]);
      return texts.length > 0 === one.told.length > 0 ? [] : [{ ...one, texts }];
    });
    expect(updates.length).toBeGreaterThan(5);
    expect(wrong).toEqual([]);
  });

  test('refuse single changes of valid objects where we say so', async () => {
    const questions = validObjects
      .filter(({ value }) => isAsked(value))
      .flatMap(({ key, value }): readonly Question[] => [
        { name: `${key}: as it is`, object: value },
        ...mutationsOf(value).map(({ name, object }) => ({ name: `${key}: ${name}`, object })),
      ])
      .filter(({ name }) => !isPiece.test(name));
    const answers = await askWebhooks(
      group,
      questions.map(({ object }) => ({ object: stored(object) })),
    );
    const wrong = questions.flatMap(({ name, object }, index) => differences(name, findingsIn(object), answers[index]));
    expect(questions.length).toBeGreaterThan(3000);
    expect(wrong).toEqual([]);
  });
});

function differences(name: string, findings: readonly Finding[], answer: WebhookAnswer | undefined): readonly string[] {
  const texts = refusalsIn(answer);
  const alarms = findings.filter(isRefusal);
  if (texts.length === 0) return alarms.map(({ message }) => `${name}: only we refuse it: ${message}`);
  // Whatever we say of it, it isn't taken for good.
  if (answer?.crd.length !== 0 || findings.some(({ severity }) => severity === 'error' || severity === 'warning'))
    return [];
  return texts
    .filter((text) => !isAboutCluster(text))
    .map((text) => `${name}: only they refuse it: ${text}`)
    .filter((line) => !untold.some((pattern) => pattern.test(line)));
}

/** Said in the name of a webhook, or of an operator without one. */
function isRefusal({ severity, source = '', message }: Finding): boolean {
  // Of what it holds, an AppWrapper's webhook asks less.
  if (severity === 'warning') return /^(?:KubeRay|mpi-operator) [\d.]+$/.test(source);
  return severity === 'error' && source.startsWith('webhook of ') && message !== '';
}

function refusalsIn(answer: WebhookAnswer | undefined): readonly string[] {
  return answer === undefined ? [] : [...answer.crd, ...answer.webhook, ...answer.operator];
}

/** Whether it is about what else the cluster holds. */
function isAboutCluster(text: string): boolean {
  return /must be created before the TrainJob is created/.test(text);
}

function findingsIn(object: JsonObject): readonly Finding[] {
  return createManifestSession().check(JSON.stringify(object), { version: '1.35' }).findings;
}

/** With the name and the namespace that the server has made of a prefix and a URL before any webhook sees it. */
function stored(object: JsonObject): JsonObject {
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  const { generateName, name = `${String(generateName)}xxxxx`, namespace = 'default' } = metadata;
  return { ...object, metadata: { ...metadata, name, namespace } };
}
