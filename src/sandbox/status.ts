import type { FieldError, FieldErrorType } from '../admission/index.ts';
import type { JsonObject, JsonValue } from '../base/index.ts';
import type { ResourceDefinition } from './resources.ts';

/** An entry of `details.causes`. */
export interface StatusCause {
  readonly reason: string;
  readonly message: string;
  readonly field?: string;
}

interface StatusParts {
  readonly code: number;
  readonly reason?: string;
  readonly message: string;
  readonly details?: JsonObject;
  /** Seconds; also sent as a `Retry-After` header. */
  readonly retryAfterSeconds?: number;
  /** Extra members of the Status's metadata (the continue token of an expired list). */
  readonly metadata?: JsonObject;
}

/** A refusal, in the very form in which the API server words it: `body` is the `Status` object that goes out. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: number;
  readonly retryAfterSeconds: number | undefined;
  readonly body: JsonObject;

  constructor(parts: StatusParts) {
    super(parts.message);
    this.code = parts.code;
    this.retryAfterSeconds = parts.retryAfterSeconds;
    this.body = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: parts.metadata ?? {},
      status: 'Failure',
      message: parts.message,
      ...(parts.reason === undefined ? {} : { reason: parts.reason }),
      ...(parts.details === undefined ? {} : { details: parts.details }),
      code: parts.code,
    };
  }
}

function detailsOf(type: ResourceDefinition, name: string | undefined, kind: string = type.plural): JsonObject {
  return { ...(name ? { name } : {}), ...(type.group === '' ? {} : { group: type.group }), kind };
}

/** 404 for an object. The same words are used for a namespace that an object was to lie in. */
export function notFound(type: ResourceDefinition, name: string): ApiError {
  return new ApiError({
    code: 404,
    reason: 'NotFound',
    message: `${type.qualifiedName} "${name}" not found`,
    details: detailsOf(type, name),
  });
}

/** For a path that names no resource at all. */
export function unknownResource(): ApiError {
  return new ApiError({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  });
}

/** 409 for a name that is taken. */
export function alreadyExists(type: ResourceDefinition, name: string): ApiError {
  return new ApiError({
    code: 409,
    reason: 'AlreadyExists',
    message: `${type.qualifiedName} "${name}" already exists`,
    details: detailsOf(type, name),
  });
}

/** 409 for a write that starts from an old state; `why` replaces the usual words. */
export function conflict(type: ResourceDefinition, name: string, why?: string): ApiError {
  const text = why ?? 'the object has been modified; please apply your changes to the latest version and try again';
  return new ApiError({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${type.qualifiedName} "${name}": ${text}`,
    details: detailsOf(type, name),
  });
}

/** 409 for a precondition of a deletion. The server names the kind here, where it names the resource elsewhere. */
export function preconditionFailed(type: ResourceDefinition, name: string, why: string): ApiError {
  const qualifiedKind = type.group === '' ? type.kind : `${type.kind}.${type.group}`;
  return new ApiError({
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${qualifiedKind} "${name}": ${why}`,
    details: detailsOf(type, name, type.kind),
  });
}

const causeReasons: Readonly<Record<FieldErrorType, { readonly reason: string; readonly text: string }>> = {
  Required: { reason: 'FieldValueRequired', text: 'Required value' },
  Invalid: { reason: 'FieldValueInvalid', text: 'Invalid value' },
  NotSupported: { reason: 'FieldValueNotSupported', text: 'Unsupported value' },
  Forbidden: { reason: 'FieldValueForbidden', text: 'Forbidden' },
  TooLong: { reason: 'FieldValueTooLong', text: 'Too long' },
  TooMany: { reason: 'FieldValueTooMany', text: 'Too many' },
  Duplicate: { reason: 'FieldValueDuplicate', text: 'Duplicate value' },
  NotFound: { reason: 'FieldValueNotFound', text: 'Not found' },
  TypeInvalid: { reason: 'FieldValueTypeInvalid', text: 'Invalid value' },
  Unknown: { reason: 'FieldValueInvalid', text: 'Invalid value' },
};

/** A refusal by a rule about one field, before it is worded. */
export interface FieldFault extends Pick<FieldError, 'field' | 'type' | 'message'> {
  /** What the field holds, if the message is to show it. */
  readonly value?: JsonValue;
}

