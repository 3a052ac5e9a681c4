import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { controlPlaneMinor } from '../../scripts/cluster/versions.ts';
import { type Answer, type Api, apiOf } from '../cluster/api.ts';
import { tokens } from '../cluster/controlPlane.ts';
import { listOf, partOf } from '../cluster/world.ts';
import { drawFrom } from './fuzz/draw.ts';
import { makeGenerator } from './fuzz/generate.ts';
import { isMap, type Json, type JsonMap } from './fuzz/json.ts';
import { type Oracle, type OracleAnswer, type OracleRequest, startOracle } from './fuzz/oracle.ts';
import { seedOfThisRun } from './fuzz/seed.ts';
import { shapesFor } from './fuzz/shapes.ts';

/**
 * The oracle is Kubernetes' code, called in our way. Here the way is checked: a real kube-apiserver must say the same.
 */
const seed = seedOfThisRun();
const cases = 3000;
const namespace = 'team-a';

describe(`the oracle says what a real kube-apiserver says (seed ${seed})`, () => {
  let api: Api;
  let oracle: Oracle;

  beforeAll(async () => {
    api = apiOf({ ...inject('management'), token: tokens.admin });
    oracle = await startOracle(controlPlaneMinor, (line) => console.error(line));
    const { status } = await api.request('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    expect(status).toBe(201);
  });

  afterAll(async () => {
    await oracle.close();
    api.close();
  });

  test('to what is created', async () => {
    const generate = await makeGenerator(await shapesFor(controlPlaneMinor), oracle, []);
    const draw = drawFrom(seed);
    const requests = Array.from({ length: cases }, (_, index) => generate(String(index), draw)).filter(
      (request) => request.operation === 'create' && isForTheStrategy(request.object),
    );
    expect(requests.length).toBeGreaterThan(cases / 3);
    await compareAll(requests, (request) => {
      const { apiVersion, kind } = request.object;
      const group = apiVersion === 'v1' ? '/api/v1' : `/apis/${String(apiVersion)}`;
      const plural = `${String(kind).toLowerCase()}s`;
      return api.request('POST', `${group}/namespaces/${namespace}/${plural}?${dryRun}`, request.object);
    });
  });

  test('to changes of a Job and of its status', async () => {
    const generate = await makeGenerator(await shapesFor(controlPlaneMinor), oracle, ['job', 'status', 'pod']);
    const draw = drawFrom(seed);
    const requests: OracleRequest[] = [];
    for (let index = 0; requests.length < cases / 3 && index < cases * 3; index += 1) {
      const { operation, object, old } = generate(String(index), draw);
      if (operation === 'create' || old === undefined) continue;
      const stored = await store(old, index);
      if (stored === undefined) continue;
      const changed = asChangeOf(stored, object);
      if (isForTheStrategy(changed)) requests.push({ id: String(index), operation, object: changed, old: stored });
    }
    expect(requests.length).toBeGreaterThan(50);
    await compareAll(requests, ({ operation, object }) => {
      const path = `/apis/batch/v1/namespaces/${namespace}/jobs/${String(mapOf(object['metadata'])['name'])}`;
      return api.request('PUT', `${path}${operation === 'update' ? '' : '/status'}?${dryRun}`, object);
    });
  });

  /** Creates the Job under a name of its own, managed by nobody, and gives it its status. */
  async function store(job: JsonMap, number: number): Promise<JsonMap | undefined> {
    const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
    // A finished Job of a short life would be gone before it is asked about.
    const spec = { managedBy: nobody, ...withoutGenerated(mapOf(job['spec'])), ttlSecondsAfterFinished: 2_000_000_000 };
    const fresh = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: `stored-${number}`, namespace }, spec };
    const created = await attempt('POST', jobs, fresh);
    if (created.status !== 201) return undefined;
    const path = `${jobs}/stored-${number}`;
    const withStatus = { ...created.body, status: job['status'] ?? {} };
    const updated = await attempt('PUT', `${path}/status`, withStatus);
    const { body } = updated.status === 200 ? updated : await api.request('GET', path);
    return mapOf(jsonOf(body));
  }

  /** A server that panics at what it shall store answers 500 or hangs up, and stores nothing. */
  function attempt(method: 'POST' | 'PUT', path: string, body: JsonMap): Promise<Answer> {
    return api.request(method, path, body).catch(() => ({ status: 500, body: {}, warnings: [] }));
  }

  async function compareAll(
    requests: readonly OracleRequest[],
    send: (request: OracleRequest) => Promise<Answer>,
  ): Promise<void> {
    const expected = await oracle.ask(requests);
    for (const [index, request] of requests.entries()) {
      const theirs = expected[index];
      if (theirs === undefined) throw new Error('The oracle owes an answer.');
      const answer = await send(request).catch((error: unknown) => {
        // A server that panics answers 500 or hangs up.
        if (theirs.code === 500) return { status: 500, body: {}, warnings: [] };
        throw error;
      });
      // A server cuts warnings short when there are too many.
      const areCut = theirs.warnings.join('').length > longestWarnings;
      const [server, own] = [ofServer(answer), ofOracle(theirs)].map((each) =>
        areCut ? { ...each, warnings: [] } : each,
      );
      expect(server, JSON.stringify(request)).toEqual(own);
    }
  }
});

