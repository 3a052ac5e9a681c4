import type { FieldError } from '../admission/index.ts';
import { insertAt, quoteScalar, removeEntry, renameKey, replaceScalar } from './edits.ts';
import type { Fix } from './finding.ts';
import type { WorkloadKind } from './kinds.ts';
import { nearMiss } from './nearMiss.ts';
import { entryOf, type ManifestNode, nodeAt } from './nodes.ts';
import { fixControllerName } from './rules/index.ts';
import type { TextEdit } from './text.ts';

/** What a fix for one of the API server's errors may look at. */
export interface EngineFixSubject {
  readonly error: FieldError;
  readonly root: ManifestNode;
  readonly kind: WorkloadKind;
  readonly text: string;
  readonly controllers: ReadonlySet<string>;
}

type FixMaker = (subject: EngineFixSubject) => readonly Fix[];

/** Fixes for an error of the API server; none where nothing sensible can be said. */
export function fixesFor(subject: EngineFixSubject): readonly Fix[] {
  const { error } = subject;
  if (error.type === 'Unknown') return fixUnknownField(subject);
  if (error.type === 'TypeInvalid') return fixType(subject);
  const last = error.at.at(-1);
  const maker = typeof last === 'string' && Object.hasOwn(makers, last) ? makers[last] : undefined;
  return maker?.(subject) ?? [];
}

const makers: Readonly<Record<string, FixMaker>> = {
  managedBy({ root, kind, controllers }) {
    const fix = fixControllerName(root, kind, controllers);
    return fix === undefined ? [] : [fix];
  },
  restartPolicy(subject) {
    const spec = jobSpecPath(subject);
    // A pod failure policy works with Never alone.
    const hasFailurePolicy = nodeAt(subject.root, [...spec, 'podFailurePolicy']) !== undefined;
    const values = hasFailurePolicy ? ['Never'] : ['Never', 'OnFailure'];
    return values.flatMap((value, index) => setField(subject, value, `Set restartPolicy to ${value}`, index === 0));
  },
  completions(subject) {
    if (subject.error.type !== 'Required') return [];
    const parallelism = nodeAt(subject.root, [...jobSpecPath(subject), 'parallelism']);
    const count = parallelism?.kind === 'scalar' && typeof parallelism.value === 'number' ? parallelism.value : 1;
    return setField(subject, String(count), `Set completions to ${count}`, true);
  },
};

function jobSpecPath({ kind }: EngineFixSubject): readonly string[] {
  return (kind.podTemplate ?? ['spec', 'template']).slice(0, -1);
}

/** Writes one-line YAML at the place of the error: over what stands there, else as a new entry. */
function setField(subject: EngineFixSubject, value: string, title: string, isPreferred: boolean): readonly Fix[] {
  const { error, root, text } = subject;
  const node = nodeAt(root, error.at);
  const names = error.at.filter((step) => typeof step === 'string');
  let edit: TextEdit | undefined;
  if (node?.kind === 'scalar' && node.span.end > node.span.start) {
    edit = typeof node.value === 'string' ? replaceScalar(node, value) : { ...node.span, newText: value };
  } else if (names.length === error.at.length) edit = insertAt(root, names, value, text);
  return edit === undefined ? [] : [{ title, edits: [edit], isPreferred }];
}

function fixUnknownField({ error, root, kind, text }: EngineFixSubject): readonly Fix[] {
  const key = error.at.at(-1);
  const parent = nodeAt(root, error.at.slice(0, -1));
  const entry = typeof key === 'string' ? entryOf(parent, key) : undefined;
  if (parent?.kind !== 'map' || entry === undefined) return [];
  const fixes: Fix[] = [];
  const meant = nearMiss(entry.key, knownFields(parent, kind, error));
  if (meant !== undefined && entryOf(parent, meant) === undefined) {
    fixes.push({ title: `Rename to '${meant}'`, edits: [renameKey(entry, meant, text)], isPreferred: true });
  }
  const removal = removeEntry(parent, entry, text);
  if (removal !== undefined) fixes.push({ title: `Remove '${entry.key}'`, edits: [removal], isPreferred: false });
  return fixes;
}

/** Fields that may stand where the unknown one does. */
function knownFields(_parent: ManifestNode, kind: WorkloadKind, error: FieldError): readonly string[] {
  const path = error.at.slice(0, -1).join('.');
  return path === kind.managedBy?.path.slice(0, -1).join('.') ? ['managedBy', 'suspend'] : [];
}

/** A number or boolean where a string belongs gets its quotes; a quoted number loses them. */
function fixType({ error, root, text }: EngineFixSubject): readonly Fix[] {
  const node = nodeAt(root, error.at);
  if (node?.kind !== 'scalar') return [];
  if (typeof node.value === 'number' || typeof node.value === 'boolean') {
    const edit = quoteScalar(node, text);
    return edit === undefined ? [] : [{ title: 'Put it in quotes', edits: [edit], isPreferred: true }];
  }
  if (typeof node.value === 'string' && node.style !== 'block' && /^(?:-?[0-9]+|true|false)$/.test(node.value)) {
    const edit = { ...node.span, newText: node.value };
    return [{ title: 'Remove the quotes', edits: [edit], isPreferred: true }];
  }
  return [];
}
