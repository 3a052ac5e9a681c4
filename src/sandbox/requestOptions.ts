import { isJsonObject, type JsonObject } from '../base/index.ts';
import { parseJson } from './answer.ts';
import type { DeleteOptions, PropagationPolicy } from './deletion.ts';
import { stringAt } from './objects.ts';
import type { ListRequest } from './reads.ts';
import { isTrue } from './requestInfo.ts';
import type { WriteOptions } from './resourceApi.ts';
import { badRequest, invalidOptions } from './status.ts';
import type { FieldValidation } from './strategy.ts';
import type { WatchRequest } from './watch.ts';

/** What stands in the query of a request, and for a deletion in its body, made into values. All throw the refusals. */

/** A limit below 0 means none, as the real server has it. */
export function listRequestOf(query: URLSearchParams, namespace: string | undefined): ListRequest {
  const limit = Number(query.get('limit') ?? '0');
  if (!Number.isInteger(limit)) throw notANumber(query.get('limit'));
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...given('labelSelector', query.get('labelSelector')),
    ...given('fieldSelector', query.get('fieldSelector')),
    ...given('continueToken', query.get('continue')),
    ...given('resourceVersion', query.get('resourceVersion')),
    limit: Math.max(0, limit),
  };
}

/** Whether the watch is possible is for `startWatch` to say. */
export function watchRequestOf(query: URLSearchParams, namespace: string | undefined): WatchRequest {
  const timeout = query.get('timeoutSeconds');
  const initial = query.get('sendInitialEvents');
  if (timeout !== null && !/^\d+$/u.test(timeout)) throw notANumber(timeout);
  if (initial !== null && query.get('resourceVersionMatch') !== 'NotOlderThan') {
    throw invalidOptions('ListOptions', {
      field: 'resourceVersionMatch',
      type: 'Forbidden',
      message: 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    });
  }
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...given('labelSelector', query.get('labelSelector')),
    ...given('fieldSelector', query.get('fieldSelector')),
    ...given('resourceVersion', query.get('resourceVersion')),
    ...(timeout === null ? {} : { timeoutSeconds: Number(timeout) }),
    allowBookmarks: isTrue(query.get('allowWatchBookmarks')),
    ...(initial === null ? {} : { sendInitialEvents: isTrue(initial) }),
  };
}

/** `kind` is the name of the options, as the refusal calls them: `CreateOptions`. */
export function writeOptionsOf(query: URLSearchParams, kind: string): WriteOptions {
  const validation = query.get('fieldValidation') ?? '';
  return {
    dryRun: isDryRun(query.getAll('dryRun'), kind),
    ...(validation === '' ? {} : { fieldValidation: fieldValidationOf(validation, kind) }),
  };
}

/** Options of a deletion stand in the body; those of the query count only if there is no body. */
export function deleteOptionsOf(query: URLSearchParams, body: string): DeleteOptions {
  const sent = body.trim() === '' ? optionsInQuery(query) : parseJson(body);
  const options = isJsonObject(sent) ? sent : {};
  const preconditions = isJsonObject(options['preconditions']) ? options['preconditions'] : undefined;
  const grace = options['gracePeriodSeconds'];
  const policy = propagationOf(options);
  const dryRun = Array.isArray(options['dryRun']) ? options['dryRun'] : [];
  return {
    ...given('uid', stringAt(preconditions, 'uid') ?? null),
    ...given('resourceVersion', stringAt(preconditions, 'resourceVersion') ?? null),
    ...(policy === undefined ? {} : { propagationPolicy: policy }),
    ...(typeof grace === 'number' ? { gracePeriodSeconds: grace } : {}),
    dryRun: isDryRun(dryRun, 'DeleteOptions'),
  };
}

/** The same options in the form that a body would have. */
function optionsInQuery(query: URLSearchParams): JsonObject {
  const grace = query.get('gracePeriodSeconds');
  const orphan = query.get('orphanDependents');
  return {
    propagationPolicy: query.get('propagationPolicy') ?? '',
    dryRun: query.getAll('dryRun'),
    ...(grace === null || grace === '' ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(orphan === null ? {} : { orphanDependents: isTrue(orphan) }),
  };
}

/** `orphanDependents` is how it was said before there were three policies. */
function propagationOf(options: JsonObject): PropagationPolicy | undefined {
  const policy = stringAt(options, 'propagationPolicy');
  const orphan = options['orphanDependents'];
  if (policy === undefined) return typeof orphan === 'boolean' ? (orphan ? 'Orphan' : 'Background') : undefined;
  if (typeof orphan === 'boolean') {
    throw invalidOptions('DeleteOptions', {
      field: 'propagationPolicy',
      type: 'Invalid',
      value: policy,
      message: 'orphanDependents and deletionPropagation cannot be both set',
    });
  }
  if (policy === 'Background' || policy === 'Foreground' || policy === 'Orphan') return policy;
  throw invalidOptions('DeleteOptions', {
    field: 'propagationPolicy',
    type: 'NotSupported',
    value: policy,
    message: 'supported values: "Foreground", "Background", "Orphan", "nil"',
  });
}

function fieldValidationOf(text: string, kind: string): FieldValidation {
  if (text === 'Strict' || text === 'Warn' || text === 'Ignore') return text;
  throw invalidOptions(kind, {
    field: 'fieldValidation',
    type: 'NotSupported',
    value: text,
    message: 'supported values: "", "Ignore", "Strict", "Warn"',
  });
}

/** `All` is the only stage that there is. */
function isDryRun(values: readonly unknown[], kind: string): boolean {
  if (values.every((value) => value === 'All')) return values.length > 0;
  const value = values.map(String);
  throw invalidOptions(kind, { field: 'dryRun', type: 'NotSupported', value, message: 'supported values: "All"' });
}

/** An empty parameter counts as absent. */
function given<K extends string>(key: K, value: string | null): { readonly [P in K]?: string } {
  const found: { [P in K]?: string } = {};
  if (value !== null && value !== '') found[key] = value;
  return found;
}

/** In the words of Go, which clients show to people as they are. */
function notANumber(text: string | null): Error {
  return badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}
