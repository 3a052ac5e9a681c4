import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import { describeProblem, type Kubeconfig, type LoadKubeconfigOptions, loadKubeconfig } from '../../src/kube/index.ts';
import { ScratchFolder } from './scratchFolder.ts';

interface Expected {
  /** `context cluster/user namespace server` of each context that can be opened. */
  readonly contexts?: readonly string[];
  readonly current?: string;
  /** Each problem in one line, the folder's path cut off. */
  readonly problems?: readonly string[];
}

type Where = (folder: ScratchFolder) => Partial<LoadKubeconfigOptions>;

/** Writes the files, loads them, and compares what came out. By default `config` is named as the only file. */
async function check(
  files: Readonly<Record<string, string>>,
  expected: Expected,
  where: Where = (folder) => ({ paths: [join(folder.path, 'config')] }),
): Promise<void> {
  using folder = new ScratchFolder();
  for (const [name, text] of Object.entries(files)) folder.write(name, text);
  const { value, problems } = await loadKubeconfig({
    env: {},
    homeDir: folder.path,
    cwd: folder.path,
    clock: systemClock,
    pathSeparator: ':',
    ...where(folder),
  });
  const lines = problems.map((one) => `${one.severity}: ${describeProblem(one)}`.replaceAll(`${folder.path}/`, ''));
  expect({ contexts: describeContexts(value), current: value.current, problems: lines }).toEqual({
    contexts: expected.contexts ?? [],
    current: expected.current,
    problems: expected.problems ?? [],
  });
  for (const [name, text] of Object.entries(files)) expect(folder.read(name)).toBe(text);
}

function describeContexts(kubeconfig: Kubeconfig): string[] {
  return kubeconfig.contexts.map(
    ({ name, cluster, user, namespace, server }) => `${name} ${cluster}/${user ?? '-'} ${namespace} ${server}`,
  );
}

const good = `
apiVersion: v1
kind: Config
current-context: one
clusters:
- name: c1
  cluster: { server: "https://one:6443/" }
- name: c2
  cluster: { server: "http://127.0.0.1:8001/prefix" }
users:
- name: u1
  user: { token: t1 }
contexts:
- name: one
  context: { cluster: c1, user: u1, namespace: team }
- name: two
  context: { cluster: c2 }
`;
const goodContexts = ['one c1/u1 team https://one:6443', 'two c2/- default http://127.0.0.1:8001/prefix'];

function minimal(name: string, server = `https://${name}`): string {
  return `
clusters: [{ name: ${name}, cluster: { server: "${server}" } }]
contexts: [{ name: ${name}, context: { cluster: ${name} } }]
`;
}

describe('which files are read', () => {
  test('a named file', () => check({ config: good }, { contexts: goodContexts, current: 'one' }));

  test('the usual file', () => check({ '.kube/config': good }, { contexts: goodContexts, current: 'one' }, () => ({})));

  test('the list of KUBECONFIG, relative to the folder one is in, with the first file winning', () =>
    check(
      {
        a: `${minimal('x', 'https://first')}current-context: x\n`,
        'sub/b': `${minimal('x', 'https://second')}current-context: y\n`,
        c: minimal('y'),
      },
      { contexts: ['x x/- default https://first', 'y y/- default https://y'], current: 'x' },
      () => ({ env: { KUBECONFIG: 'a::sub/b:c:a' } }),
    ));

  test('entries of one name are not mixed: the first counts whole', () =>
    check(
      {
        a: 'contexts: [{ name: x, context: { cluster: c } }]',
        b: 'contexts: [{ name: x, context: { cluster: other, user: u, namespace: n } }]\nusers: [{ name: u, user: {} }]',
        c: 'clusters: [{ name: c, cluster: { server: "https://c" } }]',
      },
      { contexts: ['x c/- default https://c'] },
      () => ({ env: { KUBECONFIG: 'a:b:c' } }),
    ));

  test('home folder and variables are expanded', () =>
    check(
      { 'my files/a': minimal('a'), b: minimal('b') },
      { contexts: ['a a/- default https://a', 'b b/- default https://b'] },
      (folder) => ({ paths: ['~/my files/a', '%WHERE%/b'], env: { WHERE: folder.path } }),
    ));

  test('a file of the list that is missing costs nothing but a warning', () =>
    check(
      { a: minimal('a') },
      {
        contexts: ['a a/- default https://a'],
        problems: [
          'warning: gone, environment variable KUBECONFIG: There is no such kubeconfig file. Take it off the list in KUBECONFIG, or create the file.',
        ],
      },
      () => ({ env: { KUBECONFIG: 'gone:a' } }),
    ));

  test('a list of which nothing is there is an error', () =>
    check(
      {},
      {
        problems: [
          'error: gone, environment variable KUBECONFIG: There is no such kubeconfig file. Take it off the list in KUBECONFIG, or create the file.',
        ],
      },
      () => ({ env: { KUBECONFIG: 'gone' } }),
    ));

  test('a named file that is missing', () =>
    check(
      {},
      { problems: ['error: config: There is no such kubeconfig file. Correct the path, or create the file.'] },
    ));

  test('no file anywhere', () =>
    check(
      {},
      {
        problems: [
          'error: .kube/config: There is no such kubeconfig file. Create it with your cluster tool, set KUBECONFIG, or name a file in the settings.',
        ],
      },
      () => ({}),
    ));

  test('a folder in place of a file', () =>
    check(
      { 'config/inside': '' },
      {
        problems: [
          "error: config: The kubeconfig file can't be read: EISDIR: illegal operation on a directory, read. Make it a file that you may read.",
        ],
      },
    ));
});

