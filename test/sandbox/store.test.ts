import { describe, expect, it } from 'vitest';
import type { StoredObject } from '../../src/sandbox/objects.ts';
import { definitions } from '../../src/sandbox/resources.ts';
import { ObjectStore } from '../../src/sandbox/store.ts';

const maps = definitions.configMaps;

function object(name: string, namespace = 'default', owners: readonly string[] = []): StoredObject {
  const ownerReferences = owners.map((uid) => ({ apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid }));
  const metadata = { name, namespace, uid: `uid-${name}`, resourceVersion: '', creationTimestamp: '' };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...metadata, ...(owners.length > 0 ? { ownerReferences } : {}) },
  };
}

function newStore(historyLimit = 100): ObjectStore {
  return new ObjectStore({
    historyLimit,
    onError: (error) => {
      throw error;
    },
  });
}

describe('the store', () => {
  it('gives every write, of whatever type, a higher resourceVersion', () => {
    const store = newStore();
    const first = store.put(maps, object('a'));
    const second = store.put(definitions.secrets, object('b'));
    expect(Number(second.metadata.resourceVersion)).toBe(Number(first.metadata.resourceVersion) + 1);
    expect(store.resourceVersion).toBe(Number(second.metadata.resourceVersion));
  });

  it('lists in the order of namespace and name', () => {
    const store = newStore();
    for (const [name, namespace] of [
      ['b', 'x'],
      ['a', 'x'],
      ['c', 'a'],
      ['a-b', 'x'],
    ] as const)
      store.put(maps, object(name, namespace));
    expect(store.list(maps).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
      'a/c',
      'x/a',
      'x/a-b',
      'x/b',
    ]);
    expect(store.list(maps, 'a')).toHaveLength(1);
  });

  it('remembers what happened after a resourceVersion', () => {
    const store = newStore();
    const since = Number(store.put(maps, object('a')).metadata.resourceVersion);
    store.put(maps, object('a'));
    store.put(maps, object('b'));
    store.remove(maps, object('a'));
    expect(
      store.changesSince(maps, since)?.map(({ type, object: { metadata } }) => `${type} ${metadata.name}`),
    ).toEqual(['MODIFIED a', 'ADDED b', 'DELETED a']);
    expect(store.changesSince(maps, store.resourceVersion)).toEqual([]);
  });

  it('forgets the oldest changes beyond its limit', () => {
    const store = newStore(10);
    const since = store.resourceVersion;
    for (let i = 0; i < 100; i += 1) store.put(maps, object('a'));
    expect(store.changesSince(maps, since)).toBeUndefined();
    expect(store.changesSince(maps, store.resourceVersion - 5)).toHaveLength(5);
  });

  it('forgets everything when it is compacted', () => {
    const store = newStore();
    const since = Number(store.put(maps, object('a')).metadata.resourceVersion);
    store.put(maps, object('a'));
    store.compact();
    expect(store.changesSince(maps, since)).toBeUndefined();
    expect(store.changesSince(maps, store.resourceVersion)).toEqual([]);
  });

  it('announces writes in their order even if a listener writes', () => {
    const store = newStore();
    const seen: string[] = [];
    store.onChange(maps, ({ object: { metadata } }) => {
      if (metadata.name === 'a') store.put(maps, object('b'));
    });
    store.onChange(maps, ({ object: { metadata } }) => seen.push(metadata.name));
    store.put(maps, object('a'));
    expect(seen).toEqual(['a', 'b']);
  });

  it('knows who is owned by whom, now', () => {
    const store = newStore();
    store.put(maps, object('child', 'default', ['p', 'q']));
    expect(store.dependentsOf(maps, 'p').map(({ metadata }) => metadata.name)).toEqual(['child']);
    store.put(maps, object('child', 'default', ['q']));
    expect(store.dependentsOf(maps, 'p')).toEqual([]);
    store.remove(maps, object('child', 'default', ['q']));
    expect(store.dependentsOf(maps, 'q')).toEqual([]);
  });
});
