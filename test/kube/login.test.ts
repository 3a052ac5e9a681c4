import { readFileSync } from 'node:fs';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import {
  ExecPlugins,
  explainKubeError,
  jobs,
  type KubeClient,
  type Kubeconfig,
  KubeError,
  type LoadKubeconfigOptions,
  loadKubeconfig,
} from '../../src/kube/index.ts';
import { type FakeServer, jobObject, json, type SeenRequest, startFakeServer, status } from './fakeServer.ts';
import { ScratchFolder } from './scratchFolder.ts';

const tlsFolder = join(import.meta.dirname, '../fixtures/kube/tls');
const never = new AbortController().signal;

function pem(name: string): string {
  return readFileSync(join(tlsFolder, name), 'utf8');
}

function base64(name: string): string {
  return Buffer.from(pem(name)).toString('base64');
}

interface Setup {
  /** YAML of the cluster beside `server`, in flow style. */
  readonly cluster?: string;
  /** YAML of the user; no user at all if absent. */
  readonly user?: string;
  /** Certificate of the server; plain http if absent. */
  readonly certificate?: string;
  readonly requestCert?: boolean;
  readonly files?: Readonly<Record<string, string>>;
  readonly options?: Partial<LoadKubeconfigOptions>;
  /** Address of the server as the kubeconfig names it. */
  readonly address?: (url: string) => string;
}

interface Scene {
  readonly server: FakeServer;
  readonly folder: ScratchFolder;
  readonly kubeconfig: Kubeconfig;
  readonly api: KubeClient;
}

/** A server, a kubeconfig that leads to it, and a client of its context `x`. */
async function withScene(setup: Setup, act: (scene: Scene) => Promise<void>): Promise<void> {
  using folder = new ScratchFolder();
  const { certificate, requestCert } = setup;
  const tls =
    certificate === undefined
      ? undefined
      : {
          key: pem(`${certificate}.key`),
          cert: pem(`${certificate}.crt`),
          ca: pem('ca.crt'),
          ...(requestCert ? { requestCert } : {}),
        };
  await using server = await startFakeServer((_request, response) => json(response, jobObject('a')), tls);
  for (const [name, text] of Object.entries(setup.files ?? {})) folder.write(name, text);
  const address = setup.address?.(server.url) ?? server.url;
  const path = folder.write(
    'config',
    `
clusters: [{ name: c, cluster: { server: "${address}"${setup.cluster === undefined ? '' : `, ${setup.cluster}`} } }]
users: [{ name: u, user: ${setup.user ?? '{}'} }]
contexts:
- name: x
  context: { cluster: c${setup.user === undefined ? '' : ', user: u'} }
- name: y
  context: { cluster: c${setup.user === undefined ? '' : ', user: u'} }
`,
  );
  const options = { env: process.env, homeDir: folder.path, cwd: folder.path, clock: systemClock, paths: [path] };
  const { value: kubeconfig } = await loadKubeconfig({ ...options, ...setup.options });
  const api = kubeconfig.open('x');
  try {
    await act({ server, folder, kubeconfig, api });
  } finally {
    api.dispose();
    kubeconfig.dispose();
  }
}

function read(api: KubeClient): Promise<unknown> {
  return api.get(jobs, { namespace: 'default', name: 'a' }, never);
}

async function failure(work: Promise<unknown>): Promise<KubeError> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof KubeError)) throw new Error(`No KubeError: ${String(error)}`);
  return error;
}

/** The user can read the Job; the server saw these headers. */
async function expectHeaders(setup: Setup, headers: Partial<SeenRequest['headers']>): Promise<void> {
  await withScene(setup, async ({ api, server }) => {
    await read(api);
    expect(server.requests[0]?.headers).toMatchObject(headers);
  });
}

const ca = `certificate-authority-data: ${base64('ca.crt')}`;