describe('what is wrong inside', () => {
  const rows: readonly (readonly [string, string, Expected])[] = [
    [
      'an empty file',
      ' \n',
      {
        problems: [
          'error: config: The kubeconfig file is empty. Fill it, or take it off the list of kubeconfig files.',
        ],
      },
    ],
    [
      'a file that is something else',
      'hello\n',
      {
        problems: [
          "error: config: The file is not a kubeconfig: it has no keys at its top level. Put in what 'kubectl config view --raw' prints.",
        ],
      },
    ],
    [
      'broken YAML keeps what can be read',
      `${good}broken: [1, 2\n`,
      {
        contexts: goodContexts,
        current: 'one',
        problems: [
          expect.stringMatching(
            /^error: config, line \d+: The YAML can't be read: .* Correct the YAML at that line\.$/,
          ),
        ],
      },
    ],
    [
      'a section that is no list',
      'clusters: 5\n',
      { problems: ['error: config, line 1: `clusters` is not a list. Make it a list of named entries.'] },
    ],
    [
      'an entry without a name',
      `clusters:\n- cluster: { server: "https://x" }\n- name: y\n  cluster: { server: "https://y" }\ncontexts: [{ name: y, context: { cluster: y } }]\n`,
      {
        contexts: ['y y/- default https://y'],
        problems: ['error: config, line 2: An entry of `clusters` has no name. Give it a name, or remove the entry.'],
      },
    ],
    [
      'one bad context does not cost the others',
      good.replace('{ cluster: c1, user: u1, namespace: team }', '{}'),
      {
        contexts: goodContexts.slice(1),
        current: 'one',
        problems: [
          'error: config, context "one", line 14: The context names no cluster. Run: kubectl config set-context one --cluster=NAME',
          'warning: kubeconfig: The current context is "one", which is not there or can\'t be used. Run: kubectl config use-context NAME'.replace(
            'kubeconfig:',
            'current-context:',
          ),
        ],
      },
    ],
    [
      'a cluster without a server, and the context that uses it',
      good.replace('{ server: "https://one:6443/" }', '{}'),
      {
        contexts: goodContexts.slice(1),
        current: 'one',
        problems: [
          'error: config, cluster "c1", line 6: The cluster has no `server`. Add `server: https://HOST:PORT` to it.',
          'error: config, context "one": It refers to the cluster "c1", which is not there or can\'t be used. Add the cluster, or run: kubectl config set-context one --cluster=NAME',
        ],
      },
    ],
    [
      'a server that is no address',
      minimal('x', 'one:6443'),
      {
        problems: [
          'error: config, cluster "x", line 2: `server` is not an http or https address: one:6443 Write it as https://HOST:PORT.',
          'error: config, context "x": It refers to the cluster "x", which is not there or can\'t be used. Add the cluster, or run: kubectl config set-context x --cluster=NAME',
        ],
      },
    ],
    [
      'a context whose user is missing',
      good.replace('users:\n- name: u1', 'users:\n- name: u2'),
      {
        contexts: goodContexts.slice(1),
        current: 'one',
        problems: [
          'error: config, context "one": It refers to the user "u1", which is not there. Add the user, or run: kubectl config set-context one --user=NAME',
        ],
      },
    ],
    [
      'two entries of one name',
      good.replace('- name: c2', '- name: c1\n  cluster: { server: "https://twin" }\n- name: c2'),
      {
        contexts: goodContexts,
        current: 'one',
        problems: [
          'warning: config, line 8: There are two entries named "c1" in `clusters`; the first counts. Rename or remove one of them.',
        ],
      },
    ],
    [
      'a certificate that is no base64 PEM',
      'clusters: [{ name: x, cluster: { server: "https://x", certificate-authority-data: "bm9wZQ==" } }]\n',
      {
        problems: [
          'error: config, cluster "x", line 1: `certificate-authority-data` is not a base64 PEM certificate. Put in the whole base64 text, or use `certificate-authority` with a file.',
        ],
      },
    ],
    [
      'files that entries refer to and that are missing, relative to the kubeconfig',
      `
clusters: [{ name: x, cluster: { server: "https://x", certificate-authority: pki/ca.crt } }]
users: [{ name: u, user: { client-certificate: a.crt, client-key: a.key, tokenFile: token } }]
contexts: [{ name: x, context: { cluster: x, user: u } }]
`,
      {
        contexts: ['x x/u default https://x'],
        problems: [
          'warning: config, cluster "x": `certificate-authority` refers to pki/ca.crt, which does not exist. Correct the path, or create the file.',
          'warning: config, user "u": `client-certificate` refers to a.crt, which does not exist. Correct the path, or create the file.',
          'warning: config, user "u": `client-key` refers to a.key, which does not exist. Correct the path, or create the file.',
          'warning: config, user "u": `tokenFile` refers to token, which does not exist. Correct the path, or create the file.',
        ],
      },
    ],
    [
      'a login command without a command',
      'users: [{ name: u, user: { exec: { args: [a] } } }]\n',
      {
        problems: [
          'error: config, user "u": The login command (`exec`) names no command. Add `command`, or remove `exec`.',
        ],
      },
    ],
    [
      'names that look like numbers, and a byte order mark',
      `\uFEFF${minimal('007')}`,
      { contexts: ['007 007/- default https://007'] },
    ],
    ['lists that are empty or null', 'clusters:\nusers: []\ncontexts: null\n', {}],
  ];
  test.each(rows)('%s', (_name, text, expected) => check({ config: text }, expected));
});

