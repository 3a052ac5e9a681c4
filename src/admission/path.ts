import type { FieldSegments } from './verdict.ts';

/** One step below a value, as a complaint names it: a field, a list index, or `{ key }` for the key of a free map. */
export type Step = string | number | { readonly key: string };

/**
 * A place in the object, as a chain towards the root. Making one costs an allocation and nothing else; texts are
 * rendered only for the places that are complained about.
 *
 * `segment` says where the value really sits, `text` what the API server prints for the step where that isn't plain: for
 * keys of free maps, and where the server skips or misnames a step (`spec.template.labels` for
 * `spec.template.metadata.labels`).
 */
export interface Path {
  readonly parent: Path | undefined;
  readonly segment: string | number;
  readonly text: string | undefined;
}

/** The place of a top-level field. */
export function rootPath(name: string): Path {
  return { parent: undefined, segment: name, text: undefined };
}

/** One step further down; without a parent it is a top-level field. */
export function below(parent: Path | undefined, step: Step): Path {
  if (typeof step === 'object') return { parent, segment: step.key, text: `[${step.key}]` };
  return { parent, segment: step, text: undefined };
}

/** The same place under another printed text (with its dot or brackets; empty for a step that isn't printed). */
export function renamed(path: Path, text: string): Path {
  return { parent: path.parent, segment: path.segment, text };
}

/** The path as the API server prints it: `spec.template.spec.containers[0].image`, `metadata.labels[app]`. */
export function renderPath(path: Path | undefined): string {
  let text = '';
  for (let node = path; node !== undefined; node = node.parent) text = (node.text ?? plainText(node)) + text;
  return text.toWellFormed();
}

function plainText({ parent, segment }: Path): string {
  if (typeof segment === 'number') return `[${segment}]`;
  return parent === undefined ? segment : `.${segment}`;
}

/** The steps from the root to the value itself. */
export function segmentsOf(path: Path | undefined): FieldSegments {
  const segments: (string | number)[] = [];
  for (let node = path; node !== undefined; node = node.parent) segments.push(node.segment);
  return segments.reverse();
}
