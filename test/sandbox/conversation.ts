import { isJsonObject, type JsonObject } from '../../src/base/index.ts';
import { Client, type Reply, type SendOptions } from './client.ts';

/**
 * One long conversation with an API server, and what of its answers any two servers must have in common. It is held
 * with a real kube-apiserver to record the expected answers, and with the sandbox to compare.
 *
 * It needs an empty cluster, an administrator's token, and one of a user `guest` who may do nothing. Its Jobs are
 * managed by a controller that doesn't exist, and its pods wait for a scheduler that doesn't, so that nobody else
 * changes anything in between.
 */
export interface Server {
  /** `https://127.0.0.1:6443` */
  readonly url: string;
  readonly token: string;
  readonly guestToken: string;
  /** PEM of what signed the server's certificate. */
  readonly ca: string;
}

/** What was asked and what was answered, made comparable: see `comparable`. */
export interface Exchange {
  readonly title: string;
  readonly request: string;
  readonly status: number;
  readonly warnings: readonly string[];
  readonly body: unknown;
}

const namespace = 'conversation';
const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
const cronJobs = `/apis/batch/v1/namespaces/${namespace}/cronjobs`;
const pods = `/api/v1/namespaces/${namespace}/pods`;
const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
const events = `/api/v1/namespaces/${namespace}/events`;

const mergePatch = { contentType: 'application/merge-patch+json' } as const;
const strategicPatch = { contentType: 'application/strategic-merge-patch+json' } as const;
const jsonPatch = { contentType: 'application/json-patch+json' } as const;
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';

type Say = (title: string, method: string, path: string, body?: unknown, options?: SayOptions) => Promise<Reply>;

interface SayOptions extends SendOptions {
  /** The wording of the answer is the decoder's own; its code and reason count alone. */
  readonly isLoose?: boolean;
}

/** Holds the conversation; the answers come in the order of the questions. */
export async function converse(server: Server): Promise<readonly Exchange[]> {
  const client = new Client(server);
  const exchanges: Exchange[] = [];
  const names = new Names();
  const say: Say = async (title, method, path, body, options = {}) => {
    const reply = await client.send(method, path, body, options);
    exchanges.push({
      title,
      request: `${method} ${path.replaceAll(/(?<=resourceVersion=|continue=)[^&]+/gu, '…')}`,
      status: reply.status,
      warnings: reply.warnings,
      body: options.isLoose === true ? reasonOf(reply.body) : names.comparable(withoutWords(reply.body ?? reply.text)),
    });
    return reply;
  };
  try {
    await say('a namespace', 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    await talkAboutAccess(say, server);
    await talkAboutPaths(say);
    await talkAboutCreating(say);
    await talkAboutUpdating(say);
    await talkAboutPatching(say);
    await talkAboutStatus(say);
    await talkAboutListing(say);
    await talkAboutDeleting(say);
    await talkAboutCronJobs(say);
    await talkAboutPods(say);
    await talkAboutOthers(say);
    exchanges.push(...(await watchPast(client, names)));
  } finally {
    client.close();
  }
  return exchanges;
}

function job(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox' }] } };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, ...metadata },
    spec: { managedBy: 'example.com/nobody', template, ...spec },
  };
}

async function talkAboutAccess(say: Say, { guestToken }: Server): Promise<void> {
  const guest = { token: guestToken };
  await say('without a token', 'GET', '/apis/batch/v1/jobs', undefined, { token: 'wrong' });
  await say('a guest lists a namespace', 'GET', jobs, undefined, guest);
  await say('a guest lists the cluster', 'GET', '/apis/batch/v1/jobs', undefined, guest);
  await say('a guest gets one', 'GET', `${jobs}/one`, undefined, guest);
  await say('a guest creates', 'POST', jobs, job('one'), guest);
  await say('a guest updates a status', 'PUT', `${jobs}/one/status`, job('one'), guest);
  await say('a guest deletes all', 'DELETE', jobs, undefined, guest);
  await say('a guest watches', 'GET', `${pods}?watch=true`, undefined, guest);
  await say('a guest gets a namespace', 'GET', `/api/v1/namespaces/${namespace}`, undefined, guest);
  const review = (attributes: JsonObject) => ({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: attributes },
  });
  const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  await say(
    'may a guest?',
    'POST',
    reviews,
    review({ namespace, verb: 'create', group: 'batch', resource: 'jobs' }),
    guest,
  );
}

