import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admit, judge } from '../../src/admission/index.ts';
import { isJsonObject, type JsonObject } from '../../src/base/index.ts';
import type { Job } from '../../src/kube/index.ts';
import { buildMirror, canonicalJson, specHash, whyNotRunnable } from '../../src/reconciler/mirrorObject.ts';
import { mirrorKeys } from '../../src/reconciler/record.ts';
import { job, managementUid, manifest } from './builders.ts';

const record = { attempt: 1, mirrorName: 'a' };
const options = {
  version: '1.35',
  identity: { uid: 'u', creationTimestamp: '2026-01-01T00:00:00Z', nameSuffix: 'abcde' },
} as const;

/** The mirror of a Job, in its parts. */
function mirrorOf(origin: Job): { body: JsonObject; metadata: JsonObject; spec: JsonObject } {
  const body = buildMirror(origin, record, managementUid);
  const { metadata, spec } = body;
  if (!isJsonObject(metadata) || !isJsonObject(spec)) throw new Error('A mirror has metadata and a spec.');
  return { body, metadata, spec };
}

/** Checks which of the author's labels (or annotations) the mirror has, besides ours. */
function checkKeys(given: readonly string[], kept: readonly string[]): void {
  const entries = Object.fromEntries(given.map((key) => [key, 'x']));
  for (const part of ['labels', 'annotations'] as const) {
    const { metadata } = mirrorOf(
      job()
        .meta({ [part]: entries })
        .build(),
    );
    const keys = Object.keys(isJsonObject(metadata[part]) ? metadata[part] : {});
    expect(keys.filter((key) => !key.startsWith('delegated-jobs.dev/'))).toEqual(kept);
  }
}

