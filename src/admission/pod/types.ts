import type { LabelSelector, ObjectMeta } from '../objects.ts';
import type { Volume } from './volumeTypes.ts';

/**
 * The pod template as rules see it: decoded, so that each field has its type or is absent. Fields that no rule, default
 * or warning reads are not named; they are carried along all the same.
 */

/** A resource quantity as it stands in the object: `500m`, `1Gi`, or a plain number. */
export type QuantityText = string | number;

/** Amounts by the name of the resource: `{ cpu: '500m', memory: '1Gi' }`. */
export type ResourceList = Readonly<Record<string, QuantityText>>;

/** The use of a claim by a container: the whole claim, or one of the devices that it requests. */
export interface ResourceClaimUse {
  readonly name?: string;
  readonly request?: string;
}

/** What a container or pod is given at least (requests) and at most (limits). */
export interface ResourceRequirements {
  readonly limits?: ResourceList;
  readonly requests?: ResourceList;
  readonly claims?: readonly ResourceClaimUse[];
}

/** A port that a container says it listens on. */
export interface ContainerPort {
  readonly name?: string;
  readonly hostPort?: number;
  readonly containerPort?: number;
  readonly protocol?: string;
  readonly hostIP?: string;
}

/** A field of the pod by its path. */
export interface ObjectFieldSelector {
  readonly apiVersion?: string;
  readonly fieldPath?: string;
}

/** A resource of a container, as a number of divisors. */
export interface ResourceFieldSelector {
  readonly containerName?: string;
  readonly resource?: string;
  readonly divisor?: QuantityText;
}

/** A key in a ConfigMap or Secret. */
export interface KeySelector {
  readonly name?: string;
  readonly key?: string;
}

/** A variable in a file of variables that lies in a volume; new in 1.34. */
export interface FileKeySelector {
  readonly volumeName?: string;
  readonly path?: string;
  readonly key?: string;
  readonly optional?: boolean;
}

/** Where a variable has its value from: exactly one of these. */
export interface EnvVarSource {
  readonly fieldRef?: ObjectFieldSelector;
  readonly resourceFieldRef?: ResourceFieldSelector;
  readonly configMapKeyRef?: KeySelector;
  readonly secretKeyRef?: KeySelector;
  readonly fileKeyRef?: FileKeySelector;
}

/** An environment variable. */
export interface EnvVar {
  readonly name?: string;
  readonly value?: string;
  readonly valueFrom?: EnvVarSource;
}

/** A reference to an object of the same namespace. */
export interface NameReference {
  readonly name?: string;
}

/** All variables of a ConfigMap or Secret. */
export interface EnvFromSource {
  readonly prefix?: string;
  readonly configMapRef?: NameReference;
  readonly secretRef?: NameReference;
}

/** A volume as a folder of a container. */
export interface VolumeMount {
  readonly name?: string;
  readonly readOnly?: boolean;
  readonly recursiveReadOnly?: string;
  readonly mountPath?: string;
  readonly subPath?: string;
  readonly mountPropagation?: string;
  readonly subPathExpr?: string;
  readonly bindMountOptions?: readonly string[];
}

/** A volume as a block device of a container. */
export interface VolumeDevice {
  readonly name?: string;
  readonly devicePath?: string;
}

/** A header that a probe or hook sends. */
export interface HttpHeader {
  readonly name?: string;
  readonly value?: string;
}

/** A request that a probe or hook makes. */
export interface HttpGetAction {
  readonly path?: string;
  readonly port?: number | string;
  readonly host?: string;
  readonly scheme?: string;
  readonly httpHeaders?: readonly HttpHeader[];
  readonly protocol?: string;
}

/** A gRPC health check. */
export interface GrpcAction {
  readonly port?: number;
  readonly service?: string;
  readonly mode?: string;
}

/** What a probe or a lifecycle hook does. `grpc` only in probes, `sleep` only in hooks. */
export interface Handler {
  readonly exec?: { readonly command?: readonly string[] };
  readonly httpGet?: HttpGetAction;
  readonly tcpSocket?: { readonly port?: number | string };
  readonly grpc?: GrpcAction;
  readonly sleep?: { readonly seconds?: number };
}

/** How the kubelet finds out about a container. */
export interface Probe extends Handler {
  readonly initialDelaySeconds?: number;
  readonly timeoutSeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
  readonly terminationGracePeriodSeconds?: number;
}

/** What happens after a container starts and before it stops. */
export interface Lifecycle {
  readonly postStart?: Handler;
  readonly preStop?: Handler;
  readonly stopSignal?: string;
}

/** Whether a container restarts when one of its resources is resized. */
export interface ResizePolicy {
  readonly resourceName?: string;
  readonly restartPolicy?: string;
}

/** What happens to a container by its exit code. */
export interface RestartRule {
  readonly action?: string;
  readonly exitCodes?: { readonly operator?: string; readonly values?: readonly number[] };
}

/** A seccomp or AppArmor profile. */
export interface SecurityProfile {
  readonly type?: string;
  readonly localhostProfile?: string;
}

/** Who a container is on Windows. */
export interface WindowsOptions {
  readonly gmsaCredentialSpecName?: string;
  readonly gmsaCredentialSpec?: string;
  readonly runAsUserName?: string;
  readonly hostProcess?: boolean;
}

/** What a container may do. */
export interface SecurityContext {
  readonly capabilities?: { readonly add?: readonly string[]; readonly drop?: readonly string[] };
  readonly privileged?: boolean;
  readonly seLinuxOptions?: object;
  readonly windowsOptions?: WindowsOptions;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly readOnlyRootFilesystem?: boolean;
  readonly allowPrivilegeEscalation?: boolean;
  readonly procMount?: string;
  readonly seccompProfile?: SecurityProfile;
  readonly appArmorProfile?: SecurityProfile;
}