describe('logins', () => {
  test('none, over plain http, as kubectl proxy offers it', () => expectHeaders({}, {}));
  test('none, over TLS: the CA of the cluster still counts', () =>
    expectHeaders({ certificate: 'server', cluster: ca }, {}));
  test('a token', () => expectHeaders({ user: '{ token: secret }' }, { authorization: 'Bearer secret' }));
  test('a token file, relative to the kubeconfig, wins over a token', () =>
    expectHeaders(
      { user: '{ token: no, tokenFile: sub/token }', files: { 'sub/token': 'fresh\n' } },
      { authorization: 'Bearer fresh' },
    ));
  test('user name and password', () =>
    expectHeaders(
      { user: '{ username: me, password: pass }' },
      { authorization: `Basic ${Buffer.from('me:pass').toString('base64')}` },
    ));
  test('acting for somebody else', () =>
    expectHeaders(
      { user: '{ token: t, as: jane, as-uid: "7", as-groups: [a, b] }' },
      { 'impersonate-user': 'jane', 'impersonate-uid': '7', 'impersonate-group': 'a, b' },
    ));
  test('an OIDC token that has not expired', () => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = `${part({ alg: 'none' })}.${part({ exp: 4_000_000_000 })}.x`;
    const user = `{ auth-provider: { name: oidc, config: { id-token: ${token}, client-id: c, idp-issuer-url: "https://issuer" } } }`;
    return expectHeaders({ user }, { authorization: `Bearer ${token}` });
  });
  test('a client certificate from files', () =>
    expectHeaders(
      {
        certificate: 'server',
        requestCert: true,
        cluster: ca,
        user: '{ client-certificate: my/c.crt, client-key: my/c.key }',
        files: { 'my/c.crt': pem('client.crt'), 'my/c.key': pem('client.key') },
      },
      {},
    ));
  test('a client certificate as data, which win over files', () =>
    expectHeaders(
      {
        certificate: 'server',
        requestCert: true,
        cluster: `${ca}, certificate-authority: gone`,
        user: `{ client-certificate: gone, client-certificate-data: ${base64('client.crt')}, client-key-data: ${base64('client.key')} }`,
      },
      {},
    ));
  test('a token that was replaced in its file is used after a 401', () =>
    withScene({ user: '{ tokenFile: token }', files: { token: 'old' } }, async ({ api, server, folder }) => {
      await read(api);
      folder.write('token', 'new');
      server.answer((request, response) => {
        if (request.headers.authorization === 'Bearer new') json(response, jobObject('a'));
        else status(response, 401, 'Unauthorized', 'Unauthorized');
      });
      await read(api);
      expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
        'Bearer old',
        'Bearer old',
        'Bearer new',
      ]);
    }));
});

describe('TLS', () => {
  interface Row extends Setup {
    readonly kind?: KubeError['kind'];
    readonly words?: RegExp;
  }
  const rows: readonly (readonly [string, Row])[] = [
    [
      'a CA file',
      { certificate: 'server', cluster: 'certificate-authority: ca.crt', files: { 'ca.crt': pem('ca.crt') } },
    ],
    ['another name by tls-server-name', { certificate: 'otherName', cluster: `${ca}, tls-server-name: other.test` }],
    ['no verification at all', { certificate: 'expired', cluster: 'insecure-skip-tls-verify: yes' }],
    [
      'an unknown CA',
      { certificate: 'server', kind: 'certificate', words: /not trusted.*certificate-authority-data/s },
    ],
    ['an expired certificate', { certificate: 'expired', cluster: ca, kind: 'certificate', words: /not valid today/ }],
    [
      'a certificate for another name',
      { certificate: 'otherName', cluster: ca, kind: 'certificate', words: /another name.*tls-server-name/s },
    ],
    [
      'https on a port that speaks http',
      {
        address: (url) => url.replace('http:', 'https:'),
        kind: 'unreachable',
        words: /does not speak TLS.*http:\/\//s,
      },
    ],
    [
      'a client key that is no PEM',
      {
        certificate: 'server',
        cluster: ca,
        user: `{ client-certificate-data: ${base64('client.crt')}, client-key-data: bm9wZQ== }`,
        kind: 'kubeconfig',
        words: /key or token of the kubeconfig can't be used/,
      },
    ],
    [
      'no client certificate where one is asked for',
      { certificate: 'server', requestCert: true, cluster: ca, kind: 'credentials', words: /kubeconfig/ },
    ],
  ];
  test.each(rows)('%s', async (_name, { kind, words, ...setup }) => {
    await withScene(setup, async ({ api }) => {
      if (kind === undefined) {
        await read(api);
        return;
      }
      const error = await failure(read(api));
      expect(error.kind).toBe(kind);
      const { what, remedy } = explainKubeError(error);
      expect(`${what} ${remedy}`).toMatch(words ?? /./);
      expect(what).toContain('cluster x');
    });
  });
});

