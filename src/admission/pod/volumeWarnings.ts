import { goQuote } from '../decode/goQuote.ts';
import { amountOf } from './amounts.ts';
import { formatQuantity, isWhole } from './quantity.ts';
import type { ClaimSpec, ProjectionSource, Volume } from './volumeTypes.ts';

/** What is accepted in volumes but may surprise. Source: Kubernetes 1.35, pod warnings (H4). */

/** Storage systems that have gone, with the name that the server prints. */
const gone: readonly (readonly [kind: keyof Volume, printed: string, since: string])[] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

/** The warnings about a pod's volumes, whose place the server prints as `place`. */
export function volumeWarnings(volumes: readonly Volume[], place: string): string[] {
  const warnings: string[] = [];
  for (const [index, volume] of volumes.entries()) {
    for (const [kind, printed, since] of gone) {
      if (volume[kind] !== undefined) warnings.push(`${place}[${index}].${printed}: ${since}`);
    }
    const claim = volume.ephemeral?.volumeClaimTemplate?.spec ?? {};
    warnings.push(...claimWarnings(claim, `${place}[${index}].ephemeral.volumeClaimTemplate.spec`));
  }
  return [...warnings, ...volumes.flatMap(overlapWarnings)];
}

/** The warnings about a claim, whose spec the server prints as `place`. */
export function claimWarnings({ resources = {} }: Pick<ClaimSpec, 'resources'>, place: string): string[] {
  const warnings: string[] = [];
  for (const kind of ['requests', 'limits'] as const) {
    const amount = amountOf(resources[kind]?.['storage']);
    if (amount === undefined || isWhole(amount)) continue;
    const text = goQuote(formatQuantity(amount));
    warnings.push(`${place}.resources.${kind}[storage]: fractional byte value ${text} is invalid, must be an integer`);
  }
  return warnings;
}

/** A file that a volume makes, and of what, where that needs telling. */
interface PlacedFile {
  readonly path: string;
  readonly source: string;
}

function overlapWarnings(volume: Volume): string[] {
  const { name = '', configMap, secret, downwardAPI, projected } = volume;
  const warn = (kind: string, groups: readonly (readonly PlacedFile[])[]): string[] => {
    const before: PlacedFile[] = [];
    return groups.flatMap((files) => {
      // A source that is there and empty; the other kinds of volumes have no sources.
      if (files === noSource) return [`volume ${goQuote(name)} (Projected) has no sources provided`];
      return files.flatMap((file) =>
        overlapsWith(file, before).map((text) => `volume ${goQuote(name)} (${kind}): overlapping paths: ${text}`),
      );
    });
  };
  return [
    ...(configMap?.items ? warn(`ConfigMap ${goQuote(configMap.name ?? '')}`, [filesOf(configMap.items, '')]) : []),
    ...(secret?.items ? warn(`Secret ${goQuote(secret.secretName ?? '')}`, [filesOf(secret.items, '')]) : []),
    ...(downwardAPI?.items ? warn('DownwardAPI', [filesOf(downwardAPI.items, '')]) : []),
    ...(projected?.sources ? warn('Projected', projected.sources.map(projectedFiles)) : []),
  ];
}

const noSource: readonly PlacedFile[] = [];

function filesOf(items: readonly { readonly path?: string }[], source: string): PlacedFile[] {
  return items.map(({ path = '' }) => ({ path, source }));
}

/** The files of one source; of several kinds in it the first one counts. */
function projectedFiles(source: ProjectionSource): readonly PlacedFile[] {
  if (Object.values(source).every((kind) => kind === undefined)) return noSource;
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = source;
  if (configMap?.items) return filesOf(configMap.items, `ConfigMap ${goQuote(configMap.name ?? '')}`);
  if (secret?.items) return filesOf(secret.items, `Secret ${goQuote(secret.name ?? '')}`);
  if (downwardAPI?.items) return filesOf(downwardAPI.items, 'DownwardAPI');
  if (serviceAccountToken) return [{ path: serviceAccountToken.path ?? '', source: 'ServiceAccountToken' }];
  if (clusterTrustBundle) {
    const bundle = clusterTrustBundle.name ?? clusterTrustBundle.signerName ?? '';
    return [{ path: clusterTrustBundle.path ?? '', source: `ClusterTrustBundle ${goQuote(bundle)}` }];
  }
  const files: PlacedFile[] = [
    { path: podCertificate?.certificateChainPath ?? '', source: 'PodCertificate chain' },
    { path: podCertificate?.keyPath ?? '', source: 'PodCertificate key' },
    { path: podCertificate?.credentialBundlePath ?? '', source: 'PodCertificate credential bundle' },
  ];
  return files.filter(({ path }) => path !== '');
}

/** The earlier files with the path of this one, or of which one would lie inside the other; adds it to them. */
function overlapsWith(given: PlacedFile, earlier: PlacedFile[]): string[] {
  const file = { ...given, path: given.path.replace(/\/+$/, '') };
  const overlaps = earlier.filter(({ path }) => {
    const isInside = `${path}/`.startsWith(`${file.path}/`) || `${file.path}/`.startsWith(`${path}/`);
    return file.path !== '' && path !== '' && isInside;
  });
  earlier.push(file);
  return overlaps.map((other) => `${described(file)} with ${described(other)}`);
}

function described({ path, source }: PlacedFile): string {
  return source === '' ? goQuote(path) : `${goQuote(path)} (${source})`;
}