/** A kernel parameter. */
export interface Sysctl {
  readonly name?: string;
  readonly value?: string;
}

/** What all containers of a pod may do. */
export interface PodSecurityContext {
  readonly seLinuxOptions?: object;
  readonly windowsOptions?: WindowsOptions;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly supplementalGroups?: readonly number[];
  readonly supplementalGroupsPolicy?: string;
  readonly fsGroup?: number;
  readonly sysctls?: readonly Sysctl[];
  readonly fsGroupChangePolicy?: string;
  readonly seccompProfile?: SecurityProfile;
  readonly appArmorProfile?: SecurityProfile;
  readonly seLinuxChangePolicy?: string;
}

/** A container of any of the three lists; `targetContainerName` only in ephemeral ones. */
export interface Container {
  readonly name?: string;
  readonly image?: string;
  readonly imagePullPolicy?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly ports?: readonly ContainerPort[];
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly resources?: ResourceRequirements;
  readonly resizePolicy?: readonly ResizePolicy[];
  readonly restartPolicy?: string;
  readonly restartPolicyRules?: readonly RestartRule[];
  readonly volumeMounts?: readonly VolumeMount[];
  readonly volumeDevices?: readonly VolumeDevice[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly lifecycle?: Lifecycle;
  readonly terminationMessagePath?: string;
  readonly terminationMessagePolicy?: string;
  readonly securityContext?: SecurityContext;
  readonly targetContainerName?: string;
}

/** What a label or field of a node must be. */
export interface NodeSelectorRequirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

/** Requirements that a node meets all at once. */
export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  readonly matchFields?: readonly NodeSelectorRequirement[];
}

/** Which nodes a pod needs or likes. */
export interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: {
    readonly nodeSelectorTerms?: readonly NodeSelectorTerm[];
  };
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight?: number;
    readonly preference?: NodeSelectorTerm;
  }[];
}

/** Pods, and how near they are. */
export interface PodAffinityTerm {
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly topologyKey?: string;
  readonly namespaceSelector?: LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

/** A wish among others. */
export interface WeightedPodAffinityTerm {
  readonly weight?: number;
  readonly podAffinityTerm?: PodAffinityTerm;
}

/** Affinity or anti-affinity to other pods. */
export interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
}

/** Which nodes and pods a pod wants to be near to, or far from. */
export interface Affinity {
  readonly nodeAffinity?: NodeAffinity;
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAffinity;
}

/** A taint that a pod puts up with. */
export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

/** How evenly pods are spread over one kind of places. */
export interface TopologySpreadConstraint {
  readonly maxSkew?: number;
  readonly topologyKey?: string;
  readonly whenUnsatisfiable?: string;
  readonly labelSelector?: LabelSelector;
  readonly minDomains?: number;
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
  readonly matchLabelKeys?: readonly string[];
}

/** A claim for devices: one that exists, or one that is made from a template. */
export interface PodResourceClaim {
  readonly name?: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
}

/** What a pod's resolver is told besides its policy. */
export interface DnsConfig {
  readonly nameservers?: readonly string[];
  readonly searches?: readonly string[];
  readonly options?: readonly NameReference[];
}

/** A line of the pod's hosts file. */
export interface HostAlias {
  readonly ip?: string;
  readonly hostnames?: readonly string[];
}

/** Who is asked before the pod is evicted; new in 1.37. */
export interface EvictionResponder {
  readonly name?: string;
  readonly priority?: number;
}

/** The spec of a pod. */
export interface PodSpec {
  readonly volumes?: readonly Volume[];
  readonly initContainers?: readonly Container[];
  readonly containers?: readonly Container[];
  readonly ephemeralContainers?: readonly Container[];
  readonly restartPolicy?: string;
  readonly terminationGracePeriodSeconds?: number;
  readonly activeDeadlineSeconds?: number;
  readonly dnsPolicy?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
  readonly serviceAccountName?: string;
  readonly serviceAccount?: string;
  readonly nodeName?: string;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostIPC?: boolean;
  readonly shareProcessNamespace?: boolean;
  readonly securityContext?: PodSecurityContext;
  readonly imagePullSecrets?: readonly NameReference[];
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly affinity?: Affinity;
  readonly schedulerName?: string;
  readonly tolerations?: readonly Toleration[];
  readonly hostAliases?: readonly HostAlias[];
  readonly priorityClassName?: string;
  readonly dnsConfig?: DnsConfig;
  readonly readinessGates?: readonly { readonly conditionType?: string }[];
  readonly runtimeClassName?: string;
  readonly preemptionPolicy?: string;
  readonly overhead?: ResourceList;
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly setHostnameAsFQDN?: boolean;
  readonly os?: { readonly name?: string };
  readonly hostUsers?: boolean;
  readonly schedulingGates?: readonly { readonly name?: string }[];
  readonly resourceClaims?: readonly PodResourceClaim[];
  readonly resources?: ResourceRequirements;
  readonly hostnameOverride?: string;
  readonly workloadRef?: {
    readonly name?: string;
    readonly podGroup?: string;
    readonly podGroupReplicaKey?: string;
  };
  readonly schedulingGroup?: { readonly podGroupName?: string };
  readonly evictionResponders?: readonly EvictionResponder[];
}

/** A pod template, decoded. */
export interface PodTemplate {
  readonly metadata?: ObjectMeta;
  readonly spec?: PodSpec;
}
