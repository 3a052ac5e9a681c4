import type { Draw } from '../../../conformance/fuzz/draw.ts';
import type { JsonMap } from '../../../conformance/fuzz/json.ts';
import { type Maker, maybe, type Odd, type OddFields, oddList, oddObject, orAbsent } from './pick.ts';
import {
  amounts,
  configKeys,
  divisors,
  fieldPaths,
  fieldResources,
  images,
  labels,
  numbers,
  paths,
  profiles,
  resourceNames,
  subdomains,
  variables,
  windowsUsers,
} from './values.ts';

/** Amounts by resource name. */
export const oddAmounts: Maker = (draw) => {
  const list: JsonMap = {};
  for (let left = draw.pick([0, 1, 2, 3]); left > 0; left--) list[draw.pick(resourceNames)] = draw.pick(amounts);
  return list;
};

export const oddClaimUses: readonly Odd[] = [
  undefined,
  [],
  [{ name: 'gpu' }],
  [{ name: 'gpu' }, { name: 'gpu', request: 'A' }],
  [{ name: 'gpu', request: 'a' }, { name: 'gpu' }],
  [
    { name: 'gpu', request: 'a' },
    { name: 'gpu', request: 'a' },
  ],
  [{ name: 'gpu', request: 'A' }],
  [{ name: 'nope' }],
  [{}],
  [{ name: 'a/b' }, { name: 'a', request: 'b' }],
];

export const oddRequirements: OddFields = { limits: oddAmounts, requests: oddAmounts, claims: oddClaimUses };

export const oddWindowsOptions: OddFields = {
  gmsaCredentialSpecName: orAbsent(subdomains, 5),
  gmsaCredentialSpec: [undefined, undefined, '', 'a', 'x'.repeat(65537)],
  runAsUserName: orAbsent(windowsUsers),
  hostProcess: [undefined, true, false],
};

const handlers: readonly JsonMap[] = [
  {},
  { exec: {} },
  { exec: { command: ['a'] } },
  { exec: { command: ['a'] }, httpGet: { port: 80 } },
  { httpGet: { port: 0 } },
  { httpGet: { port: 'http' } },
  { httpGet: { port: 'HTTP' } },
  { httpGet: { port: 80, scheme: 'FTP', path: '' } },
  { httpGet: { port: 80, httpHeaders: [{ name: 'A b' }, { name: 'A', value: 'x' }, {}] } },
  { httpGet: { port: 80, protocol: 'HTTP2' } },
  { httpGet: { port: 80, protocol: 'HTTP2', scheme: 'HTTPS' } },
  { httpGet: { port: 80, protocol: 'HTTP2', host: 'a' } },
  { httpGet: { port: 80, protocol: 'HTTP3' } },
  { tcpSocket: {} },
  { tcpSocket: { port: 65536 } },
];
const probeHandlers: readonly JsonMap[] = [
  { grpc: { port: 80 } },
  { grpc: { port: 0 } },
  { grpc: { port: 80, mode: 'TLS' } },
  { grpc: { port: 80, mode: 'Foo' } },
  { grpc: { port: 1, mode: 'Plaintext' }, tcpSocket: { port: 1 } },
];
const hooks: readonly JsonMap[] = [
  { sleep: {} },
  { sleep: { seconds: -1 } },
  { sleep: { seconds: 30 } },
  { sleep: { seconds: 31 } },
  { sleep: { seconds: 1 }, exec: { command: ['a'] } },
];
const probeNumbers = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
  'terminationGracePeriodSeconds',
];

const probe: Maker = (draw) => ({
  ...structuredClone(draw.pick([...handlers, ...probeHandlers])),
  ...(draw.chance(0.5) && { [draw.pick(probeNumbers)]: draw.pick(numbers) }),
});

const lifecycle: Maker = (draw) => ({
  ...(draw.chance(0.6) && {
    [draw.pick(['preStop', 'postStart'])]: structuredClone(draw.pick([...handlers, ...hooks])),
  }),
  ...(draw.chance(0.4) && { stopSignal: draw.pick(['SIGTERM', 'SIGFOO', '', 'SIGRTMIN+15', 'SIGKILL']) }),
});

const restartRule = (values: readonly number[]): JsonMap => ({
  action: 'Restart',
  exitCodes: { operator: 'In', values: [...values] },
});

