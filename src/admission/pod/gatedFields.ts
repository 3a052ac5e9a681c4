import { once } from '../../base/index.ts';
import type { KubernetesMinor } from '../verdict.ts';
import { isAtLeast, oncePerMinor } from '../version.ts';
import { containerLists, withContainers } from './context.ts';
import { type FeatureGate, isGateOn } from './gates.ts';
import { withoutInitAnnotations } from './initAnnotations.ts';
import type { PodSpec, PodTemplate } from './types.ts';

/**
 * What the server drops from a template before it judges it, because a feature gate is off; a gate is as good as on for
 * a template that uses the field already. Source: Kubernetes 1.34 to 1.37, disabled pod fields.
 */

const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'];
const hooks = ['lifecycle.postStart', 'lifecycle.preStop'];

function inContainers(...paths: readonly string[]): string[] {
  return containerLists.flatMap((list) => paths.map((path) => `${list}.*.${path}`));
}

/** Fields that go with a gate and leave nothing else behind: paths below the spec, `*` for each item of a list. */
const plainFields = (): readonly (readonly [gate: FeatureGate, paths: readonly string[]])[] => [
  ['ClusterTrustBundleProjection', ['volumes.*.projected.sources.*.clusterTrustBundle']],
  ['PodCertificateRequest', ['volumes.*.projected.sources.*.podCertificate']],
  ['GRPCContainerProbeTLS', inContainers(...probes.map((probe) => `${probe}.grpc.mode`))],
  ['EvictionRequestAPI', ['evictionResponders']],
  ['EmptyDirVolumeMode', ['volumes.*.emptyDir.mode']],
  ['VolumeBindMountOptions', inContainers('volumeMounts.*.bindMountOptions')],
  ['HostnameOverride', ['hostnameOverride']],
  ['EnvFiles', inContainers('env.*.valueFrom.fileKeyRef')],
  ['H2CContainerProbe', inContainers(...[...probes, ...hooks].map((place) => `${place}.httpGet.protocol`))],
  // The reference to a workload went by another name in 1.35.
  ['GenericWorkload', ['workloadRef']],
  ['GenericWorkload', ['schedulingGroup']],
];

/** Paths as a tree by step; a leaf is what is dropped. */
interface PathTree {
  readonly [step: string]: PathTree | 'drop';
}
interface GrowingTree {
  [step: string]: GrowingTree | 'drop';
}

function treeOf(paths: readonly string[]): PathTree {
  const root: GrowingTree = {};
  for (const path of paths) grow(root, path);
  return root;
}

function grow(root: GrowingTree, path: string): void {
  let node = root;
  let start = 0;
  for (let end = path.indexOf('.'); end !== -1; end = path.indexOf('.', start)) {
    const step = path.slice(start, end);
    const next = node[step] ?? {};
    // What holds the field is dropped as a whole already.
    if (next === 'drop') return;
    node[step] = next;
    node = next;
    start = end + 1;
  }
  node[path.slice(start)] = 'drop';
}

/** The same with a tree each, by which a stored template is searched; a creation has none. */
const gatedFields = once(() =>
  plainFields().map(([gate, paths]) => ({ gate, paths, tree: once(() => treeOf(paths)) })),
);

function offTree(version: KubernetesMinor, kept: ReturnType<typeof gatedFields>): PathTree {
  const off = gatedFields().filter((field) => !isGateOn(field.gate, version) && !kept.includes(field));
  return treeOf(off.flatMap(({ paths }) => paths));
}

const offInNewTemplates = oncePerMinor((version) => offTree(version, []));

/** What is dropped from a template, given the stored one; most stored templates use none of these fields. */
function treeFor(old: PodSpec | undefined, version: KubernetesMinor): PathTree {
  const kept = old === undefined ? [] : gatedFields().filter(({ tree }) => occursIn(old, tree()));
  return kept.length === 0 ? offInNewTemplates(version) : offTree(version, kept);
}

/** The object without what the tree names, and the object itself if there is nothing of it. */
function pruned<T extends object>(object: T, tree: PathTree): T {
  let copy: T | undefined;
  for (const step in tree) {
    const inner: unknown = Reflect.get(object, step);
    const branch = tree[step];
    if (inner === undefined || branch === undefined) continue;
    const rest = branch === 'drop' ? undefined : prunedValue(inner, branch);
    if (rest === inner) continue;
    copy ??= { ...object };
    if (rest === undefined) Reflect.deleteProperty(copy, step);
    else Reflect.set(copy, step, rest);
  }
  return copy ?? object;
}

function prunedValue(value: unknown, tree: PathTree): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return pruned(value, tree);
  const ofItem = tree['*'];
  if (ofItem === undefined || ofItem === 'drop') return value;
  const items: readonly unknown[] = value;
  const kept = items.map((item) => prunedValue(item, ofItem));
  return kept.some((item, index) => item !== items[index]) ? kept : value;
}

/** True if the value has something at one of the paths; an empty list is nothing. */
function occursIn(value: unknown, tree: PathTree | 'drop'): boolean {
  if (tree === 'drop') return value !== undefined && !(Array.isArray(value) && value.length === 0);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    const ofItem = tree['*'];
    return ofItem !== undefined && value.some((item: unknown) => occursIn(item, ofItem));
  }
  for (const step in tree) if (occursIn(Reflect.get(value, step), tree[step] ?? {})) return true;
  return false;
}