async function talkAboutPaths(say: Say): Promise<void> {
  await say('an unknown resource', 'GET', `/apis/batch/v1/namespaces/${namespace}/jabs`);
  await say('an unknown version', 'GET', `/apis/batch/v9/namespaces/${namespace}/jobs`);
  await say('an unknown group', 'GET', '/apis/example.com/v1/things');
  await say('an unknown path', 'GET', '/nowhere');
  await say('an unknown subresource', 'GET', `${jobs}/one/nothing`);
  await say('a method that no collection has', 'PUT', jobs, job('one'));
  await say('a method that no object has', 'POST', `${jobs}/one`, job('one'));
  await say('health', 'GET', '/readyz');
}

async function talkAboutCreating(say: Say): Promise<void> {
  await say('a Job', 'POST', jobs, job('one', {}, { labels: { team: 'a' } }));
  await say('the same again', 'POST', jobs, job('one'));
  await say('read it', 'GET', `${jobs}/one`);
  await say('read its status', 'GET', `${jobs}/one/status`);
  await say('read one that is not there', 'GET', `${jobs}/none`);
  await say('in a namespace that is not there', 'POST', '/apis/batch/v1/namespaces/nowhere/jobs', job('one'));
  await say('in another namespace than the path', 'POST', jobs, job('two', {}, { namespace: 'default' }));
  await say('without a name', 'POST', jobs, { ...job('two'), metadata: {} });
  await say('with a bad name', 'POST', jobs, job('Two'));
  await say('with a resourceVersion', 'POST', jobs, job('two', {}, { resourceVersion: '1' }));
  await say('without kind and version', 'POST', jobs, { metadata: { name: 'bare' }, spec: job('x')['spec'] });
  await say('of another kind', 'POST', jobs, { ...job('two'), kind: 'CronJob' }, { isLoose: true });
  await say('of another version', 'POST', jobs, { ...job('two'), apiVersion: 'batch/v2' }, { isLoose: true });
  await say('no JSON', 'POST', jobs, '{', { isLoose: true });
  await say('no object', 'POST', jobs, '[]', { isLoose: true });
  await say('another media type', 'POST', jobs, 'x', { contentType: 'text/csv', isLoose: true });
  await say('one thing wrong', 'POST', jobs, job('two', { parallelism: -1 }));
  await say(
    'several things wrong',
    'POST',
    jobs,
    job('two', { parallelism: -1, completions: -1, managedBy: 'nobody', backoffLimit: -3 }),
  );
  await say('another value than the known ones', 'POST', jobs, job('two', { completionMode: 'Sometimes' }));
  await say('no template', 'POST', jobs, { ...job('two'), spec: {} });
  await say('a managedBy that is too long', 'POST', jobs, job('two', { managedBy: `example.com/${'x'.repeat(60)}` }));
  await say('a value of the wrong type', 'POST', jobs, job('two', { parallelism: 'many' }), { isLoose: true });
  await say('an unknown field, strictly', 'POST', `${jobs}?fieldValidation=Strict`, job('two', { wrong: 1 }));
  await say(
    'an unknown field, dry, with a warning',
    'POST',
    `${jobs}?fieldValidation=Warn&dryRun=All`,
    job('two', { wrong: 1 }),
  );
  await say(
    'an unknown field, dry, ignored',
    'POST',
    `${jobs}?fieldValidation=Ignore&dryRun=All`,
    job('two', { wrong: 1 }),
  );
  await say('nothing of a dry run is left', 'GET', `${jobs}/two`);
  await say('an unknown dry run', 'POST', `${jobs}?dryRun=Some`, job('two'), { isLoose: true });
  await say('an unknown field validation', 'POST', `${jobs}?fieldValidation=Some`, job('two'), { isLoose: true });
  await say('a name that is not a DNS label', 'POST', jobs, job('dotted.name'));
  await say('a generated name', 'POST', jobs, { ...job('x'), metadata: { generateName: 'made-' } });
  await say(
    'an Indexed one',
    'POST',
    jobs,
    job('indexed', { completionMode: 'Indexed', completions: 3, parallelism: 2, backoffLimitPerIndex: 1 }),
  );
  await say('a suspended one', 'POST', jobs, job('waiting', { suspend: true, ttlSecondsAfterFinished: 60 }));
}