describe('the mirror', () => {
  test('is suspended, has the origin’s name, and says whose it is', () => {
    const { metadata, spec } = mirrorOf(job().build());
    expect(spec['suspend']).toBe(true);
    expect(metadata).toMatchObject({
      name: 'a',
      namespace: 'default',
      labels: {
        [mirrorKeys.originCluster]: managementUid,
        [mirrorKeys.originUid]: 'uid-of-a',
        [mirrorKeys.attempt]: '1',
      },
      annotations: { [mirrorKeys.originName]: 'default/a' },
    });
  });
  test('leaves behind what only the management cluster is concerned with', () => {
    const origin = job()
      .spec({ ttlSecondsAfterFinished: 0 })
      .finalizers('x/y')
      .meta({
        ownerReferences: [{ apiVersion: 'batch/v1', kind: 'CronJob', name: 'c', uid: 'u', controller: true }],
        generateName: 'a-',
      })
      .status({ active: 1 })
      .build();
    const { body, metadata, spec } = mirrorOf(origin);
    expect(Object.keys(metadata).sort()).toEqual(['annotations', 'labels', 'name', 'namespace']);
    for (const field of ['managedBy', 'selector', 'ttlSecondsAfterFinished']) expect(spec).not.toHaveProperty(field);
    expect(body).not.toHaveProperty('status');
    expect(spec['template']).toEqual({ spec: origin.spec.template['spec'] });
  });
  test('keeps fields of the spec that this program does not know', () => {
    const template = {
      metadata: { labels: { app: 'x', 'job-name': 'a' }, annotations: { k: 'v' } },
      spec: { newer: [{ deep: 1 }] },
      more: true,
    };
    const { spec } = mirrorOf(
      job()
        .spec({ template, newField: { deep: [1, null] } })
        .build(),
    );
    expect(spec['newField']).toEqual({ deep: [1, null] });
    expect(spec['template']).toEqual({ ...template, metadata: { labels: { app: 'x' }, annotations: { k: 'v' } } });
  });
  test('keeps the author’s labels and annotations', () => {
    checkKeys(
      ['team', 'example.com/owner', 'app.kubernetes.io/name'],
      ['team', 'example.com/owner', 'app.kubernetes.io/name'],
    );
  });
  test('has none by which a tool of the management cluster knows its own', () => {
    const tools = [
      'app.kubernetes.io/instance',
      'app.kubernetes.io/managed-by',
      'argocd.argoproj.io/tracking-id',
      'kustomize.toolkit.fluxcd.io/name',
      'helm.toolkit.fluxcd.io/name',
      'meta.helm.sh/release-name',
      'helm.sh/chart',
      'kubectl.kubernetes.io/last-applied-configuration',
      'kueue.x-k8s.io/queue-name',
      'objectset.rio.cattle.io/hash',
      'kapp.k14s.io/app',
      'config.kubernetes.io/owning-inventory',
      'configmanagement.gke.io/cluster-name',
      'batch.kubernetes.io/cronjob-scheduled-timestamp',
      'batch.kubernetes.io/controller-uid',
      'controller-uid',
      'job-name',
      'delegated-jobs.dev/worker',
    ];
    const { metadata } = mirrorOf(
      job()
        .labels(Object.fromEntries(tools.map((key) => [key, 'x'])))
        .build(),
    );
    expect(Object.keys(isJsonObject(metadata['labels']) ? metadata['labels'] : {})).toEqual([
      mirrorKeys.originCluster,
      mirrorKeys.originUid,
      mirrorKeys.attempt,
    ]);
  });

  test('of whatever the management cluster took is taken by a worker, and comes back as it was sent', () => {
    const text = fc.stringMatching(/^[a-z][a-z0-9-]{0,30}[a-z0-9]$/);
    const property = fc.property(
      fc.record({
        name: text,
        isIndexed: fc.boolean(),
        completions: fc.integer({ min: 1, max: 20 }),
        label: text,
        ttl: fc.option(fc.nat(1000), { nil: undefined }),
        limit: fc.option(fc.nat(3), { nil: undefined }),
      }),
      ({ name, isIndexed, completions, label, ttl, limit }) => {
        const spec = {
          completions,
          completionMode: isIndexed ? 'Indexed' : 'NonIndexed',
          ...(ttl === undefined ? {} : { ttlSecondsAfterFinished: ttl }),
          ...(isIndexed && limit !== undefined ? { backoffLimitPerIndex: limit } : {}),
        };
        const { stored } = admit(
          { operation: 'create', object: manifest(name, spec, { labels: { team: label } }) },
          options,
        );
        expect(stored).toBeDefined();
        const origin = {
          ...stored,
          metadata: { ...(stored?.['metadata'] as object), resourceVersion: '1' },
        } as unknown as Job;
        const body = buildMirror(origin, { attempt: 1, mirrorName: name }, managementUid);
        expect(judge({ operation: 'create', object: body }, options).errors).toEqual([]);
        const returned = admit({ operation: 'create', object: body }, options).stored as unknown as Job;
        expect(whyNotRunnable(returned)).toBeUndefined();
        // Built from what came back it is the same again: nothing was lost, nothing added but what every server adds.
        expect(specHash(returned)).toBe(specHash(origin));
      },
    );
    fc.assert(property, { numRuns: 300 });
  });
});

describe('the hash of the spec', () => {
  test('stays when only followed fields, selector or controller change', () => {
    const base = specHash(job().build());
    for (const spec of [
      { parallelism: 9 },
      { suspend: true },
      { backoffLimit: 1 },
      { activeDeadlineSeconds: 5 },
      { managedBy: 'x/y' },
      { ttlSecondsAfterFinished: 3 },
    ]) {
      expect(specHash(job().spec(spec).build())).toBe(base);
    }
  });
  test('changes with the template', () => {
    expect(
      specHash(
        job()
          .spec({ template: { spec: { nodeSelector: { a: 'b' } } } })
          .build(),
      ),
    ).not.toBe(specHash(job().build()));
  });
  test('does not depend on the order of keys', () => {
    expect(canonicalJson({ a: 1, b: [{ c: 2, d: null }] })).toBe(canonicalJson({ b: [{ d: null, c: 2 }], a: 1 }));
    expect(canonicalJson({ a: 1 })).not.toBe(canonicalJson({ a: '1' }));
  });
});

describe('a mirror as a worker returns it', () => {
  test.each([
    ['runs', job().managedBy(undefined), undefined],
    ['runs under the built-in controller’s own name', job().managedBy('kubernetes.io/job-controller'), undefined],
    ['does not run for another controller', job().managedBy('x/y'), 'on the worker, spec.managedBy is "x/y"'],
    [
      'does not run without a selector',
      job().managedBy(undefined).spec({ selector: undefined }),
      'the worker gave the mirror no pod selector',
    ],
  ])('%s', (_name, mirror, expected) => expect(whyNotRunnable(mirror.build())).toBe(expected));
});