/** A login command for the kubeconfig: this Node with `script`, which counts its runs in the file `runs`. */
function command(script: string, more = ''): string {
  const counted = `const fs=require('fs');fs.appendFileSync(process.env.FOLDER+'/runs','x');${script}`;
  const args = JSON.stringify(['-e', counted]);
  return `{ exec: { apiVersion: client.authentication.k8s.io/v1, command: ${JSON.stringify(process.execPath)}, args: ${args}, env: [{ name: FOLDER, value: "%FOLDER%" }]${more} } }`;
}

/** Prints a login whose token holds the number of the run. */
const printToken = `const n=fs.readFileSync(process.env.FOLDER+'/runs','utf8').length;
console.log(JSON.stringify({kind:'ExecCredential',status:{token:'t'+n}}))`.replaceAll('\n', '');

async function withCommand(
  script: string,
  act: (scene: Scene & { readonly runs: () => number }) => Promise<void>,
  setup: Setup & {
    readonly more?: string;
    readonly plugins?: { readonly timeLimitMs?: number; readonly retryAfterMs?: number };
  } = {},
): Promise<void> {
  using runFolder = new ScratchFolder();
  runFolder.write('runs', '');
  const messages: string[] = [];
  const plugins = new ExecPlugins({
    clock: systemClock,
    env: process.env,
    onMessage: (_command, text) => void messages.push(text),
    ...setup.plugins,
  });
  const user = command(script, setup.more).replace('%FOLDER%', runFolder.path);
  try {
    await withScene({ ...setup, user, options: { plugins } }, (scene) =>
      act({ ...scene, runs: () => runFolder.read('runs').length }),
    );
  } finally {
    plugins.dispose();
  }
}

