import type { JsonMap } from './json.ts';
import { isMap } from './json.ts';

/**
 * Parts of pod templates in which several fields depend on each other. Laid over a base, they bring a change close to
 * rules that random choices alone would hardly ever meet together. Most are valid, some just not.
 */
const image = 'registry.example/app:1';
const main = (more: JsonMap): JsonMap => ({ containers: [{ name: 'main', image, ...more }] });
const appArmor = 'container.apparmor.security.beta.kubernetes.io/main';
const seccomp = 'container.seccomp.security.alpha.kubernetes.io/main';
const podSeccomp = 'seccomp.security.alpha.kubernetes.io/pod';
const projected = (...sources: JsonMap[]): JsonMap => ({ volumes: [{ name: 'all', projected: { sources } }] });
const localhost: JsonMap = { type: 'Localhost', localhostProfile: 'x' };

export const podScenes: readonly JsonMap[] = [
  {
    metadata: { annotations: { [appArmor]: 'localhost/x' } },
    spec: main({ securityContext: { appArmorProfile: localhost } }),
  },
  {
    metadata: { annotations: { [appArmor]: 'runtime/default' } },
    spec: main({ securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } }),
  },
  {
    metadata: { annotations: { [appArmor]: 'unconfined' } },
    spec: { securityContext: { appArmorProfile: { type: 'Unconfined' } } },
  },
  {
    metadata: { annotations: { [seccomp]: 'localhost/x' } },
    spec: main({ securityContext: { seccompProfile: localhost } }),
  },
  {
    metadata: { annotations: { [podSeccomp]: 'unconfined' } },
    spec: { securityContext: { seccompProfile: { type: 'Unconfined' } } },
  },
  {
    metadata: { annotations: { [podSeccomp]: 'localhost/x' } },
    spec: { securityContext: { seccompProfile: localhost } },
  },
  {
    metadata: {
      annotations: {
        'scheduler.alpha.kubernetes.io/tolerations': '[{"key":"a","operator":"Exists","value":"x"},{"effect":"Bad"}]',
      },
    },
  },
  { spec: { hostUsers: false, hostPID: true } },
  { spec: { hostUsers: false, hostIPC: true, hostNetwork: true } },
  { spec: { hostUsers: false, ...main({ volumeDevices: [{ name: 'disk', devicePath: '/dev/x' }] }) } },
  { spec: { shareProcessNamespace: true, hostPID: true } },
  { spec: { hostIPC: true, securityContext: { sysctls: [{ name: 'kernel.shm_rmid_forced', value: '1' }] } } },
  { spec: { hostNetwork: true, securityContext: { sysctls: [{ name: 'net.ipv4.ip_local_port_range', value: '1' }] } } },
  { spec: { setHostnameAsFQDN: true, hostname: 'host', subdomain: 'sub' } },
  { spec: { hostnameOverride: 'host', hostNetwork: true } },
  { spec: { setHostnameAsFQDN: true, hostnameOverride: 'host' } },
  {
    spec: {
      dnsPolicy: 'None',
      dnsConfig: { searches: ['a.example', '.', '_x.y', 'a'.repeat(63)], options: [{ name: 'x' }] },
    },
  },
  {
    spec: {
      dnsConfig: {
        searches: Array.from(
          { length: 10 },
          () => `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}`,
        ),
      },
    },
  },
  {
    spec: {
      volumes: [{ name: 'disk', persistentVolumeClaim: { claimName: 'disk' } }],
      ...main({
        volumeMounts: [{ name: 'disk', mountPath: '/dev/x' }],
        volumeDevices: [{ name: 'disk', devicePath: '/dev/x' }],
      }),
    },
  },
  {
    spec: {
      volumes: [{ name: 'data', emptyDir: {} }],
      ...main({
        securityContext: { privileged: true },
        volumeMounts: [
          { name: 'data', mountPath: '/a', mountPropagation: 'Bidirectional' },
          { name: 'data', mountPath: '/b', readOnly: true, recursiveReadOnly: 'IfPossible' },
        ],
      }),
    },
  },
  {
    spec: projected(
      { clusterTrustBundle: { name: 'example.com:signer:bundle', path: 'a' } },
      {
        podCertificate: {
          signerName: 'example.com/signer',
          keyType: 'ED25519',
          keyPath: 'a',
          certificateChainPath: 'a',
        },
      },
    ),
  },
  {
    spec: projected(
      { clusterTrustBundle: { signerName: 'example.com/signer', labelSelector: {}, path: 'a/b' } },
      {
        podCertificate: {
          signerName: 'kubernetes.io/x',
          keyType: 'RSA3072',
          credentialBundlePath: 'a',
          maxExpirationSeconds: 90_000,
        },
      },
      { serviceAccountToken: { path: 'a' } },
      { downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'metadata.name' } }] } },
    ),
  },
  {
    spec: projected(
      { configMap: { name: 'c', items: [{ key: 'k', path: 'a' }] } },
      { secret: { name: 's', items: [{ key: 'k', path: 'a/b' }] } },
    ),
  },
  {
    spec: {
      volumes: [
        {
          name: 'v'.repeat(50),
          iscsi: { targetPortal: '10.0.0.1:3260', iqn: 'iqn.2001-04.com.example:x', lun: 1, initiatorName: 'iqn.bad' },
        },
        {
          name: 'chap',
          iscsi: {
            targetPortal: 'x',
            iqn: 'eui.0123456789abcdef',
            lun: 1,
            chapAuthSession: true,
            initiatorName: 'naa.1',
          },
        },
      ],
    },
  },
  { spec: { volumes: [{ name: 'q', quobyte: { registry: 'a:1,b', volume: 'v', tenant: 't'.repeat(65) } }] } },
  {
    spec: main({
      resources: {
        requests: { cpu: '500m', memory: '100m', 'ephemeral-storage': '0.5', 'example.com/gpu': '1' },
        limits: {
          cpu: '1',
          memory: '1500m',
          'ephemeral-storage': '1.5',
          'example.com/gpu': '1',
          'hugepages-2Mi': '3Mi',
        },
      },
    }),
  },
  {
    spec: {
      resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '2', memory: '1Gi' } },
      ...main({ resources: { requests: { cpu: '500m' }, limits: { cpu: '3', memory: '2Gi' } } }),
    },
  },
  {
    spec: {
      resources: { limits: { 'hugepages-2Mi': '4Mi' } },
      ...main({ resources: { limits: { 'hugepages-2Mi': '8Mi', cpu: '1' } } }),
    },
  },
  {
    spec: main({
      ports: [
        { containerPort: 80, hostPort: 80, hostIP: '10.0.0.1' },
        { containerPort: 81, hostPort: 80 },
        { containerPort: 80, name: 'http' },
        { containerPort: 80, name: 'http', protocol: 'UDP' },
      ],
    }),
  },
  {
    spec: main({
      env: [
        { name: 'A', value: '$(B)' },
        { name: 'A', value: 'y' },
        { name: 'B', valueFrom: { resourceFieldRef: { containerName: 'main', resource: 'limits.cpu', divisor: '1' } } },
        { name: 'C', valueFrom: { fileKeyRef: { volumeName: 'data', path: 'env', key: 'C' } } },
      ],
    }),
  },
  {
    spec: {
      ...main({
        restartPolicy: 'Never',
        restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [1] } }],
      }),
      initContainers: [
        { name: 'proxy', image, restartPolicy: 'Always', lifecycle: { preStop: { sleep: { seconds: 5 } } } },
        { name: 'once', image, resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }] },
      ],
    },
  },
  {
    spec: {
      os: { name: 'linux' },
      ...main({ lifecycle: { stopSignal: 'SIGTERM', preStop: { sleep: { seconds: 31 } } } }),
    },
  },
  { spec: { os: { name: 'linux' }, securityContext: { windowsOptions: { runAsUserName: 'x' } } } },
  {
    spec: {
      os: { name: 'windows' },
      hostNetwork: true,
      securityContext: { windowsOptions: { hostProcess: true, runAsUserName: `${'d'.repeat(256)}\\u` } },
      ...main({ securityContext: { windowsOptions: { hostProcess: false } } }),
    },
  },
  {
    spec: {
      os: { name: 'windows' },
      securityContext: { windowsOptions: { runAsUserName: 'a\u0007b' }, fsGroup: 1, runAsUser: 1 },
    },
  },
  {
    spec: {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'failure-domain.beta.kubernetes.io/zone',
          whenUnsatisfiable: 'DoNotSchedule',
          minDomains: 2,
          matchLabelKeys: ['app', 'a b', 'app'],
          labelSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: ['a'] }] },
        },
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', matchLabelKeys: ['x'] },
      ],
    },
  },
  {
    spec: {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              topologyKey: 'zone',
              labelSelector: { matchLabels: { app: 'a' } },
              matchLabelKeys: ['app'],
              mismatchLabelKeys: ['app'],
            },
          ],
        },
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: '', namespaceSelector: {}, namespaces: ['a'] },
          ],
        },
      },
    },
  },
  {
    spec: {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a', 'b'] }] },
              { matchExpressions: [{ key: 'beta.kubernetes.io/arch', operator: 'Gt', values: ['1', '2'] }] },
              {},
            ],
          },
        },
      },
    },
  },
  {
    spec: {
      tolerations: [
        { operator: 'Exists', value: 'x' },
        { key: '', operator: 'Equal' },
        { key: 'a', operator: 'Exists', effect: 'NoSchedule', tolerationSeconds: 1 },
        { key: 'a', operator: 'Lt', value: '07' },
      ],
    },
  },
  {
    spec: {
      resourceClaims: [
        { name: 'gpu', resourceClaimName: 'c' },
        { name: 'net', resourceClaimTemplateName: 't' },
      ],
      ...main({ resources: { claims: [{ name: 'gpu' }, { name: 'gpu', request: 'r' }, { name: 'net' }] } }),
    },
  },
  {
    spec: {
      priorityClassName: 'system-node-critical',
      preemptionPolicy: 'Never',
      priority: 1,
      runtimeClassName: 'x',
      overhead: { cpu: '1' },
    },
  },
  { spec: { schedulingGates: [{ name: 'example.com/a' }, { name: 'example.com/a' }], nodeName: 'node-1' } },
  { spec: { serviceAccount: 'a', serviceAccountName: 'b', automountServiceAccountToken: false } },
  {
    spec: {
      imagePullSecrets: [{ name: 'a' }, { name: 'a' }, {}],
      hostAliases: [{ ip: '10.0.0.1', hostnames: ['a', 'a'] }, { ip: '10.0.0.1' }],
    },
  },
  {
    spec: main({
      livenessProbe: { exec: { command: ['x'] }, successThreshold: 2, terminationGracePeriodSeconds: 0 },
      readinessProbe: { grpc: { port: 0 } },
    }),
  },
  {
    spec: {
      volumes: [
        { name: 'data', gitRepo: { repository: 'x', directory: '../x' } },
        { name: 'img', image: { reference: '' } },
      ],
    },
  },
  {
    spec: {
      volumes: [
        {
          name: 'data',
          ephemeral: {
            volumeClaimTemplate: {
              metadata: { name: 'x', labels: { a: 'b' } },
              spec: {
                accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'],
                resources: { requests: { storage: '0' } },
                selector: { matchLabels: { a: 'a b' } },
              },
            },
          },
        },
      ],
    },
  },
  {
    spec: main({
      livenessProbe: { httpGet: { port: 80, protocol: 'HTTP2', scheme: 'HTTPS', host: 'x' } },
      readinessProbe: { httpGet: { port: 80, protocol: 'HTTP2', host: 'x' } },
    }),
  },
  { spec: main({ lifecycle: { stopSignal: 'SIGTERM' } }) },
  { spec: { os: { name: 'windows' }, ...main({ lifecycle: { stopSignal: 'SIGHUP' } }) } },
  {
    spec: {
      os: { name: 'linux' },
      ...main({ lifecycle: { stopSignal: 'SIGX', postStart: { exec: { command: ['x'] }, httpGet: { port: 80 } } } }),
    },
  },
  {
    spec: {
      volumes: [{ name: 'data', image: { reference: 'x' } }],
      ...main({ volumeMounts: [{ name: 'data', mountPath: '/x', bindMountOptions: ['noexec', 'noexec', 'x'] }] }),
    },
  },
  {
    spec: main({
      env: [
        {
          name: 'A',
          valueFrom: { resourceFieldRef: { containerName: 'main', resource: 'limits.hugepages-2Mi', divisor: '1k' } },
        },
        { name: 'B', valueFrom: { fileKeyRef: { volumeName: 'data', path: 'x', key: 'a=b' } } },
      ],
    }),
  },
  {
    spec: {
      volumes: [
        { name: 'a', azureDisk: { diskName: 'd', diskURI: 'https://x', kind: 'Managed' } },
        { name: 'b', azureDisk: { diskName: 'd', diskURI: '/subscriptions/x', kind: 'Shared' } },
      ],
    },
  },
  { spec: { overhead: { memory: '100m', 'ephemeral-storage': '0.5', cpu: '1' }, runtimeClassName: 'x' } },
  {
    spec: {
      resources: { requests: { cpu: '100m', memory: '1Mi' } },
      ...main({ resources: { requests: { cpu: '500m', memory: '1Gi' } } }),
    },
  },
  {
    spec: {
      dnsConfig: {
        searches: Array.from({ length: 33 }, () => 'a.example'),
        nameservers: ['1.1.1.1', '1.1.1.1', '8.8.8.8', '::1'],
      },
    },
  },
];

