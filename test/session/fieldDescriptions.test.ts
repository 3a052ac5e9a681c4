import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import { systemClock } from '../../src/base/index.ts';
import { type KubeClient, type Kubeconfig, loadKubeconfig } from '../../src/kube/index.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { FieldDescriptions, type FieldDescriptionsPorts } from '../../src/session/index.ts';
import { ScratchFolder } from '../kube/scratchFolder.ts';
import { ManualClock } from '../sandbox/manualClock.ts';

/** A document as an API server writes it: of references wrapped for the sake of a description, lists, maps and circles. */
const document: JsonObject = {
  openapi: '3.0.0',
  components: {
    schemas: {
      'io.example.Job': {
        'x-kubernetes-group-version-kind': [
          { group: 'example.io', version: 'v1', kind: 'Other' },
          { group: 'example.io', version: 'v1', kind: 'Job' },
        ],
        properties: {
          spec: { description: ' What is wanted.\n', allOf: [{ $ref: '#/components/schemas/io.example.Spec' }] },
          bare: { $ref: '#/components/schemas/io.example.Spec' },
          long: { description: 'x'.repeat(5000) },
          loop: { $ref: '#/components/schemas/io.example.Loop' },
          lost: { $ref: '#/components/schemas/io.example.Lost' },
        },
      },
      'io.example.Spec': {
        description: 'Any spec.',
        properties: {
          parts: { description: 'Many.', items: { allOf: [{ $ref: '#/components/schemas/io.example.Part' }] } },
          byName: { additionalProperties: { $ref: '#/components/schemas/io.example.Part' } },
          silent: { type: 'string', description: '' },
        },
      },
      'io.example.Part': { properties: { size: { description: 'How large.' } } },
      'io.example.Loop': { $ref: '#/components/schemas/io.example.Loop' },
    },
  },
};

type Read = FieldDescriptionsPorts['read'];

function descriptionsBy(read: Read, clock = new ManualClock()) {
  const problems: string[] = [];
  const asked: string[] = [];
  const descriptions = new FieldDescriptions({
    read: (apiVersion, signal) => {
      asked.push(apiVersion);
      return read(apiVersion, signal);
    },
    clock,
    onProblem: (apiVersion) => void problems.push(apiVersion),
  });
  const describeField = (path: string, kind = 'Job', apiVersion = 'example.io/v1') =>
    descriptions.describe({ apiVersion, kind, path: path.split('.') });
  return { descriptions, describeField, problems, asked, clock };
}

describe('the cluster says of a field', () => {
  test.each([
    ['what stands beside it', 'spec', 'What is wanted.'],
    ['what stands at its type', 'bare', 'Any spec.'],
    ['it in a list', 'spec.parts', 'Many.'],
    ['it in each item of a list', 'spec.parts.size', 'How large.'],
    ['it in each value of a map', 'spec.byName.first.size', 'How large.'],
    ['nothing', 'spec.silent', undefined],
    ['nothing, there being none', 'spec.other', undefined],
    ['nothing, there being none in a text', 'spec.silent.more', undefined],
    ['nothing that leads in a circle', 'loop.x', undefined],
    ['nothing that leads nowhere', 'lost.x', undefined],
    ['no name that every object has', 'spec.constructor', undefined],
    ['not all of a very long text', 'long', `${'x'.repeat(2000)}…`],
  ])('%s', async (_, path, text) => {
    const { describeField, clock } = descriptionsBy(async () => document);
    expect(await describeField(path)).toBe(text);
    expect(clock.pending).toBe(0);
  });

  test.each([
    ['another kind', 'Cron', 'example.io/v1'],
    ['another version', 'Job', 'example.io/v2'],
    ['another group', 'Job', 'v1'],
  ])('nothing of %s', async (_, kind, apiVersion) => {
    expect(await descriptionsBy(async () => document).describeField('spec', kind, apiVersion)).toBeUndefined();
  });
});

describe('the cluster is asked', () => {
  test('for nothing before a field is looked at, and once for each version', async () => {
    const { describeField, asked } = descriptionsBy(async () => document);
    expect(asked).toEqual([]);
    await Promise.all([describeField('spec'), describeField('bare')]);
    await describeField('spec', 'Job', 'v1');
    await describeField('spec');
    expect(asked).toEqual(['example.io/v1', 'v1']);
  });

  test('for no more than a few versions', async () => {
    const { describeField, asked } = descriptionsBy(async () => undefined);
    for (let minor = 0; minor < 20; minor++) expect(await describeField('spec', 'Job', `a/v${minor}`)).toBeUndefined();
    expect(asked).toHaveLength(8);
  });

  test('no second time after it could not be, and nobody hears of it but the log', async () => {
    const { describeField, asked, problems } = descriptionsBy(async () => Promise.reject(new Error('no')));
    expect([await describeField('spec'), await describeField('spec')]).toEqual([undefined, undefined]);
    expect([asked, problems]).toEqual([['example.io/v1'], ['example.io/v1']]);
  });

  test('without anybody waiting for long; what came late is there the next time', async () => {
    const answer = Promise.withResolvers<JsonObject>();
    const { describeField, clock } = descriptionsBy(() => answer.promise);
    const first = describeField('spec');
    clock.advance(1000);
    expect(await first).toBeUndefined();
    answer.resolve(document);
    expect(await describeField('spec')).toBe('What is wanted.');
  });

  test('no longer once it is disconnected, and that is no problem', async () => {
    const { descriptions, describeField, problems, asked } = descriptionsBy(
      (_, signal) =>
        new Promise((_resolve, reject) =>
          signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
        ),
    );
    const waiting = describeField('spec');
    descriptions.dispose();
    expect([await waiting, await describeField('bare')]).toEqual([undefined, undefined]);
    expect([problems, asked]).toEqual([[], ['example.io/v1']]);
  });
});

describe('the sandbox, whose documents hold no schemas', () => {
  let sandbox: Sandbox;
  let folder: ScratchFolder;
  let kubeconfig: Kubeconfig;
  let api: KubeClient;
  beforeAll(async () => {
    sandbox = await startSandbox({ workers: 1 });
    folder = new ScratchFolder();
    const config = folder.write('config', sandbox.kubeconfig);
    const options = { paths: [config], env: {}, homeDir: folder.path, cwd: folder.path, clock: systemClock };
    kubeconfig = (await loadKubeconfig(options)).value;
    api = kubeconfig.open('management');
  });
  afterAll(async () => {
    api.dispose();
    kubeconfig.dispose();
    folder[Symbol.dispose]();
    await sandbox.stop();
  });

  test.each(['batch/v1', 'v1', 'kueue.x-k8s.io/v1beta2'])(
    'says nothing of %s, and that is no problem',
    async (version) => {
      const { describeField, problems } = descriptionsBy(
        (apiVersion, signal) => api.openApi(apiVersion, signal),
        undefined,
      );
      expect(await describeField('spec', 'Job', version)).toBeUndefined();
      expect(problems).toEqual([]);
    },
  );
});