function causeOf({ field, type, message, value }: FieldFault): StatusCause & { readonly field: string } {
  const { reason, text } = causeReasons[type];
  const parts = [text, ...(value === undefined ? [] : [JSON.stringify(value)]), ...(message === '' ? [] : [message])];
  return { reason, message: parts.join(': '), field };
}

function invalidWith(subject: string, faults: readonly FieldFault[], details: JsonObject): ApiError {
  const causes = faults.map(causeOf);
  // The server repeats a fault in the causes if two of its rules found it, but not in the message.
  const lines = [...new Set(causes.map((cause) => `${cause.field}: ${cause.message}`))];
  return new ApiError({
    code: 422,
    reason: 'Invalid',
    message: `${subject} is invalid: ${lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`}`,
    details: { ...details, causes: causes.map((cause) => ({ ...cause })) },
  });
}

/** 422 with all faults; they are named in the order given. */
export function invalid(type: ResourceDefinition, name: string, faults: readonly FieldFault[]): ApiError {
  const qualifiedKind = type.group === '' ? type.kind : `${type.kind}.${type.group}`;
  return invalidWith(`${qualifiedKind} "${name}"`, faults, detailsOf(type, name, type.kind));
}

/** A PUT without a resourceVersion where one is demanded. The server names the resource here, not the kind. */
export function missingVersion(type: ResourceDefinition, name: string): ApiError {
  const message = 'must be specified for an update';
  const fault = { field: 'metadata.resourceVersion', type: 'Invalid', value: 0, message } as const;
  return invalidWith(`${type.qualifiedName} "${name}"`, [fault], detailsOf(type, name));
}

/** What a patch made of the object can't be read as one. */
export function unreadablePatch(patched: JsonObject, why: string): ApiError {
  const reason = why.replace(/^.* cannot be handled as an? \S+: /u, '');
  const fault = { field: 'patch', type: 'Invalid', value: JSON.stringify(patched), message: reason } as const;
  return invalidWith(' ""', [fault], {});
}

/** Options of a request that are unknown or contradict each other; `kind` is `ListOptions`, `DeleteOptions`, … */
export function invalidOptions(kind: string, fault: FieldFault): ApiError {
  return invalidWith(`${kind}.meta.k8s.io ""`, [fault], { group: 'meta.k8s.io', kind });
}

/** 400 for what can't be read, or contradicts its own URL. */
export function badRequest(message: string): ApiError {
  return new ApiError({ code: 400, reason: 'BadRequest', message });
}

/** 415; `note` says what a person can do instead. */
export function unsupportedMediaType(accepted: readonly string[], note?: string): ApiError {
  const list = accepted.join(', ');
  return new ApiError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: `the body of the request was in an unknown format - accepted media types include: ${list}${note === undefined ? '' : ` (${note})`}`,
  });
}

/** 405 for a path that exists, but not for this method. */
export function methodNotAllowed(): ApiError {
  return new ApiError({
    code: 405,
    reason: 'MethodNotAllowed',
    message: 'the server does not allow this method on the requested resource',
    details: {},
  });
}

/** 401: the token is unknown, or has expired. */
export function unauthorized(): ApiError {
  return new ApiError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
}

/** 403 by RBAC, by a quota or by a rule of the type, which `why` tells apart. */
export function forbidden(
  type: ResourceDefinition,
  name: string | undefined,
  why: string,
  causes?: readonly StatusCause[],
): ApiError {
  const subject = name ? `${type.qualifiedName} "${name}"` : type.qualifiedName;
  return new ApiError({
    code: 403,
    reason: 'Forbidden',
    message: `${subject} is forbidden: ${why}`,
    details: {
      ...detailsOf(type, name),
      ...(causes === undefined ? {} : { causes: causes.map((cause) => ({ ...cause })) }),
    },
  });
}

/** 410: the resourceVersion or the continue token lies behind what the server remembers. */
export function expired(message: string, metadata?: JsonObject): ApiError {
  return new ApiError({ code: 410, reason: 'Expired', message, ...(metadata === undefined ? {} : { metadata }) });
}

/** 413 for a body above the limit. */
export function tooLarge(limitBytes: number): ApiError {
  return new ApiError({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: `Request entity too large: limit is ${limitBytes}`,
  });
}
