import { describe, expect, test } from 'vitest';
import { jobs, type KubeApi, leases, type ResourceType } from '../../src/kube/index.ts';
import { manifest } from './builders.ts';
import { Rig } from './rig.ts';

/** What befalls clusters and settings from outside while Jobs live: the whole reconciler, over loopback HTTP. */

const never = new AbortController().signal;
const namespaces = { group: '', version: 'v1', plural: 'namespaces' };

describe('a namespace that is deleted', () => {
  test('goes, although no window was open by then and no Lease can be made any more', async () => {
    await using rig = await Rig.start();
    const team = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team' } };
    for (const context of ['management', 'worker-1']) {
      await rig.client(context).create(namespaces, undefined, team, {}, never);
    }
    const first = rig.reconcile({ namespaces: ['team'] }, 'first');
    await rig.management.create(jobs, 'team', manifest('a', {}, { namespace: 'team' }), {}, never);
    await rig.until(() => rig.actions.some(({ action }) => action === 'adjust-mirror'));
    await rig.stop(first);
    const { uid } = (await rig.management.get(namespaces, { name: 'team' }, never)).metadata;
    await rig.management.delete(namespaces, { name: 'team' }, { uid, propagationPolicy: 'Background' }, never);
    // All but the Job, which waits for its finalizer.
    await expect.poll(() => isThere(rig.management, leases, 'team'), { timeout: 20_000 }).toBe(false);
    rig.reconcile({ namespaces: ['team'] }, 'second');
    await rig.until(() => rig.actions.some(({ action }) => action === 'release'));
    await expect.poll(() => isThere(rig.client('worker-1'), jobs, 'team'), { timeout: 20_000 }).toBe(false);
  });
});

async function isThere(api: KubeApi, type: ResourceType, namespace: string): Promise<boolean> {
  return (await api.list(type, { namespace }, never)).items.length > 0;
}
