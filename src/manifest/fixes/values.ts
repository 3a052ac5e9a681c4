import { valueAt } from '../../base/index.ts';
import { isAboutChange } from '../changes.ts';
import { insertAt } from '../edits.ts';
import type { Fix } from '../finding.ts';
import { nearMiss } from '../nearMiss.ts';
import { removeEntry, removeItem } from '../removals.ts';
import { entryOf, type ManifestNode, nodeAt, stringAt } from '../yaml/nodes.ts';
import type { TextEdit } from '../yaml/text.ts';
import { fixControllerName } from './controllerName.ts';
import { type FixMaker, type FixSubject, fixOf, jobSpecPath, setValue, shapeIn } from './subject.ts';

/** Fixes for values that the API server refuses. */

/** By the code of the engine's rule. */
const makers: Readonly<Record<string, FixMaker>> = {
  'managed-by-empty': (subject) => [...fixName(subject), ...removal(subject, false)],
  'managed-by-format': fixName,
  'restart-policy-required': setRestartPolicy,
  'restart-policy-supported': setRestartPolicy,
  'restart-policy-failure-policy': setRestartPolicy,
  'completions-required': setCompletions,
  'backoff-limit-per-index-indexed': makeIndexed,
  'max-failed-indexes-indexed': makeIndexed,
  'success-policy-indexed': makeIndexed,
  'backoff-limit-per-index-required': (subject) => setTo(subject, 1),
  'pod-replacement-policy-known': setReplacementPolicy,
  'failure-policy-exit-codes-ordered': sortList,
  'schedule-time-zone': moveTimeZone,
  'name-format': (subject) => makeName(subject, 253, /[^a-z0-9.-]+/g),
  'generate-name-format': (subject) => makeName(subject, 253, /[^a-z0-9.-]+/g),
  'container-name-format': (subject) => makeName(subject, 63, /[^a-z0-9-]+/g),
  'volume-name-format': (subject) => makeName(subject, 63, /[^a-z0-9-]+/g),
  'container-name-required': (subject) => addName(subject, 'main'),
  'container-name-unique': renameRepeated,
  'init-container-name-unique': renameRepeated,
  'volume-name-unique': renameRepeated,
  'image-required': (subject) =>
    fixOf('Add an image (put in yours)', setValue(subject, subject.error.at, 'registry.example/image:tag')),
  'template-labels-selected': labelTemplate,
  // The others are behind a feature gate.
  'toleration-operator-known': (subject) => [...setTo(subject, 'Equal'), ...setTo(subject, 'Exists')],
  'toleration-seconds-effect': (subject) => setTo(subject, 'NoExecute'),
  'mount-volume-exists': nameVolume,
  'device-volume-exists': nameVolume,
  'failure-policy-condition-type': (subject) => [...setTo(subject, 'DisruptionTarget'), ...removal(subject, false)],
  // What `kubectl get -o yaml` brings along and no new object may carry.
  'selector-generated': (subject) => removal(subject, true),
  'template-labels-unforged': (subject) => removal(subject, true),
  'cron-job-selector': (subject) => removal(subject, true),
  'cron-job-manual-selector': (subject) => removal(subject, true),
};

/** What is missing there is no better off without the rest. */
const withoutRemoval: ReadonlySet<string> = new Set(['template-labels-selected', 'name-for-indexes']);

/** Fixes of the rule's own, then whatever is sensible for any value of the kind. */
export function fixValue(subject: FixSubject): readonly Fix[] {
  const { error } = subject;
  const own = Object.hasOwn(makers, error.rule) ? (makers[error.rule]?.(subject) ?? []) : [];
  if (own.length > 0 || withoutRemoval.has(error.rule)) return own;
  if (subject.old !== undefined && isAboutChange(error.rule)) return waysAround(subject);
  const general = [...allowedValues(subject), ...notNegative(subject)];
  // What is needed can't be taken out, only that which needs it.
  const removals = error.type === 'Required' ? [] : removal(subject, false);
  return [...general, ...(removals.length > 0 ? removals : removalOfHolder(subject))];
}

function fixName({ root, kind, controllers }: FixSubject): readonly Fix[] {
  const fix = fixControllerName(root, kind, controllers);
  return fix === undefined ? [] : [fix];
}

function setTo(subject: FixSubject, value: string | number, isPreferred = false): Fix[] {
  const edit = setValue(subject, subject.error.at, value);
  return fixOf(`Set ${String(subject.error.at.at(-1))} to ${value}`, edit, isPreferred);
}

function setRestartPolicy(subject: FixSubject): readonly Fix[] {
  // A pod failure policy works with Never alone.
  const hasFailurePolicy = nodeAt(subject.root, [...jobSpecPath(subject), 'podFailurePolicy']) !== undefined;
  return [...setTo(subject, 'Never', true), ...(hasFailurePolicy ? [] : setTo(subject, 'OnFailure'))];
}

