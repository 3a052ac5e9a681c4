import { valueAt } from '../../base/index.ts';
import { replaceScalar } from '../edits.ts';
import type { Fix } from '../finding.ts';
import { type ManagedByField, multiKueue, queueLabel, refuserOf } from '../kinds.ts';
import { pathText, placeOf } from '../locate.ts';
import { moveEntry, removeEntry } from '../removals.ts';
import { entryOf, type ManifestNode, nodeAt, stringAt } from '../yaml/nodes.ts';
import { managedByUrl, type Rule, type RuleSubject, removalFixes } from './rule.ts';

/** Rules about where `managedBy` stands, and about what becomes of it later. */

const likelyPlaces: readonly (readonly string[])[] = [
  ['managedBy'],
  ['metadata', 'managedBy'],
  ['spec', 'managedBy'],
  ['spec', 'runPolicy', 'managedBy'],
  ['spec', 'jobTemplate', 'managedBy'],
  ['spec', 'jobTemplate', 'spec', 'managedBy'],
  ['spec', 'template', 'managedBy'],
  ['spec', 'template', 'spec', 'managedBy'],
];

/** Whether a misplaced `managedBy` at a path is told here, with the place where it belongs. */
export function isTellingPlace(path: readonly (string | number)[]): boolean {
  return likelyPlaces.some((place) => pathText(place) === pathText(path));
}

/** The field as this version of the kind has it. */
function fieldOf({ kind, apiVersion }: RuleSubject): ManagedByField | undefined {
  return kind.apiVersionsWithoutManagedBy?.includes(apiVersion) === true ? undefined : kind.managedBy;
}

const noSuchFieldRule: Rule = {
  code: 'managed-by-misplaced',
  severity: 'error',
  says: 'Each kind has managedBy at one place or not at all; anywhere else a strict client refuses it and a lax one drops it.',
  source: 'The CRDs of the kinds; Kubernetes, core/v1 and apps/v1',
  check(subject) {
    const { root, kind, text } = subject;
    // Jobs and CronJobs are decoded by the engine, which names every unknown field.
    if (kind.podTemplate !== undefined) return [];
    const field = fieldOf(subject);
    const own = field === undefined ? '' : pathText(field.path);
    const nested = (field?.nested ?? []).map(pathText);
    return likelyPlaces.flatMap((place) => {
      const isAllowed = pathText(place) === own || nested.includes(pathText(place));
      if (isAllowed || nodeAt(root, place) === undefined) return [];
      return [
        {
          span: placeOf(root, place, 'key', text),
          field: pathText(place),
          message: messageOf(subject, field),
          fixes: fixesOf(subject, place, field),
          ...(kind.keepsUnknownFields === true ? { severity: 'warning' as const } : { type: 'Unknown' as const }),
        },
      ];
    });
  },
};

function messageOf({ kind, apiVersion }: RuleSubject, field: ManagedByField | undefined): string {
  if (field !== undefined) return `${kind.kind} has no such field here: it belongs at ${pathText(field.path)}.`;
  if (kind.managedBy !== undefined) return `${apiVersion} has no 'managedBy': use ${kind.apiVersions[0]}.`;
  const queue =
    kind.queueMetadata === undefined || !kind.isSentByMultiKueue
      ? ''
      : ' MultiKueue takes it by its queue label alone.';
  return kind.keepsUnknownFields === true
    ? `${kind.kind} has no 'managedBy', and its controller ignores the field: it acts all the same.`
    : `${kind.kind} has no 'managedBy'.${queue}`;
}

function fixesOf(
  { root, kind, apiVersion, text }: RuleSubject,
  place: readonly string[],
  field: ManagedByField | undefined,
): readonly Fix[] {
  const parent = nodeAt(root, place.slice(0, -1));
  const entry = entryOf(parent, 'managedBy');
  if (parent?.kind !== 'map' || entry === undefined) return [];
  const fixes: Fix[] = [];
  if (field !== undefined && nodeAt(root, field.path) === undefined) {
    const edits = moveEntry(root, parent, entry, field.path, text);
    if (edits !== undefined) fixes.push({ title: `Move to ${pathText(field.path)}`, edits, isPreferred: true });
  }
  const version = nodeAt(root, ['apiVersion']);
  const newest = kind.apiVersions[0];
  if (kind.apiVersionsWithoutManagedBy?.includes(apiVersion) === true && version?.kind === 'scalar' && newest) {
    const edit = replaceScalar(version, newest);
    if (edit !== undefined) fixes.push({ title: `Use ${newest}`, edits: [edit], isPreferred: false });
  }
  const removal = removeEntry(parent, entry, text);
  if (removal !== undefined) fixes.push({ title: "Remove 'managedBy'", edits: [removal], isPreferred: false });
  return fixes;
}

const nestedRule: Rule = {
  code: 'managed-by-nested',
  severity: 'warning',
  says: 'A managedBy within a template delegates the objects made of it, not the object that holds it.',
  source: 'JobSet 0.12; KubeRay 1.7; AppWrapper 1.2',
  check(subject) {
    const { root, kind, text } = subject;
    const field = fieldOf(subject);
    if (field?.nested === undefined || nodeAt(root, field.path) !== undefined) return [];
    return field.nested.flatMap((pattern) =>
      pathsMatching(root, pattern).flatMap((path) => {
        const name = stringAt(root, path);
        if (name === undefined || name === field.builtIn || name === 'kubernetes.io/job-controller') return [];
        return [
          {
            span: placeOf(root, path, 'value', text),
            field: pathText(path),
            message: `This delegates what is made of the template, not the ${kind.kind}, which is still run here. To delegate the ${kind.kind}, use ${pathText(field.path)}.`,
            fixes: moveFixes(subject, path, field),
          },
        ];
      }),
    );
  },
};

