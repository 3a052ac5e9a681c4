import type { FieldError, KubernetesMinor } from '../../admission/index.ts';
import { insertAt, replaceScalar } from '../edits.ts';
import type { Fix } from '../finding.ts';
import type { WorkloadKind } from '../kinds.ts';
import { type Shape, shapeAt, shapeWithin } from '../structure.ts';
import { type ManifestNode, nodeAt } from '../yaml/nodes.ts';
import type { TextEdit } from '../yaml/text.ts';

/** What a fix for one of the API server's errors may look at. */
export interface FixSubject {
  readonly error: FieldError;
  readonly root: ManifestNode;
  readonly kind: WorkloadKind;
  readonly version: KubernetesMinor;
  readonly text: string;
  readonly controllers: ReadonlySet<string>;
  /** What is stored, where the object is checked as an update. */
  readonly old?: unknown;
  /** The structure of the object, where it isn't one of Kubernetes' own kinds. */
  readonly shape?: Shape | undefined;
}

/** The shape at a path of the object; undefined where nothing can stand, or nothing is known. */
export function shapeIn(
  { kind, version, shape }: Pick<FixSubject, 'kind' | 'version' | 'shape'>,
  path: readonly (string | number)[],
): Shape | undefined {
  return shape === undefined ? shapeAt(kind.kind, path, version) : shapeWithin(shape, path);
}

export type FixMaker = (subject: FixSubject) => readonly Fix[];

/** The path of the Job's spec: `spec`, or the one within a CronJob. */
export function jobSpecPath({ kind }: FixSubject): readonly string[] {
  return (kind.podTemplate ?? ['spec', 'template']).slice(0, -1);
}

/** Writes a value at a path: over what stands there, else as a new entry. */
export function setValue(
  { root, text }: Pick<FixSubject, 'root' | 'text'>,
  path: readonly (string | number)[],
  value: string | number | boolean,
): TextEdit | undefined {
  const node = nodeAt(root, path);
  if (node === undefined)
    return insertAt(root, path, typeof value === 'string' ? yamlString(value) : String(value), text);
  if (node.kind !== 'scalar') return undefined;
  if (node.span.end <= node.span.start) {
    const colon = /^[ \t]*:/.exec(text.slice(node.span.end))?.[0].length;
    if (colon === undefined) return undefined;
    const at = node.span.end + colon;
    return { start: at, end: at, newText: ` ${typeof value === 'string' ? yamlString(value) : value}` };
  }
  if (typeof value === 'string') return replaceScalar(node, value);
  return node.style === 'block' ? undefined : { ...node.span, newText: String(value) };
}

function yamlString(value: string): string {
  return /^[A-Za-z][A-Za-z0-9]*$/.test(value) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(value)
    ? value
    : JSON.stringify(value);
}

/** A fix of one edit, none where there is no edit. */
export function fixOf(title: string, edit: TextEdit | undefined, isPreferred = false): Fix[] {
  return edit === undefined ? [] : [{ title, edits: [edit], isPreferred }];
}
