import { isJsonObject, type JsonObject, type JsonValue, valueAt } from '../../base/index.ts';
import { tellDifference } from '../changes.ts';
import { durationMs } from '../goDuration.ts';
import { type Path, refusalBy } from './refusal.ts';
import type { Breach, Rule, RuleSubject } from './rule.ts';

/** What a stored object keeps because its webhook says so; what its CRD says so of is told by that. */

interface Kept {
  readonly refuser: string;
  /** The part that stays. */
  readonly path: Path;
  /** Paths below it that may change all the same, `*` for any step. */
  readonly but?: readonly string[];
  /** Further ones while the object is suspended, or by a change that suspends it. */
  readonly butSuspended?: readonly string[];
  readonly answer: string;
}

/** Kueue fits these to where the pods shall run. */
const placement = [
  'metadata.annotations',
  'metadata.labels',
  'spec.nodeSelector',
  'spec.tolerations',
  'spec.schedulingGates',
];
const run = { refuser: 'webhook of Tekton Pipelines 1.15', path: ['spec'], answer: 'only status updates are allowed' };

const keptBy: Readonly<Record<string, Kept>> = {
  JobSet: {
    refuser: 'webhook of JobSet 0.12',
    path: ['spec', 'replicatedJobs'],
    butSuspended: placement.map((path) => `*.template.spec.template.${path}`),
    answer: 'field is immutable',
  },
  AppWrapper: {
    refuser: 'webhook of AppWrapper 1.2',
    path: ['spec', 'components'],
    but: ['*.podSetInfos', '*.podSets.*.annotations'],
    answer: 'attempt to change immutable field',
  },
  // What is said of managedBy, another rule says.
  PipelineRun: { ...run, but: ['status', 'managedBy'] },
  TaskRun: { ...run, but: ['status', 'statusMessage', 'managedBy'] },
  LeaderWorkerSet: {
    refuser: 'webhook of LeaderWorkerSet',
    path: ['spec', 'leaderWorkerTemplate', 'subGroupPolicy', 'subGroupSize'],
    answer: 'field is immutable',
  },
};

const keptRule: Rule = {
  code: 'operator-immutable',
  severity: 'error',
  says: "What a webhook keeps of a stored object can't be changed: delete and create it.",
  source: 'JobSet 0.12; AppWrapper 1.2; Tekton Pipelines 1.15; LeaderWorkerSet 0.8',
  url: 'https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/',
  check(subject) {
    const { kind, value, sent, old, isPartial } = subject;
    const kept = Object.hasOwn(keptBy, kind.kind) ? keptBy[kind.kind] : undefined;
    if (kept === undefined || old === undefined || isPartial) return [];
    const isSuspended =
      kind.suspend !== undefined && [old, sent].some((one) => valueAt(one, kind.suspend ?? []) === true);
    const free = [...(kept.but ?? []), ...(isSuspended ? (kept.butSuspended ?? []) : [])].map(patternOf);
    const changed = changesIn(valueAt(value, kept.path), valueAt(old, kept.path), []);
    return changed
      .filter((below) => !free.some((pattern) => pattern.test(below.join('.'))))
      .map((below) => breach(subject, kept, [...kept.path, ...below]));
  },
};

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replaceAll('*', '[^.]+')}(?:\\.|$)`);
}

/** Fields of amounts, which are the same in many ways. */
const amounts: ReadonlySet<string | number | undefined> = new Set([
  'resources',
  'computeResources',
  'sizeLimit',
  'divisor',
]);

/**
 * Where a file says something else than what is stored. What it leaves out says nothing, since much of what is stored was
 * filled in; nor does what means nothing, since that may have been dropped.
 */
function changesIn(written: JsonValue | undefined, stored: JsonValue | undefined, path: Path): readonly Path[] {
  if (written === undefined || amounts.has(path.at(-1))) return [];
  if (isList(written)) {
    if (isList(stored) && stored.length === written.length) {
      return written.flatMap((item, index) => changesIn(item, stored[index], [...path, index]));
    }
    return written.length === 0 && stored === undefined ? [] : [path];
  }
  if (isJsonObject(written)) {
    const before: JsonObject = isJsonObject(stored) ? stored : {};
    return Object.entries(written).flatMap(([key, member]) => changesIn(member, before[key], [...path, key]));
  }
  return isSame(written, stored) ? [] : [path];
}

function isSame(written: JsonValue, stored: JsonValue | undefined): boolean {
  if (stored === undefined || stored === null) return !written;
  if (typeof written !== 'string' || typeof stored !== 'string') return written === null || written === stored;
  return written === stored || (durationMs(written) !== undefined && durationMs(written) === durationMs(stored));
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function breach(subject: RuleSubject, { refuser, answer }: Kept, path: Path): Breach {
  const { kind, value, old } = subject;
  const change = tellDifference({ object: value, old }, path);
  const said = `The stored ${kind.kind} says something else here, and keeps it: delete and create it.`;
  return { ...refusalBy(refuser, subject, { path, said, answer }), ...(change !== undefined && { change }) };
}

export const immutableRules: readonly Rule[] = [keptRule];