describe('login commands', () => {
  test('one run serves all requests of all contexts of that user', () =>
    withCommand(printToken, async ({ api, kubeconfig, server, runs }) => {
      const other = kubeconfig.open('y');
      await Promise.all([read(api), read(other), read(api), read(other)]);
      await read(other);
      other.dispose();
      expect([runs(), new Set(server.requests.map(({ headers }) => headers.authorization))]).toEqual([
        1,
        new Set(['Bearer t1']),
      ]);
    }));

  test('a login that the server refuses is renewed once, not again and again', () =>
    withCommand(printToken, async ({ api, server, runs }) => {
      server.answer((request, response) => {
        if (request.headers.authorization === 'Bearer t2') json(response, jobObject('a'));
        else status(response, 401, 'Unauthorized', 'Unauthorized');
      });
      await Promise.all([read(api), read(api), read(api)]);
      expect(runs()).toBe(2);
      server.answer((_request, response) => status(response, 401, 'Unauthorized', 'Unauthorized'));
      for (let i = 0; i < 5; i++) expect((await failure(read(api))).kind).toBe('unauthorized');
      expect(runs()).toBe(2);
    }));

  test('a login that has expired is renewed', () =>
    withCommand(
      `console.log(JSON.stringify({kind:'ExecCredential',status:{token:'t',expirationTimestamp:'2020-01-01T00:00:00Z'}}))`,
      async ({ api, runs }) => {
        await read(api);
        await read(api);
        expect(runs()).toBe(2);
      },
    ));

  test('a certificate in place of a token', () =>
    withCommand(
      `console.log(JSON.stringify({kind:'ExecCredential',status:{clientCertificateData:${JSON.stringify(pem('client.crt')).replaceAll("'", "\\'")},clientKeyData:${JSON.stringify(pem('client.key'))}}}))`,
      async ({ api }) => void (await read(api)),
      { certificate: 'server', requestCert: true, cluster: ca },
    ));

  test('is told of the cluster if it asks for that', () =>
    withCommand(
      `const i=JSON.parse(process.env.KUBERNETES_EXEC_INFO);console.log(JSON.stringify({kind:'ExecCredential',status:{token:Buffer.from(JSON.stringify(i)).toString('base64url')}}))`,
      async ({ api, server }) => {
        await read(api);
        const token = server.requests[0]?.headers.authorization?.slice('Bearer '.length) ?? '';
        expect(JSON.parse(Buffer.from(token, 'base64url').toString())).toEqual({
          apiVersion: 'client.authentication.k8s.io/v1',
          kind: 'ExecCredential',
          spec: { interactive: false, cluster: { server: server.url, config: { audience: 'a', count: 5 } } },
        });
      },
      {
        more: ', provideClusterInfo: true',
        cluster: 'extensions: [{ name: client.authentication.k8s.io/exec, extension: { audience: a, count: 5 } }]',
      },
    ));

  test('a failure is kept until somebody asks again, and names what the command said', () =>
    withCommand(
      `console.error('boom\\nno session eyJhbGciOiJSUzI1NiIsImtpZCI6IjEyMzQ1Njc4OTAifQ');process.exit(3)`,
      async ({ api, runs }) => {
        const errors = await Promise.all([failure(read(api)), failure(read(api))]);
        errors.push(await failure(read(api)));
        expect(errors.map(({ kind }) => kind)).toEqual(['credentials', 'credentials', 'credentials']);
        expect(errors[0]?.message).toMatch(/failed with exit code 3\. It said: no session …/);
        expect(runs()).toBe(1);
        api.resetCredentials();
        await failure(read(api));
        expect(runs()).toBe(2);
      },
    ));

  test('a failure without a network is the network’s, and is forgiven once the server is back', () =>
    withCommand(
      `if(fs.readFileSync(process.env.FOLDER+'/runs','utf8').length<2){process.exit(1)}${printToken}`,
      async ({ api, server, runs }) => {
        const port = Number(new URL(server.url).port);
        await server[Symbol.asyncDispose]();
        for (let i = 0; i < 3; i++) expect((await failure(read(api))).kind).toBe('unreachable');
        expect(runs()).toBe(1);
        await using _again = await startFakeServer(
          (_request, response) => json(response, jobObject('a')),
          undefined,
          port,
        );
        await read(api);
        expect(runs()).toBe(2);
      },
    ));

  test('a failure after the network is back counts', () =>
    withCommand('process.exit(1)', async ({ api, server, runs }) => {
      const port = Number(new URL(server.url).port);
      await server[Symbol.asyncDispose]();
      expect((await failure(read(api))).kind).toBe('unreachable');
      await using _again = await startFakeServer(undefined, undefined, port);
      for (let i = 0; i < 3; i++) expect((await failure(read(api))).kind).toBe('credentials');
      expect(runs()).toBe(2);
    }));

  test('one that never ends is killed', () =>
    withCommand(
      'setInterval(()=>0,1000)',
      async ({ api }) => {
        expect((await failure(read(api))).message).toMatch(/was stopped: it gave no answer within/);
      },
      { plugins: { timeLimitMs: 300 } },
    ));

  test('those who wait can stop waiting', () =>
    withCommand('setInterval(()=>0,1000)', async ({ api, runs }) => {
      const controller = new AbortController();
      const work = api.get(jobs, { name: 'a' }, controller.signal);
      await expect.poll(runs).toBe(1);
      controller.abort();
      await expect(work).rejects.toMatchObject({ name: 'AbortError' });
    }));

  const failures: readonly (readonly [string, string, string, RegExp])[] = [
    ['prints something else', `console.log('hello')`, '', /printed no ExecCredential/],
    [
      'prints a login without anything in it',
      `console.log(JSON.stringify({kind:'ExecCredential',status:{}}))`,
      '',
      /printed no ExecCredential/,
    ],
    ['needs a terminal', '', ', interactiveMode: Always', /needs a terminal/],
  ];
  test.each(failures)('one that %s', (_name, script, more, message) =>
    withCommand(script, async ({ api }) => expect((await failure(read(api))).message).toMatch(message), { more }),
  );

  test('one that is not installed, with the words of whoever wrote the kubeconfig', () =>
    withScene(
      { user: '{ exec: { command: no-such-command, installHint: "Install it from there." } }' },
      async ({ api, kubeconfig }) => {
        const error = await failure(read(api));
        expect([error.kind, explainKubeError(error)]).toEqual([
          'kubeconfig',
          {
            what: `${kubeconfig.files[0]}, user "u": The login command no-such-command is not installed or not on the PATH of this program`,
            remedy: 'Install it from there.',
          },
        ]);
      },
    ));
});

