import { below, type Path, renderPath, type Step, segmentsOf } from './path.ts';
import type { AdmissionRequest, FieldError, FieldErrorType, KubernetesMinor } from './verdict.ts';
import { ordinalOf } from './version.ts';

/**
 * The core of the engine: a rule is a small value that stands beside the field it judges and can be tested alone.
 *
 * ```ts
 * const completionsRequired = rule<number, JobSpec>({
 *   code: 'completions-required',
 *   type: 'Required',
 *   source: 'B4',
 *   says: 'An Indexed Job needs completions.',
 *   evenIfAbsent: true,
 *   refuses: (completions, spec) => isIndexed(spec) && completions === undefined && 'when completion mode is Indexed',
 * });
 * export const jobSpec = fields<JobSpec, JobContext>({ completions: [notNegative, completionsRequired], … });
 * ```
 *
 * What one can count on:
 * - Rules see a decoded object (`decode/`): fields have the types of `objects.ts` or are absent, never null. Absent means
 *   Go's zero value: a missing string is "", a missing list is empty. Where the server treats both alike, so must a rule.
 * - Rules see the object after defaulting and preparation, as the server does.
 * - A rule runs only where its value is present, unless it says `evenIfAbsent`.
 * - A rule that throws is reported to `onRuleFailure` and silences nobody.
 * - A check that needs more than the value and the object that holds it gets it through its context: `within` derives a
 *   richer one for a subtree (names of the containers, the old template), once, so that rules stay cheap and typed.
 *
 * The seam to the pod template: `pod/index.ts` exports `podTemplate`, a check mounted at `spec.template` of a Job and at
 * `spec.jobTemplate.spec.template` of a CronJob, with a `PodTemplateContext` that carries the stored template on update;
 * `defaultPodTemplate` and `withoutGatedFields`, which run before any rule; and `podTemplateWarnings`.
 */
export interface Context {
  readonly version: KubernetesMinor;
  readonly operation: AdmissionRequest['operation'];
}

/** What a rule says about itself; all that the catalogue of rules needs. */
export interface RuleFacts {
  /** Kebab-case, stable, unique in the engine: the code of the linter's finding. */
  readonly code: string;
  readonly type: FieldErrorType;
  /** The rule in one sentence, for people. */
  readonly says: string;
  /** The id of the fact in the rule sheet (`B4`), or a public source. */
  readonly source: string;
  /** First minor in which the rule holds; absent: all known ones before `until`. */
  readonly since?: KubernetesMinor | undefined;
  /** Last minor in which the rule holds. */
  readonly until?: KubernetesMinor | undefined;
}

/** A complaint about a place below the value, with the message in the server's manner. */
export interface Complaint {
  readonly message: string;
  /** Steps from the value to what the server names; absent: the value itself. */
  readonly at?: readonly Step[];
  /** Further steps to where the fault really sits, which the server doesn't print. */
  readonly within?: readonly (string | number)[];
}

/** What `refuses` answers: nothing or false where all is well, else a message or complaints (an empty list is fine). */
export type Refusal = undefined | false | string | Complaint | readonly (string | Complaint)[];

type PresentRule<Value, Owner, C extends Context> = RuleFacts & {
  readonly evenIfAbsent?: false;
  readonly refuses: (value: Value, owner: Owner, context: C) => Refusal;
};
type AbsentRule<Value, Owner, C extends Context> = RuleFacts & {
  readonly evenIfAbsent: true;
  readonly refuses: (value: Value | undefined, owner: Owner, context: C) => Refusal;
};

/** `Value` is what it judges, `Owner` the object (or list) that directly holds the value. */
export type Rule<Value, Owner = unknown, C extends Context = Context> =
  | PresentRule<Value, Owner, C>
  | AbsentRule<Value, Owner, C>;

/** Writes a rule down; it exists for the types alone. */
export function rule<Value, Owner = unknown, C extends Context = Context>(
  facts: Rule<Value, Owner, C>,
): Rule<Value, Owner, C> {
  return facts;
}

