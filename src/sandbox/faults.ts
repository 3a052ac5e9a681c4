import type { Disposable, JsonObject } from '../base/index.ts';

/** What goes wrong with a request. */
export type Fault =
  /** Everything happens as ever, after a wait (of the cluster's clock). */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The server refuses without carrying anything out. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly reason?: string;
      readonly message?: string;
      readonly retryAfterSeconds?: number;
    }
  /** The answer is this instead, with 200: an API that the sandbox doesn't have. */
  | { readonly kind: 'instead'; readonly body: JsonObject }
  /** The connection is reset before anything is carried out. */
  | { readonly kind: 'reset' }
  /** The request is carried out, but the connection is reset instead of an answer. */
  | { readonly kind: 'lose-answer' }
  /** Nothing is carried out and nothing is ever answered, until the fault is taken away. */
  | { readonly kind: 'black-hole' }
  /** The request is carried out, and the answer is no JSON. */
  | { readonly kind: 'garbage' };

/** Which requests; what is absent matches all. */
export interface FaultMatch {
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`. */
  readonly verb?: string;
  /** `jobs` */
  readonly resource?: string;
  /** `status`; '' for the main resource alone. */
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly path?: RegExp;
}

/** A fault, the requests that it strikes, and how often. */
export interface FaultRule {
  readonly match?: FaultMatch;
  readonly fault: Fault;
  /** How many requests it hits; all of them if absent. */
  readonly times?: number;
  /** How many matching requests pass first; 0 if absent. */
  readonly skip?: number;
}

/** A fault in force. Disposing it ends the fault and resets the requests that it swallowed. */
export interface FaultHandle extends Disposable {
  /** How many requests it has struck so far. */
  readonly hits: () => number;
}

/** A request as faults see it. What it doesn't have is ''. */
export interface FaultTarget {
  readonly verb: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
}

/** A rule with its count. */
interface ActiveRule {
  readonly rule: FaultRule;
  toSkip: number;
  remaining: number;
  hits: number;
  /** Called when the rule goes: black-holed requests are then reset. */
  readonly onRemoved: Set<() => void>;
}

/** Which faults a cluster has at present. The first rule that matches a request decides. */
export class FaultPlan {
  readonly #rules = new Set<ActiveRule>();

  add(rule: FaultRule): FaultHandle {
    const active: ActiveRule = {
      rule,
      toSkip: rule.skip ?? 0,
      remaining: rule.times ?? Number.POSITIVE_INFINITY,
      hits: 0,
      onRemoved: new Set(),
    };
    this.#rules.add(active);
    return { hits: () => active.hits, dispose: () => this.#remove(active) };
  }

  clear(): void {
    for (const active of [...this.#rules]) this.#remove(active);
  }

  /** The fault for this request, if any. `whenRemoved` registers what shall happen once its rule is taken away. */
  take(
    target: FaultTarget,
  ): { readonly fault: Fault; readonly whenRemoved: (callback: () => void) => void } | undefined {
    for (const active of this.#rules) {
      if (active.remaining <= 0 || !matches(active.rule.match ?? {}, target)) continue;
      if (active.toSkip > 0) {
        active.toSkip -= 1;
        continue;
      }
      active.remaining -= 1;
      active.hits += 1;
      return { fault: active.rule.fault, whenRemoved: (callback) => void active.onRemoved.add(callback) };
    }
    return undefined;
  }

  #remove(active: ActiveRule): void {
    this.#rules.delete(active);
    for (const callback of active.onRemoved) callback();
    active.onRemoved.clear();
  }
}

/** All that the match names must agree. */
function matches(match: FaultMatch, target: FaultTarget): boolean {
  const { path, ...exact } = match;
  const wanted: Partial<FaultTarget> = exact;
  const isEqual =
    isSame(wanted.verb, target.verb) &&
    isSame(wanted.resource, target.resource) &&
    isSame(wanted.subresource, target.subresource) &&
    isSame(wanted.namespace, target.namespace) &&
    isSame(wanted.name, target.name);
  return isEqual && (path === undefined || path.test(target.path));
}

function isSame(wanted: string | undefined, actual: string): boolean {
  return wanted === undefined || wanted === actual;
}
