import type { Draw } from '../../../conformance/fuzz/draw.ts';
import type { JsonMap } from '../../../conformance/fuzz/json.ts';
import { oddAmounts, oddRequirements, oddWindowsOptions } from './containers.ts';
import { type Maker, maybe, type OddFields, oddList, oddObject, orAbsent } from './pick.ts';
import {
  addresses,
  labelKeyLists,
  labels,
  labelValues,
  numbers,
  profiles,
  qualifiedNames,
  selectors,
  subdomains,
  sysctls,
} from './values.ts';
import { oddVolume } from './volumes.ts';

const flag = [true, false];

const nodeTerm: OddFields = {
  matchExpressions: oddList([0, 1], {
    key: qualifiedNames,
    operator: ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Foo', ''],
    values: (draw) => draw.pick([undefined, [], [draw.pick(labelValues)], ['1', '2']]),
  }),
  matchFields: oddList([0, 0, 1], {
    key: ['metadata.name', 'metadata.name', 'a', ''],
    operator: ['In', 'In', 'NotIn', 'Exists', ''],
    values: (draw) => draw.pick([undefined, [], [draw.pick(subdomains)], ['a', 'b']]),
  }),
};

const podTerm: OddFields = {
  labelSelector: selectors,
  namespaceSelector: orAbsent(selectors, 12),
  namespaces: [undefined, undefined, [], [...labels]],
  topologyKey: [...qualifiedNames, 'a', 'a', 'a'],
  matchLabelKeys: labelKeyLists,
  mismatchLabelKeys: labelKeyLists,
};

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const weights = [undefined, 0, 1, 1, 1, 100, 101];

const affinity: Maker = (draw) =>
  oddObject(
    {
      nodeAffinity: maybe(
        {
          [required]: maybe({ nodeSelectorTerms: oddList([0, 1, 2], nodeTerm) }),
          [preferred]: oddList([0, 1], { weight: weights, preference: maybe(nodeTerm) }),
        },
        1,
        2,
      ),
      [draw.pick(['podAffinity', 'podAntiAffinity'])]: maybe({
        [required]: oddList([0, 1], podTerm),
        [preferred]: oddList([0, 1], { weight: weights, podAffinityTerm: maybe(podTerm, 1, 4) }),
      }),
    },
    draw,
  );

const spreads = oddList([1, 2], {
  maxSkew: [undefined, 0, 1, 1],
  topologyKey: [undefined, '', 'a', 'a', 'beta.kubernetes.io/os', 'a b'],
  whenUnsatisfiable: [undefined, '', 'DoNotSchedule', 'DoNotSchedule', 'ScheduleAnyway', 'Foo'],
  labelSelector: selectors,
  minDomains: [undefined, undefined, 0, 1],
  nodeAffinityPolicy: [undefined, undefined, '', 'Honor', 'Foo'],
  nodeTaintsPolicy: [undefined, undefined, '', 'Ignore', 'Foo'],
  matchLabelKeys: labelKeyLists,
});

