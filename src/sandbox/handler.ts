import { type Clock, isJsonObject, type JsonObject, type JsonValue } from '../base/index.ts';
import { type AccessAttributes, denied, isAllowed, type User } from './access.ts';
import { type Answer, errorAnswer, jsonAnswer, parseJson, requireJson } from './answer.ts';
import { deletionWarnings } from './deletion.ts';
import { itemText, jsonText } from './jsonText.ts';
import { type StoredObject, stringAt } from './objects.ts';
import { patchMediaType } from './patch.ts';
import type { ListReader } from './reads.ts';
import type { RequestInfo, Verb } from './requestInfo.ts';
import { deleteOptionsOf, listRequestOf, writeOptionsOf } from './requestOptions.ts';
import type { DeleteResult, ResourceApi, WriteResult } from './resourceApi.ts';
import type { ResourceDefinition } from './resources.ts';
import { ApiError, badRequest, methodNotAllowed, unknownResource } from './status.ts';
import type { Strategy } from './strategy.ts';
import { tableText, wantsTable } from './table.ts';

/** A request for objects, the only kind that is handled here. */
export type ResourceRequest = Extract<RequestInfo, { kind: 'resource' }>;

/** A request that has been read in full and whose sender is known. */
export interface IncomingCall {
  readonly info: ResourceRequest;
  readonly query: URLSearchParams;
  readonly accept: string;
  readonly contentType: string;
  readonly body: string;
}

/** What requests are answered from. */
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
  if (subresource === 'binding' && type.plural === 'pods') return bindAnswer(parts, call, name ?? '');
  if (subresource !== undefined && (subresource !== 'status' || !type.hasStatus)) throw unknownResource();
  if (type.isNamespaced && namespace === undefined && verb !== 'list') throw methodNotAllowed();
  // A write to /status differs from one to the main resource only in which half of the body counts.
  const write = {
    ...writeOptionsOf(call.query, optionsKind(verb)),
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

/** The items go out as the texts that are kept of them: a long list costs no more than joining these. */
function listAnswer(parts: HandlerParts, call: IncomingCall): Answer {
  const { type } = call.info;
  const page = parts.reader.list(type, parts.strategyOf(type), listRequestOf(call.query, call.info.namespace));
  const metadata = {
    resourceVersion: page.resourceVersion,
    ...(page.continueToken === undefined ? {} : { continue: page.continueToken }),
    ...(page.remainingItemCount === undefined ? {} : { remainingItemCount: page.remainingItemCount }),
  };
  if (wantsTable(call.accept)) return jsonAnswer(200, tableText(type, page.items, metadata, parts.clock.now()));
  const items = page.items.map(itemText).join(',');
  const head = JSON.stringify({ kind: `${type.kind}List`, apiVersion: type.apiVersion, metadata });
  return jsonAnswer(200, `${head.slice(0, -1)},"items":[${items}]}`);
}

function objectAnswer(parts: HandlerParts, call: IncomingCall, object: StoredObject): Answer {
  if (!wantsTable(call.accept)) return jsonAnswer(200, jsonText(object));
  const { resourceVersion } = object.metadata;
  return jsonAnswer(200, tableText(call.info.type, [object], { resourceVersion }, parts.clock.now()));
}

/** 201 for what is new, also if a PUT made it. */
function writeAnswer(parts: HandlerParts, call: IncomingCall, result: WriteResult): Answer {
  const answer = objectAnswer(parts, call, result.object);
  return { ...answer, status: result.isNew ? 201 : 200, warnings: result.warnings };
}

/** What a scheduler of somebody's own sends to give a pod its node. */
function bindAnswer({ api }: HandlerParts, call: IncomingCall, name: string): Answer {
  const { namespace, verb } = call.info;
  if (verb !== 'create') throw methodNotAllowed();
  const body = parseJson(call.body);
  const target = isJsonObject(body) && isJsonObject(body['target']) ? body['target'] : {};
  const nodeName = stringAt(target, 'name');
  if (nodeName === undefined) throw badRequest('target.name is required');
  api.bind(namespace, name, nodeName);
  return jsonAnswer(
    201,
    JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }),
  );
}

/** How the refusal of a bad option calls the options. */
function optionsKind(verb: Verb): string {
  return verb === 'create' ? 'CreateOptions' : verb === 'patch' ? 'PatchOptions' : 'UpdateOptions';
}

/** The object while it is held, and of a pod in any case; a mere Status once another is gone. */
function deleteAnswer(parts: HandlerParts, call: IncomingCall, name: string): Answer {
  const { type, namespace } = call.info;
  const options = deleteOptionsOf(call.query, call.body);
  const warnings = deletionWarnings(type, options);
  let result: DeleteResult;
  try {
    result = parts.api.delete(type, namespace, name, options);
  } catch (error) {
    // The warning is about what was asked, whatever comes of it.
    if (error instanceof ApiError) return { ...errorAnswer(error), warnings };
    throw error;
  }
  const { object, isGone } = result;
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
  const page = parts.reader.list(type, parts.strategyOf(type), listRequestOf(call.query, call.info.namespace));
  const options = deleteOptionsOf(call.query, call.body);
  const deleted = page.items.map((item) =>
    parts.api.delete(type, item.metadata.namespace, item.metadata.name, options),
  );
  const head = JSON.stringify({
    kind: `${type.kind}List`,
    apiVersion: type.apiVersion,
    metadata: { resourceVersion: page.resourceVersion },
  });
  return jsonAnswer(
    200,
    `${head.slice(0, -1)},"items":[${deleted.map(({ object }) => itemText(object)).join(',')}]}`,
    deletionWarnings(type, options),
  );
}

/** Whatever else it is, it must be a JSON object before anybody can tell what is wrong with it. */
function objectBody(call: IncomingCall, type: ResourceDefinition): JsonObject {
  requireJson(call.contentType);
  const body = parseJson(call.body);
  if (isJsonObject(body)) return body;
  throw badRequest(`the object provided is unrecognized (must be of type ${type.kind}): it is not a JSON object`);
}
