import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import {
  createKubeApi,
  type Job,
  jobs,
  type KubeClient,
  KubeError,
  type KubeErrorKind,
  leases,
  pods,
  unlimited,
  type WatchEvent,
} from '../../src/kube/index.ts';
import {
  type FakeServer,
  type Handler,
  jobList,
  jobObject,
  json,
  startFakeServer,
  status,
  watchLine,
} from './fakeServer.ts';
import { fixedCredentials } from './fixedCredentials.ts';

let server: FakeServer;
let api: KubeClient;
const never = new AbortController().signal;
const key = { namespace: 'default', name: 'a' };

beforeEach(async () => {
  server = await startFakeServer();
  api = createKubeApi(
    { contextName: 'test', server: `${server.url}/prefix/`, credentials: fixedCredentials({ token: 't' }) },
    { clock: systemClock, limiter: unlimited },
  );
});

afterEach(async () => {
  api.dispose();
  await server[Symbol.asyncDispose]();
});

async function failure(work: Promise<unknown>): Promise<KubeError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(KubeError);
  return error as KubeError;
}

async function expectKind(work: Promise<unknown>, kind: KubeErrorKind): Promise<void> {
  expect((await failure(work)).kind).toBe(kind);
}

describe('requests', () => {
  test('a read goes below the path of the server, with the login, and gives the raw object', async () => {
    server.answer((_request, response) => json(response, jobObject('a', 'u', '7', { spec: { unknown: 1 } })));
    const job = await api.get<Job>(jobs, key, never);
    expect(job).toMatchObject({ metadata: { uid: 'u', resourceVersion: '7' }, spec: { unknown: 1 } });
    expect(server.requests[0]).toMatchObject({
      method: 'GET',
      path: '/prefix/apis/batch/v1/namespaces/default/jobs/a',
      headers: { authorization: 'Bearer t', 'accept-encoding': 'gzip' },
    });
  });

  test('whether there is an object is asked without its content', async () => {
    const secrets = { group: '', version: 'v1', plural: 'secrets' };
    server.answer((_request, response) => json(response, { kind: 'PartialObjectMetadata', metadata: { name: 'a' } }));
    expect(await api.has(secrets, key, never)).toBe(true);
    expect(server.requests[0]).toMatchObject({
      path: '/prefix/api/v1/namespaces/default/secrets/a',
      headers: { accept: expect.stringMatching(/^application\/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,/) },
    });
    server.answer((_request, response) =>
      status(response, 404, 'NotFound', 'secrets "a" not found', { name: 'a', kind: 'secrets' }),
    );
    expect(await api.has(secrets, key, never)).toBe(false);
    server.answer((_request, response) =>
      status(response, 403, 'Forbidden', 'User "u" cannot get resource "secrets" in API group ""'),
    );
    await expectKind(api.has(secrets, key, never), 'forbidden');
  });

  test('a list asks for 500 at a time and fills in what items of a typed list lack', async () => {
    const { apiVersion: _a, kind: _k, ...bare } = jobObject('a') as Record<string, unknown>;
    server.answer((_request, response) => json(response, jobList([bare], '5', 'more')));
    const page = await api.list<Job>(jobs, { labelSelector: 'x=y' }, never);
    expect(page).toMatchObject({
      resourceVersion: '5',
      continueToken: 'more',
      items: [{ apiVersion: 'batch/v1', kind: 'Job' }],
    });
    expect(Object.fromEntries(server.requests[0]?.query ?? [])).toEqual({ limit: '500', labelSelector: 'x=y' });
  });

  test('a compressed answer is read', async () => {
    server.answer((_request, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(JSON.stringify(jobObject('zipped'))));
    });
    expect((await api.get(jobs, key, never)).metadata.name).toBe('zipped');
  });

  test('writes carry their options and bring the warnings back', async () => {
    server.answer((_request, response) => {
      const second = Buffer.from('299 - "zweite: ä"', 'utf8').toString('latin1');
      response.setHeader('Warning', ['299 - "first \\"one\\""', second]);
      json(response, jobObject('a'), 201);
    });
    const options = { dryRun: true, fieldManager: 'me', fieldValidation: 'Strict' as const };
    const { warnings } = await api.create(jobs, 'default', { kind: 'Job' }, options, never);
    await api.replace(jobs, key, { status: {} }, { subresource: 'status' }, never);
    const patch = { type: 'application/merge-patch+json' as const, body: { a: 1 }, subresource: 'status' as const };
    await api.patch(jobs, key, patch, {}, never);
    expect(warnings).toEqual(['first "one"', 'zweite: ä']);
    expect(server.requests.map(({ method, path, query, body }) => [method, path, query.toString(), body])).toEqual([
      [
        'POST',
        '/prefix/apis/batch/v1/namespaces/default/jobs',
        'dryRun=All&fieldManager=me&fieldValidation=Strict',
        { kind: 'Job' },
      ],
      ['PUT', '/prefix/apis/batch/v1/namespaces/default/jobs/a/status', '', { status: {} }],
      ['PATCH', '/prefix/apis/batch/v1/namespaces/default/jobs/a/status', '', { a: 1 }],
    ]);
    expect(server.requests[2]?.headers['content-type']).toBe('application/merge-patch+json');
  });

  test('a deletion names the UID and what becomes of the pods', async () => {
    server.answer((_request, response) => json(response, { kind: 'Status', status: 'Success' }));
    await api.delete(jobs, key, { uid: 'u', propagationPolicy: 'Background' }, never);
    expect(server.requests[0]?.body).toMatchObject({ preconditions: { uid: 'u' }, propagationPolicy: 'Background' });
  });

  test('the version is read off managed clusters, too', async () => {
    server.answer((_request, response) => json(response, { major: '1', minor: '35+', gitVersion: 'v1.35.4-x' }));
    expect(await api.serverVersion(never)).toEqual({ minor: '1.35', gitVersion: 'v1.35.4-x' });
  });

  test('an OpenAPI document, where there is one', async () => {
    server.answer((_request, response) => json(response, { openapi: '3.0.0' }));
    expect(await api.openApi('batch/v1', never)).toEqual({ openapi: '3.0.0' });
    expect(await api.openApi('v1', never)).toEqual({ openapi: '3.0.0' });
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/prefix/openapi/v3/apis/batch/v1',
      '/prefix/openapi/v3/api/v1',
    ]);
    server.answer((_request, response) => response.writeHead(404).end());
    expect(await api.openApi('example.com/v1', never)).toBeUndefined();
  });

  test('an OpenAPI document that is too large is not taken in', async () => {
    const piece = Buffer.alloc(1 << 20, ' ');
    server.answer((_request, response) => {
      for (let count = 0; count < 18; count++) response.write(piece);
      response.end('{}');
    });
    await failure(api.openApi('batch/v1', never));
  });

  test('an access review and a log', async () => {
    server.answer((_request, response) => json(response, { status: { allowed: false, reason: 'no' } }, 201));
    expect(await api.canI({ verb: 'list', group: 'batch', resource: 'jobs' }, never)).toEqual({
      allowed: false,
      reason: 'no',
    });
    server.answer((_request, response) => response.end('line 1\nline 2\n'));
    expect(await api.podLog(key, { tailLines: 2 }, never)).toBe('line 1\nline 2\n');
    expect(server.requests[1]?.query.get('tailLines')).toBe('2');
  });

  test('many requests share one connection', async () => {
    server.answer((_request, response) => json(response, jobObject('a')));
    for (let i = 0; i < 10; i++) await api.get(jobs, key, never);
    expect(server.connections).toBe(1);
  });

  test('a pooled connection that the server has closed is replaced without an error', async () => {
    let count = 0;
    server.answer((_request, response, socket) => {
      count += 1;
      if (count === 2) socket.resetAndDestroy();
      else json(response, jobObject('a'));
    });
    await api.get(jobs, key, never);
    await api.get(jobs, key, never);
    expect(count).toBe(3);
  });

  test('a write is never sent twice', async () => {
    let posts = 0;
    server.answer((request, response, socket) => {
      if (request.method === 'POST') {
        posts += 1;
        socket.resetAndDestroy();
      } else json(response, jobObject('a'));
    });
    await api.get(jobs, key, never);
    const error = await failure(api.create(jobs, 'default', {}, {}, never));
    expect([error.kind, error.isOutcomeUnknown, posts]).toEqual(['unreachable', true, 1]);
  });
});

