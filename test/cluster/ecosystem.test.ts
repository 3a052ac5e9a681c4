import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import { createManifestSession, type Finding, type ManifestObject } from '../../src/manifest/index.ts';
import { type Answer, apiOf } from './api.ts';
import { tokens } from './controlPlane.ts';
import { mutationsOf } from './crdMutations.ts';
import { type CrdServer, openCrdServer } from './crdServer.ts';
import { listOf, partOf } from './world.ts';

/**
 * What the linter says of the kinds of the ecosystem, against what a real kube-apiserver with their real CRDs says. The
 * operators' webhooks don't run here, so their rules are out of it.
 */

const folder = new URL('../fixtures/manifest/ecosystem/', import.meta.url);
const version = '1.35';
const atOnce = 8;
/** Of all 13,000 changes, every so many-th is asked about. */
const stride = 11;

/** An object of Kubernetes' own kinds without its pod template is read as a patch, and so is one without images. */
const isPatch =
  /^spec(?:\.jobTemplate)?(?:\.spec)?(?:\.template)?(?:\.spec)?: (?:left out|an empty map)$|containers\.0\.image: left out$/;

/** What the operator's webhook would fill in, which doesn't run here. */
const isFilledIn =
  /(?:failurePolicy\.rules\.\d+\.name|networkConfig\.subdomainPolicy): left out$|networkConfig: an empty map$|(?:leaderWorkerTemplate\.restartPolicy|rolloutStrategy\.type): an empty text$/;

let server: CrdServer;

beforeAll(async () => {
  server = await openCrdServer(apiOf({ ...inject('management'), token: tokens.admin }), 'ecosystem');
});

test.each(filesIn('./'))('%s', async (file) => {
  for (const object of objectsIn(file)) expect(await differences(file, object)).toEqual([]);
});

describe('single changes of valid objects', () => {
  test.each(filesIn('valid/'))('%s', async (file) => {
    const found: string[] = [];
    for (const object of objectsIn(file)) {
      found.push(...(await differences('as it is', object)));
      const mutations = mutationsOf(object).filter(
        ({ name }, index) =>
          index % stride === 0 && !isFilledIn.test(name) && (isCustom(object) || !isPatch.test(name)),
      );
      for (let start = 0; start < mutations.length; start += atOnce) {
        const some = mutations.slice(start, start + atOnce);
        const answers = await Promise.all(some.map(({ name, object: changed }) => differences(name, changed)));
        found.push(...answers.flat().map((line) => `${String(object['kind'])} ${line}`));
      }
    }
    expect(found).toEqual([]);
  });
});

describe('a change of a stored object', () => {
  test.each(readdirSync(new URL('updates/', folder)).filter((name) => name.endsWith('.old.yaml')))(
    '%s',
    async (name) => {
      const [before] = objectsIn(`updates/${name}`);
      const [after] = objectsIn(`updates/${name.replace('.old.', '.new.')}`);
      if (before === undefined || after === undefined) return;
      const old = await server.store(before);
      const object = { ...after, metadata: { ...partOf(after, 'metadata'), ...resourceVersionOf(old) } };
      const answer = await server.replace(object);
      expect(verdictOf(errorsIn(object, old))).toEqual(verdictOf(errorsOf(answer)));
    },
  );
});

