import { below, type Path, renamed, type Step } from './path.ts';
import {
  type Check,
  type Context,
  type Judgement,
  type Part,
  type Rule,
  type RuleFacts,
  type RunnableRule,
  runnable,
  runRule,
} from './rule.ts';

/**
 * Trees are built when a value first meets them: an object meets few of all the fields that it could have, and the engine
 * has to be loaded quickly.
 */

type Parts<Value, Owner, C extends Context> = Part<Value, Owner, C> | readonly Part<Value, Owner, C>[];

/** For each field of an object, what judges it, in the order in which errors shall come. */
export type FieldParts<T, C extends Context> = {
  readonly [K in keyof T]?: Parts<NonNullable<T[K]>, T, C>;
};

/** Judges the fields of an object; silent where the object itself is absent (see `always`). */
export function fields<T extends object, C extends Context = Context>(parts: FieldParts<T, C>): Check<T, unknown, C> {
  let checks: readonly FieldCheck<T, C>[] | undefined;
  return {
    judgesAbsent: false,
    run: (value, _owner, context, path, judgement) => {
      if (typeof value !== 'object' || value === null) return;
      checks ??= fieldChecks(parts);
      for (const check of checks) {
        // Of the fields that an object could have, it lacks nearly all.
        if (check.judgesAbsent || (value[check.name] ?? undefined) !== undefined) {
          check.run(value, context, path, judgement);
        }
      }
    },
    visit: (visit) => {
      for (const name in parts) visitParts(listOf(parts[name] ?? []), visit);
    },
  };
}

interface FieldCheck<T, C extends Context> {
  readonly name: keyof T;
  readonly judgesAbsent: boolean;
  readonly run: (owner: T, context: C, path: Path | undefined, judgement: Judgement) => void;
}

function fieldChecks<T extends object, C extends Context>(parts: FieldParts<T, C>): readonly FieldCheck<T, C>[] {
  const checks: FieldCheck<T, C>[] = [];
  for (const name in parts) {
    const ofField = parts[name];
    if (ofField !== undefined) checks.push(fieldCheck<T, typeof name, C>(name, listOf(ofField)));
  }
  return checks;
}

function fieldCheck<T, K extends keyof T & string, C extends Context>(
  name: K,
  parts: readonly Part<NonNullable<T[K]>, T, C>[],
): FieldCheck<T, C> {
  const judges = parts.map(asJudge);
  return {
    name,
    judgesAbsent: judges.some((judge) => judge.judgesAbsent),
    run: (owner, context, path, judgement) =>
      runJudges(judges, owner[name] ?? undefined, owner, context, path, name, judgement),
  };
}

/** Several parts for the same value, one after the other. */
export function all<Value, Owner, C extends Context>(
  ...parts: readonly Part<Value, Owner, C>[]
): Check<Value, Owner, C> {
  const [only] = parts;
  if (only !== undefined && parts.length === 1 && !isRule(only)) return only;
  let judges: readonly Judge<Value, Owner, C>[] | undefined;
  return {
    judgesAbsent: parts.some(mayJudgeAbsent),
    run: (value, owner, context, path, judgement) => {
      judges ??= parts.map(asJudge);
      runJudges(judges, value, owner, context, path, undefined, judgement);
    },
    visit: (visit) => visitParts(parts, visit),
  };
}

/** Judges each item of a list; the owner of an item is the list. */
export function each<Item, C extends Context = Context>(
  ...parts: readonly Part<Item, readonly Item[], C>[]
): Check<readonly Item[], unknown, C> {
  let judges: readonly Judge<Item, readonly Item[], C>[] | undefined;
  return {
    judgesAbsent: false,
    run: (list, _owner, context, path, judgement) => {
      if (!Array.isArray(list)) return;
      judges ??= parts.map(asJudge);
      const items: readonly Item[] = list;
      for (let index = 0; index < items.length; index++) {
        runJudges(judges, items[index], items, context, path, index, judgement);
      }
    },
    visit: (visit) => visitParts(parts, visit),
  };
}

/** A part as it is run, in one shape for rules and checks. One of the two is there. */
interface Judge<Value, Owner, C extends Context> {
  readonly judgesAbsent: boolean;
  readonly rule: RunnableRule<Value, Owner, C> | undefined;
  readonly check: Check<Value, Owner, C> | undefined;
}