/** A tree of rules for one kind of value; made by `fields`, `each` and the like in `structure.ts`. */
export interface Check<Value, Owner = unknown, C extends Context = Context> {
  readonly run: (
    value: Value | undefined,
    owner: Owner,
    context: C,
    path: Path | undefined,
    judgement: Judgement,
  ) => void;
  /** False if it never has anything to say about an absent value, and so can be spared the call. */
  readonly judgesAbsent?: boolean;
  /** Calls `visit` for each rule in the tree, for the catalogue. */
  readonly visit: (visit: (facts: RuleFacts) => void) => void;
}

/** What may stand beside a field. */
export type Part<Value, Owner, C extends Context> = Rule<Value, Owner, C> | Check<Value, Owner, C>;

/** Told of a rule that threw: a fault of ours, never of the object. */
export type OnRuleFailure = (code: string, error: unknown) => void;

/** Collects the errors of one run. */
export interface Judgement {
  readonly ordinal: number;
  readonly errors: FieldError[];
  readonly onRuleFailure: OnRuleFailure;
}

/** An empty judgement for one run. */
export function judgementFor(version: KubernetesMinor, onRuleFailure: OnRuleFailure): Judgement {
  return { ordinal: ordinalOf(version), errors: [], onRuleFailure };
}

/** A rule as it is run: the same shape for all rules, which keeps the running of them fast, and minors as ordinals. */
export interface RunnableRule<Value, Owner, C extends Context> {
  readonly facts: RuleFacts;
  readonly since: number;
  readonly until: number;
  readonly refuses: (value: Value, owner: Owner, context: C) => Refusal;
  /** Undefined for a rule that never has anything to say about an absent value. */
  readonly refusesAbsent: ((value: undefined, owner: Owner, context: C) => Refusal) | undefined;
}

/** Makes a rule ready to be run. */
export function runnable<Value, Owner, C extends Context>(
  subject: Rule<Value, Owner, C>,
): RunnableRule<Value, Owner, C> {
  const { since, until, refuses } = subject;
  return {
    facts: subject,
    since: since === undefined ? 0 : ordinalOf(since),
    until: until === undefined ? Number.MAX_SAFE_INTEGER : ordinalOf(until),
    refuses,
    refusesAbsent: subject.evenIfAbsent === true ? subject.refuses : undefined,
  };
}

/**
 * Runs one rule on one value, guarded, and files what it complains about. The value is at `step` below `path`, or at
 * `path` itself without one: nearly no rule complains, and then nobody needs the place.
 */
export function runRule<Value, Owner, C extends Context>(
  subject: RunnableRule<Value, Owner, C>,
  value: Value | undefined,
  owner: Owner,
  context: C,
  path: Path | undefined,
  step: Step | undefined,
  judgement: Judgement,
): void {
  if (judgement.ordinal < subject.since || judgement.ordinal > subject.until) return;
  let refusal: Refusal;
  try {
    refusal =
      value === undefined ? subject.refusesAbsent?.(undefined, owner, context) : subject.refuses(value, owner, context);
  } catch (error) {
    judgement.onRuleFailure(subject.facts.code, error);
    return;
  }
  if (refusal === undefined || refusal === false) return;
  const place = step === undefined ? path : below(path, step);
  for (const one of isList(refusal) ? refusal : [refusal]) file(subject.facts, one, place, judgement);
}

function isList(
  refusal: string | Complaint | readonly (string | Complaint)[],
): refusal is readonly (string | Complaint)[] {
  return Array.isArray(refusal);
}

function file(facts: RuleFacts, complaint: string | Complaint, path: Path | undefined, judgement: Judgement): void {
  if (typeof complaint === 'string') {
    complain(facts, complaint, path, judgement);
    return;
  }
  let place = path;
  for (const step of complaint.at ?? []) place = below(place, step);
  for (const segment of complaint.within ?? []) place = { parent: place, segment, text: '' };
  complain(facts, complaint.message, place, judgement);
}

function complain(facts: RuleFacts, message: string, path: Path | undefined, judgement: Judgement): void {
  judgement.errors.push({
    field: renderPath(path),
    type: facts.type,
    message,
    at: segmentsOf(path),
    rule: facts.code,
  });
}
