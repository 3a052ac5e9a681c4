import { beforeEach, describe, expect, test } from 'vitest';
import { jobs, type KubeApi, KubeError, type KubeErrorKind, type WatchRequest } from '../../src/kube/index.ts';
import { ClusterLink } from '../../src/reconciler/clusterLink.ts';
import { type ManualClock, manualClock } from '../kube/manualClock.ts';

/** What each way in which a request may end says of the whole cluster. */

const never = new AbortController().signal;
const key = { namespace: 'default', name: 'a' };
const scope = { resourceVersion: '1', timeoutSeconds: 300 };

function failure(kind: KubeErrorKind): KubeError {
  return new KubeError('text', { kind, contextName: 'c', request: 'GET /version' });
}

/** A client whose every request waits for the test to say how it ends. */
function openApi(): { readonly api: KubeApi; readonly ends: PromiseWithResolvers<never>[]; watch?: WatchRequest } {
  const ends: PromiseWithResolvers<never>[] = [];
  const pending = (): Promise<never> => {
    const end = Promise.withResolvers<never>();
    ends.push(end);
    return end.promise;
  };
  const opened: ReturnType<typeof openApi> = {
    ends,
    api: {
      contextName: 'c',
      get: pending,
      has: pending,
      list: pending,
      create: pending,
      replace: pending,
      patch: pending,
      delete: pending,
      watch: (_type, request) => {
        opened.watch = request;
        return pending();
      },
      serverVersion: pending,
      canI: pending,
      podLog: pending,
      dispose() {},
    },
  };
  return opened;
}

let clock: ManualClock;
let server: ReturnType<typeof openApi>;
let link: ClusterLink;
let changes: number;

beforeEach(() => {
  clock = manualClock();
  server = openApi();
  changes = 0;
  link = new ClusterLink('w', server.api, { clock, random: () => 0.5, onChange: () => changes++ });
});

const requests = {
  read: () => link.api.get(jobs, key, never),
  list: () => link.api.list(jobs, {}, never),
  write: () => link.api.patch(jobs, key, { type: 'application/merge-patch+json', body: {} }, {}, never),
  review: () => link.api.canI({ verb: 'get', group: '', resource: 'x' }, never),
  watch: () => link.api.watch(jobs, scope, () => {}, never),
};

/** Sends a request and returns how to end it. */
function send(request: keyof typeof requests): (error: unknown) => Promise<void> {
  const sent = requests[request]();
  const end = server.ends.at(-1);
  return async (error) => {
    if (error === undefined) end?.resolve(undefined as never);
    else end?.reject(error);
    await sent.catch((reason: unknown) => expect(reason).toBe(error));
  };
}

describe('a request', () => {
  test.each<[keyof typeof requests, KubeErrorKind | undefined, string]>([
    ['read', undefined, 'reachable'],
    ['read', 'not-found', 'reachable'],
    ['read', 'forbidden', 'reachable'],
    ['write', 'conflict', 'reachable'],
    ['watch', 'gone', 'reachable'],
    ['read', 'unreachable', 'Unreachable: The connection broke: text'],
    ['list', 'timeout', 'Unreachable: The cluster did not answer in time'],
    ['write', 'unreachable', 'Unreachable: The connection broke: text'],
    ['watch', 'unreachable', 'Unreachable: The connection broke: text'],
    ['review', 'server-error', 'Unreachable: The API server failed: text'],
    ['read', 'unauthorized', 'LoginExpired: The cluster does not accept the login'],
    ['read', 'certificate', "CertificateUntrusted: The server's certificate is not trusted: text"],
    ['read', 'credentials', 'CredentialsUnusable: text'],
    ['read', 'too-many-requests', 'TooManyRequests: The cluster is overloaded'],
    // A webhook of the worker may have failed; the cluster is there.
    ['write', 'server-error', 'unknown'],
  ])('%s that ends with %s: %s', async (request, kind, health) => {
    await send(request)(kind && failure(kind));
    const now = link.health;
    expect(now.kind === 'trouble' ? `${now.reason}: ${now.message}` : now.kind).toMatch(new RegExp(`^${health}`));
    expect(changes).toBe(health === 'unknown' ? 0 : 1);
  });

  test('that was given up on purpose says nothing', async () => {
    await send('read')(new DOMException('stopped', 'AbortError'));
    expect(link.health.kind).toBe('unknown');
  });
  test('that fails says nothing if another was answered meanwhile', async () => {
    const slow = send('list');
    await send('read')(undefined);
    await slow(failure('timeout'));
    expect(link.health.kind).toBe('reachable');
  });
  test('that is answered ends the trouble, a watch that opens too', async () => {
    await send('read')(failure('unreachable'));
    expect(link.trouble).toMatchObject({ reason: 'Unreachable', afterMs: 750 });
    requests.watch().catch(() => {});
    server.watch?.onOpen?.();
    expect(link.health.kind).toBe('reachable');
    expect(link.trouble).toBeUndefined();
    expect(changes).toBe(2);
  });
});

describe('a watch that was open', () => {
  test.each<[KubeErrorKind, string]>([
    // It is opened anew at once, and that tells.
    ['unreachable', 'reachable'],
    ['bad-answer', 'reachable'],
    ['server-error', 'reachable'],
    // A question beside it was not answered, or badly.
    ['timeout', 'trouble'],
    ['unauthorized', 'trouble'],
    ['certificate', 'trouble'],
  ])('and ends with %s: %s', async (kind, health) => {
    const end = send('watch');
    server.watch?.onOpen?.();
    await send('read')(undefined);
    await end(failure(kind));
    expect(link.health.kind).toBe(health);
  });
});

test('a trouble that lasts is tried with growing pauses, and at once when a person asks', async () => {
  const pauses: (number | undefined)[] = [];
  for (let round = 0; round < 4; round++) {
    await send('read')(failure('unreachable'));
    pauses.push(link.trouble?.afterMs);
    clock.advance(link.trouble?.afterMs ?? 0);
  }
  expect(pauses).toEqual([750, 1500, 3000, 6000]);
  await send('read')(failure('unreachable'));
  link.retry();
  expect(link.trouble).toBeUndefined();
  expect(link.health.kind).toBe('trouble');
  expect(changes).toBe(1);
});