function setCompletions(subject: FixSubject): readonly Fix[] {
  const parallelism = nodeAt(subject.root, [...jobSpecPath(subject), 'parallelism']);
  const count = parallelism?.kind === 'scalar' && typeof parallelism.value === 'number' ? parallelism.value : 1;
  return setTo(subject, count, true);
}

function makeIndexed(subject: FixSubject): readonly Fix[] {
  const edit = setValue(subject, [...jobSpecPath(subject), 'completionMode'], 'Indexed');
  return [...fixOf('Set completionMode to Indexed', edit), ...removal(subject, false)];
}

function setReplacementPolicy(subject: FixSubject): readonly Fix[] {
  const hasFailurePolicy = nodeAt(subject.root, [...jobSpecPath(subject), 'podFailurePolicy']) !== undefined;
  return hasFailurePolicy ? setTo(subject, 'Failed', true) : [];
}

/** Numbers of a list into rising order, each in the place of another: whatever stands between them stays. */
function sortList({ error, root }: FixSubject): readonly Fix[] {
  const path = typeof error.at.at(-1) === 'number' ? error.at.slice(0, -1) : error.at;
  const list = nodeAt(root, path);
  if (list?.kind !== 'sequence') return [];
  const numbers = list.items.map((item) =>
    item.kind === 'scalar' && typeof item.value === 'number' ? item.value : undefined,
  );
  const sorted = numbers.filter((number) => number !== undefined).sort((a, b) => a - b);
  if (sorted.length !== numbers.length) return [];
  const edits = list.items.map((item, index): TextEdit => ({ ...item.span, newText: String(sorted[index]) }));
  return [{ title: 'Sort them', edits, isPreferred: true }];
}

/** `TZ=Europe/Berlin 0 3 * * *` becomes a schedule and a timeZone. */
function moveTimeZone(subject: FixSubject): readonly Fix[] {
  const { error, root } = subject;
  const node = nodeAt(root, error.at);
  if (node?.kind !== 'scalar' || typeof node.value !== 'string') return [];
  const [, zone, rest] = /^(?:CRON_)?TZ=(\S+)\s+(\S.*)$/.exec(node.value) ?? [];
  const zonePath = [...error.at.slice(0, -1), 'timeZone'];
  if (zone === undefined || rest === undefined || nodeAt(root, zonePath) !== undefined) return [];
  const schedule = setValue(subject, error.at, rest);
  const timeZone = setValue(subject, zonePath, zone);
  if (schedule === undefined || timeZone === undefined) return [];
  return [{ title: `Set timeZone to ${zone}`, edits: [schedule, timeZone], isPreferred: true }];
}

/** The nearest name that the server takes. Others may refer to the old one, so it isn't applied unasked. */
function makeName(subject: FixSubject, maxLength: number, others: RegExp): readonly Fix[] {
  const node = nodeAt(subject.root, subject.error.at);
  if (node?.kind !== 'scalar' || typeof node.value !== 'string') return removal(subject, false);
  const name = node.value
    .toLowerCase()
    .replaceAll(others, '-')
    .replaceAll(/^[.-]+|[.-]+(?=\.)|(?<=\.)[.-]+/g, '')
    .slice(0, maxLength)
    .replace(/[.-]+$/, '');
  return name === '' || name === node.value ? [] : setTo(subject, name);
}

/** A longer list is made by a program, and looking through it for each of its repeated names would take minutes. */
const mostSiblings = 500;

/** A name that nothing beside the object has. */
function addName(subject: FixSubject, base: string): readonly Fix[] {
  const siblings = nodeAt(subject.root, subject.error.at.slice(0, -2));
  const items = siblings?.kind === 'sequence' ? siblings.items : [];
  if (items.length > mostSiblings) return [];
  const taken = new Set(items.map((item) => stringAt(item, ['name'])));
  let name = base;
  for (let count = 2; taken.has(name); count++) name = `${base}-${count}`;
  return setTo(subject, name);
}

function renameRepeated(subject: FixSubject): readonly Fix[] {
  const name = stringAt(subject.root, subject.error.at);
  return [...(name ? addName(subject, name) : []), ...removalOfHolder(subject)];
}

/** The label that the selector asks for and the template lacks. */
function labelTemplate(subject: FixSubject): readonly Fix[] {
  const { error, root } = subject;
  const wanted = nodeAt(root, [...jobSpecPath(subject), 'selector', 'matchLabels']);
  if (wanted?.kind !== 'map' || nodeAt(root, [...jobSpecPath(subject), 'selector', 'matchExpressions'])) return [];
  const missing = wanted.entries.filter(({ key }) => stringAt(root, [...error.at, key]) !== stringAt(wanted, [key]));
  const [label] = missing;
  const value = label === undefined ? undefined : stringAt(wanted, [label.key]);
  // Several would have to go to one place, in an order that is a guess.
  if (label === undefined || value === undefined || missing.length > 1) return [];
  return fixOf(`Set the label '${label.key}' to '${value}'`, setValue(subject, [...error.at, label.key], value));
}