/** What may stand in each field of the spec. */
const podFields: OddFields = {
  volumes: (draw) => Array.from({ length: draw.pick([1, 1, 2, 3]) }, () => oddVolume(draw)),
  containers: [[]],
  restartPolicy: ['Never', 'OnFailure', 'Always', 'Foo'],
  terminationGracePeriodSeconds: orAbsent(numbers),
  activeDeadlineSeconds: [...numbers, 2147483648],
  dnsPolicy: ['', 'None', 'Default', 'ClusterFirst', 'Foo'],
  dnsConfig: (draw) =>
    draw.pick([
      {},
      { nameservers: [] },
      { nameservers: [draw.pick(addresses), draw.pick(addresses)] },
      { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'] },
      { searches: ['.', 'a_b.c.', '_a', 'a-', '', 'A', 'x'.repeat(254)] },
      { searches: Array.from({ length: 33 }, () => 'a') },
      { searches: Array.from({ length: 20 }, () => 'x'.repeat(120)) },
      { options: [{}, { name: 'a' }] },
    ]),
  nodeSelector: [
    {},
    { a: 'b' },
    { 'a b': 'c' },
    { a: 'b b' },
    { 'beta.kubernetes.io/os': 'linux' },
    { 'node-role.kubernetes.io/master': '' },
  ],
  serviceAccountName: subdomains,
  serviceAccount: subdomains,
  nodeName: subdomains,
  hostNetwork: flag,
  hostPID: flag,
  hostIPC: flag,
  hostUsers: flag,
  shareProcessNamespace: flag,
  setHostnameAsFQDN: flag,
  hostname: labels,
  subdomain: labels,
  schedulerName: ['', 'a'],
  priorityClassName: subdomains,
  runtimeClassName: subdomains,
  preemptionPolicy: ['', 'Never', 'Foo'],
  hostnameOverride: [...subdomains, 'x'.repeat(65), 'é'.repeat(33)],
  securityContext: (draw) =>
    oddObject(
      {
        runAsUser: orAbsent(numbers, 20),
        runAsGroup: orAbsent(numbers, 20),
        fsGroup: orAbsent(numbers, 20),
        supplementalGroups: [undefined, undefined, [], [1], [-1]],
        supplementalGroupsPolicy: [undefined, undefined, '', 'Merge', 'Foo'],
        sysctls: oddList([0, 0, 1, 2], { name: sysctls, value: [undefined, '1'] }),
        fsGroupChangePolicy: [undefined, undefined, '', 'Always', 'Foo'],
        seccompProfile: orAbsent(profiles, 10),
        appArmorProfile: orAbsent(profiles, 10),
        windowsOptions: maybe(oddWindowsOptions, 3),
        seLinuxChangePolicy: [undefined, undefined, '', 'Recursive', 'MountOption', 'Foo'],
        seLinuxOptions: [undefined, undefined, {}],
      },
      draw,
    ),
  imagePullSecrets: [[{}], [{ name: 'a' }, { name: 'a' }]],
  affinity,
  tolerations: oddList([1, 2], {
    key: orAbsent(qualifiedNames),
    operator: [undefined, '', 'Equal', 'Exists', 'Lt', 'Gt', 'Foo'],
    value: [undefined, '1', '-5', '007', '+1', '9223372036854775808', '-9223372036854775808', ...labelValues],
    effect: [undefined, '', 'NoSchedule', 'NoExecute', 'Foo'],
    tolerationSeconds: [undefined, undefined, 0, -1],
  }),
  hostAliases: oddList([1, 2], { ip: addresses, hostnames: [undefined, ['a.b', ''], ['A']] }),
  overhead: oddAmounts,
  topologySpreadConstraints: spreads,
  os: [{}, { name: '' }, { name: 'linux' }, { name: 'windows' }, { name: 'Foo' }],
  schedulingGates: oddList([0, 1, 2], { name: orAbsent(qualifiedNames) }),
  readinessGates: oddList([0, 1], { conditionType: orAbsent(qualifiedNames) }),
  resourceClaims: oddList([0, 1, 2], {
    name: [undefined, 'gpu', 'gpu', 'G'],
    resourceClaimName: orAbsent(subdomains, 5),
    resourceClaimTemplateName: orAbsent(subdomains, 5),
  }),
  resources: (draw) => oddObject(oddRequirements, draw),
  workloadRef: maybe({ name: subdomains, podGroup: labels, podGroupReplicaKey: labels }, 0),
  schedulingGroup: maybe({ podGroupName: orAbsent(subdomains) }, 0),
  evictionResponders: (draw) =>
    draw.chance(0.1)
      ? Array.from({ length: 11 }, (_, index) => ({ name: `a.b/c${index}`, priority: 1000 }))
      : Array.from({ length: draw.pick([0, 1, 2]) }, () =>
          oddObject(
            {
              name: [undefined, 'a.b/c', 'a.b/c', 'a', 'x.k8s.io/a', 'x.kubernetes.io/a', 'a/b/c'],
              priority: [undefined, -1, 0, 999, 1000, 100000, 100001],
            },
            draw,
          ),
        ),
};
const frequentFields = ['volumes', 'volumes', 'volumes', 'volumes', 'evictionResponders', 'evictionResponders'];
const podFieldNames = [...Object.keys(podFields), ...frequentFields];

/** Changes one field of the spec. */
export function changePod(spec: JsonMap, draw: Draw): void {
  const field = draw.pick(podFieldNames);
  Object.assign(spec, structuredClone(oddObject({ [field]: podFields[field] ?? [] }, draw)));
}
