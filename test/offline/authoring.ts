import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { atOnce, isJsonObject, type JsonObject } from '../../src/base/index.ts';
import { defaultControllerName } from '../../src/contributions.ts';
import type { ManifestCheck } from '../../src/manifest/index.ts';
import { createSession, kustomizedFilesOf, lenses, toYaml, withoutEchoes } from '../../src/parts/authoring.ts';
import { createLiveSession, textWithLive } from '../../src/parts/comparing.ts';
import { complete, hover } from '../../src/parts/language.ts';

/**
 * A program: does to the manifests of a folder what an editor asks for while somebody writes them, and prints how much
 * came of it. Everything that the authoring half of the extension loads is loaded here.
 */
const settings = {
  version: 'auto',
  clusterVersion: undefined,
  controllerName: defaultControllerName,
  knownControllers: [],
  isPartial: false,
} as const;

/** The object as it may be stored already: with an identity, and managed by somebody else. */
function storedAs(value: JsonObject): JsonObject {
  const metadata = { ...partOf(value, 'metadata'), uid: 'u', resourceVersion: '1' };
  return { ...value, metadata, spec: { ...partOf(value, 'spec'), managedBy: 'example.com/before' } };
}

function partOf(value: JsonObject, key: string): JsonObject {
  const part = value[key];
  return isJsonObject(part) ? part : {};
}

/** All is looked at in one stretch. */
const inNoTime = { monotonicMs: () => 0 };

const counts = { texts: 0, findings: 0, hovers: 0, completions: 0, lenses: 0, live: 0 };
const checks: ManifestCheck[] = [];
for (const file of readdirSync(process.argv[2] ?? '.', { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.yaml')) continue;
  const text = readFileSync(join(process.argv[2] ?? '.', file), 'utf8');
  const session = createSession((code, error) => {
    throw new Error(`The rule ${code} failed.`, { cause: error });
  }, inNoTime);
  session.check(text.slice(0, text.length / 2), settings);
  const check = session.check(text, settings);
  counts.texts++;
  counts.findings += withoutEchoes(check.findings, []).length;
  counts.lenses += lenses(check, settings).length;
  for (let offset = 0; offset < text.length; offset += 211) {
    if (atOnce(hover(text, offset, settings)) !== undefined) counts.hovers++;
    counts.completions += atOnce(complete(text, offset, settings, checks)).length;
  }
  kustomizedFilesOf(text);
  for (const object of check.documents.flatMap(({ objects }) => objects)) {
    const stored = storedAs(object.value);
    counts.live += createLiveSession(inNoTime).check(text, check, () => stored, settings, 'apply').findings.length;
    textWithLive(text, object, stored, settings);
    toYaml(object.value);
  }
  if (checks.length < 5) checks.push(check);
}
process.stdout.write(JSON.stringify(counts));
