import type { Draw } from '../../../conformance/fuzz/draw.ts';
import type { JsonMap } from '../../../conformance/fuzz/json.ts';
import { type Maker, maybe, type Odd, type OddFields, oddObject, oddValue, orAbsent } from './pick.ts';
import {
  amounts,
  bundles,
  divisors,
  fieldPaths,
  fieldResources,
  images,
  labels,
  numbers,
  paths,
  selectors,
  signers,
  subdomains,
} from './values.ts';

const given = ['', 'a'];
const secret = [undefined, {}, { name: 'A' }, { name: 'a' }];
const items: Maker = (draw) =>
  draw.chance(0.3)
    ? undefined
    : Array.from({ length: draw.pick([1, 2]) }, () =>
        oddObject({ key: ['', 'k', 'k'], path: paths, mode: orAbsent(numbers), user: orAbsent(numbers) }, draw),
      );
const downwardItems: Maker = (draw) => [
  oddObject(
    {
      path: paths,
      fieldRef: maybe({ fieldPath: fieldPaths, apiVersion: [undefined, 'v1', 'v2'] }),
      resourceFieldRef: maybe({
        containerName: ['', 'main', 'nope'],
        resource: fieldResources,
        divisor: orAbsent(divisors),
      }),
      mode: orAbsent(numbers),
      user: orAbsent(numbers),
    },
    draw,
  ),
];

const projection: OddFields = {
  secret: maybe({ name: given, items }, 2),
  configMap: maybe({ name: given, items }, 2),
  downwardAPI: maybe({ items: downwardItems }, 3),
  serviceAccountToken: maybe({ path: paths, expirationSeconds: orAbsent(numbers), user: orAbsent(numbers) }, 2),
  clusterTrustBundle: maybe(
    {
      name: orAbsent(bundles, 3),
      signerName: orAbsent(signers, 6),
      labelSelector: selectors,
      path: paths,
      user: orAbsent(numbers),
    },
    2,
  ),
  podCertificate: maybe(
    {
      signerName: signers,
      keyType: ['', 'RSA3072', 'Foo'],
      maxExpirationSeconds: orAbsent(numbers),
      credentialBundlePath: orAbsent(paths, 20),
      keyPath: orAbsent(paths, 20),
      certificateChainPath: orAbsent(paths, 20),
      userAnnotations: [
        undefined,
        {},
        { '': 'a' },
        { a: 'b' },
        { 'example.com/a': 'b' },
        { 'a b/c': 'd' },
        { 'a.b/c': 'x'.repeat(270000) },
      ],
      user: orAbsent(numbers),
    },
    2,
  ),
};

const claimSource = [
  undefined,
  {},
  { kind: 'PersistentVolumeClaim', name: 'a' },
  { apiGroup: 'A', kind: 'b', name: 'c' },
  { apiGroup: '', kind: 'x', name: 'a' },
];
const claim: OddFields = {
  metadata: [
    undefined,
    {},
    { name: 'a' },
    { uid: 'x', labels: { 'a b': 'c' } },
    { annotations: { 'a b': '' }, ownerReferences: [], finalizers: [] },
    { creationTimestamp: '2020-01-01T00:00:00Z', generation: 1 },
    { deletionGracePeriodSeconds: 0, generation: 0, name: '' },
  ],
  spec: maybe(
    {
      accessModes: [
        [],
        ['ReadWriteOnce'],
        ['ReadWriteOnce'],
        ['ReadWriteOncePod', 'ReadWriteOnce'],
        ['Foo'],
        ['ReadWriteOncePod', 'Foo'],
      ],
      resources: (draw) => ({ requests: { storage: draw.pick(amounts) } }),
      selector: selectors,
      storageClassName: orAbsent(subdomains, 5),
      volumeMode: [undefined, undefined, 'Block', 'Foo', ''],
      volumeAttributesClassName: orAbsent(subdomains, 5),
      dataSource: claimSource,
      dataSourceRef: (draw) =>
        draw.chance(0.6)
          ? draw.pick(claimSource)
          : { kind: 'PersistentVolumeClaim', name: 'a', namespace: draw.pick(labels) },
    },
    1,
    4,
  ),
};