async function talkAboutUpdating(say: Say): Promise<void> {
  const read = async (): Promise<JsonObject> => objectOf(await say('read before an update', 'GET', `${jobs}/one`));
  const first = await read();
  await say('put it back unchanged', 'PUT', `${jobs}/one`, first);
  await say('change the spec', 'PUT', `${jobs}/one`, withSpec(first, { parallelism: 2 }));
  await say('with an old resourceVersion', 'PUT', `${jobs}/one`, withSpec(first, { parallelism: 3 }));
  const second = await read();
  await say('change only labels', 'PUT', `${jobs}/one`, withMetadata(second, { labels: { team: 'b' } }));
  await say(
    'without a resourceVersion',
    'PUT',
    `${jobs}/one`,
    withMetadata(await read(), { resourceVersion: undefined, annotations: { note: 'x' } }),
  );
  await say(
    'with another uid',
    'PUT',
    `${jobs}/one`,
    withMetadata(await read(), { uid: '00000000-0000-0000-0000-000000000000' }),
  );
  await say('with another name', 'PUT', `${jobs}/one`, withMetadata(await read(), { name: 'other' }));
  await say('with another namespace', 'PUT', `${jobs}/one`, withMetadata(await read(), { namespace: 'default' }));
  await say('one that is not there', 'PUT', `${jobs}/none`, job('none'));
  await say('an immutable field', 'PUT', `${jobs}/one`, withSpec(await read(), { managedBy: 'example.com/somebody' }));
  await say('an immutable template', 'PUT', `${jobs}/one`, withSpec(await read(), { template: {} }));
  await say('the status is left alone', 'PUT', `${jobs}/one`, { ...(await read()), status: { active: 5 } });
  await say('a dry run', 'PUT', `${jobs}/one?dryRun=All`, withSpec(await read(), { parallelism: 9 }));
  await say(
    'resume',
    'PUT',
    `${jobs}/waiting`,
    withSpec(objectOf(await say('read', 'GET', `${jobs}/waiting`)), { suspend: false }),
  );
}

async function talkAboutPatching(say: Say): Promise<void> {
  const one = `${jobs}/one`;
  await say(
    'merge',
    'PATCH',
    one,
    { spec: { parallelism: 4 }, metadata: { annotations: { note: null, more: 'y' } } },
    mergePatch,
  );
  await say('merge nothing', 'PATCH', one, {}, mergePatch);
  await say('merge with an old resourceVersion', 'PATCH', one, { metadata: { resourceVersion: '1' } }, mergePatch);
  await say(
    'merge with another uid',
    'PATCH',
    one,
    { metadata: { uid: '00000000-0000-0000-0000-000000000000' } },
    mergePatch,
  );
  await say('merge something refused', 'PATCH', one, { spec: { managedBy: 'example.com/else' } }, mergePatch);
  await say('merge into one that is not there', 'PATCH', `${jobs}/none`, {}, mergePatch);
  await say('merge a status through the main resource', 'PATCH', one, { status: { active: 3 } }, mergePatch);
  await say('add a finalizer', 'PATCH', one, { metadata: { finalizers: ['example.com/a'] } }, strategicPatch);
  await say('add another', 'PATCH', one, { metadata: { finalizers: ['example.com/b'] } }, strategicPatch);
  await say(
    'take one away',
    'PATCH',
    one,
    { metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] } },
    strategicPatch,
  );
  await say('replace them all', 'PATCH', one, { metadata: { finalizers: [] } }, mergePatch);
  await say(
    'a list of operations',
    'PATCH',
    one,
    [
      { op: 'test', path: '/spec/parallelism', value: 4 },
      { op: 'replace', path: '/spec/parallelism', value: 5 },
      { op: 'add', path: '/metadata/labels/a~1b', value: 'c' },
      { op: 'copy', from: '/metadata/labels/team', path: '/metadata/labels/copied' },
      { op: 'remove', path: '/metadata/labels/team' },
    ],
    jsonPatch,
  );
  await say('a test that fails', 'PATCH', one, [{ op: 'test', path: '/spec/parallelism', value: 7 }], {
    ...jsonPatch,
    isLoose: true,
  });
  await say('a path that leads nowhere', 'PATCH', one, [{ op: 'remove', path: '/spec/nothing' }], {
    ...jsonPatch,
    isLoose: true,
  });
  await say('no patch', 'PATCH', one, 'x', { ...mergePatch, isLoose: true });
  await say('an unknown kind of patch', 'PATCH', one, {}, { contentType: 'application/json', isLoose: true });
  await say(
    'an unknown field, strictly',
    'PATCH',
    `${one}?fieldValidation=Strict`,
    { spec: { wrong: true } },
    { ...mergePatch, isLoose: true },
  );
  await say(
    'an unknown field, with a warning',
    'PATCH',
    `${one}?fieldValidation=Warn`,
    { spec: { wrong: true } },
    mergePatch,
  );
}

