import type { LabelSelector, ObjectMeta } from '../objects.ts';
import type { Volume } from './volumeTypes.ts';

/**
 * The pod template as rules see it: decoded, so that each field has its type or is absent. Fields that no rule, default
 * or warning reads are not named; they are carried along all the same.
 */

/** A resource quantity as it stands in the object: `500m`, `1Gi`, or a plain number. */
export type QuantityText = string | number;
export type ResourceList = Readonly<Record<string, QuantityText>>;

export interface ResourceClaimUse {
  readonly name?: string;
  readonly request?: string;
}

export interface ResourceRequirements {
  readonly limits?: ResourceList;
  readonly requests?: ResourceList;
  readonly claims?: readonly ResourceClaimUse[];
}

export interface ContainerPort {
  readonly name?: string;
  readonly hostPort?: number;
  readonly containerPort?: number;
  readonly protocol?: string;
  readonly hostIP?: string;
}

export interface ObjectFieldSelector {
  readonly apiVersion?: string;
  readonly fieldPath?: string;
}

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

export interface FileKeySelector {
  readonly volumeName?: string;
  readonly path?: string;
  readonly key?: string;
  readonly optional?: boolean;
}

export interface EnvVarSource {
  readonly fieldRef?: ObjectFieldSelector;
  readonly resourceFieldRef?: ResourceFieldSelector;
  readonly configMapKeyRef?: KeySelector;
  readonly secretKeyRef?: KeySelector;
  readonly fileKeyRef?: FileKeySelector;
}

export interface EnvVar {
  readonly name?: string;
  readonly value?: string;
  readonly valueFrom?: EnvVarSource;
}

export interface NameReference {
  readonly name?: string;
}

export interface EnvFromSource {
  readonly prefix?: string;
  readonly configMapRef?: NameReference;
  readonly secretRef?: NameReference;
}

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

export interface VolumeDevice {
  readonly name?: string;
  readonly devicePath?: string;
}

export interface HttpHeader {
  readonly name?: string;
  readonly value?: string;
}

export interface HttpGetAction {
  readonly path?: string;
  readonly port?: number | string;
  readonly host?: string;
  readonly scheme?: string;
  readonly httpHeaders?: readonly HttpHeader[];
  readonly protocol?: string;
}

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

export interface Probe extends Handler {
  readonly initialDelaySeconds?: number;
  readonly timeoutSeconds?: number;
  readonly periodSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
  readonly terminationGracePeriodSeconds?: number;
}

export interface Lifecycle {
  readonly postStart?: Handler;
  readonly preStop?: Handler;
  readonly stopSignal?: string;
}

export interface ResizePolicy {
  readonly resourceName?: string;
  readonly restartPolicy?: string;
}

export interface RestartRule {
  readonly action?: string;
  readonly exitCodes?: { readonly operator?: string; readonly values?: readonly number[] };
}

/** A seccomp or AppArmor profile. */
export interface SecurityProfile {
  readonly type?: string;
  readonly localhostProfile?: string;
}

export interface WindowsOptions {
  readonly gmsaCredentialSpecName?: string;
  readonly gmsaCredentialSpec?: string;
  readonly runAsUserName?: string;
  readonly hostProcess?: boolean;
}

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

export interface Sysctl {
  readonly name?: string;
  readonly value?: string;
}

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

export interface NodeSelectorRequirement {
  readonly key?: string;
  readonly operator?: string;
  readonly values?: readonly string[];
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly NodeSelectorRequirement[];
  readonly matchFields?: readonly NodeSelectorRequirement[];
}

export interface NodeAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: {
    readonly nodeSelectorTerms?: readonly NodeSelectorTerm[];
  };
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight?: number;
    readonly preference?: NodeSelectorTerm;
  }[];
}

export interface PodAffinityTerm {
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
  readonly topologyKey?: string;
  readonly namespaceSelector?: LabelSelector;
  readonly matchLabelKeys?: readonly string[];
  readonly mismatchLabelKeys?: readonly string[];
}

export interface WeightedPodAffinityTerm {
  readonly weight?: number;
  readonly podAffinityTerm?: PodAffinityTerm;
}

/** Affinity or anti-affinity to other pods. */
export interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly WeightedPodAffinityTerm[];
}

export interface Affinity {
  readonly nodeAffinity?: NodeAffinity;
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAffinity;
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

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

export interface PodResourceClaim {
  readonly name?: string;
  readonly resourceClaimName?: string;
  readonly resourceClaimTemplateName?: string;
}

export interface DnsConfig {
  readonly nameservers?: readonly string[];
  readonly searches?: readonly string[];
  readonly options?: readonly NameReference[];
}

export interface HostAlias {
  readonly ip?: string;
  readonly hostnames?: readonly string[];
}

export interface EvictionResponder {
  readonly name?: string;
  readonly priority?: number;
}

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