describe('failures', () => {
  test('an error of the server names the cluster and the request', async () => {
    server.answer((_request, response) => status(response, 404, 'NotFound', 'jobs.batch "a" not found', { name: 'a' }));
    const error = await failure(api.get(jobs, key, never));
    expect(error).toMatchObject({
      kind: 'not-found',
      contextName: 'test',
      request: 'GET /apis/batch/v1/namespaces/default/jobs/a',
      reason: 'NotFound',
    });
  });

  test('an answer that is not JSON', async () => {
    server.answer((_request, response) => response.end('<html>Log in</html>'));
    await expectKind(api.get(jobs, key, never), 'bad-answer');
  });

  test('JSON that is no stored object', async () => {
    server.answer((_request, response) => json(response, { kind: 'Job', metadata: { name: 'a' } }));
    await expectKind(api.get(jobs, key, never), 'bad-answer');
  });

  test('an answer cut off in the middle', async () => {
    server.answer((_request, response, socket) => {
      response.writeHead(200, { 'Content-Length': '1000' });
      response.write('{"kind":');
      setImmediate(() => socket.destroy());
    });
    await expectKind(api.get(jobs, key, never), 'unreachable');
  });

  test('a port where nobody listens', async () => {
    const gone = await startFakeServer();
    const lonely = createKubeApi(
      { contextName: 'x', server: gone.url, credentials: fixedCredentials() },
      { clock: systemClock },
    );
    await gone[Symbol.asyncDispose]();
    const error = await failure(lonely.get(jobs, key, never));
    expect([error.kind, error.reason]).toEqual(['unreachable', 'ECONNREFUSED']);
    lonely.dispose();
  });

  test('no answer within the deadline', async () => {
    server.answer(() => undefined);
    const hasty = createKubeApi(
      { contextName: 'x', server: server.url, credentials: fixedCredentials() },
      { clock: systemClock, requestTimeoutMs: 20 },
    );
    await expectKind(hasty.get(jobs, key, never), 'timeout');
    hasty.dispose();
  });

  test('an abort is honoured at once, with its reason, and closes the connection', async () => {
    server.answer(() => undefined);
    const controller = new AbortController();
    const reason = new Error('enough');
    const work = api.get(jobs, key, controller.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort(reason);
    await expect(work).rejects.toBe(reason);
    await expect.poll(() => server.openConnections).toBe(0);
  });

  test('a request under way when the client is disposed', async () => {
    server.answer(() => undefined);
    const work = api.get(jobs, key, never);
    await expect.poll(() => server.requests.length).toBe(1);
    api.dispose();
    await expect(work).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('a request after the client was disposed', async () => {
    api.dispose();
    await expect(api.get(jobs, key, never)).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('watch', () => {
  const request = { resourceVersion: '5', timeoutSeconds: 300, namespace: 'default' };

  async function collect(): Promise<{ events: string[]; end: Promise<void> }> {
    const events: string[] = [];
    const onEvent = (event: WatchEvent<Job>): void => {
      events.push(
        event.kind === 'bookmark' ? `bookmark ${event.resourceVersion}` : `${event.kind} ${event.object.metadata.name}`,
      );
    };
    const end = api.watch<Job>(jobs, request, onEvent, never);
    return { events, end };
  }

  test('delivers events in order, however the stream is cut, and resolves when the server ends it', async () => {
    const text = [
      watchLine('ADDED', jobObject('ä')),
      watchLine('MODIFIED', jobObject('ä')),
      watchLine('BOOKMARK', { kind: 'Job', metadata: { resourceVersion: '9' } }),
      watchLine('DELETED', jobObject('ä')),
    ].join('');
    server.answer((_request, response) => {
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += 7) response.write(bytes.subarray(at, at + 7));
      response.end();
    });
    const { events, end } = await collect();
    await end;
    expect(events).toEqual(['added ä', 'modified ä', 'bookmark 9', 'deleted ä']);
    expect(Object.fromEntries(server.requests[0]?.query ?? [])).toEqual({
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: '5',
      timeoutSeconds: '300',
    });
  });

  const endings: readonly (readonly [string, string, KubeErrorKind])[] = [
    [
      'an ERROR event 410',
      watchLine('ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'old' }),
      'gone',
    ],
    [
      'an ERROR event 500',
      watchLine('ERROR', { kind: 'Status', code: 500, reason: 'InternalError', message: 'x' }),
      'server-error',
    ],
    ['a line that is no JSON', 'garbage\n', 'bad-answer'],
    ['half a line at the end', '{"type":"ADD', 'bad-answer'],
    ['an unknown event', watchLine('SURPRISE', jobObject('a')), 'bad-answer'],
  ];
  test.each(endings)('%s rejects, after the events before it', async (_name, tail, kind) => {
    server.answer((_request, response) => {
      response.write(watchLine('ADDED', jobObject('a')));
      response.end(tail);
    });
    const { events, end } = await collect();
    await expectKind(end, kind);
    expect(events).toEqual(['added a']);
  });

  test('a connection that breaks rejects', async () => {
    server.answer((_request, response, socket) => {
      response.write(watchLine('ADDED', jobObject('a')));
      setImmediate(() => socket.resetAndDestroy());
    });
    const { end } = await collect();
    await expectKind(end, 'unreachable');
  });

  test('a listener that throws ends the watch with its error', async () => {
    server.answer((_request, response) => void response.write(watchLine('ADDED', jobObject('a'))));
    const broken = new Error('listener');
    const work = api.watch(
      jobs,
      request,
      () => {
        throw broken;
      },
      never,
    );
    await expect(work).rejects.toBe(broken);
  });

  test('an abort ends an idle watch', async () => {
    server.answer((_request, response) => response.flushHeaders());
    const controller = new AbortController();
    const work = api.watch(jobs, request, () => undefined, controller.signal);
    await expect.poll(() => server.requests.length).toBe(1);
    controller.abort();
    await expect(work).rejects.toMatchObject({ name: 'AbortError' });
    await expect.poll(() => server.openConnections).toBe(0);
  });

  describe('on which nothing comes', () => {
    const isQuestion = (path: string): boolean => path === '/prefix/version';
    const questions = (): number => server.requests.filter(({ path }) => isQuestion(path)).length;

    function watchQuietly(answer: Handler): Promise<void> {
      server.answer((seen, response, socket) => {
        if (isQuestion(seen.path)) answer(seen, response, socket);
        else response.flushHeaders();
      });
      api.dispose();
      api = createKubeApi(
        { contextName: 'test', server: `${server.url}/prefix`, credentials: fixedCredentials({ token: 't' }) },
        { clock: systemClock, limiter: unlimited, silenceMs: 100 },
      );
      return api.watch(jobs, request, () => undefined, never);
    }

    test('rejects where the server is silent on other connections, too', async () => {
      await expectKind(
        watchQuietly(() => undefined),
        'timeout',
      );
      await expect.poll(() => server.openConnections).toBe(0);
    });
    test('rejects with what is wrong with the login by now', async () => {
      await expectKind(
        watchQuietly((_request, response) => status(response, 401, 'Unauthorized', 'expired')),
        'unauthorized',
      );
    });
    test.each<[string, Handler]>([
      ['answers', (_request, response) => json(response, {})],
      ['answers at all', (_request, response) => status(response, 403, 'Forbidden', 'cannot get path "/version"')],
    ])('goes on while the server %s', async (_name, answer) => {
      let isOver = false;
      const end = watchQuietly(answer).finally(() => {
        isOver = true;
      });
      await expect.poll(questions).toBeGreaterThan(2);
      expect(isOver).toBe(false);
      api.dispose();
      await expect(end).rejects.toMatchObject({ name: 'AbortError' });
    });
  });
});

test('leases and deletions are urgent, the rest is not', async () => {
  const taken: string[] = [];
  const counting = createKubeApi(
    { contextName: 'x', server: server.url, credentials: fixedCredentials() },
    {
      clock: systemClock,
      limiter: {
        async take(priority) {
          taken.push(priority);
        },
        slowDown: (pauseMs) => void taken.push(`slow ${pauseMs}`),
        dispose() {},
      },
    },
  );
  server.answer((_request, response) => json(response, jobObject('a')));
  await counting.get(leases, key, never);
  await counting.get(pods, key, never);
  await counting.delete(pods, key, { uid: 'u', propagationPolicy: 'Background' }, never);
  server.answer((_request, response) => status(response, 429, 'TooManyRequests', 'x', {}, { 'Retry-After': '2' }));
  await expectKind(counting.get(pods, key, never), 'too-many-requests');
  expect(taken).toEqual(['urgent', 'normal', 'urgent', 'normal', 'slow 2000']);
  counting.dispose();
});