const itemUsers = treeOf(['items.*.user']);
const fileUsers = treeOf(['defaultUser', 'items.*.user']);
const ownUser = treeOf(['user']);

/** Kinds of volumes and of projected sources with owners of files, in the order in which the server looks for them. */
const volumesOfFiles = ['secret', 'configMap', 'downwardAPI'] as const;
const sourcesOfFiles = [
  ['secret', itemUsers],
  ['downwardAPI', itemUsers],
  ['configMap', itemUsers],
  ['serviceAccountToken', ownUser],
  ['clusterTrustBundle', ownUser],
  ['podCertificate', ownUser],
] as const;

/** Owners of files in volumes. Of a volume or source with several kinds, the server looks only at the first. */
function withoutFileUsers(spec: PodSpec): PodSpec {
  const volumes = spec.volumes?.map((volume) => {
    const kind = volumesOfFiles.find((one) => volume[one] !== undefined);
    if (kind !== undefined) return pruned(volume, { [kind]: fileUsers });
    if (volume.projected === undefined) return volume;
    const sources = volume.projected.sources?.map((source) => {
      const [found, users] = sourcesOfFiles.find(([one]) => source[one] !== undefined) ?? [];
      return found === undefined || users === undefined ? source : pruned(source, { [found]: users });
    });
    const { defaultUser, ...projected } = volume.projected;
    const isChanged = defaultUser !== undefined || sources?.some((one, at) => one !== volume.projected?.sources?.[at]);
    return isChanged ? { ...volume, projected: { ...projected, ...(sources && { sources }) } } : volume;
  });
  const isChanged = volumes?.some((volume, index) => volume !== spec.volumes?.[index]);
  return isChanged && volumes !== undefined ? { ...spec, volumes } : spec;
}

/** Restart policies of single containers and their rules; that of a sidecar is older and stays. */
function withoutRestartRules(spec: PodSpec): PodSpec {
  return withContainers(spec, (container, list) => {
    const { restartPolicy, restartPolicyRules, ...rest } = container;
    const isOfSidecar = list === 'initContainers' && restartPolicy === 'Always';
    if (restartPolicyRules === undefined && (restartPolicy === undefined || isOfSidecar)) return container;
    return isOfSidecar ? { ...rest, restartPolicy } : rest;
  });
}

function usesRestartRules({ containers = [], initContainers = [] }: PodSpec): boolean {
  return (
    containers.some(({ restartPolicy }) => restartPolicy !== undefined) ||
    initContainers.some(
      ({ restartPolicy = 'Always', restartPolicyRules = [] }) =>
        restartPolicy !== 'Always' || restartPolicyRules.length > 0,
    )
  );
}

/** Volumes made of images, and their mounts. */
function withoutImageVolumes(spec: PodSpec): PodSpec {
  const names = new Set((spec.volumes ?? []).filter(({ image }) => image !== undefined).map(({ name = '' }) => name));
  if (names.size === 0) return spec;
  const volumes = (spec.volumes ?? []).filter(({ image }) => image === undefined);
  return withContainers({ ...spec, volumes }, (container) => {
    const { volumeMounts = [] } = container;
    const kept = volumeMounts.filter(({ name = '' }) => !names.has(name));
    return kept.length === volumeMounts.length ? container : { ...container, volumeMounts: kept };
  });
}

/** Stop signals; a lifecycle with nothing else in it goes as well. */
function withoutStopSignals(spec: PodSpec): PodSpec {
  return withContainers(spec, (container) => {
    if (container.lifecycle?.stopSignal === undefined) return container;
    const { lifecycle, ...rest } = container;
    const { stopSignal: _dropped, ...hooksLeft } = lifecycle;
    return Object.keys(hooksLeft).length === 0 ? rest : { ...rest, lifecycle: hooksLeft };
  });
}

function usesStopSignals(spec: PodSpec): boolean {
  return withoutStopSignals(spec) !== spec;
}

/**
 * The template without the fields whose feature gate is off in this version, as the server drops them before it judges;
 * what the stored template already uses is kept. Pure: shares what it doesn't change.
 */
export function withoutGatedFields(
  template: PodTemplate,
  oldTemplate: PodTemplate | undefined,
  version: KubernetesMinor,
): PodTemplate {
  const old = oldTemplate?.spec;
  const sent = template.spec ?? {};
  let spec = pruned(sent, treeFor(old, version));
  if (!isGateOn('AtomicWriteVolumeUserFields', version) && !(old && withoutFileUsers(old) !== old)) {
    spec = withoutFileUsers(spec);
  }
  if (!isGateOn('ContainerRestartRules', version) && !(old && usesRestartRules(old))) spec = withoutRestartRules(spec);
  if (!isGateOn('ImageVolume', version) && !old?.volumes?.some(({ image }) => image !== undefined)) {
    spec = withoutImageVolumes(spec);
  }
  if (!isGateOn('ContainerStopSignals', version) && !(old && usesStopSignals(old))) spec = withoutStopSignals(spec);
  const rest = isAtLeast(version, '1.37') ? withoutInitAnnotations(template) : template;
  return spec === sent ? rest : { ...rest, spec };
}
