import { type Clock, isJsonObject, type JsonObject, type JsonValue } from '../base/index.ts';
import { type AccessAttributes, denied, isAllowed, type User } from './access.ts';
import { type Answer, jsonAnswer, parseJson } from './answer.ts';
import type { DeleteOptions, PropagationPolicy } from './deletion.ts';
import { jsonText } from './jsonText.ts';
import { type StoredObject, stringAt } from './objects.ts';
import { patchMediaType } from './patch.ts';
import type { ListReader, ListRequest } from './reads.ts';
import { isTrue, type RequestInfo, type ReviewKind, reviews } from './requestInfo.ts';
import type { ResourceApi, WriteOptions, WriteResult } from './resourceApi.ts';
import type { ResourceDefinition } from './resources.ts';
import { badRequest, methodNotAllowed, unknownResource, unsupportedMediaType } from './status.ts';
import type { FieldValidation, Strategy } from './strategy.ts';
import { tableText, wantsTable } from './table.ts';

export type ResourceRequest = Extract<RequestInfo, { kind: 'resource' }>;

/** A request that has been read in full and whose sender is known. */
export interface IncomingCall {
  readonly info: ResourceRequest;
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly contentType: string;
  readonly body: string;
}

export interface HandlerParts {
  readonly api: ResourceApi;
  readonly reader: ListReader;
  readonly strategyOf: (type: ResourceDefinition) => Strategy;
  readonly clock: Clock;
}

/** Throws the 403 unless the user may do what the request asks. */
export function authorize(user: User, info: RequestInfo): void {
  if (info.kind !== 'resource') return;
  const { type, verb, namespace, name, subresource } = info;
  const attributes: AccessAttributes = {
    verb,
    group: type.group,
    resource: type.plural,
    ...(subresource === undefined ? {} : { subresource }),
    // A namespace is asked for by name, and a Role in it may grant that.
    ...(namespace !== undefined
      ? { namespace }
      : type.plural === 'namespaces' && name !== undefined
        ? { namespace: name }
        : {}),
  };
  if (!isAllowed(user, attributes)) throw denied(user, attributes, type, name);
}

/** Answers everything but watches and logs. */
export function handle(parts: HandlerParts, call: IncomingCall): Answer {
  const { type, verb, namespace, name, subresource } = call.info;
  if (subresource !== undefined && (subresource !== 'status' || !type.hasStatus)) throw unknownResource();
  if (type.isNamespaced && namespace === undefined && verb !== 'list') throw methodNotAllowed();
  const write = {
    ...writeOptionsOf(call.query),
    ...(subresource === undefined ? {} : { subresource: 'status' as const }),
  };
  switch (verb) {
    case 'get':
      return objectAnswer(parts, call, parts.api.get(type, namespace, name ?? ''));
    case 'list':
      return listAnswer(parts, call);
    case 'create':
      if (name !== undefined) throw methodNotAllowed();
      return writeAnswer(parts, call, parts.api.create(type, namespace, objectBody(call, type), write));
    case 'update':
      if (name === undefined) throw methodNotAllowed();
      return writeAnswer(parts, call, parts.api.update(type, namespace, name, objectBody(call, type), write));
    case 'patch': {
      if (name === undefined) throw methodNotAllowed();
      const mediaType = patchMediaType(call.contentType);
      // Parsed JSON is a JsonValue by construction.
      const body = parseJson(call.body) as JsonValue;
      return writeAnswer(parts, call, parts.api.patch(type, namespace, name, { mediaType, body }, write));
    }
    case 'delete':
      return deleteAnswer(parts, call, name ?? '');
    case 'deletecollection':
      return deleteCollectionAnswer(parts, call);
    case 'watch':
      throw methodNotAllowed();
  }
}

export function listRequestOf({ info, query }: Pick<IncomingCall, 'info' | 'query'>): ListRequest {
  const limit = Number(query.get('limit') ?? '0');
  if (!Number.isInteger(limit) || limit < 0) throw badRequest(`invalid limit ${JSON.stringify(query.get('limit'))}`);
  return {
    ...(info.namespace === undefined ? {} : { namespace: info.namespace }),
    ...optional('labelSelector', query.get('labelSelector')),
    ...optional('fieldSelector', query.get('fieldSelector')),
    ...optional('continueToken', query.get('continue')),
    ...optional('resourceVersion', query.get('resourceVersion')),
    limit,
  };
}

