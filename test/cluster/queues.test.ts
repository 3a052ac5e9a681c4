import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { controlPlanePrograms } from '../../scripts/cluster/binaries.ts';
import type { CrdDocument } from '../../scripts/schemas/crdSchema.ts';
import { readCrds } from '../../scripts/schemas/crdSources.ts';
import { type JsonObject, systemClock } from '../../src/base/index.ts';
import { createKubeApi, type KubeClient } from '../../src/kube/index.ts';
import { createManifestSession } from '../../src/manifest/index.ts';
import { type LocalQueue, readQueues } from '../../src/session/index.ts';
import { fixedCredentials } from '../kube/fixedCredentials.ts';
import { mergePatch } from './api.ts';
import { type ControlPlane, startControlPlane, tokens } from './controlPlane.ts';
import { installCrds } from './crdServer.ts';
import { until } from './world.ts';

/**
 * From a LocalQueue to MultiKueue, by Kueue's own CRDs on a real kube-apiserver: as releases with v1beta1 alone have them,
 * then as 0.17 has them, v1beta2 before v1beta1. It is a cluster of its own: to the others Kueue would be news.
 */
const never = new AbortController().signal;
const group = 'kueue.x-k8s.io';
const space = 'default';
const controllers = { sent: 'kueue.x-k8s.io/multikueue', provisioned: 'kueue.x-k8s.io/provisioning-request' };

/** Kueue's conversion webhook doesn't run here, so that a version has only what was written in it. */
const crds = readCrds({
  release: 'Kueue 0.17',
  module: 'sigs.k8s.io/kueue',
  version: 'v0.17.0',
  files: ['localqueues', 'clusterqueues', 'admissionchecks'].map(
    (kind) => `config/components/crd/bases/kueue.x-k8s.io_${kind}.yaml`,
  ),
  license: 'Apache-2.0',
});

let folder: string;
let plane: ControlPlane;
let admin: KubeClient;
let guest: KubeClient;

beforeAll(async () => {
  const programs = await controlPlanePrograms((line) => console.error(line));
  folder = await mkdtemp(join(tmpdir(), 'delegated-jobs-queues-'));
  plane = await startControlPlane('queues', join(folder, 'plane'), programs);
  admin = open(tokens.admin);
  guest = open(tokens.guest);
});

afterAll(async () => {
  admin?.dispose();
  guest?.dispose();
  await plane?.stop();
  await rm(folder, { recursive: true, force: true });
});

function open(token: string): KubeClient {
  const { server, authority } = plane;
  const credentials = fixedCredentials({ token, tls: { ca: authority } });
  return createKubeApi({ contextName: 'real', server, credentials }, { clock: systemClock });
}

/** Strictly: a field that the CRD doesn't have is a fault of the test, and would be left out in silence otherwise. */
async function make(version: string, kind: string, plural: string, name: string, spec: JsonObject): Promise<void> {
  const scope = kind === 'LocalQueue' ? `/namespaces/${space}` : '';
  const path = `/apis/${group}/${version}${scope}/${plural}?fieldValidation=Strict`;
  const object = { apiVersion: `${group}/${version}`, kind, metadata: { name }, spec };
  // Discovery may tell of a version a moment before its objects are taken.
  const { status, body } = await until(`${plural} of ${version} are taken`, async () => {
    const answer = await plane.api.request('POST', path, object);
    return answer.status === 404 ? undefined : answer;
  });
  if (status !== 201) throw new Error(`${kind} ${name}: ${JSON.stringify(body)}`);
}

/** A LocalQueue and the ClusterQueue behind it, both of that name. */
async function makeQueue(version: string, name: string, clusterQueue: JsonObject): Promise<void> {
  await make(version, 'ClusterQueue', 'clusterqueues', name, clusterQueue);
  await make(version, 'LocalQueue', 'localqueues', name, { clusterQueue: name });
}

async function grant(name: string, plurals: readonly string[]): Promise<void> {
  const role = { metadata: { name }, rules: [{ apiGroups: [group], resources: plurals, verbs: ['list'] }] };
  const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'guest' }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name };
  const folderOf = (plural: string): string => `/apis/rbac.authorization.k8s.io/v1/${plural}`;
  for (const [plural, body] of [
    ['clusterroles', role],
    ['clusterrolebindings', { metadata: { name }, roleRef, subjects }],
  ] as const) {
    const { status } = await plane.api.request('POST', folderOf(plural), body);
    expect(status).toBe(201);
  }
}

/** What is known of each queue: that it leads, that it doesn't, or neither. */
async function known(api: KubeClient): Promise<Readonly<Record<string, boolean | undefined>> | undefined> {
  const { [space]: queues } = await readQueues(api, [space], never);
  return queues && Object.fromEntries(queues.map(({ name, leadsToMultiKueue }) => [name, leadsToMultiKueue]));
}