async function talkAboutStatus(say: Say): Promise<void> {
  const status = `${jobs}/one/status`;
  const one = objectOf(await say('read', 'GET', `${jobs}/one`));
  const startTime = '2026-01-01T00:00:00Z';
  await say('put a status', 'PUT', status, { ...one, status: { startTime, active: 1, ready: 1 } });
  await say('with an old resourceVersion', 'PUT', status, { ...one, status: { startTime, active: 2 } });
  await say('merge a status', 'PATCH', status, { status: { failed: 1 } }, mergePatch);
  await say(
    'a spec through the status',
    'PATCH',
    status,
    { spec: { parallelism: 9 }, status: { failed: 2 } },
    mergePatch,
  );
  await say('a label through the status', 'PATCH', status, { metadata: { labels: { seen: 'yes' } } }, mergePatch);
  const condition = (type: string): JsonObject => ({
    type,
    status: 'True',
    reason: 'Tried',
    message: 'x',
    lastProbeTime: startTime,
    lastTransitionTime: startTime,
  });
  await say('fewer failures', 'PATCH', status, { status: { failed: 1 } }, mergePatch);
  await say(
    'complete and failed',
    'PATCH',
    status,
    { status: { conditions: [condition('Complete'), condition('Failed')] } },
    mergePatch,
  );
  await say(
    'a condition by strategic merge',
    'PATCH',
    status,
    { status: { conditions: [condition('FailureTarget')] } },
    strategicPatch,
  );
  await say(
    'a second one',
    'PATCH',
    status,
    { status: { active: 0, ready: 0, conditions: [condition('Failed')] } },
    strategicPatch,
  );
  await say('take a terminal condition back', 'PATCH', status, { status: { conditions: [] } }, mergePatch);
  await say('the status of one that is not there', 'PUT', `${jobs}/none/status`, job('none'));
}

async function talkAboutListing(say: Say): Promise<void> {
  const names = async (title: string, query: string): Promise<Reply> =>
    say(title, 'GET', `${jobs}?${query}`, undefined);
  for (const [name, labels] of [
    ['list-a', { tier: 'a', n: '1' }],
    ['list-b', { tier: 'b' }],
    ['list-c', { tier: 'c', n: '3' }],
  ] as const) {
    await say(`create ${name}`, 'POST', jobs, job(name, {}, { labels: { listed: 'yes', ...labels } }));
  }
  const only = 'labelSelector=listed';
  await names('an equal label', 'labelSelector=tier%3Da');
  await names('an unequal label', `${only},tier!%3Da`);
  await names('a set of values', `${only},tier%20in%20(a,b)`);
  await names('not in a set', `${only},tier%20notin%20(a,b)`);
  await names('a missing label', `${only},!n`);
  await names('a greater label', `${only},n%3E2`);
  await names('nobody', 'labelSelector=listed%3Dno');
  await say('a bad selector', 'GET', `${jobs}?labelSelector=a%20b%20c`, undefined, { isLoose: true });
  await names('a name', 'fieldSelector=metadata.name%3Dlist-b');
  await names('not a name, in a selection', `${only}&fieldSelector=metadata.name!%3Dlist-b`);
  await say('an unknown field', 'GET', `${jobs}?fieldSelector=spec.managedBy%3Dx`, undefined, { isLoose: true });
  const page = await names('a first page', `${only}&limit=2`);
  const token = continueOf(page);
  await names('the next page', `${only}&limit=2&continue=${encodeURIComponent(token)}`);
  await say('a bad continue token', 'GET', `${jobs}?limit=2&continue=xyz`, undefined, { isLoose: true });
  await say('a table', 'GET', `${jobs}?${only}`, undefined, { accept: table, isLoose: true });
  await say(
    'a resourceVersion to come',
    'GET',
    `${jobs}?resourceVersion=999999999&resourceVersionMatch=NotOlderThan`,
    undefined,
    { isLoose: true },
  );
}