function optional<K extends string>(key: K, value: string | null): { readonly [P in K]?: string } {
  const found: { [P in K]?: string } = {};
  if (value !== null && value !== '') found[key] = value;
  return found;
}

function listAnswer(parts: HandlerParts, call: IncomingCall): Answer {
  const { type } = call.info;
  const page = parts.reader.list(type, parts.strategyOf(type), listRequestOf(call));
  const metadata = {
    resourceVersion: page.resourceVersion,
    ...(page.continueToken === undefined ? {} : { continue: page.continueToken }),
    ...(page.remainingItemCount === undefined ? {} : { remainingItemCount: page.remainingItemCount }),
  };
  if (wantsTable(call.accept)) return jsonAnswer(200, tableText(type, page.items, metadata, parts.clock.now()));
  const items = page.items.map(jsonText).join(',');
  const head = JSON.stringify({ kind: `${type.kind}List`, apiVersion: type.apiVersion, metadata });
  return jsonAnswer(200, `${head.slice(0, -1)},"items":[${items}]}`);
}

function objectAnswer(parts: HandlerParts, call: IncomingCall, object: StoredObject): Answer {
  if (!wantsTable(call.accept)) return jsonAnswer(200, jsonText(object));
  const { resourceVersion } = object.metadata;
  return jsonAnswer(200, tableText(call.info.type, [object], { resourceVersion }, parts.clock.now()));
}

function writeAnswer(parts: HandlerParts, call: IncomingCall, result: WriteResult): Answer {
  const answer = objectAnswer(parts, call, result.object);
  return { ...answer, status: result.isNew ? 201 : 200, warnings: result.warnings };
}

function deleteAnswer(parts: HandlerParts, call: IncomingCall, name: string): Answer {
  const { type, namespace } = call.info;
  const { object, isGone, warnings } = parts.api.delete(type, namespace, name, deleteOptionsOf(call));
  if (!isGone || type.plural === 'pods') return jsonAnswer(200, jsonText(object), warnings);
  const details = {
    name,
    ...(type.group === '' ? {} : { group: type.group }),
    kind: type.plural,
    uid: object.metadata.uid,
  };
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
  return jsonAnswer(200, JSON.stringify(status), warnings);
}

function deleteCollectionAnswer(parts: HandlerParts, call: IncomingCall): Answer {
  const { type } = call.info;
  const page = parts.reader.list(type, parts.strategyOf(type), listRequestOf(call));
  const options = deleteOptionsOf(call);
  const deleted = page.items.map((item) =>
    parts.api.delete(type, item.metadata.namespace, item.metadata.name, options),
  );
  const head = JSON.stringify({
    kind: `${type.kind}List`,
    apiVersion: type.apiVersion,
    metadata: { resourceVersion: page.resourceVersion },
  });
  return jsonAnswer(200, `${head.slice(0, -1)},"items":[${deleted.map(({ object }) => jsonText(object)).join(',')}]}`, [
    ...new Set(deleted.flatMap(({ warnings }) => warnings)),
  ]);
}

function objectBody(call: IncomingCall, type: ResourceDefinition): JsonObject {
  const essence = call.contentType.split(';')[0]?.trim() ?? '';
  if (essence !== '' && essence !== 'application/json') throw unsupportedMediaType(['application/json']);
  const body = parseJson(call.body);
  if (isJsonObject(body)) return body;
  throw badRequest(`the object provided is unrecognized (must be of type ${type.kind}): it is not a JSON object`);
}

function writeOptionsOf(query: URLSearchParams): WriteOptions {
  const validation = query.get('fieldValidation') ?? '';
  return {
    dryRun: isDryRun(query.getAll('dryRun')),
    ...(validation === '' ? {} : { fieldValidation: fieldValidationOf(validation) }),
  };
}

function fieldValidationOf(text: string): FieldValidation {
  if (text === 'Strict' || text === 'Warn' || text === 'Ignore') return text;
  throw badRequest(`fieldValidation: Unsupported value: "${text}": supported values: "Ignore", "Strict", "Warn"`);
}

