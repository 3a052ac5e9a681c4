import type { WordsByType } from './fieldWords.ts';

/** The fields of a pod template. Source of the facts: Kubernetes 1.34 to 1.37, core defaults and validation. */
export const podWords: WordsByType = {
  PodTemplateSpec: {
    metadata: 'Labels and annotations that every pod gets. Its name is given by the Job.',
    spec: 'What every pod runs, and how.',
  },
  Pod: {
    spec: 'What the pod runs, and how.',
    status: 'What has become of the pod. In a manifest it is ignored.',
  },
  PodSpec: {
    activeDeadlineSeconds: {
      says: 'Seconds that one pod may take; then it fails. That of the Job bounds all retries together.',
      unset: 'no limit',
    },
    affinity: 'Which nodes, and which neighbours, the pods want or avoid.',
    automountServiceAccountToken: {
      says: 'Whether containers find a token for the Kubernetes API. Switch it off for pods that do not call it.',
      unset: 'as the service account says, else `true`',
    },
    containers: 'The containers that run side by side. The pod has succeeded when all of them end with exit code 0.',
    dnsConfig: 'Name servers, search domains and options besides what `dnsPolicy` brings.',
    dnsPolicy: {
      says: 'Where names are looked up.',
      unset: '`ClusterFirst`',
      values: {
        ClusterFirst: "In the cluster's own DNS, which asks the outside for names that it lacks.",
        ClusterFirstWithHostNet: 'The same for pods with `hostNetwork`.',
        Default: 'As the node does. In spite of its name not the default.',
        None: 'Only where `dnsConfig` says.',
      },
    },
    enableServiceLinks: {
      says: 'Whether each service of the namespace becomes environment variables. With many services that slows down the start.',
      unset: '`true`',
    },
    ephemeralContainers: 'For debugging a running pod. A template cannot have them.',
    evictionResponders: {
      says: 'Who is asked to move the pod before it is evicted.',
      since: '1.37, alpha',
    },
    hostAliases: 'Lines for `/etc/hosts` of the pod.',
    hostIPC: { says: "Shares the node's inter-process communication. A risk for the node.", unset: '`false`' },
    hostNetwork: {
      says: "Uses the node's network: its address and its ports. A risk for the node.",
      unset: '`false`',
    },
    hostPID: { says: "Sees the node's processes. A risk for the node.", unset: '`false`' },
    hostUsers: {
      says: '`false` gives the pod a user namespace of its own: root inside is nobody outside.',
      unset: '`true`',
    },
    hostname: { says: 'The host name of the pod. Indexed Jobs set it: `<job>-<index>`.', unset: 'the name of the pod' },
    hostnameOverride: {
      says: 'A host name with dots, instead of all that `hostname`, `subdomain` and `setHostnameAsFQDN` would make of it.',
      since: '1.37; on by default from 1.35',
    },
    imagePullSecrets:
      'Secrets with the passwords of image registries. They must exist in the namespace of the cluster that runs the pods.',
    initContainers:
      'Containers that run before the others, one after the other, each to its end. One with `restartPolicy: Always` goes on beside the others, and is ended with them: a sidecar.',
    nodeName: 'Puts the pod on one node past the scheduler. Of a delegated Job, that is a node of the worker cluster.',
    nodeSelector: 'Labels that the node must have.',
    os: 'The operating system that the containers need. Fields of the other one are refused then.',
    overhead: 'What the pod costs besides its containers. Set from the runtime class.',
    preemptionPolicy: {
      says: 'Whether the pod may push out others of lower priority.',
      unset: '`PreemptLowerPriority`',
      values: {
        PreemptLowerPriority: 'It may.',
        Never: 'It waits until there is room, ahead of those with lower priority.',
      },
    },
    priority: 'The number that `priorityClassName` stands for. Set by the API server.',
    priorityClassName: {
      says: 'How important the pods are. The class must exist in the cluster that runs them.',
      unset: 'the default class of the cluster, else priority 0',
    },
    readinessGates: 'Further conditions that must hold before the pod counts as ready.',
    resourceClaims: 'Devices, by claims, that containers may name in their `resources`.',
    resources: {
      says: 'What all containers of the pod may use together.',
      since: '1.34, beta and on by default',
    },
    restartPolicy: {
      says: 'What becomes of a container that ends. A Job must say it: what is set where nothing is said, `Always`, is refused.',
      unset: '`Always`, which a Job cannot have',
      values: {
        Never: 'It stays as it is. A failure ends the pod, and the Job starts another one: each try keeps its log.',
        OnFailure:
          'A failure restarts the container in the same pod, on the same node. `podFailurePolicy` cannot be had then.',
        Always: 'It is restarted even after success: nothing that a Job could ever finish.',
      },
    },
    runtimeClassName: 'The container runtime, by its class: gVisor, Kata and the like.',
    schedulerName: { says: 'Who picks the node.', unset: '`default-scheduler`' },
    schedulingGates:
      'Reasons, by name, to wait. No node is looked for until somebody has taken all of them out. Kueue waits with one on pods that it queues.',
    schedulingGroup: { says: 'The pod group that the pod is scheduled with.', since: '1.36, alpha' },
    securityContext: 'Users, groups and the like for all containers of the pod.',
    serviceAccount: 'The old name of `serviceAccountName`. Use that.',
    serviceAccountName: {
      says: 'The identity of the pods for the Kubernetes API. It must exist in the same namespace of the cluster that runs them.',
      unset: '`default`',
    },
    setHostnameAsFQDN: { says: 'Whether the host name is the full one, with its domain.', unset: '`false`' },
    shareProcessNamespace: { says: "Whether containers see each other's processes.", unset: '`false`' },
    subdomain: 'With a headless service of that name, pods of the Job find each other as `<hostname>.<subdomain>`.',
    terminationGracePeriodSeconds: {
      says: 'How long containers may take to end after SIGTERM, before they are killed. Long enough to save a checkpoint.',
      unset: '30',
    },
    tolerations: 'Taints of nodes that the pods put up with.',
    topologySpreadConstraints: 'How evenly the pods are spread over nodes, zones and the like.',
    volumes: 'Files from elsewhere. A volume is seen by those containers alone that mount it.',
    workloadRef: { says: 'The workload that the pod is scheduled with.', since: '1.35 alone, alpha' },
  },
  PodDNSConfig: {
    nameservers: 'Addresses of name servers, at most three.',
    options: 'Options of the resolver, such as `ndots`.',
    searches: 'Domains to complete short names with, at most 32.',
  },
  HostAlias: { hostnames: 'Names for the address.', ip: 'The address.' },
  PodOS: { name: { says: 'The operating system.', values: { linux: 'Linux.', windows: 'Windows.' } } },
  PodResourceClaim: {
    name: 'By which containers refer to it, in `resources.claims`.',
    resourceClaimName: 'A claim that exists, and that pods share. Either this or a template.',
    resourceClaimTemplateName: 'From which each pod gets a claim of its own.',
  },
  PodSchedulingGate: { name: 'Of the gate, such as `example.com/data-is-there`.' },
  PodReadinessGate: { conditionType: 'The condition of the pod that must be true.' },
};