function moveFixes(
  { root, text }: RuleSubject,
  from: readonly (string | number)[],
  { path }: ManagedByField,
): readonly Fix[] {
  const parent = nodeAt(root, from.slice(0, -1));
  const entry = entryOf(parent, 'managedBy');
  const edits = parent?.kind === 'map' && entry !== undefined ? moveEntry(root, parent, entry, path, text) : undefined;
  return edits === undefined ? [] : [{ title: `Move to ${pathText(path)}`, edits, isPreferred: false }];
}

/** The paths that exist for a pattern, `*` standing for every item of a list. */
function pathsMatching(root: ManifestNode, pattern: readonly string[]): readonly (readonly (string | number)[])[] {
  let paths: (string | number)[][] = [[]];
  for (const step of pattern) {
    paths = paths.flatMap((path) => {
      const node = nodeAt(root, path);
      if (step !== '*') return [[...path, step]];
      return node?.kind === 'sequence' ? node.items.map((_, index) => [...path, index]) : [];
    });
  }
  return paths.filter((path) => nodeAt(root, path) !== undefined);
}

const immutableRule: Rule = {
  code: 'managed-by-kept',
  severity: 'error',
  says: 'A stored object keeps its controller: to change it, delete and create.',
  source: 'The CRDs and webhooks of the kinds',
  url: managedByUrl,
  check(subject) {
    const { root, kind, text, old, sent } = subject;
    const field = fieldOf(subject);
    if (kind.podTemplate !== undefined || field === undefined || old === undefined || field.immutable === 'never') {
      return [];
    }
    const before = plainString(old, field.path) ?? field.storedDefault;
    const after = plainString(sent, field.path) ?? field.storedDefault;
    const isAddedOrRemoved = before === undefined || after === undefined;
    if (before === after || (field.immutable === 'while-set' && isAddedOrRemoved)) return [];
    const node = nodeAt(root, field.path);
    const edit = before !== undefined && node?.kind === 'scalar' ? replaceScalar(node, before) : undefined;
    return [
      {
        span: placeOf(root, field.path, 'value', text),
        field: pathText(field.path),
        type: 'Invalid',
        message: `The stored ${kind.kind} has ${before === undefined ? 'none' : `'${before}'`} here, and keeps it: delete and create it to change the controller. (${refuserOf(kind)}: the field is immutable)`,
        source: refuserOf(kind),
        fixes: edit === undefined ? [] : [{ title: `Restore managedBy: ${before}`, edits: [edit], isPreferred: false }],
      },
    ];
  },
};

/** An empty text is one, too: the server compares it with what is stored. */
function plainString(value: unknown, path: readonly string[]): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : undefined;
}

const droppedRule: Rule = {
  code: 'managed-by-dropped',
  severity: 'warning',
  says: "Before Kubernetes 1.32 a cluster doesn't keep managedBy, unless its feature gate is on: it runs the Job itself.",
  source: 'Kubernetes, feature gate JobManagedBy',
  url: managedByUrl,
  check({ root, kind, text, unlistedVersion }) {
    const minor = Number(/^1\.(\d+)$/.exec(unlistedVersion ?? '')?.[1] ?? Number.NaN);
    const path = kind.managedBy?.path;
    if (kind.podTemplate === undefined || path === undefined || !(minor < 32) || nodeAt(root, path) === undefined)
      return [];
    const outcome =
      minor < 30
        ? 'has no such field: kubectl refuses it, and where it gets through the cluster runs the Job itself'
        : 'drops this field unless its feature gate JobManagedBy is on, and then runs the Job itself';
    const message = `Kubernetes ${unlistedVersion} ${outcome}.`;
    return [{ span: placeOf(root, path, 'key', text), field: pathText(path), message }];
  },
};

const notDelegatedRule: Rule = {
  code: 'multikueue-unsupported',
  severity: 'warning',
  says: 'MultiKueue sends only the kinds that it has an adapter for and that a worker takes from it.',
  source: 'Kueue 0.17 to 0.19, MultiKueue adapters and supportedPrebuiltWlJobGVKs; training-operator 1.9',
  check(subject) {
    const { root, kind, text } = subject;
    const field = fieldOf(subject);
    if (field === undefined || kind.isSentByMultiKueue || stringAt(root, field.path) !== multiKueue) return [];
    const fixes = removalFixes(subject, field.path);
    const message = `MultiKueue can't send this ${kind.kind}: ${outcomeOf(subject, field)}.`;
    return [{ span: placeOf(root, field.path, 'value', text), field: pathText(field.path), message, fixes }];
  },
};

function outcomeOf({ root, kind }: RuleSubject, { onUnknown }: ManagedByField): string {
  if (onUnknown !== 'ignored') return 'it has no adapter for it, and nobody acts';
  const label = [...(kind.queueMetadata ?? ['metadata']), 'labels', queueLabel];
  return stringAt(root, label) === undefined
    ? "and as the operator ignores 'managedBy' on it, it runs here"
    : 'Kueue on the worker refuses the copy, and it waits here for ever';
}

export const placementRules: readonly Rule[] = [
  noSuchFieldRule,
  nestedRule,
  immutableRule,
  droppedRule,
  notDelegatedRule,
];