function filesIn(subfolder: string): readonly string[] {
  return readdirSync(new URL(subfolder, folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `${subfolder}${name}`);
}

function objectsIn(file: string): readonly JsonObject[] {
  const { documents } = createManifestSession().check(readFileSync(new URL(file, folder), 'utf8'), { version });
  // The CRDs of these two aren't to be had as Go modules.
  const isAsked = ({ apiVersion }: ManifestObject): boolean =>
    !/^(?:argoproj\.io|batch\.volcano\.sh)\//.test(apiVersion);
  return documents.flatMap(({ objects }) => objects.filter(isAsked).map(({ value }) => inOurNamespace(value)));
}

function inOurNamespace(object: JsonObject): JsonObject {
  const { namespace: _namespace, ...metadata } = partOf(object, 'metadata');
  return { ...object, metadata };
}

function resourceVersionOf(stored: JsonObject): JsonObject {
  return { resourceVersion: partOf(stored, 'metadata')['resourceVersion'] };
}

/** Where the server and the linter disagree about the creation of an object: a line, or none. */
async function differences(name: string, object: JsonObject): Promise<readonly string[]> {
  const ours = errorsIn(object);
  const theirs = errorsOf(await server.create(object)).map((error) => asWrongType(error, ours));
  if (verdictOf(theirs) === verdictOf(ours)) return [];
  return [`${name}\n    server: ${verdictOf(theirs)}\n    linter: ${verdictOf(ours)}`];
}

/** An error in short: the field and the type. */
interface ShortError {
  readonly field: string;
  readonly type: string;
}

/** A map in the place of something else is to the server something with unknown fields. */
function asWrongType(error: ShortError, ours: readonly ShortError[]): ShortError {
  const holder = error.field.replace(/\.[^.]*$/, '');
  const isWrong = ours.some(({ field, type }) => field === holder && type === 'TypeInvalid');
  return error.type === 'Unknown' && isWrong ? { field: holder, type: 'TypeInvalid' } : error;
}

/**
 * Both sides told alike. The server stops at what it can't decode, then at unknown fields; of a value of the wrong type
 * it also says that it is none of those allowed; and it says that it said not all. Places in what can't be decoded
 * don't stand in its answer, but for objects within others.
 */
function verdictOf(errors: readonly ShortError[]): string {
  if (errors.some(({ type }) => type === undecodable)) return 'can’t be decoded';
  const wrong = errors.filter(({ type }) => type === 'TypeInvalid').map(({ field }) => field);
  const unknown = errors.filter(({ type }) => type === 'Unknown');
  const isSpared = ({ field }: ShortError): boolean => field === '<nil>' || (wrong.length > 0 && field.startsWith('.'));
  const told = unknown.length > 0 ? unknown : errors.filter((error) => !isSpared(error));
  const lines = told.map(({ field, type }) => {
    const place = placeOf(field);
    return `${place} ${wrong.map(placeOf).includes(place) ? 'TypeInvalid' : type}`;
  });
  return [...new Set(lines)].sort().join(', ') || 'accepted';
}

/** The server's ways of writing a path in one; of metadata within an object, it names no part that can't be decoded. */
function placeOf(field: string): string {
  return field
    .replace(/^\./, '')
    .replace(/\[(\w*[A-Za-z]\w*)\]/g, '.$1')
    .replace(/(\.template\.metadata)\.(?:name|namespace)$/, '$1');
}

const undecodable = 'undecodable';

function errorsIn(object: JsonObject, old?: JsonObject): readonly ShortError[] {
  const session = createManifestSession(
    old === undefined ? {} : { requestFor: () => ({ operation: 'update', object, old }) },
  );
  const { findings } = session.check(JSON.stringify(object), { version });
  const isOwn = !isCustom(object);
  return findings.filter(isOfApiServer).map(({ field = '', type = '' }) => ({
    field,
    type: type === 'TypeInvalid' && isOwn ? undecodable : type,
  }));
}

/** Whether a kind comes from a CRD: their groups are domains. */
function isCustom(object: JsonObject): boolean {
  return String(object['apiVersion']).includes('.');
}

function isOfApiServer({ severity, source = '' }: Finding): boolean {
  return severity === 'error' && !source.startsWith('webhook of ');
}

function errorsOf({ status, body }: Answer): readonly ShortError[] {
  if (status === 200 || status === 201) return [];
  const message = String(body['message']);
  const unknown = [...message.matchAll(/unknown field "([^"]*)"/g)].map(([, field = '']) => ({
    field,
    type: 'Unknown',
  }));
  if (unknown.length > 0) return unknown;
  const embedded = / handled as a \w+: (spec\S+): Invalid value: /.exec(message)?.[1];
  if (embedded !== undefined) return [{ field: embedded, type: 'TypeInvalid' }];
  if (status === 400) return [{ field: '', type: undecodable }];
  const causes = listOf(partOf(body, 'details')['causes']);
  if (causes.length === 0) return [{ field: '', type: `${status}: ${message}` }];
  return causes.map(({ field, reason }) => ({ field: String(field), type: String(reason).replace('FieldValue', '') }));
}
