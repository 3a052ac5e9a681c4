import type { LabelSelector, ObjectMeta } from '../objects.ts';
import type { NameReference, ObjectFieldSelector, QuantityText, ResourceFieldSelector, ResourceList } from './types.ts';

/** Volumes as rules see them, of every kind that the API has. */

/** One file that a volume makes of a key. */
export interface KeyToPath {
  readonly key?: string;
  readonly path?: string;
  readonly mode?: number;
  readonly user?: number;
}

/** A file that holds a field of the pod or a resource of a container. */
export interface DownwardFile {
  readonly path?: string;
  readonly fieldRef?: ObjectFieldSelector;
  readonly resourceFieldRef?: ResourceFieldSelector;
  readonly mode?: number;
  readonly user?: number;
}

/** The keys of a Secret as files. */
export interface SecretVolume {
  readonly secretName?: string;
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
  readonly defaultUser?: number;
}

/** The keys of a ConfigMap as files. */
export interface ConfigMapVolume {
  readonly name?: string;
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
  readonly defaultUser?: number;
}

/** Fields of the pod as files. */
export interface DownwardVolume {
  readonly items?: readonly DownwardFile[];
  readonly defaultMode?: number;
  readonly defaultUser?: number;
}

/** A token of the pod's service account in a file. */
export interface ServiceAccountTokenProjection {
  readonly expirationSeconds?: number;
  readonly path?: string;
  readonly user?: number;
}

/** Certificates to trust in a file. */
export interface ClusterTrustBundleProjection {
  readonly name?: string;
  readonly signerName?: string;
  readonly labelSelector?: LabelSelector;
  readonly path?: string;
  readonly user?: number;
}

/** A certificate of the pod's own in files. */
export interface PodCertificateProjection {
  readonly signerName?: string;
  readonly keyType?: string;
  readonly maxExpirationSeconds?: number;
  readonly credentialBundlePath?: string;
  readonly keyPath?: string;
  readonly certificateChainPath?: string;
  readonly userAnnotations?: Readonly<Record<string, string>>;
  readonly user?: number;
}

/** A source of a projected volume: exactly one of these. */
export interface ProjectionSource {
  readonly secret?: { readonly name?: string; readonly items?: readonly KeyToPath[] };
  readonly configMap?: { readonly name?: string; readonly items?: readonly KeyToPath[] };
  readonly downwardAPI?: { readonly items?: readonly DownwardFile[] };
  readonly serviceAccountToken?: ServiceAccountTokenProjection;
  readonly clusterTrustBundle?: ClusterTrustBundleProjection;
  readonly podCertificate?: PodCertificateProjection;
}

/** Files of several sources in one folder. */
export interface ProjectedVolume {
  readonly sources?: readonly ProjectionSource[];
  readonly defaultMode?: number;
  readonly defaultUser?: number;
}

/** What a claim takes its content from; `namespace` only in `dataSourceRef`. */
export interface ClaimDataSource {
  readonly apiGroup?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
}

/** The spec of a claim, as far as it is judged. */
export interface ClaimSpec {
  readonly accessModes?: readonly string[];
  readonly selector?: LabelSelector;
  readonly resources?: { readonly limits?: ResourceList; readonly requests?: ResourceList };
  readonly storageClassName?: string;
  readonly volumeMode?: string;
  readonly dataSource?: ClaimDataSource;
  readonly dataSourceRef?: ClaimDataSource;
  readonly volumeAttributesClassName?: string;
}

/** What an ephemeral volume's claim is made from. */
export interface ClaimTemplate {
  readonly metadata?: ObjectMeta & { readonly selfLink?: string };
  readonly spec?: ClaimSpec;
}

/** A disk behind an iSCSI portal. */
export interface IscsiVolume {
  readonly targetPortal?: string;
  readonly iqn?: string;
  readonly lun?: number;
  readonly iscsiInterface?: string;
  readonly chapAuthDiscovery?: boolean;
  readonly chapAuthSession?: boolean;
  readonly secretRef?: NameReference;
  readonly initiatorName?: string;
}

/** An Azure disk. */
export interface AzureDiskVolume {
  readonly diskName?: string;
  readonly diskURI?: string;
  readonly cachingMode?: string;
  readonly fsType?: string;
  readonly readOnly?: boolean;
  readonly kind?: string;
}

/** A volume: a name and exactly one of the others. */
export interface Volume {
  readonly name?: string;
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: QuantityText; readonly mode?: number };
  readonly hostPath?: { readonly path?: string; readonly type?: string };
  readonly gitRepo?: { readonly repository?: string; readonly directory?: string };
  readonly gcePersistentDisk?: { readonly pdName?: string; readonly partition?: number };
  readonly awsElasticBlockStore?: { readonly volumeID?: string; readonly partition?: number };
  readonly secret?: SecretVolume;
  readonly nfs?: { readonly server?: string; readonly path?: string };
  readonly iscsi?: IscsiVolume;
  readonly glusterfs?: { readonly endpoints?: string; readonly path?: string };
  readonly flocker?: { readonly datasetName?: string; readonly datasetUUID?: string };
  readonly persistentVolumeClaim?: { readonly claimName?: string };
  readonly rbd?: {
    readonly monitors?: readonly string[];
    readonly image?: string;
    readonly pool?: string;
    readonly user?: string;
    readonly keyring?: string;
  };
  readonly cinder?: { readonly volumeID?: string; readonly secretRef?: NameReference };
  readonly cephfs?: { readonly monitors?: readonly string[] };
  readonly quobyte?: { readonly registry?: string; readonly volume?: string; readonly tenant?: string };
  readonly downwardAPI?: DownwardVolume;
  readonly fc?: { readonly targetWWNs?: readonly string[]; readonly lun?: number; readonly wwids?: readonly string[] };
  readonly flexVolume?: { readonly driver?: string; readonly options?: Readonly<Record<string, string>> };
  readonly configMap?: ConfigMapVolume;
  readonly azureFile?: { readonly secretName?: string; readonly shareName?: string };
  readonly vsphereVolume?: { readonly volumePath?: string };
  readonly photonPersistentDisk?: { readonly pdID?: string };
  readonly portworxVolume?: { readonly volumeID?: string };
  readonly azureDisk?: AzureDiskVolume;
  readonly storageos?: {
    readonly volumeName?: string;
    readonly volumeNamespace?: string;
    readonly secretRef?: NameReference;
  };
  readonly projected?: ProjectedVolume;
  readonly scaleIO?: {
    readonly gateway?: string;
    readonly system?: string;
    readonly volumeName?: string;
    readonly storageMode?: string;
    readonly fsType?: string;
  };
  readonly csi?: { readonly driver?: string; readonly nodePublishSecretRef?: NameReference };
  readonly ephemeral?: { readonly volumeClaimTemplate?: ClaimTemplate };
  readonly image?: { readonly reference?: string; readonly pullPolicy?: string };
}
