import { isMap, type Json, type JsonMap } from './json.ts';
import type { OracleRequest } from './oracle.ts';

/** Where a value sits: keys and indexes from the root. */
type Route = readonly (string | number)[];

const mostTries = 2000;
const atOnce = 50;

/**
 * The smallest request found that still shows the fault: takes away one part after another, from both objects at once
 * and from each alone, for as long as something can go. `shows` answers for several candidates at once.
 */
export async function shrink(
  request: OracleRequest,
  shows: (candidates: readonly OracleRequest[]) => Promise<readonly boolean[]>,
): Promise<OracleRequest> {
  let smallest = request;
  let tries = 0;
  for (let next: OracleRequest | undefined = smallest; next !== undefined && tries < mostTries; ) {
    smallest = next;
    next = undefined;
    const candidates = [...smallerOnes(smallest)];
    for (let from = 0; from < candidates.length && next === undefined; from += atOnce) {
      const some = candidates.slice(from, from + atOnce);
      tries += some.length;
      const shown = await shows(some);
      next = some.find((_, index) => shown[index]);
    }
  }
  return smallest;
}

/** Requests with one part less, the largest parts first. */
function* smallerOnes(request: OracleRequest): Generator<OracleRequest> {
  const { old } = request;
  const routes = [...routesOf(request.object)].sort((left, right) => left.length - right.length);
  for (const route of routes) {
    const object = removed(request.object, route);
    if (old !== undefined) yield { ...request, object, old: removed(old, route) };
    yield { ...request, object };
  }
  if (old === undefined) return;
  for (const route of [...routesOf(old)].sort((left, right) => left.length - right.length)) {
    yield { ...request, old: removed(old, route) };
  }
}

const identity: readonly string[] = ['apiVersion', 'kind'];

function* routesOf(value: Json, route: Route = []): Generator<Route> {
  if (isMap(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (route.length === 0 && identity.includes(key)) continue;
      yield [...route, key];
      yield* routesOf(inner, [...route, key]);
    }
  } else if (Array.isArray(value)) {
    // A crowd is interesting for its number alone; looking at a few is enough.
    for (const [index, inner] of value.slice(0, 6).entries()) {
      yield [...route, index];
      yield* routesOf(inner, [...route, index]);
    }
  }
}

function removed(root: JsonMap, route: Route): JsonMap {
  const copy = structuredClone(root);
  let parent: Json | undefined = copy;
  for (const step of route.slice(0, -1)) {
    if (isMap(parent)) parent = parent[step];
    else if (Array.isArray(parent)) parent = parent[Number(step)];
  }
  const last = route.at(-1) ?? '';
  if (isMap(parent)) delete parent[last];
  else if (Array.isArray(parent)) parent.splice(Number(last), 1);
  return copy;
}