async function talkAboutDeleting(say: Say): Promise<void> {
  const zero = '00000000-0000-0000-0000-000000000000';
  const one = `${jobs}/list-a`;
  const options = (parts: JsonObject): JsonObject => ({ apiVersion: 'v1', kind: 'DeleteOptions', ...parts });
  await say('of another uid', 'DELETE', one, options({ preconditions: { uid: zero } }));
  await say('of another resourceVersion', 'DELETE', one, options({ preconditions: { resourceVersion: '1' } }));
  await say('a dry run', 'DELETE', `${one}?dryRun=All`, options({ propagationPolicy: 'Background' }));
  await say('in the background', 'DELETE', one, options({ propagationPolicy: 'Background' }));
  await say('again', 'DELETE', one, options({ propagationPolicy: 'Background' }));
  await say('an unknown policy', 'DELETE', `${jobs}/list-b`, options({ propagationPolicy: 'Sideways' }), {
    isLoose: true,
  });
  await say('hold it', 'PATCH', `${jobs}/list-b`, { metadata: { finalizers: ['example.com/hold'] } }, mergePatch);
  await say('one that is held', 'DELETE', `${jobs}/list-b`, options({ propagationPolicy: 'Background' }));
  await say('again while it is held', 'DELETE', `${jobs}/list-b?propagationPolicy=Background`);
  const more = { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } };
  await say('hold it more', 'PATCH', `${jobs}/list-b`, more, { ...mergePatch, isLoose: true });
  await say('let it go', 'PATCH', `${jobs}/list-b`, { metadata: { finalizers: null } }, mergePatch);
  await say('it is gone', 'GET', `${jobs}/list-b`);
  await say('hold a third', 'PATCH', `${jobs}/list-c`, { metadata: { finalizers: ['example.com/hold'] } }, mergePatch);
  await say('by default', 'DELETE', `${jobs}/list-c`);
  await say('let the third go', 'PATCH', `${jobs}/list-c`, { metadata: { finalizers: [] } }, mergePatch);
  for (const name of ['many-a', 'many-b'])
    await say(`create ${name}`, 'POST', jobs, job(name, {}, { labels: { many: 'yes' } }));
  await say('all of a selection', 'DELETE', `${jobs}?labelSelector=many`, options({ propagationPolicy: 'Background' }));
  await say('none of it is left', 'GET', `${jobs}?labelSelector=many`);
}

async function talkAboutCronJobs(say: Say): Promise<void> {
  const spec = { schedule: '* * * * *', suspend: true, jobTemplate: { spec: job('x')['spec'] } };
  await say('a CronJob', 'POST', cronJobs, { metadata: { name: 'cron' }, spec });
  await say(
    'a bad schedule',
    'POST',
    cronJobs,
    { metadata: { name: 'bad' }, spec: { ...spec, schedule: 'now and then' } },
    { isLoose: true },
  );
  await say('change it', 'PATCH', `${cronJobs}/cron`, { spec: { schedule: '0 * * * *' } }, mergePatch);
  await say('delete it', 'DELETE', `${cronJobs}/cron`);
}

