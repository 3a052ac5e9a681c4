import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/index.ts';
import { planDispatch } from '../../src/reconciler/index.ts';

const plan = (object: JsonObject) => planDispatch(object, 'ours/x', 'fallback');

/** The door: what the pods of a Job with this pod spec ask for. */
const grants = (pod: JsonObject): readonly string[] => plan({ spec: { template: { spec: pod } } }).grants;

describe('what a dispatched Job comes to', () => {
  test('who runs it', () => {
    expect(plan({})).toMatchObject({ managedBy: 'ours/x', isOurs: true });
    expect(plan({ spec: { managedBy: null } })).toMatchObject({ managedBy: 'ours/x', isOurs: true });
    expect(plan({ spec: { managedBy: 'ours/x' } })).toMatchObject({ isOurs: true });
    expect(plan({ spec: { managedBy: 'theirs/y' } })).toMatchObject({ managedBy: 'theirs/y', isOurs: false });
  });
  test('where it goes', () => {
    expect(plan({})).toMatchObject({ namespace: 'fallback' });
    expect(plan({ metadata: { namespace: 'a' } })).toMatchObject({ namespace: 'a' });
  });
});

describe('what its pods ask for', () => {
  const rows: readonly [string, JsonObject, readonly string[]][] = [
    ['nothing', { containers: [{ name: 'a', securityContext: { privileged: false } }] }, []],
    ['a service account', { serviceAccountName: 'robot' }, ['service account robot']],
    ['a service account by its old name', { serviceAccount: 'robot' }, ['service account robot']],
    ['a node', { nodeName: 'n1' }, ['node n1']],
    ['namespaces of the node', { hostNetwork: true, hostPID: true, hostIPC: false }, ['hostNetwork', 'hostPID']],
    [
      'paths of the node',
      { volumes: [{ name: 'v', emptyDir: {} }, { name: 'w', hostPath: { path: '/run' } }, { hostPath: {} }] },
      ['the path /run of its node (hostPath)', 'the path ? of its node (hostPath)'],
    ],
    [
      'a privileged init container',
      { initContainers: [{ name: 'i', securityContext: { privileged: true } }] },
      ['a privileged container'],
    ],
    [
      'capabilities, each once',
      {
        containers: ['NET_ADMIN', 'SYS_TIME', 'NET_ADMIN'].map((one) => ({
          securityContext: { capabilities: { add: [one] } },
        })),
      },
      ['the capabilities NET_ADMIN, SYS_TIME'],
    ],
    [
      'to be a process of a Windows node',
      { securityContext: { windowsOptions: { hostProcess: true } } },
      ['a process of its Windows node (hostProcess)'],
    ],
    [
      'a path that would pass for a sentence of ours',
      { volumes: [{ hostPath: { path: '/run\n\nIt is harmless.' } }] },
      ['the path /run It is harmless. of its node (hostPath)'],
    ],
    ['nothing that can be read', { containers: 'none', volumes: [null, 1], securityContext: [] }, []],
  ];
  test.each(rows)('%s', (_name, pod, expected) => {
    expect(grants(pod)).toEqual(expected);
  });
  test.each([[{}], [{ spec: 1 }], [{ spec: { template: null } }]])('nothing in %j', (object) => {
    expect(plan(object).grants).toEqual([]);
  });
});