function asJudge<Value, Owner, C extends Context>(part: Part<Value, Owner, C>): Judge<Value, Owner, C> {
  return isRule(part)
    ? { judgesAbsent: part.evenIfAbsent === true, rule: runnable(part), check: undefined }
    : { judgesAbsent: part.judgesAbsent ?? true, rule: undefined, check: part };
}

/** Runs judges on a value at `step` below `path`, or at `path` itself without one. */
function runJudges<Value, Owner, C extends Context>(
  judges: readonly Judge<Value, Owner, C>[],
  value: Value | undefined,
  owner: Owner,
  context: C,
  path: Path | undefined,
  step: Step | undefined,
  judgement: Judgement,
): void {
  for (let index = 0; index < judges.length; index++) {
    const judge = judges[index];
    if (judge === undefined || (value === undefined && !judge.judgesAbsent)) continue;
    if (judge.rule !== undefined) runRule(judge.rule, value, owner, context, path, step, judgement);
    else judge.check?.run(value, owner, context, step === undefined ? path : below(path, step), judgement);
  }
}

function visitParts<Value, Owner, C extends Context>(
  parts: readonly Part<Value, Owner, C>[],
  visit: (facts: RuleFacts) => void,
): void {
  for (const part of parts) {
    if (isRule(part)) visit(part);
    else part.visit(visit);
  }
}

function mayJudgeAbsent<Value, Owner, C extends Context>(part: Part<Value, Owner, C>): boolean {
  return isRule(part) ? part.evenIfAbsent === true : (part.judgesAbsent ?? true);
}

/**
 * Judges `empty` where the value is absent: for what is a plain struct in Go, so that its required fields are asked for
 * even if the object lacks it altogether.
 */
export function always<Value, Owner, C extends Context>(
  empty: Value,
  check: Check<Value, Owner, C>,
): Check<Value, Owner, C> {
  return {
    judgesAbsent: true,
    run: (value, owner, context, path, judgement) => check.run(value ?? empty, owner, context, path, judgement),
    visit: check.visit,
  };
}

/**
 * Judges the same place under the name that the API server prints: `.operator`, or '' for a step that it skips. A function
 * decides by the context; undefined keeps the name.
 */
export function printedAs<Value, Owner, C extends Context>(
  text: string | ((context: C) => string | undefined),
  ...parts: readonly Part<Value, Owner, C>[]
): Check<Value, Owner, C> {
  const check = all(...parts);
  return {
    judgesAbsent: mayJudgeAbsent(check),
    run: (value, owner, context, path, judgement) => {
      const printed = typeof text === 'string' ? text : text(context);
      const place = path === undefined || printed === undefined ? path : renamed(path, printed);
      check.run(value, owner, context, place, judgement);
    },
    visit: check.visit,
  };
}

/**
 * Judges a subtree in a richer context, derived once from the value. `derive` may answer undefined for "nothing to judge
 * here". If it throws, that is reported as a failure of the rule named `code`, and the subtree goes unjudged.
 */
export function within<Value, Owner, Outer extends Context, Inner extends Context>(
  code: string,
  derive: (value: Value | undefined, owner: Owner, context: Outer) => Inner | undefined,
  ...parts: readonly Part<Value, Owner, Inner>[]
): Check<Value, Owner, Outer> {
  const check = all(...parts);
  return {
    judgesAbsent: mayJudgeAbsent(check),
    run: (value, owner, context, path, judgement) => {
      let inner: Inner | undefined;
      try {
        inner = derive(value, owner, context);
      } catch (error) {
        judgement.onRuleFailure(code, error);
      }
      if (inner !== undefined) check.run(value, owner, inner, path, judgement);
    },
    visit: check.visit,
  };
}

function isRule<Value, Owner, C extends Context>(part: Part<Value, Owner, C>): part is Rule<Value, Owner, C> {
  return 'refuses' in part;
}

function listOf<T>(parts: T | readonly T[]): readonly T[] {
  return isList(parts) ? parts : [parts];
}

function isList<T>(parts: T | readonly T[]): parts is readonly T[] {
  return Array.isArray(parts);
}