async function talkAboutPods(say: Say): Promise<void> {
  const pod = (name: string, spec: JsonObject = {}): JsonObject => ({
    metadata: { name, labels: { app: name } },
    spec: {
      schedulerName: 'nobody',
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: 'busybox' }],
      ...spec,
    },
  });
  await say('a pod', 'POST', pods, pod('pod-a'));
  await say('a pod without containers', 'POST', pods, pod('pod-b', { containers: [] }));
  await say('pods by field', 'GET', `${pods}?fieldSelector=status.phase%3DPending,spec.nodeName%3D`);
  await say('pods by another phase', 'GET', `${pods}?fieldSelector=status.phase%3DRunning`);
  await say('another node', 'PATCH', `${pods}/pod-a`, { spec: { nodeName: 'x' } }, { ...mergePatch, isLoose: true });
  await say('the log of a pod that has no node', 'GET', `${pods}/pod-a/log`);
  await say('the log of a container that it has not', 'GET', `${pods}/pod-a/log?container=x`, undefined, {
    isLoose: true,
  });
  await say(
    'a condition of a pod',
    'PATCH',
    `${pods}/pod-a/status`,
    { status: { phase: 'Failed', conditions: [{ type: 'Ready', status: 'False' }] } },
    strategicPatch,
  );
  await say(
    'another condition',
    'PATCH',
    `${pods}/pod-a/status`,
    { status: { conditions: [{ type: 'Extra', status: 'True' }] } },
    strategicPatch,
  );
  await say('delete a pod', 'DELETE', `${pods}/pod-a`);
  await say('it is gone', 'GET', `${pods}/pod-a`);
}

async function talkAboutOthers(say: Say): Promise<void> {
  await say('a config map', 'POST', configMaps, { metadata: { name: 'map' }, immutable: true, data: { a: '1' } });
  await say('change an immutable one', 'PATCH', `${configMaps}/map`, { data: { a: '2' } }, mergePatch);
  await say('delete it', 'DELETE', `${configMaps}/map`);
  const lease = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
    metadata: { name: 'lease', ...metadata },
    spec,
  });
  await say(
    'a lease',
    'POST',
    leases,
    lease({ holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: '2026-01-01T00:00:00.000000Z' }),
  );
  await say('renew it unconditionally', 'PUT', `${leases}/lease`, lease({ holderIdentity: 'you' }));
  await say(
    'renew it with an old version',
    'PUT',
    `${leases}/lease`,
    lease({ holderIdentity: 'you' }, { resourceVersion: '1' }),
  );
  await say('a lease of no length', 'PATCH', `${leases}/lease`, { spec: { leaseDurationSeconds: 0 } }, mergePatch);
  await say('a lease that is put', 'PUT', `${leases}/other`, {
    metadata: { name: 'other' },
    spec: { holderIdentity: 'me' },
  });
  const involvedObject = { kind: 'Job', namespace, name: 'one', apiVersion: 'batch/v1' };
  await say('an event', 'POST', events, {
    metadata: { name: 'one.1' },
    involvedObject,
    reason: 'Tried',
    message: 'x',
    type: 'Normal',
  });
  await say(
    'events about one',
    'GET',
    `${events}?fieldSelector=involvedObject.name%3Done,involvedObject.kind%3DJob,reason%3DTried`,
  );
  await say('events about another', 'GET', `${events}?fieldSelector=involvedObject.name%3Dtwo`);
  await say('a namespace that exists', 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  await say(
    'a label on it',
    'PATCH',
    `/api/v1/namespaces/${namespace}`,
    { metadata: { labels: { a: 'b' } } },
    mergePatch,
  );
}

