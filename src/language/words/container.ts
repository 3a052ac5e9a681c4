import type { WordsByType } from './fieldWords.ts';

/** The fields of a container. Source of the facts: Kubernetes 1.34 to 1.37, core defaults and validation. */
export const containerWords: WordsByType = {
  Container: {
    args: {
      says: 'Arguments, a list item each. `$(NAME)` stands for a variable of `env`.',
      unset: "the image's own, unless `command` is set",
    },
    command: {
      says: 'What is run, a list item for each word. No shell: for pipes and `&&` write `["sh", "-c", "…"]`.',
      unset: "the image's own entry point",
    },
    env: 'Environment variables.',
    envFrom: 'Config maps and secrets whose every key becomes a variable. `env` wins over them.',
    image:
      'The image, best with a tag that never moves, or a digest: retries and other clusters then run the same program. The cluster that runs the pods must be able to pull it.',
    imagePullPolicy: {
      says: 'When the image is fetched.',
      unset: '`Always` for the tag `latest` and for none, else `IfNotPresent`',
      values: {
        Always: 'At each start, at least to see whether the tag has moved.',
        IfNotPresent: 'When the node does not have it.',
        Never: 'Not at all: it must be on the node.',
      },
    },
    lifecycle: 'What to run after the start and before the end.',
    livenessProbe:
      'Restarts the container when it fails. In a Job rarely useful: a hanging program is better ended by `activeDeadlineSeconds`.',
    name: 'Within the pod, once: lower case letters, digits and `-`. Logs and failure rules name it.',
    ports: 'Ports that it listens on. For information, but for `hostPort`.',
    readinessProbe: 'Whether the pod gets traffic from services, and counts in `status.ready` of the Job.',
    resizePolicy: 'Which resources can change without a restart.',
    resources: 'What it asks for and what it may use at most. Queues count the requests.',
    restartPolicy: {
      says: 'For this container alone. In an init container `Always` makes a sidecar.',
      unset: "the pod's",
      values: {
        Always:
          'Restarted whenever it ends. As an init container: started first, kept running beside the others, and ended with them.',
        OnFailure: 'Restarted when it fails.',
        Never: 'Not restarted.',
      },
    },
    restartPolicyRules: {
      says: 'Restarts the container in place for certain exit codes, whatever the restart policy of the pod.',
      since: '1.35, beta and on by default',
    },
    securityContext: 'Users, capabilities and the like, of this container. It wins over what the pod says.',
    startupProbe: 'Keeps the other probes waiting until it has passed once.',
    stdin: { says: 'Keeps standard input open, for `kubectl attach`.', unset: '`false`' },
    stdinOnce: { says: 'Closes standard input when the first attached client leaves.', unset: '`false`' },
    terminationMessagePath: {
      says: 'The file whose content is kept as the last word of the container.',
      unset: '`/dev/termination-log`',
    },
    terminationMessagePolicy: {
      says: 'Where the last word comes from.',
      unset: '`File`',
      values: {
        File: 'From that file alone.',
        FallbackToLogsOnError:
          'After a failure without such a file, from the end of the log. Good for Jobs: the reason is seen after the log is gone.',
      },
    },
    tty: { says: 'Gives it a terminal. Needs `stdin`.', unset: '`false`' },
    volumeDevices: 'Volumes as block devices.',
    volumeMounts: 'Where volumes of the pod are seen in this container.',
    workingDir: { says: 'The folder in which it starts.', unset: "the image's own" },
  },
  EnvVar: {
    name: 'Of the variable. The last of the same name counts.',
    value: 'As text: put numbers and `true` in quotes. `$(NAME)` stands for a variable above.',
    valueFrom: 'Takes the value from elsewhere. Exactly one source, and no `value`.',
  },
  EnvVarSource: {
    configMapKeyRef: 'A key of a config map.',
    fieldRef: 'A field of the pod itself.',
    fileKeyRef: { says: 'A line of a file that an init container has written.', since: '1.35, beta and on by default' },
    resourceFieldRef: 'A limit or request of a container.',
    secretKeyRef: 'A key of a secret.',
  },
  EnvFromSource: {
    configMapRef: 'The config map. Either this or `secretRef`.',
    prefix: 'In front of each name.',
    secretRef: 'The secret. Either this or `configMapRef`.',
  },
  ConfigMapKeySelector: {
    key: 'Within the config map.',
    name: 'Of the config map, in the namespace of the cluster that runs the pod.',
    optional: { says: 'Whether the pod starts without it.', unset: '`false`: it waits' },
  },
  SecretKeySelector: {
    key: 'Within the secret.',
    name: 'Of the secret, in the namespace of the cluster that runs the pod.',
    optional: { says: 'Whether the pod starts without it.', unset: '`false`: it waits' },
  },
  ConfigMapEnvSource: {
    name: 'Of the config map, in the namespace of the cluster that runs the pod.',
    optional: { says: 'Whether the pod starts without it.', unset: '`false`: it waits' },
  },
  SecretEnvSource: {
    name: 'Of the secret, in the namespace of the cluster that runs the pod.',
    optional: { says: 'Whether the pod starts without it.', unset: '`false`: it waits' },
  },
  ObjectFieldSelector: {
    apiVersion: { says: 'The version in which the path is meant.', unset: '`v1`' },
    fieldPath: {
      says: 'The field of the pod.',
      values: {
        'metadata.name': 'The name of the pod.',
        'metadata.namespace': 'Its namespace.',
        'metadata.uid': 'Its UID.',
        "metadata.labels['batch.kubernetes.io/job-name']": 'The name of the Job.',
        "metadata.annotations['batch.kubernetes.io/job-completion-index']": 'The index, in an Indexed Job.',
        'spec.nodeName': 'The node that it runs on.',
        'spec.serviceAccountName': 'Its service account.',
        'status.hostIP': "The node's address.",
        'status.podIP': 'Its address.',
      },
    },
  },
  ResourceFieldSelector: {
    containerName: { says: 'Whose.', unset: 'this container' },
    divisor: { says: 'The unit: `1m`, `1Mi`.', unset: '1' },
    resource: {
      says: 'Which amount.',
      values: {
        'limits.cpu': 'The limit on CPU.',
        'limits.memory': 'The limit on memory.',
        'requests.cpu': 'The CPU asked for.',
        'requests.memory': 'The memory asked for.',
      },
    },
  },
  FileKeySelector: {
    key: 'The name in front of `=` in the file.',
    optional: { says: 'Whether the container starts without it.', unset: '`false`' },
    path: 'The file within the volume.',
    volumeName: 'The `emptyDir` volume that holds it.',
  },
  ContainerPort: {
    containerPort: 'The port, 1 to 65535.',
    hostIP: 'The address of the node that `hostPort` is bound to.',
    hostPort: 'The same port of the node: one such pod fits on each.',
    name: 'By which services refer to it; at most 15 characters.',
    protocol: {
      says: 'The protocol.',
      unset: '`TCP`',
      values: { TCP: 'TCP.', UDP: 'UDP.', SCTP: 'SCTP.' },
    },
  },
  ResourceRequirements: {
    claims: 'Devices, by the names in `resourceClaims` of the pod.',
    limits: 'What it may use at most. Beyond its CPU it is slowed down, beyond its memory it is killed.',
    requests: {
      says: 'What is set aside for it on a node, and counted by queues and quotas.',
      unset: 'what `limits` says',
    },
  },
  ResourceClaim: {
    name: 'One of `resourceClaims` of the pod.',
    request: { says: 'One request of the claim.', unset: 'all of them' },
  },
  Probe: {
    exec: 'Runs a program in the container; exit code 0 passes.',
    failureThreshold: { says: 'So many failures in a row count.', unset: '3' },
    grpc: 'Asks the health service of gRPC.',
    httpGet: 'Fetches a page; a status from 200 to 399 passes.',
    initialDelaySeconds: { says: 'Seconds after the start until the first try.', unset: '0' },
    periodSeconds: { says: 'Seconds between tries.', unset: '10' },
    successThreshold: { says: 'So many passes in a row count. Must be 1 but for readiness.', unset: '1' },
    tcpSocket: 'Connects to a port.',
    terminationGracePeriodSeconds: {
      says: 'How long the container may take to end when this probe fails.',
      unset: "the pod's",
    },
    timeoutSeconds: { says: 'Seconds until a try without an answer has failed.', unset: '1' },
  },
  ExecAction: { command: 'The program and its arguments, a list item each. No shell.' },
  HTTPGetAction: {
    host: { says: 'Where to ask.', unset: 'the pod itself' },
    httpHeaders: 'Headers to send.',
    path: { says: 'Which page.', unset: '`/`' },
    port: 'A number, or the name of a port of the container.',
    scheme: {
      says: 'How to ask.',
      unset: '`HTTP`',
      values: { HTTP: 'In plain.', HTTPS: 'Encrypted; the certificate is not checked.' },
    },
  },
  TCPSocketAction: {
    host: { says: 'Where to connect.', unset: 'the pod itself' },
    port: 'A number, or the name of a port of the container.',
  },
  GRPCAction: { port: 'A number.', service: 'The service that is asked about.' },
  SleepAction: { seconds: 'How long to wait.' },
  Lifecycle: {
    postStart: 'Run right after the start, beside the program.',
    preStop: 'Run before SIGTERM when the pod is ended, within the grace period. Not when the program ends by itself.',
    stopSignal: { says: 'The signal that asks it to end.', unset: "the image's own, else SIGTERM" },
  },
  LifecycleHandler: {
    exec: 'Runs a program in the container.',
    httpGet: 'Fetches a page.',
    sleep: 'Waits.',
    tcpSocket: 'Does nothing any more.',
  },
  ContainerResizePolicy: {
    resourceName: { says: 'Which resource.', values: { cpu: 'CPU.', memory: 'Memory.' } },
    restartPolicy: {
      says: 'What a change of it does to the container.',
      values: { NotRequired: 'It goes on.', RestartContainer: 'It is restarted.' },
    },
  },
  ContainerRestartRule: {
    action: {
      says: 'What happens.',
      values: {
        Restart: 'The container is restarted in place.',
        RestartAllContainers: 'All containers of the pod are, init containers too.',
      },
    },
    exitCodes: 'For which exit codes.',
  },
  ContainerRestartRuleOnExitCodes: {
    operator: {
      says: 'How the exit code is compared.',
      values: { In: 'It is one of `values`.', NotIn: 'It is none of `values`.' },
    },
    values: 'Exit codes, 0 to 255.',
  },
};
