import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/index.ts';
import { jobs, type KubeClient, type Kubeconfig, loadKubeconfig, unlimited } from '../../src/kube/index.ts';
import { createManifestSession, type ManifestCheck, type ManifestObject } from '../../src/manifest/index.ts';
import { besideAnswer, createLiveSession, textWithLive, writeOf } from '../../src/parts/comparing.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { type LiveKey, readLive, rehearse } from '../../src/session/index.ts';
import { ScratchFolder } from '../kube/scratchFolder.ts';

const never = new AbortController().signal;
const namespace = 'default';
const settings = {
  version: 'auto',
  clusterVersion: '1.35',
  controllerName: 'x.example/y',
  knownControllers: [],
  isPartial: false,
};

let sandbox: Sandbox;
let kubeconfig: Kubeconfig;
let api: KubeClient;

beforeAll(async () => {
  sandbox = await startSandbox({ workers: 0, kubelet: false, version: '1.35' });
  using folder = new ScratchFolder();
  const paths = [folder.write('config', sandbox.kubeconfig)];
  ({ value: kubeconfig } = await loadKubeconfig({ paths, env: {}, homeDir: '/', cwd: '/', clock: systemClock }));
  api = kubeconfig.open('management', { limiter: unlimited, requestTimeoutMs: 5_000 });
  const { object } = read(job('stored', 'r/x:1'));
  await api.create(jobs, namespace, writeOf(object, namespace, undefined, 'apply').object, {}, never);
});

afterAll(async () => {
  api.dispose();
  kubeconfig.dispose();
  await sandbox.stop();
});

const job = (name: string, image: string, spec = ''): string => `apiVersion: batch/v1
kind: Job
metadata: {name: ${name}}
spec:
  parallelism: 1
${spec}  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: ${image}
`;

function read(text: string): { readonly check: ManifestCheck; readonly object: ManifestObject } {
  const check = createManifestSession().check(text, { version: '1.35' });
  const object = check.documents[0]?.objects[0];
  if (object === undefined) throw new Error('There is no object in the text.');
  return { check, object };
}

const keyOf = (name: string): LiveKey => ({ kind: 'Job', namespace, name });

/** The one door: what the cluster says of a text, put at its lines, beside what the engine says. */
async function ask(text: string, mode: 'apply' | 'replace' = 'apply') {
  const { check, object } = read(text);
  const live = await readLive(api, keyOf(object.name ?? ''), never);
  const request = writeOf(object, namespace, live, mode);
  const replaces = live === undefined ? {} : { replaces: object.name ?? '' };
  const answer = await rehearse(api, { kind: 'Job', namespace, body: request.object, ...replaces }, never);
  const { lines, differences } = besideAnswer(text, object, check.findings, request, answer, '0.0.0');
  return {
    operation: answer.operation,
    refusedBy: answer.refusal?.by,
    lines: lines.map(({ range }) => text.slice(range.start.offset, range.end.offset)),
    differences,
  };
}

describe('a dry run', () => {
  test.each([
    ['of a new Job', job('new', 'r/x:1'), { operation: 'create', refusedBy: undefined, lines: [] }],
    [
      'of a new Job that is refused',
      job('new', 'r/x:1', '  completions: -1\n'),
      { operation: 'create', refusedBy: 'validation', lines: ['-1'] },
    ],
    [
      'of a Job that can not be read',
      job('new', 'r/x:1', '  completions: many\n'),
      { operation: 'create', refusedBy: 'decoding', lines: ['many'] },
    ],
    [
      'of a Job with an unknown field',
      job('new', 'r/x:1', '  complettions: 1\n'),
      { operation: 'create', refusedBy: 'decoding', lines: ['complettions'] },
    ],
    [
      'of a change',
      job('stored', 'r/x:1', '  suspend: true\n'),
      { operation: 'update', refusedBy: undefined, lines: [] },
    ],
    ['of a change that is refused', job('stored', 'r/x:2'), { operation: 'update', refusedBy: 'validation' }],
  ])('%s', async (_, text, expected) => {
    const answer = await ask(text);
    expect(answer).toMatchObject(expected);
    expect(answer.differences).toEqual([]);
  });

  test('of a replacement says what a PUT would meet', async () => {
    const { refusedBy, differences } = await ask(job('stored', 'r/x:1'), 'replace');
    expect({ refusedBy, differences }).toEqual({ refusedBy: 'validation', differences: [] });
  });

  test('stores nothing', async () => {
    await ask(job('new', 'r/x:1'));
    await ask(job('stored', 'r/x:1', '  suspend: true\n'));
    expect(await readLive(api, keyOf('new'), never)).toBeUndefined();
    expect(await readLive(api, keyOf('stored'), never)).not.toHaveProperty('spec.suspend', true);
  });

  test('rejects where the cluster can not be asked', async () => {
    const nobody = kubeconfig.open('management', { limiter: unlimited });
    nobody.dispose();
    const rehearsal = { kind: 'Job', namespace, body: {} } as const;
    await expect(rehearse(nobody, rehearsal, never)).rejects.toThrow();
  });
});

test('a file against what is stored: the changed value is marked, and the live text restores it', async () => {
  const text = job('stored', 'r/x:2');
  const { check, object } = read(text);
  const live = await readLive(api, keyOf('stored'), never);
  if (live === undefined) throw new Error('The Job is gone.');
  // All is looked at in one stretch.
  const session = createLiveSession({ monotonicMs: () => 0 });
  const { findings } = session.check(text, check, () => live, settings, 'apply');
  expect(findings.map(({ range }) => text.slice(range.start.offset, range.end.offset))).toEqual(['r/x:2']);
  expect(textWithLive(text, object, live, settings)).toBe(job('stored', 'r/x:1'));
});