/** The volume that was meant, or a new one of that name. */
function nameVolume(subject: FixSubject): readonly Fix[] {
  const { error, root, kind, text } = subject;
  const podSpec = [...(kind.podTemplate ?? []), 'spec'];
  const volumes = nodeAt(root, [...podSpec, 'volumes']);
  const items = volumes?.kind === 'sequence' ? volumes.items : [];
  const name = stringAt(root, error.at) ?? '';
  // A volume of that very name has a fault of its own.
  const names = items.flatMap((item) => stringAt(item, ['name']) ?? []).filter((one) => one !== name);
  const meant = nearMiss(name, names);
  const fixes =
    meant === undefined ? names.slice(0, 3).flatMap((one) => setTo(subject, one)) : setTo(subject, meant, true);
  const isName = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(name);
  if (volumes === undefined && isName && error.rule === 'mount-volume-exists') {
    const edit = insertAt(root, [...podSpec, 'volumes'], `[{name: ${JSON.stringify(name)}, emptyDir: {}}]`, text);
    fixes.push(...fixOf(`Add an emptyDir volume '${name}'`, edit));
  }
  return [...fixes, ...removalOfHolder(subject)];
}

/** What to do about a change that is refused: take it back, or make another object. */
function waysAround(subject: FixSubject): readonly Fix[] {
  const isAdded = valueAt(subject.old, subject.error.at) === undefined;
  return [...restored(subject), ...(isAdded ? removal(subject, false) : []), ...newName(subject)];
}

/** What can't be changed can be created beside it: `train` becomes `train-2`, `train-2` becomes `train-3`. */
function newName(subject: FixSubject): readonly Fix[] {
  const name = stringAt(subject.root, ['metadata', 'name']);
  if (name === undefined) return [];
  const [, stem = name, number] = /^(.*-)(\d{1,6})$/.exec(name) ?? [];
  const next = number === undefined ? `${name}-2` : `${stem}${Number(number) + 1}`;
  return next.length > 63 ? [] : fixOf(`Use a new name: ${next}`, setValue(subject, ['metadata', 'name'], next));
}

/** The stored value of a field that can't be changed. */
function restored(subject: FixSubject): readonly Fix[] {
  const { error, old, root } = subject;
  const stored = valueAt(old, error.at);
  const node = nodeAt(root, error.at);
  if (typeof stored !== 'string' && typeof stored !== 'number' && typeof stored !== 'boolean') return [];
  if (node !== undefined && node.kind !== 'scalar') return [];
  return fixOf(`Restore ${String(error.at.at(-1))}: ${stored}`, setValue(subject, error.at, stored));
}

/** A small set of words is offered whole; the one that is nearly there already comes first. */
function allowedValues(subject: FixSubject): readonly Fix[] {
  const { error, root } = subject;
  const shape = shapeIn(subject, error.at);
  if (shape?.kind !== 'scalar' || shape.values === undefined) return [];
  if (error.type !== 'NotSupported' && error.type !== 'Required') return [];
  const node = nodeAt(root, error.at);
  const written = node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : '';
  const meant = written === '' ? undefined : nearMiss(written, shape.values);
  if (meant !== undefined) return setTo(subject, meant, true);
  return shape.values.length > 4 ? [] : shape.values.flatMap((value) => setTo(subject, value));
}

function notNegative(subject: FixSubject): readonly Fix[] {
  if (!subject.error.rule.endsWith('-negative')) return [];
  const node = nodeAt(subject.root, subject.error.at);
  return node?.kind === 'scalar' && typeof node.value === 'number' && node.value < 0 ? setTo(subject, 0) : [];
}

/** Takes out what is refused, if the object can do without it. */
function removal(subject: FixSubject, isPreferred: boolean): readonly Fix[] {
  const { error, root, text } = subject;
  const key = error.at.at(-1);
  const holderPath = error.at.slice(0, -1);
  const holder: ManifestNode | undefined = nodeAt(root, holderPath);
  if (typeof key === 'number') {
    return holder?.kind === 'sequence' ? fixOf('Remove this item', removeItem(holder, key, text)) : [];
  }
  const entry = key === undefined ? undefined : entryOf(holder, key);
  if (holder?.kind !== 'map' || entry === undefined) return [];
  const shape = shapeIn(subject, holderPath);
  if (shape?.kind === 'struct' && shape.fields.find(({ name }) => name === key)?.isRequired === true) return [];
  return fixOf(`Remove '${key}'`, removeEntry(holder, entry, text), isPreferred);
}

/** Takes out the nearest thing around an error that the object can do without: the item of a list, an optional field. */
function removalOfHolder(subject: FixSubject): readonly Fix[] {
  const { error, kind } = subject;
  const podSpecLength = (kind.podTemplate?.length ?? 0) + 1;
  for (let length = error.at.length - 1; length > podSpecLength; length--) {
    const at = error.at.slice(0, length);
    const last = at.at(-1);
    // The containers are what the object is about.
    if (at.at(-2) === 'containers' || last === 'containers') return [];
    const fixes = removal({ ...subject, error: { ...error, at } }, false);
    if (fixes.length > 0) return fixes;
  }
  return [];
}
