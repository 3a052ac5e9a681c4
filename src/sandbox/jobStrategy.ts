import {
  type AdmissionRequest,
  admit,
  applyDefaults,
  type FieldError,
  type KubernetesMinor,
} from '../admission/index.ts';
import { isJsonObject, type JsonObject, valueAt } from '../base/index.ts';
import { looseMetadata, type StoredObject, stringAt } from './objects.ts';
import type { ResourceDefinition } from './resources.ts';
import { badRequest, type FieldFault, invalid } from './status.ts';
import type { FieldValidation, NewIdentity, Prepared, Strategy } from './strategy.ts';

/** On updates nothing is drawn: the stored object has its identity. */
const unused: NewIdentity = { uid: '', creationTimestamp: '', nameSuffix: '' };

/** Jobs and CronJobs: the admission engine decides, so the sandbox and the linter can't disagree. */
export function admissionStrategy(type: ResourceDefinition, version: KubernetesMinor): Strategy {
  const decide = (
    operation: AdmissionRequest['operation'],
    sent: JsonObject,
    old: StoredObject | undefined,
    fieldValidation: FieldValidation,
    identity: NewIdentity = unused,
  ): Prepared => {
    const { apiVersion, kind } = type;
    const object = { ...sent, apiVersion, kind };
    const request: AdmissionRequest = old === undefined ? { operation, object } : { operation, object, old };
    const { stored, errors, warnings } = admit(request, { version, identity, fieldValidation });
    if (stored === undefined) throw refusal(type, object, errors);
    // The engine has just vouched for the metadata.
    // What was stored is read back with the defaults: a Job without labels gets those of its completed template.
    const read = operation === 'create' ? applyDefaults({ ...stored, apiVersion, kind }, { version }) : stored;
    return { object: { ...read, apiVersion, kind } as StoredObject, warnings };
  };
  return {
    create: (object, identity, validation) => decide('create', object, undefined, validation, identity),
    update: (object, old, validation) => decide('update', object, old, validation),
    updateStatus: (object, old, validation) => decide('status-update', object, old, validation),
    selectableFields: type.plural === 'jobs' ? ['status.successful'] : [],
    fieldsOf: (object) => {
      const status = object['status'];
      const succeeded = isJsonObject(status) ? status['succeeded'] : undefined;
      return { 'status.successful': typeof succeeded === 'number' ? String(succeeded) : '0' };
    },
  };
}

/** What can't be decoded is a bad request, and hides what the rules would say. */
function refusal(type: ResourceDefinition, object: JsonObject, errors: readonly FieldError[]): Error {
  const { kind, version } = type;
  const unreadable = errors.find((error) => error.type === 'TypeInvalid');
  if (unreadable !== undefined) {
    return badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: ${unreadable.field}: ${unreadable.message}`,
    );
  }
  const unknown = errors.filter((error) => error.type === 'Unknown');
  if (unknown.length > 0) {
    return badRequest(
      `${kind} in version "${version}" cannot be handled as a ${kind}: strict decoding error: ${unknown.map(({ field }) => `unknown field ${JSON.stringify(field)}`).join(', ')}`,
    );
  }
  const metadata = looseMetadata(object);
  const faults = errors.map(({ field, type: kindOfError, message, at }): FieldFault => {
    const fault = { field, type: kindOfError, message };
    // The engine words the other kinds with their values.
    return kindOfError === 'Invalid' || kindOfError === 'NotFound'
      ? { ...fault, value: valueAt(object, at) ?? null }
      : fault;
  });
  return invalid(type, stringAt(metadata, 'name') ?? stringAt(metadata, 'generateName') ?? '', faults);
}
