import { isJsonObject, type JsonObject, type JsonValue } from '../base/index.ts';
import { essenceOf } from './answer.ts';
import { equalJson, type StoredObject } from './objects.ts';
import type { ResourceDefinition } from './resources.ts';
import { ApiError, badRequest, unsupportedMediaType } from './status.ts';
import { strategicMerge } from './strategicMerge.ts';

/** The three that are served. */
const patchMediaTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
] as const;
/** One of them. */
export type PatchMediaType = (typeof patchMediaTypes)[number];

/** A patch whose kind is known and whose content is not. */
export interface PatchBody {
  readonly mediaType: PatchMediaType;
  readonly body: JsonValue;
}

/** The media type of a PATCH request; throws the 415 for one that isn't served. */
export function patchMediaType(contentType: string): PatchMediaType {
  const essence = essenceOf(contentType);
  const found = patchMediaTypes.find((type) => type === essence);
  if (found !== undefined) return found;
  const isApply = essence.startsWith('application/apply-patch');
  throw unsupportedMediaType(patchMediaTypes, isApply ? 'the sandbox has no server-side apply' : undefined);
}

/** The stored object with the patch applied; nothing of it is judged yet. */
export function applyPatch(type: ResourceDefinition, old: StoredObject, { mediaType, body }: PatchBody): JsonObject {
  switch (mediaType) {
    case 'application/merge-patch+json':
      return requireObject(type, mergePatch(old, requirePatchObject(body)));
    case 'application/strategic-merge-patch+json':
      return requireObject(type, strategicMerge(old, requirePatchObject(body)));
    case 'application/json-patch+json':
      return requireObject(type, jsonPatch(old, body));
  }
}

function requirePatchObject(body: JsonValue): JsonObject {
  if (isJsonObject(body)) return body;
  throw badRequest('error decoding patch: the patch is not a JSON object');
}

/** A patch may leave anything behind, even nothing. */
function requireObject(type: ResourceDefinition, result: JsonValue | undefined): JsonObject {
  if (isJsonObject(result)) return result;
  throw badRequest(`the patch leaves no ${type.kind}`);
}

/** RFC 7386: null removes, objects merge, everything else replaces. */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const result: Record<string, JsonValue | undefined> = isJsonObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || value === undefined) delete result[key];
    else result[key] = mergePatch(result[key], value);
  }
  return result;
}

/** RFC 6902. A pointer that leads nowhere and a test that fails refuse the whole patch. */
export function jsonPatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!Array.isArray(patch)) throw badRequest('error decoding patch: the patch is not a list of operations');
  let result: JsonValue = target;
  for (const operation of patch) {
    if (!isJsonObject(operation)) throw badRequest('error decoding patch: an operation is not an object');
    result = applyOperation(result, operation);
  }
  return result;
}

function applyOperation(target: JsonValue, operation: JsonObject): JsonValue {
  const path = pointerAt(operation, 'path');
  const { op, value } = operation;
  switch (op) {
    case 'add':
      return edit(target, path, (parent, key) => insert(parent, key, required(value)));
    case 'replace':
      readAt(target, path);
      return edit(target, path, (parent, key) => overwrite(parent, key, required(value)));
    case 'remove':
      readAt(target, path);
      return edit(target, path, removeKey);
    case 'move': {
      const from = pointerAt(operation, 'from');
      const moved = readAt(target, from);
      return edit(edit(target, from, removeKey), path, (parent, key) => insert(parent, key, moved));
    }
    case 'copy': {
      const copied = readAt(target, pointerAt(operation, 'from'));
      return edit(target, path, (parent, key) => insert(parent, key, copied));
    }
    case 'test':
      if (!equalJson(readAt(target, path), value ?? null)) {
        throw unprocessable(`testing value ${path.map((key) => `/${key}`).join('')} failed`);
      }
      return target;
    default:
      throw badRequest(`error decoding patch: unexpected operation '${String(op)}'`);
  }
}

function required(value: JsonValue | undefined): JsonValue {
  if (value === undefined) throw unprocessable('the operation has no value');
  return value;
}

/** What the server answers to a well-formed patch that doesn't fit the object. */
function unprocessable(why: string): ApiError {
  return new ApiError({
    code: 422,
    reason: 'Invalid',
    message: `the server rejected our request due to an error in our request: ${why}`,
    details: {},
  });
}

/** RFC 6901. `~1` comes before `~0`, or `~01` would be read as a slash. */
function pointerAt(operation: JsonObject, key: string): readonly string[] {
  const pointer = operation[key];
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) {
    throw badRequest(`error decoding patch: '${key}' is not a JSON pointer`);
  }
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** What stands there; throws where nothing does. */
function readAt(target: JsonValue, path: readonly string[]): JsonValue {
  let value: JsonValue | undefined = target;
  for (const key of path) {
    if (Array.isArray(value)) value = /^\d+$/u.test(key) ? value[Number(key)] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    if (value === undefined) throw unprocessable(`there is nothing at ${path.map((part) => `/${part}`).join('')}`);
  }
  return value;
}

/** Makes a changed copy of a parent, of which `key` names a member or an item. */
type Edit = (parent: JsonValue, key: string) => JsonValue;

/** A copy of `target` in which the parent of the place is replaced by what `change` makes of it. */
function edit(target: JsonValue, path: readonly string[], change: Edit): JsonValue {
  const [key, ...rest] = path;
  // The empty pointer names the document itself.
  if (key === undefined) return unwrap(change({ '': target }, ''));
  if (rest.length === 0) return change(target, key);
  return overwrite(target, key, edit(readAt(target, [key]), rest, change));
}

function unwrap(wrapped: JsonValue): JsonValue {
  return (isJsonObject(wrapped) ? wrapped[''] : undefined) ?? null;
}

/** Sets a member, or replaces an item that is there. */
function overwrite(parent: JsonValue, key: string, value: JsonValue): JsonValue {
  if (Array.isArray(parent)) return parent.map((item, i) => (i === Number(key) ? value : item));
  if (isJsonObject(parent)) return { ...parent, [key]: value };
  throw unprocessable(`nothing can be set below '${key}'`);
}

/** Adds a member, or squeezes an item into a list; `-` stands for its end. */
function insert(parent: JsonValue, key: string, value: JsonValue): JsonValue {
  if (!Array.isArray(parent)) return overwrite(parent, key, value);
  const index = key === '-' ? parent.length : Number(key);
  if (!Number.isInteger(index) || index < 0 || index > parent.length)
    throw unprocessable(`there is no place ${key} in the list`);
  return [...parent.slice(0, index), value, ...parent.slice(index)];
}

function removeKey(parent: JsonValue, key: string): JsonValue {
  if (Array.isArray(parent)) return parent.filter((_, i) => i !== Number(key));
  if (!isJsonObject(parent)) throw unprocessable(`nothing can be removed below '${key}'`);
  const { [key]: _, ...rest } = parent;
  return rest;
}