const iscsiNames = [
  '',
  'foo',
  'iqn.2001-04.com.example:storage',
  'iqn.x',
  'iqn.2001-04.com.example:a b',
  'eui.0123456789abcdef',
  'eui.x',
  `naa.${'a'.repeat(32)}`,
];
const registries = ['', 'a:1', 'a', 'a:1,b', '[::1]:1', '[::1]', 'a:1:2', '[a]b:1', ':', '[[]:1'];

/** Each kind of volume with what may stand in it. */
const kinds: Readonly<Record<string, OddFields>> = {
  emptyDir: { sizeLimit: orAbsent(amounts), mode: orAbsent([-1, 0, 1023, 1024]) },
  hostPath: { path: paths, type: [undefined, '', 'File', 'Foo'] },
  gitRepo: { repository: given, directory: paths },
  gcePersistentDisk: { pdName: given, partition: orAbsent(numbers) },
  awsElasticBlockStore: { volumeID: given, partition: orAbsent(numbers) },
  secret: { secretName: given, defaultMode: orAbsent(numbers), defaultUser: orAbsent(numbers), items },
  configMap: { name: given, defaultMode: orAbsent(numbers), defaultUser: orAbsent(numbers), items },
  nfs: { server: given, path: paths },
  iscsi: {
    targetPortal: ['', 'a', 'x'.repeat(70)],
    iqn: iscsiNames,
    lun: orAbsent(numbers),
    chapAuthSession: [undefined, true],
    initiatorName: orAbsent(iscsiNames),
  },
  glusterfs: { endpoints: given, path: given },
  flocker: { datasetName: ['', 'a', 'a/b'], datasetUUID: given },
  persistentVolumeClaim: { claimName: given },
  rbd: { monitors: [[], ['a']], image: given },
  cinder: { volumeID: given, secretRef: secret },
  cephfs: { monitors: [[], ['a']] },
  quobyte: { registry: registries, volume: given, tenant: ['', 'x'.repeat(64), 'x'.repeat(65)] },
  downwardAPI: { defaultMode: orAbsent(numbers), defaultUser: orAbsent(numbers), items: downwardItems },
  fc: { targetWWNs: [[], ['a']], wwids: [[], ['a']], lun: orAbsent(numbers) },
  flexVolume: { driver: given, options: [undefined, { 'kubernetes.io/x': 'a' }, { 'x.K8s.io/a': '' }, { a: 'b' }] },
  azureFile: { secretName: given, shareName: given },
  azureDisk: {
    diskName: given,
    diskURI: ['', '/subscriptions/x', 'https://x', 'http://x'],
    kind: [undefined, 'Managed', 'Shared', 'Foo', ''],
    cachingMode: [undefined, 'None', 'Foo', ''],
  },
  vsphereVolume: { volumePath: given },
  photonPersistentDisk: { pdID: given },
  portworxVolume: { volumeID: given },
  storageos: { volumeName: labels, volumeNamespace: labels, secretRef: secret },
  scaleIO: { gateway: given, system: given, volumeName: given },
  csi: { driver: ['', 'a', 'A.B', 'a_b', 'x'.repeat(64)], nodePublishSecretRef: secret },
  ephemeral: { volumeClaimTemplate: maybe(claim, 1, 6) },
  image: { reference: orAbsent(images), pullPolicy: [undefined, '', 'Always', 'Foo'] },
  projected: {
    defaultMode: orAbsent(numbers, 20),
    defaultUser: orAbsent(numbers, 20),
    sources: (draw) => Array.from({ length: draw.pick([1, 2]) }, () => oddObject(projection, draw)),
  },
};
const kindNames = [...Object.keys(kinds), 'projected', 'projected', 'ephemeral', 'ephemeral', 'image', 'image'];

/** One volume; now and then with no kind at all, or with a second one. */
export function oddVolume(draw: Draw): JsonMap {
  const volume: JsonMap = { name: draw.pick(['v', 'v', 'data', 'disk', '', 'V', 'x'.repeat(63)]) };
  for (const chance of [0.97, 0.15]) {
    if (!draw.chance(chance)) continue;
    const kind = draw.pick(kindNames);
    const content: Odd = oddValue((inner) => oddObject(kinds[kind] ?? {}, inner), draw);
    if (content !== undefined) volume[kind] = content;
  }
  return volume;
}