/** A controller that doesn't exist, so that nobody touches the Job between two requests. */
const nobody = 'example.com/nobody';
const generatedUid = '00000000-0000-4000-8000-000000000000';
const longestWarnings = 2000;
const dryRun = 'dryRun=All&fieldValidation=Strict';

interface Comparable {
  readonly code: number;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

function ofServer({ status, body, warnings }: Answer): Comparable {
  const causes = listOf(partOf(body, 'details')['causes']);
  return {
    code: status === 201 ? 200 : status,
    errors:
      status === 422 ? sortedSet(causes.map(({ field, reason, message }) => `${field} ${reason} ${message}`)) : [],
    // A server sends each once, however often the strategy says it.
    warnings: sortedSet(warnings.filter((text) => text !== '')),
  };
}

function ofOracle(answer: OracleAnswer): Comparable {
  const { errors, warnings, unknown } = answer;
  // The oracle goes on beyond fields that nobody knows, into what a server would break at had it not refused them.
  const code = unknown.length > 0 ? 400 : answer.code;
  return {
    code,
    errors:
      code === 422 ? sortedSet(errors.map(({ field, type, message }) => `${field} FieldValue${type} ${message}`)) : [],
    // What can't be decoded is warned of by nobody, a refused pod may be. No header may carry a control character, so the
    // server doesn't send such a text.
    warnings: code !== 400 ? sortedSet(warnings.filter((text) => !/\p{Cc}/u.test(text))) : [],
  };
}

/** As a set, without what each of the two makes up for itself. */
function sortedSet(texts: readonly string[]): readonly string[] {
  const uid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  return [...new Set(texts.map((text) => text.replace(uid, 'UID')))].sort();
}

/** What else stands in metadata is made up by the server, or held against the URL or the store before the strategy is asked. */
function isForTheStrategy(object: JsonMap): boolean {
  const metadata = mapOf(object['metadata']);
  const { namespace: own, resourceVersion, generateName } = metadata;
  return (
    own === namespace &&
    !isForPlugins(object) &&
    (generateName === undefined || metadata['uid'] !== undefined) &&
    (resourceVersion === undefined || metadata['uid'] !== undefined) &&
    !hasDuplicateOwners(metadata)
  );
}

/** Pods alone are held against classes that exist, by admission plugins. */
function isForPlugins({ kind, spec }: JsonMap): boolean {
  const aboutClasses = ['priority', 'priorityClassName', 'preemptionPolicy', 'runtimeClassName', 'overhead'];
  return kind === 'Pod' && aboutClasses.some((field) => field in mapOf(spec));
}

/** The handler itself removes those, with a warning of its own. */
function hasDuplicateOwners(metadata: JsonMap): boolean {
  const owners = Array.isArray(metadata['ownerReferences']) ? metadata['ownerReferences'] : [];
  // An absent one is an empty text to Go.
  const uids = owners.map((owner) => (isMap(owner) ? owner['uid'] : undefined) ?? '');
  return new Set(uids).size < uids.length;
}

/** What the generator changed in its own stored object, changed in the one that a server really stored. */
function asChangeOf(stored: JsonMap, object: JsonMap): JsonMap {
  const {
    name = '',
    uid = '',
    resourceVersion = '',
    generation = 0,
    creationTimestamp = '',
  } = mapOf(stored['metadata']);
  const text = JSON.stringify(object).replaceAll(generatedUid, String(uid)).replaceAll('"demo"', JSON.stringify(name));
  const own = mapOf(JSON.parse(text));
  const identity = { name, namespace, uid, resourceVersion, generation, creationTimestamp };
  const spec = isMap(own['spec']) ? { managedBy: nobody, ...own['spec'] } : (own['spec'] ?? null);
  return { ...own, metadata: { ...mapOf(own['metadata']), ...identity }, spec };
}

function withoutGenerated(spec: JsonMap): JsonMap {
  const { selector: _, ...rest } = spec;
  const template = mapOf(rest['template']);
  return { ...rest, template: { ...template, metadata: {} } };
}

function mapOf(value: Json | undefined): JsonMap {
  return isMap(value) ? value : {};
}

function jsonOf(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}