/** What may stand in each field of a container. */
const containerFields: OddFields = {
  name: labels,
  image: images,
  imagePullPolicy: ['', 'Always', 'Never', 'Foo'],
  terminationMessagePolicy: ['', 'File', 'Foo'],
  targetContainerName: labels,
  ports: oddList([0, 1, 2], {
    name: [undefined, '', 'a', 'http', 'HTTP', 'a--b', '-a', 'x'.repeat(16), '1'],
    containerPort: orAbsent([80, 80, ...numbers]),
    hostPort: [undefined, 0, 80, 80, 65536, -1],
    protocol: [undefined, '', 'TCP', 'UDP', 'Foo'],
    hostIP: [undefined, '', '10.0.0.1'],
  }),
  env: oddList([1, 2, 3], {
    name: variables,
    value: [undefined, undefined, '', 'a', '$(A)', '$(A)b'],
    valueFrom: maybe(
      {
        fieldRef: maybe({ fieldPath: fieldPaths, apiVersion: [undefined, 'v1', 'v2'] }, 3),
        resourceFieldRef: maybe(
          { containerName: [undefined, 'main'], resource: fieldResources, divisor: orAbsent(divisors) },
          3,
        ),
        configMapKeyRef: maybe({ name: orAbsent(subdomains), key: configKeys }, 4),
        secretKeyRef: maybe({ name: subdomains, key: configKeys }, 4),
        fileKeyRef: maybe({ volumeName: [...labels, 'disk'], path: paths, key: variables }, 3),
      },
      1,
      2,
    ),
  }),
  envFrom: oddList([1, 2], {
    prefix: orAbsent(variables),
    configMapRef: [undefined, {}, { name: 'a' }, { name: 'A' }, { name: 'a-' }],
    secretRef: [undefined, undefined, {}, { name: 'a..b' }],
  }),
  volumeMounts: oddList([1, 2, 3], {
    name: ['', 'data', 'data', 'disk', 'v', 'v', 'nope'],
    mountPath: ['', '/a', '/b', 'a'],
    subPath: orAbsent(paths, 20),
    subPathExpr: orAbsent(paths, 20),
    readOnly: [undefined, true, false],
    mountPropagation: [undefined, undefined, '', 'None', 'Bidirectional', 'HostToContainer', 'Foo'],
    recursiveReadOnly: [undefined, undefined, '', 'Disabled', 'Enabled', 'IfPossible', 'Foo'],
    bindMountOptions: [undefined, undefined, [], ['noexec'], ['noexec', 'noexec'], ['foo']],
  }),
  volumeDevices: oddList([1, 2], {
    name: ['', 'data', 'disk', 'v', 'nope'],
    devicePath: ['', '/a', '/b', '/dev/../a'],
  }),
  resources: (draw) => oddObject(oddRequirements, draw),
  resizePolicy: [
    [],
    [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
    [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }],
    [{ resourceName: 'cpu' }, { resourceName: 'cpu', restartPolicy: 'Foo' }],
    [{ resourceName: 'foo', restartPolicy: '' }],
    [{}],
  ],
  restartPolicy: ['Always', 'Never', 'OnFailure', 'Foo', ''],
  restartPolicyRules: [
    [],
    [{}],
    [{ action: 'Restart' }],
    [restartRule([1])],
    [{ action: 'RestartAllContainers', exitCodes: { operator: 'NotIn', values: [] } }],
    [{ action: 'Foo', exitCodes: { operator: 'Foo' } }],
    Array.from({ length: 21 }, () => restartRule([1])),
    [restartRule(Array.from({ length: 256 }, (_, code) => code))],
  ],
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  lifecycle,
  securityContext: (draw) =>
    oddObject(
      {
        privileged: [undefined, true, false],
        allowPrivilegeEscalation: [undefined, true, false],
        capabilities: [undefined, { add: ['CAP_SYS_ADMIN'] }, { add: ['SYS_ADMIN'] }],
        runAsUser: orAbsent(numbers, 20),
        runAsGroup: orAbsent(numbers, 20),
        procMount: [undefined, undefined, '', 'Default', 'Unmasked', 'Foo'],
        seccompProfile: orAbsent(profiles, 10),
        appArmorProfile: orAbsent(profiles, 10),
        windowsOptions: maybe(oddWindowsOptions, 2),
        seLinuxOptions: [undefined, undefined, {}],
        readOnlyRootFilesystem: [undefined, undefined, true],
      },
      draw,
    ),
};
const containerFieldNames = Object.keys(containerFields);

/** Changes one field of a container. */
export function changeContainer(container: JsonMap, isEphemeral: boolean, draw: Draw): void {
  const field = draw.pick(containerFieldNames);
  if (field === 'targetContainerName' && !isEphemeral) return;
  Object.assign(container, structuredClone(oddObject({ [field]: containerFields[field] ?? [] }, draw)));
}