describe('a context that can not be opened says why', () => {
  const rows: readonly (readonly [string, string, string, RegExp])[] = [
    ['it does not exist', good, 'three', /There is no context "three" in .*config\. There are: one, two\.$/],
    [
      'its cluster is missing',
      good.replace('cluster: c1,', 'cluster: c9,'),
      'one',
      /context "one": It refers to the cluster "c9"/,
    ],
    [
      'it names no cluster',
      good.replace('{ cluster: c1, user: u1, namespace: team }', '{}'),
      'one',
      /The context names no cluster/,
    ],
    ['there is no kubeconfig at all', '', 'one', /config: The kubeconfig file is empty/],
  ];
  test.each(rows)('%s', async (_name, text, contextName, message) => {
    using folder = new ScratchFolder();
    const paths = [folder.write('config', text)];
    const { value } = await loadKubeconfig({ paths, env: {}, homeDir: '/', cwd: '/', clock: systemClock });
    const open = (): unknown => value.open(contextName);
    const [file] = paths;
    expect(open).toThrow(
      expect.objectContaining({ kind: 'kubeconfig', file, message: expect.stringMatching(message) }),
    );
  });
});

describe('a fingerprint of a context', () => {
  async function fingerprintOf(text: string): Promise<string> {
    using folder = new ScratchFolder();
    const paths = [folder.write('config', text)];
    const { value } = await loadKubeconfig({ paths, env: {}, homeDir: '/', cwd: '/', clock: systemClock });
    return value.fingerprint('one');
  }

  test('is short and tells no secret', async () => {
    expect(await fingerprintOf(good)).toMatch(/^[0-9a-f]{40}$/);
  });

  test('changes with the entries of that context, and with nothing else', async () => {
    using folder = new ScratchFolder();
    const path = folder.write('config', good);
    const read = async () =>
      (await loadKubeconfig({ paths: [path], env: {}, homeDir: '/', cwd: '/', clock: systemClock })).value;
    const before = (await read()).fingerprint('one');
    folder.write('config', good.replace('current-context: one', 'current-context: two'));
    expect((await read()).fingerprint('one')).toBe(before);
    folder.write('config', good.replaceAll('namespace: team', 'namespace: other'));
    expect((await read()).fingerprint('one')).not.toBe(before);
  });
});
