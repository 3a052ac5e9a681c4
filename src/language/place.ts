import type { KubernetesMinor } from '../admission/index.ts';
import { crdShapeOf, type Shape, shapeAt, shapeWithin, structureAt, type WorkloadKind } from '../manifest/index.ts';

/** An object as far as it says what may stand in it. */
export interface Holder {
  readonly apiVersion: string | undefined;
  readonly kind: WorkloadKind;
}

type Path = readonly (string | number)[];
type Struct = Shape & { readonly kind: 'struct' };

/** What may stand at a path of an object, be it one of Kubernetes' own kinds or one of the ecosystem's. */
export function shapeAtPlace({ apiVersion, kind }: Holder, path: Path, version: KubernetesMinor): Shape | undefined {
  const own = structureAt(kind, path, version);
  if (own !== undefined || kind.podTemplate !== undefined) return own;
  const crd = crdShapeOf(apiVersion ?? '', kind.kind);
  return crd === undefined ? undefined : shapeWithin(withNames(crd, version), path);
}

/** The path to the Job's spec that a path leads through, if there is one: a JobSet holds several. */
export function jobSpecAbove(holder: Holder, path: Path, version: KubernetesMinor): Path | undefined {
  const { podTemplate } = holder.kind;
  if (podTemplate !== undefined) return podTemplate.slice(0, -1);
  for (let length = path.length; length > 0; length--) {
    const shape = shapeAtPlace(holder, path.slice(0, length), version);
    if (shape?.kind === 'struct' && shape.name === 'JobSpec') return path.slice(0, length);
  }
  return undefined;
}

/**
 * Gives the pods and Jobs inside of a CRD the names that they have in Kubernetes: the CRD repeats their structure
 * without saying whose it is. Which fields there are stays as the CRD has it.
 */
function withNames(shape: Shape, version: KubernetesMinor): Shape {
  if (shape.kind === 'list') return { ...shape, item: withNames(shape.item, version) };
  if (shape.kind === 'map') return { ...shape, value: withNames(shape.value, version) };
  if (shape.kind !== 'struct') return shape;
  const name = nameOf(shape);
  const known = name === undefined ? undefined : shapeAt(name, [], version);
  if (known !== undefined) return alike(shape, known);
  const fields = shape.fields.map((field) => ({ ...field, shape: () => withNames(field.shape(), version) }));
  return { ...shape, fields };
}

/** Recognizes a struct by fields that no other has. */
function nameOf(shape: Struct): string | undefined {
  const has = (name: string): boolean => shape.fields.some((field) => field.name === name);
  if (has('containers') && has('nodeSelector') && has('serviceAccountName')) return 'PodSpec';
  if (has('backoffLimit') && has('completions') && has('template')) return 'JobSpec';
  const spec =
    shape.fields.length === 2 && has('metadata') ? shape.fields.find(({ name }) => name === 'spec') : undefined;
  const inner = spec?.shape();
  const name = inner?.kind === 'struct' ? nameOf(inner) : undefined;
  return name === 'PodSpec' ? 'PodTemplateSpec' : name === 'JobSpec' ? 'JobTemplateSpec' : undefined;
}

/** The shape of a CRD with the names of Kubernetes' own, as deep as both go together. */
function alike(shape: Shape, known: Shape): Shape {
  if (shape.kind === 'list' && known.kind === 'list') return { ...shape, item: alike(shape.item, known.item) };
  if (shape.kind === 'map' && known.kind === 'map') return { ...shape, value: alike(shape.value, known.value) };
  if (shape.kind === 'scalar' && known.kind === 'scalar') return { ...known, ...shape };
  // Metadata inside of a CRD is often left open.
  if (shape.kind !== 'struct' || known.kind !== 'struct') return shape.kind === 'any' ? known : shape;
  const fields = shape.fields.map((field) => {
    const same = known.fields.find(({ name }) => name === field.name);
    return same === undefined
      ? field
      : { ...field, isDeprecated: same.isDeprecated, shape: () => alike(field.shape(), same.shape()) };
  });
  return { ...shape, name: known.name, fields };
}