/** Parts of Job specs of that kind. */
export const jobScenes: readonly JsonMap[] = [
  { completionMode: 'Indexed', completions: 100_001, parallelism: 10, backoffLimitPerIndex: 1, maxFailedIndexes: 5 },
  { completionMode: 'Indexed', completions: 100_001, parallelism: 10_001, backoffLimitPerIndex: 1 },
  { completionMode: 'Indexed', completions: 100_001, parallelism: 10_001 },
  {
    completionMode: 'Indexed',
    completions: 3,
    successPolicy: { rules: [{ succeededIndexes: '1-2-3' }, { succeededCount: 4 }] },
  },
  { completionMode: 'Indexed', completions: 3, successPolicy: { rules: [{ succeededIndexes: '0,'.repeat(33_000) }] } },
  {
    completionMode: 'Indexed',
    completions: 3,
    backoffLimitPerIndex: 1,
    podFailurePolicy: { rules: [{ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1, 1] } }] },
  },
  {
    podFailurePolicy: {
      rules: [
        {
          action: 'Count',
          onExitCodes: { containerName: 'main', operator: 'NotIn', values: [2, 1] },
          onPodConditions: [],
        },
      ],
    },
    podReplacementPolicy: 'TerminatingOrFailed',
  },
  {
    podFailurePolicy: {
      rules: Array.from({ length: 21 }, () => ({ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] })),
    },
  },
  {
    podFailurePolicy: {
      rules: [
        {
          action: 'FailJob',
          onExitCodes: { operator: 'In', values: Array.from({ length: 256 }, (_, index) => index + 1) },
        },
      ],
    },
  },
  { maxFailedIndexes: 5, backoffLimitPerIndex: 0 },
  { suspend: true, completions: 0, parallelism: 0, backoffLimit: 0 },
];

/** Lays `part` over `base`: maps are merged, everything else is replaced. Changes neither. */
export function overlaid(base: JsonMap, part: JsonMap): JsonMap {
  const result = structuredClone(base);
  for (const [key, value] of Object.entries(part)) {
    const below = result[key];
    result[key] = isMap(below) && isMap(value) ? overlaid(below, value) : structuredClone(value);
  }
  return result;
}