describe('files that the kubeconfig names', () => {
  const key = `client-certificate-data: ${base64('client.crt')}, client-key: gone.key`;
  const rows: readonly (readonly [string, Setup, string])[] = [
    ['certificate-authority', { cluster: 'certificate-authority: gone.crt' }, 'cluster "c"'],
    ['client-certificate', { user: '{ client-certificate: gone.crt }' }, 'user "u"'],
    ['client-key', { user: `{ ${key} }` }, 'user "u"'],
    ['tokenFile', { user: '{ tokenFile: sub/token }' }, 'user "u"'],
  ];
  test.each(rows)('%s is missing, and is used once it is there', async (name, setup, place) => {
    await withScene(setup, async ({ api, kubeconfig, folder }) => {
      const error = await failure(read(api));
      const { what, remedy } = explainKubeError(error);
      const path = /refers to (\S+), which does not exist$/.exec(what)?.[1] ?? '';
      expect([error.kind, error.file, what, remedy]).toEqual([
        'kubeconfig',
        kubeconfig.files[0],
        `${kubeconfig.files[0]}, ${place}: \`${name}\` refers to ${path}, which does not exist`,
        'Correct the path, or create the file.',
      ]);
      const contents = { 'client-key': pem('client.key'), tokenFile: 'secret' }[name] ?? pem('client.crt');
      folder.write(path.slice(folder.path.length + 1), contents);
      await read(api);
    });
  });

  test('a folder in place of a file', () =>
    withScene({ user: '{ tokenFile: sub }', files: { 'sub/x': '' } }, async ({ api }) => {
      const error = await failure(read(api));
      expect(error.kind).toBe('kubeconfig');
      expect(error.message).toMatch(/user "u": `tokenFile` refers to .*sub, which can't be read \(EISDIR\)\.$/);
    }));
});

/** A proxy that knows CONNECT; records what it was asked for. */
async function withProxy(act: (url: string, seen: string[]) => Promise<void>, refuse = false): Promise<void> {
  const seen: string[] = [];
  const sockets = new Set<net.Socket>();
  const proxy = http.createServer();
  proxy.on('connection', (socket) => sockets.add(socket));
  proxy.on('connect', (request, socket) => {
    seen.push(`${request.url} ${request.headers['proxy-authorization'] ?? '-'}`);
    if (refuse) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const [host, port] = (request.url ?? '').split(':');
    // The name of the cluster is one that only the proxy can resolve.
    const upstream = net.connect(Number(port), host === 'cluster.test' ? '127.0.0.1' : host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  try {
    await act(`127.0.0.1:${(proxy.address() as AddressInfo).port}`, seen);
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  }
}

describe('proxies', () => {
  const address = (url: string): string => url.replace('127.0.0.1', 'cluster.test');

  test('proxy-url, with a login, for TLS; the connection is kept', () =>
    withProxy((proxy, seen) =>
      withScene(
        { certificate: 'server', cluster: `${ca}, proxy-url: "http://me:p%40ss@${proxy}"`, address },
        async ({ api, server }) => {
          await read(api);
          await read(api);
          const login = Buffer.from('me:p@ss').toString('base64');
          expect(seen).toEqual([`${new URL(address(server.url)).host} Basic ${login}`]);
        },
      ),
    ));

  test('HTTPS_PROXY, unless NO_PROXY excepts the host', () =>
    withProxy(async (proxy, seen) => {
      const env = { HTTPS_PROXY: proxy, NO_PROXY: '.example.com' };
      await withScene(
        { certificate: 'server', cluster: ca, address, options: { env } },
        async ({ api }) => void (await read(api)),
      );
      expect(seen.length).toBe(1);
      const excepted = { ...env, NO_PROXY: 'other, test' };
      await withScene({ certificate: 'server', cluster: ca, address, options: { env: excepted } }, async ({ api }) => {
        // Without the proxy the name leads nowhere.
        expect((await failure(read(api))).kind).toBe('unreachable');
      });
      expect(seen.length).toBe(1);
    }));

  test('one for plain http', () =>
    withProxy((proxy, seen) =>
      withScene({ cluster: `proxy-url: "http://${proxy}"`, address }, async ({ api }) => {
        await read(api);
        expect(seen.length).toBe(1);
      }),
    ));

  test('one that refuses', () =>
    withProxy(
      (proxy) =>
        withScene({ cluster: `proxy-url: "http://${proxy}"`, address }, async ({ api }) => {
          expect((await failure(read(api))).message).toMatch(/proxy .* refused .* HTTP 407/);
        }),
      true,
    ));
});