/** What is said of queues in a manifest of a Job for MultiKueue in that queue. */
async function findings(api: KubeClient, queue: string): Promise<readonly string[]> {
  const byNamespace: Readonly<Record<string, readonly LocalQueue[]>> = await readQueues(api, [space], never);
  const template = {
    spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'registry.example/app:1' }] },
  };
  const metadata = { name: 'queued', labels: { 'kueue.x-k8s.io/queue-name': queue } };
  const spec = { managedBy: controllers.sent, suspend: true, template };
  const text = JSON.stringify({ apiVersion: 'batch/v1', kind: 'Job', metadata, spec });
  const settings = { version: '1.35', clusterQueues: { defaultNamespace: space, byNamespace } } as const;
  const { findings: found } = createManifestSession().check(text, settings);
  return found.map(({ code }) => code).filter((code) => code.startsWith('queue-'));
}

const withChecks = (...names: readonly string[]): JsonObject => ({
  admissionChecksStrategy: { admissionChecks: names.map((name) => ({ name })) },
});

describe('the queues of a real cluster', () => {
  test('are not known before Kueue is there', async () => {
    expect(await known(admin)).toBeUndefined();
    expect(await findings(admin, 'anything')).toEqual([]);
  });

  test('lead to MultiKueue or not, in a release that serves v1beta1 alone', async () => {
    await installCrds(plane.api, crds.map(asOfOldRelease));
    expect(await until('LocalQueues are served', () => known(admin))).toEqual({});
    expect(await admin.servedVersions(group, never)).toEqual(['v1beta1']);

    for (const [name, controllerName] of Object.entries(controllers))
      await make('v1beta1', 'AdmissionCheck', 'admissionchecks', name, { controllerName });
    await makeQueue('v1beta1', 'old-listed', { admissionChecks: ['sent'] });
    await makeQueue('v1beta1', 'old-ruled', withChecks('provisioned', 'sent'));
    await makeQueue('v1beta1', 'old-local', { admissionChecks: ['provisioned'] });
    await makeQueue('v1beta1', 'old-plain', {});
    expect(await known(admin)).toEqual({
      'old-listed': true,
      'old-ruled': true,
      'old-local': false,
      'old-plain': false,
    });
    expect(await findings(admin, 'old-listed')).toEqual([]);
    expect(await findings(admin, 'old-plain')).toEqual(['queue-not-multikueue']);
  });

  test('lead to MultiKueue or not, in a release that serves v1beta2, too', async () => {
    await serveAll();
    await makeQueue('v1beta2', 'new-ruled', withChecks('sent'));
    await makeQueue('v1beta2', 'new-local', withChecks('provisioned'));
    await makeQueue('v1beta2', 'new-open', withChecks('sent-later'));
    await make('v1beta2', 'LocalQueue', 'localqueues', 'new-astray', { clusterQueue: 'nowhere' });
    expect(await known(admin)).toMatchObject({
      'old-ruled': true,
      'old-plain': false,
      'new-ruled': true,
      'new-local': false,
      'new-open': undefined,
      'new-astray': undefined,
    });
    expect(await findings(admin, 'new-ruled')).toEqual([]);
    expect(await findings(admin, 'new-local')).toEqual(['queue-not-multikueue']);
    expect(await findings(admin, 'new-open')).toEqual([]);
    expect(await findings(admin, 'new-none')).toEqual(['queue-unknown']);
  });

  test('are known as far as the login goes, and of the rest nothing is said', async () => {
    expect(await known(guest)).toBeUndefined();
    expect(await findings(guest, 'new-none')).toEqual([]);

    await grant('queues', ['localqueues']);
    const queues = await until('the right is there', () => known(guest));
    expect(new Set(Object.values(queues))).toEqual(new Set([undefined]));
    expect(Object.keys(queues).sort()).toEqual(Object.keys((await known(admin)) ?? {}).sort());
    expect(await findings(guest, 'new-local')).toEqual([]);
    expect(await findings(guest, 'new-none')).toEqual(['queue-unknown']);

    await grant('cluster-queues', ['clusterqueues']);
    await grant('checks', ['admissionchecks']);
    const all = await known(admin);
    const seen = await until('all rights are there', async () => {
      const now = await known(guest);
      return now !== undefined && Object.values(now).includes(true) ? now : undefined;
    });
    expect(seen).toEqual(all);
  });
});

/** As releases have it that know no v1beta2. */
function asOfOldRelease(crd: CrdDocument): CrdDocument {
  const versions = crd.spec.versions.filter(({ name }) => name === 'v1beta1');
  return { ...crd, spec: { ...crd.spec, versions: versions.map((version) => ({ ...version, storage: true })) } };
}

/** An upgrade: what was stored stays, and is served in both versions. */
async function serveAll(): Promise<void> {
  for (const crd of crds) {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd.metadata.name}`;
    const body = { spec: { versions: crd.spec.versions } };
    const { status, body: answer } = await plane.api.request('PATCH', path, body, mergePatch);
    if (status !== 200) throw new Error(JSON.stringify(answer));
  }
  await until('both versions are served', async () => {
    const [first] = await admin.servedVersions(group, never);
    return first === 'v1beta2' || undefined;
  });
}