/** Makes some history, then watches it from its beginning: what a client sees that was away. */
async function watchPast(client: Client, names: Names): Promise<readonly Exchange[]> {
  const start = await client.get(`${jobs}?labelSelector=watched`);
  const resourceVersion = objectOf(start)['metadata'];
  const since = isJsonObject(resourceVersion) ? String(resourceVersion['resourceVersion']) : '';
  await client.send('POST', jobs, job('watched', {}, { labels: { watched: 'a' } }));
  await client.send('PATCH', `${jobs}/watched`, { spec: { parallelism: 2 } }, mergePatch);
  await client.send('PATCH', `${jobs}/watched`, { metadata: { labels: { watched: 'b' } } }, mergePatch);
  await client.send('PATCH', `${jobs}/watched`, { metadata: { labels: { watched: 'a' } } }, mergePatch);
  await client.send('DELETE', `${jobs}/watched?propagationPolicy=Background`);
  const selections = [
    '',
    '&labelSelector=watched%3Da',
    '&fieldSelector=metadata.name%3Dwatched',
    '&fieldSelector=metadata.name%3Dother',
  ];
  // All at once, for each ends only by its timeout.
  const watch = async (selection: string): Promise<Exchange> => {
    const lines: unknown[] = [];
    const query = `watch=true&timeoutSeconds=1&resourceVersion=${since}${selection}`;
    const stream = client.stream(`${jobs}?${query}`, (line) => lines.push(JSON.parse(line)));
    const status = await stream.opened;
    await stream.done;
    return { title: `a watch of the past${selection}`, request: 'WATCH', status, warnings: [], body: lines };
  };
  const seen = await Promise.all(selections.map(watch));
  return seen.map((exchange) => ({ ...exchange, body: names.comparable(exchange.body) }));
}

function objectOf({ body }: Reply): JsonObject {
  if (!isJsonObject(body)) throw new Error('The answer is not an object.');
  return body;
}

function continueOf(reply: Reply): string {
  const metadata = objectOf(reply)['metadata'];
  return isJsonObject(metadata) ? String(metadata['continue']) : '';
}

function withSpec(object: JsonObject, spec: JsonObject): JsonObject {
  return { ...object, spec: { ...(isJsonObject(object['spec']) ? object['spec'] : {}), ...spec } };
}

function withMetadata(object: JsonObject, metadata: JsonObject): JsonObject {
  return { ...object, metadata: { ...(isJsonObject(object['metadata']) ? object['metadata'] : {}), ...metadata } };
}

/**
 * Where a server refuses several things, which ones they are: the order, the repetitions and the values that it shows
 * are its own. A single refusal is compared to the letter.
 */
function withoutWords(body: unknown): unknown {
  const details = isJsonObject(body) ? body['details'] : undefined;
  const causes = isJsonObject(details) ? details['causes'] : undefined;
  if (!isJsonObject(body) || !isJsonObject(details) || !Array.isArray(causes) || causes.length < 2) return body;
  const { message: _, ...rest } = body;
  const fields = causes.map((cause) => (isJsonObject(cause) ? `${cause['field']}: ${cause['reason']}` : ''));
  return { ...rest, details: { ...details, causes: [...new Set(fields)].sort() } };
}

function reasonOf(body: unknown): unknown {
  return isJsonObject(body) ? { kind: body['kind'], reason: body['reason'] } : undefined;
}

/** Gives what is drawn at random stable names, so that two conversations can be compared. */
class Names {
  readonly #uids = new Map<string, string>();

  comparable(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((item) => this.comparable(item));
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value)
      // The sandbox keeps no account of who set which field.
      .filter(([key]) => key !== 'managedFields')
      .map(([key, item]) => {
        if (/^(resourceVersion|continue|remainingItemCount)$/u.test(key)) return [key, '…'];
        if (/^(name|generateName)$/u.test(key) && typeof item === 'string')
          return [key, item.replace(/^made-[a-z0-9]{5}$/u, 'made-…')];
        return [key, this.comparable(item)];
      });
    return Object.fromEntries(entries.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
  }

  #text(text: string): string {
    return text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu, (uid) => this.#uid(uid))
      .replaceAll(/\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/gu, (time) =>
        time.startsWith('2026-01-01') ? time : 'TIME',
      )
      .replaceAll(/made-[a-z0-9]{5}\b/gu, 'made-…')
      .replaceAll(/(?<=ResourceVersion in record \()\d+/gu, '…');
  }

  #uid(uid: string): string {
    if (uid.startsWith('00000000')) return uid;
    const known = this.#uids.get(uid) ?? `UID-${this.#uids.size + 1}`;
    this.#uids.set(uid, known);
    return known;
  }
}
