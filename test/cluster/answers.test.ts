import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import { jobs, type KubeClient, type Kubeconfig, loadKubeconfig, unlimited } from '../../src/kube/index.ts';
import { createManifestSession } from '../../src/manifest/index.ts';
import { besideAnswer, createLiveSession, textWithLive, writeOf } from '../../src/parts/comparing.ts';
import { readLive, rehearse } from '../../src/session/index.ts';
import { tokens } from './controlPlane.ts';
import { openWorld, type World } from './world.ts';

/** "Check with the Cluster" and "Compare with Live" against a real API server. */
const never = new AbortController().signal;
/** All is looked at in one stretch. */
const inNoTime = { monotonicMs: () => 0 };
const namespace = 'answers';
const settings = {
  version: 'auto',
  clusterVersion: '1.35',
  controllerName: 'x.example/y',
  knownControllers: [],
  isPartial: false,
};

const job = (name: string, spec: string, image = 'r/x:1', pod = ''): string => `# A Job of this test.
apiVersion: batch/v1
kind: Job
metadata:
  name: ${name}
  labels: {team: a} # ours
spec:
  suspend: true
${spec}  template:
    spec:
      restartPolicy: Never
${pod}      containers:
        - name: main
          image: ${image}
          resources:
            requests: {cpu: 1000m, memory: "1Gi"}
          env:
            - {name: A, value: "1"}
`;

let world: World;
let kubeconfig: Kubeconfig;
let api: KubeClient;

beforeAll(async () => {
  world = await openWorld(namespace);
  const path = await world.kubeconfig([{ name: 'management', ...inject('management'), token: tokens.admin }]);
  const place = { env: {}, homeDir: '/', cwd: '/', clock: systemClock };
  ({ value: kubeconfig } = await loadKubeconfig({ paths: [path], ...place }));
  api = kubeconfig.open('management', { limiter: unlimited });
  await api.create(
    jobs,
    namespace,
    writeOf(read(job('stored', '')).object, namespace, undefined, 'apply').object,
    {},
    never,
  );
});

afterAll(async () => {
  api.dispose();
  kubeconfig.dispose();
  await world.close();
});

function read(text: string) {
  const check = createManifestSession().check(text, { version: '1.35' });
  const object = check.documents[0]?.objects[0];
  if (object === undefined) throw new Error('There is no object in the text.');
  return { check, object };
}

/** The one door: the words at which the server's answer stands, and where the engine differs. */
async function ask(text: string, mode: 'apply' | 'replace') {
  const { check, object } = read(text);
  const key = { kind: 'Job', namespace, name: object.name ?? '' } as const;
  const live = await readLive(api, key, never);
  const request = writeOf(object, namespace, live, mode);
  const replaces = live === undefined ? {} : { replaces: key.name };
  const answer = await rehearse(api, { kind: 'Job', namespace, body: request.object, ...replaces }, never);
  const { lines, differences } = besideAnswer(text, object, check.findings, request, answer, '0.0.0');
  const words = lines.map(({ range }) => text.slice(range.start.offset, range.end.offset));
  return { refusedBy: answer.refusal?.by, words: [...new Set(words)], differences };
}

describe('a dry run on a real API server', () => {
  test.each([
    ['takes a Job', job('new', ''), 'apply', undefined, []],
    ['refuses a value', job('new', '  parallelism: -1\n'), 'apply', 'validation', ['-1']],
    [
      'refuses several',
      job('new', '  parallelism: -1\n  managedBy: nobody\n', 'r/x:1', '      dnsPolicy: Odd\n'),
      'apply',
      'validation',
      ['-1', 'nobody', 'Odd'],
    ],
    [
      'refuses what is missing',
      job('new', '  completionMode: Indexed\n  parallelism: 2\n'),
      'apply',
      'validation',
      ['spec'],
    ],
    [
      'refuses unknown fields',
      job('new', '  paralelism: 1\n  complettions: 1\n'),
      'apply',
      'decoding',
      ['paralelism', 'complettions'],
    ],
    ['refuses a type', job('new', '  parallelism: many\n'), 'apply', 'decoding', ['many']],
    ['takes a change', job('stored', '  parallelism: 3\n'), 'apply', undefined, []],
    ['refuses another image', job('stored', '', 'r/x:2'), 'apply', 'validation', undefined],
    [
      'refuses another controller',
      job('stored', '  managedBy: example.com/a\n'),
      'apply',
      'validation',
      ['example.com/a'],
    ],
    ['refuses a replacement without what it generated', job('stored', ''), 'replace', 'validation', undefined],
    [
      'warns',
      job('new', '', 'r/x:1', '      nodeSelector: {beta.kubernetes.io/os: linux}\n'),
      'apply',
      undefined,
      undefined,
    ],
  ] as const)('%s', async (_, text, mode, refusedBy, words) => {
    const answer = await ask(text, mode);
    expect(answer.differences).toEqual([]);
    expect(answer.refusedBy).toBe(refusedBy);
    if (words !== undefined) expect([...answer.words].sort()).toEqual([...words].sort());
  });

  test('says that the namespace is missing', async () => {
    const { object } = read(job('new', ''));
    const request = writeOf(object, 'nowhere', undefined, 'apply');
    const answer = await rehearse(api, { kind: 'Job', namespace: 'nowhere', body: request.object }, never);
    expect(answer.refusal?.by).toBe('policy');
  });
});

test('a file beside what a real server stored of it is the file, and a change shows where it is', async () => {
  const text = job('stored', '');
  const live = await readLive(api, { kind: 'Job', namespace, name: 'stored' }, never);
  if (live === undefined) throw new Error('The Job is gone.');
  expect(textWithLive(text, read(text).object, live, settings)).toBe(text);
  const changed = job('stored', '', 'r/x:2');
  const { check, object } = read(changed);
  expect(textWithLive(changed, object, live, settings)).toBe(text);
  const session = createLiveSession(inNoTime);
  const { findings } = session.check(changed, check, () => live, settings, 'apply');
  expect(findings.map(({ range }) => changed.slice(range.start.offset, range.end.offset))).toEqual(['r/x:2']);
});
