import { below, type Path, renamed } from '../path.ts';
import type { Check, Context, Judgement, Part, Rule } from '../rule.ts';
import { all } from '../structure.ts';

/** One alternative of a union: what judges it, and how the server prints its name where that differs. */
export interface Member<Value, Owner, C extends Context> {
  readonly judgedBy?: Part<Value, Owner, C> | undefined;
  /** The printed name below which its own faults are reported. */
  readonly printedAs?: string;
  /** The printed name where it is one too many. */
  readonly surplusPrintedAs?: string;
}

/** The fields that exclude each other, in the order in which the server looks for them. */
export type Members<T, C extends Context> = {
  readonly [K in keyof T]?: Member<NonNullable<T[K]>, T, C>;
};

/** The rules of the union itself, both asked about the whole object. */
export interface UnionRules<T, C extends Context> {
  /** Refuses a member that comes after the first; always complains. */
  readonly surplus: Rule<unknown, T, C>;
  /** Refuses an object with no member at all; always complains. Absent where none is fine. */
  readonly missing?: Rule<T, unknown, C>;
}

/**
 * Judges an object of which exactly one field may be set. Only the first one that is set is judged, in the order of
 * `members`; each further one is one too many and its content goes unjudged, as on the server.
 */
export function union<T extends object, C extends Context = Context>(
  members: Members<T, C>,
  rules: UnionRules<T, C>,
): Check<T, unknown, C> {
  const alternatives: Alternative<T, C>[] = [];
  for (const name in members) {
    const member = members[name];
    if (member !== undefined) alternatives.push(alternative(name, member));
  }
  const surplus = all(rules.surplus);
  const missing = rules.missing && all(rules.missing);
  return {
    run: (value, owner, context, path, judgement) => {
      if (typeof value !== 'object' || value === null) return;
      let isTaken = false;
      for (const one of alternatives) {
        if (!one.isSet(value)) continue;
        if (isTaken) surplus.run(value, value, context, one.surplusPath(path), judgement);
        else one.judge(value, context, path, judgement);
        isTaken = true;
      }
      if (!isTaken) missing?.run(value, owner, context, path, judgement);
    },
    visit(visit) {
      for (const one of alternatives) one.visit(visit);
      surplus.visit(visit);
      missing?.visit(visit);
    },
  };
}

interface Alternative<T, C extends Context> {
  readonly isSet: (value: T) => boolean;
  readonly judge: (value: T, context: C, path: Path | undefined, judgement: Judgement) => void;
  readonly surplusPath: (path: Path | undefined) => Path;
  readonly visit: Check<T>['visit'];
}

function alternative<T, K extends keyof T & string, C extends Context>(
  name: K,
  member: Member<NonNullable<T[K]>, T, C>,
): Alternative<T, C> {
  const check = member.judgedBy === undefined ? undefined : all(member.judgedBy);
  const at = (path: Path | undefined, printed: string | undefined): Path => {
    const place = below(path, name);
    return printed === undefined ? place : renamed(place, `.${printed}`);
  };
  return {
    isSet: (value) => value[name] !== undefined && value[name] !== null,
    judge: (value, context, path, judgement) =>
      check?.run(value[name] ?? undefined, value, context, at(path, member.printedAs), judgement),
    surplusPath: (path) => at(path, member.surplusPrintedAs),
    visit: (visit) => check?.visit(visit),
  };
}