function isDryRun(values: readonly unknown[]): boolean {
  for (const value of values) {
    if (value !== 'All') throw badRequest(`dryRun: Unsupported value: "${String(value)}": supported values: "All"`);
  }
  return values.length > 0;
}

/** Options of a deletion stand in the body, in the query, or in both; the body wins. */
function deleteOptionsOf({ query, body }: IncomingCall): DeleteOptions {
  const sent = body.trim() === '' ? {} : parseJson(body);
  const options = isJsonObject(sent) ? sent : {};
  const preconditions = isJsonObject(options['preconditions']) ? options['preconditions'] : undefined;
  const grace = options['gracePeriodSeconds'] ?? query.get('gracePeriodSeconds');
  const policy = propagationOf(options, query);
  const dryRun = Array.isArray(options['dryRun']) ? options['dryRun'] : query.getAll('dryRun');
  return {
    ...optional('uid', stringAt(preconditions, 'uid') ?? null),
    ...optional('resourceVersion', stringAt(preconditions, 'resourceVersion') ?? null),
    ...(policy === undefined ? {} : { propagationPolicy: policy }),
    ...(grace === null || grace === undefined || grace === '' ? {} : { gracePeriodSeconds: Number(grace) }),
    dryRun: isDryRun(dryRun),
  };
}

function propagationOf(options: JsonObject, query: URLSearchParams): PropagationPolicy | undefined {
  const policy = stringAt(options, 'propagationPolicy') ?? query.get('propagationPolicy') ?? '';
  if (policy === 'Background' || policy === 'Foreground' || policy === 'Orphan') return policy;
  if (policy !== '') {
    throw badRequest(
      `propagationPolicy: Unsupported value: "${policy}": supported values: "Background", "Foreground", "Orphan"`,
    );
  }
  const orphan = options['orphanDependents'] ?? query.get('orphanDependents');
  if (orphan === null || orphan === undefined) return undefined;
  return orphan === true || isTrue(String(orphan)) ? 'Orphan' : 'Background';
}

/** Who am I, and what may I do? */
export function handleReview(user: User, review: ReviewKind, bodyText: string): Answer {
  const body = parseJson(bodyText === '' ? '{}' : bodyText);
  const sent = isJsonObject(body) ? body : {};
  const spec = isJsonObject(sent['spec']) ? sent['spec'] : {};
  const group = review === 'selfsubjectreviews' ? 'authentication.k8s.io' : 'authorization.k8s.io';
  const head = { kind: reviews[review], apiVersion: `${group}/v1`, metadata: { creationTimestamp: null } };
  return jsonAnswer(201, JSON.stringify({ ...head, spec, status: reviewStatus(user, review, spec) }));
}

function reviewStatus(user: User, review: ReviewKind, spec: JsonObject): JsonObject {
  switch (review) {
    case 'selfsubjectreviews':
      return { userInfo: { username: user.name, groups: user.groups } };
    case 'selfsubjectrulesreviews': {
      const namespace = stringAt(spec, 'namespace') ?? '';
      const rules = user.rules.filter((rule) => rule.namespaces === undefined || rule.namespaces.includes(namespace));
      const resourceRules = rules.map(({ verbs, apiGroups, resources }) => ({ verbs, apiGroups, resources }));
      return { resourceRules, nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['*'] }], incomplete: false };
    }
    case 'selfsubjectaccessreviews': {
      const wanted = isJsonObject(spec['resourceAttributes']) ? spec['resourceAttributes'] : undefined;
      if (wanted === undefined) return { allowed: true };
      const subresource = stringAt(wanted, 'subresource');
      const namespace = stringAt(wanted, 'namespace');
      const allowed = isAllowed(user, {
        verb: stringAt(wanted, 'verb') ?? '',
        group: stringAt(wanted, 'group') ?? '',
        resource: stringAt(wanted, 'resource') ?? '',
        ...(subresource === undefined ? {} : { subresource }),
        ...(namespace === undefined ? {} : { namespace }),
      });
      return allowed ? { allowed, reason: 'RBAC: allowed by the sandbox' } : { allowed };
    }
  }
}
