import { entryOf, type ManifestNode, nodeAt } from './yaml/nodes.ts';

/**
 * Which documents to leave alone. Everything is decided by the document itself: never by its file's name, never by
 * its neighbours.
 */

/** What opens an expression of Helm, Jinja, Go templates or ERB. */
const mark = /\{\{|\{%|<%/;

/** The same within quotes, where a bare `{{x}}` may well be just text. */
const quotedMark = /\{\{-?\s|\{\{-?[.$]|\{%|<%/;

/** Free text, where `{{` means nothing to us: a shell's, a template engine's that runs in the container. */
const freeTextKeys = new Set(['args', 'command', 'annotations', 'data', 'stringData', 'binaryData', 'script']);

/**
 * True for the source of a template (Helm, Jinja, Go): marks stand where YAML needs structure or where a field's value
 * would be. Marks within arguments, environment values and annotations alone don't make a template.
 */
export function isTemplate(text: string, root: ManifestNode | undefined, hasSyntaxError: boolean): boolean {
  if (!mark.test(text)) return false;
  if (hasSyntaxError || root === undefined) return true;
  // JSON that reads as JSON has marks within strings alone, and nobody writes templates in those.
  if (/^\s*\{(?!\{)/.test(text)) return false;
  // `{{ x }}` unquoted reads as a map in a map, or as a comment line of nothing.
  if (/^[ \t]*(?:\{\{|\{%|<%)/m.test(withoutBlockScalars(text, root))) return true;
  return hasMark(root, false, 0);
}

function hasMark(node: ManifestNode, isFree: boolean, depth: number): boolean {
  if (depth > 100) return false;
  switch (node.kind) {
    case 'scalar':
      if (isFree || typeof node.value !== 'string') return false;
      return (node.style === 'plain' ? mark : quotedMark).test(node.value);
    case 'sequence':
      return node.items.some((item) => hasMark(item, isFree, depth + 1));
    case 'map':
      return node.entries.some(
        ({ key, value }) =>
          (!isFree && mark.test(key)) ||
          (value.kind === 'map' && value.isFlow && value.entries.some((entry) => entry.key.startsWith('{'))) ||
          hasMark(value, isFree || freeTextKeys.has(key) || (key === 'value' && hasName(node)), depth + 1),
      );
  }
}

/** `{name, value}`: an environment variable, a parameter. */
function hasName(node: ManifestNode): boolean {
  return entryOf(node, 'name') !== undefined;
}

function withoutBlockScalars(text: string, root: ManifestNode): string {
  const spans: { start: number; end: number }[] = [];
  const collect = (node: ManifestNode, depth: number): void => {
    if (depth > 100) return;
    if (node.kind === 'scalar') {
      if (node.style !== 'plain') spans.push(node.span);
    } else if (node.kind === 'sequence') for (const item of node.items) collect(item, depth + 1);
    else for (const entry of node.entries) collect(entry.value, depth + 1);
  };
  collect(root, 0);
  let result = '';
  let position = 0;
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    if (span.start < position) continue;
    result += text.slice(position, span.start);
    position = span.end;
  }
  return result + text.slice(position);
}

/** What envsubst, Flux, sed and shells put a value in the place of: `${NAME}`, `$NAME`. Not `$(NAME)`, which the kubelet fills in. */
const placeholder = /\$\{?[A-Za-z_]/;

/** True for a value that isn't there yet, or a message that quotes one: something fills it in before a cluster sees it. */
export function isFilledInLater(value: unknown): boolean {
  return typeof value === 'string' && placeholder.test(value);
}

/** True for a document that SOPS has encrypted: its values are not what a cluster will see. */
export function isEncrypted(root: ManifestNode): boolean {
  return nodeAt(root, ['sops', 'mac']) !== undefined || entryOf(entryOf(root, 'sops')?.value, 'version') !== undefined;
}

const patchDirective = /^(?:["']?\$(?:patch|retainKeys|setElementOrder\/|deleteFromPrimitiveList\/))/;

/**
 * True for a piece of an object that something else completes: a Kustomize patch, an overlay. Its missing fields say
 * nothing; what it does have is judged. `podTemplatePath` leads to the pod template of the kind, if that has one place.
 * `mayLackSelector`: whole objects of the kind have a selector, so that one without it and without images is a patch.
 */
export function isPartial(
  root: ManifestNode,
  podTemplatePath: readonly string[] | undefined,
  mayLackSelector = false,
): boolean {
  if (hasPatchDirective(root, 0)) return true;
  if (podTemplatePath === undefined) return nodeAt(root, ['spec']) === undefined;
  const template = nodeAt(root, podTemplatePath);
  // A map on the way that is no map is a mistake to report, not a piece left out.
  for (let length = 1; length <= podTemplatePath.length; length++) {
    const node = nodeAt(root, podTemplatePath.slice(0, length));
    if (node === undefined) return true;
    if (node.kind !== 'map') return false;
  }
  const podSpec = entryOf(template, 'spec')?.value;
  const containers = entryOf(podSpec, 'containers')?.value;
  if (mayLackSelector) {
    return podSpec === undefined || (nodeAt(root, ['spec', 'selector']) === undefined && !hasImages(containers));
  }
  if (entryOf(podSpec, 'restartPolicy') !== undefined || containers?.kind !== 'sequence') return false;
  // A patch names its target and nothing more; what is meant for a cluster mostly says its namespace or its images.
  const hasNamespace = nodeAt(root, ['metadata', 'namespace']) !== undefined;
  return !hasNamespace && !hasImages(containers) && containers.items.length > 0;
}

function hasImages(containers: ManifestNode | undefined): boolean {
  return containers?.kind === 'sequence' && containers.items.some((item) => entryOf(item, 'image') !== undefined);
}

function hasPatchDirective(node: ManifestNode, depth: number): boolean {
  if (depth > 100 || node.kind === 'scalar') return false;
  if (node.kind === 'sequence') return node.items.some((item) => hasPatchDirective(item, depth + 1));
  return node.entries.some(({ key, value }) => patchDirective.test(key) || hasPatchDirective(value, depth + 1));
}
