import type { KubernetesMinor } from '../verdict.ts';
import { absentOr, type Completions, completed, eachItem, ifPresent, textOr } from './completion.ts';
import { canonicalAmount, canonicalAmounts } from './defaultAmounts.ts';
import { defaultFieldRef, defaultResourceFieldRef } from './defaultContainer.ts';
import { isGateOn } from './gates.ts';
import { isLatest } from './imageName.ts';
import type {
  AzureDiskVolume,
  ClaimSpec,
  ClaimTemplate,
  DownwardFile,
  DownwardVolume,
  IscsiVolume,
  ProjectedVolume,
  ProjectionSource,
  ServiceAccountTokenProjection,
  Volume,
} from './volumeTypes.ts';

/** How a volume is completed. Source: Kubernetes 1.35, core v1 defaults. */

type VolumeOf<K extends keyof Volume> = NonNullable<Volume[K]>;

const readableByAll = 0o644;
const anHour = 3600;

const downwardFiles = eachItem<DownwardFile>({
  fieldRef: defaultFieldRef,
  resourceFieldRef: defaultResourceFieldRef,
});

const projectionSources = eachItem<ProjectionSource>({
  downwardAPI: ifPresent<NonNullable<ProjectionSource['downwardAPI']>>({ items: downwardFiles }),
  serviceAccountToken: ifPresent<ServiceAccountTokenProjection>({ expirationSeconds: absentOr(anHour) }),
});

const claimTemplate = ifPresent<ClaimTemplate>({
  spec: (spec = {}) =>
    completed<ClaimSpec>(spec, {
      volumeMode: absentOr('Filesystem'),
      // The server writes this one down even if it is empty.
      resources: (resources = {}) =>
        completed<NonNullable<ClaimSpec['resources']>>(resources, {
          limits: canonicalAmounts,
          requests: canonicalAmounts,
        }),
    }),
});

const volume: Completions<Volume> = {
  // A volume that says nothing of itself is an empty folder.
  emptyDir: (emptyDir, owner) => {
    if (emptyDir !== undefined) return completed(emptyDir, { sizeLimit: canonicalAmount });
    return hasSource(owner) ? undefined : {};
  },
  hostPath: ifPresent<VolumeOf<'hostPath'>>({ type: absentOr('') }),
  secret: ifPresent<VolumeOf<'secret'>>({ defaultMode: absentOr(readableByAll) }),
  iscsi: ifPresent<IscsiVolume>({ iscsiInterface: textOr('default'), lun: absentOr(0) }),
  rbd: ifPresent<VolumeOf<'rbd'>>({
    pool: textOr('rbd'),
    user: textOr('admin'),
    keyring: textOr('/etc/ceph/keyring'),
  }),
  downwardAPI: ifPresent<DownwardVolume>({ defaultMode: absentOr(readableByAll), items: downwardFiles }),
  configMap: ifPresent<VolumeOf<'configMap'>>({ defaultMode: absentOr(readableByAll) }),
  azureDisk: ifPresent<AzureDiskVolume>({
    cachingMode: absentOr('ReadWrite'),
    fsType: absentOr('ext4'),
    readOnly: absentOr(false),
    kind: absentOr('Shared'),
  }),
  projected: ifPresent<ProjectedVolume>({ defaultMode: absentOr(readableByAll), sources: projectionSources }),
  scaleIO: ifPresent<VolumeOf<'scaleIO'>>({ storageMode: textOr('ThinProvisioned'), fsType: textOr('xfs') }),
  ephemeral: ifPresent<VolumeOf<'ephemeral'>>({ volumeClaimTemplate: claimTemplate }),
};

const volumeWithImages: Completions<Volume> = {
  ...volume,
  image: ifPresent<VolumeOf<'image'>>({
    pullPolicy: (policy, { reference = '' }) => policy || (isLatest(reference) ? 'Always' : 'IfNotPresent'),
  }),
};

function hasSource(volumeToComplete: Volume): boolean {
  return Object.entries(volumeToComplete).some(([field, value]) => field !== 'name' && value !== undefined);
}

const ofAnyVersion = eachItem<Volume>(volume);
const withImages = eachItem<Volume>(volumeWithImages);

/** The volumes of a pod, completed. */
export function defaultVolumes(
  volumes: readonly Volume[] | undefined,
  version: KubernetesMinor,
): readonly Volume[] | undefined {
  return isGateOn('ImageVolume', version) ? withImages(volumes) : ofAnyVersion(volumes);
}
