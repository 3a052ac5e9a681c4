import type { JsonObject } from '../base/index.ts';
import { createdName } from './identity.ts';
import { looseMetadata, type StoredMeta } from './objects.ts';
import type { ResourceDefinition } from './resources.ts';
import { invalid } from './status.ts';
import type { NewIdentity } from './strategy.ts';

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/u;

const nameMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** The metadata of a new object, its name completed and checked. */
export function newMetadata(type: ResourceDefinition, object: JsonObject, identity: NewIdentity): StoredMeta {
  const metadata = looseMetadata(object);
  const name = createdName(metadata, identity.nameSuffix);
  if (name === '') {
    throw invalid(type, '', [
      { field: 'metadata.name', type: 'Required', message: 'name or generateName is required' },
    ]);
  }
  if (name.length > 253 || !subdomain.test(name)) {
    throw invalid(type, name, [{ field: 'metadata.name', type: 'Invalid', value: name, message: nameMessage }]);
  }
  const { uid, creationTimestamp } = identity;
  return { ...metadata, name, uid, creationTimestamp, resourceVersion: '' };
}

/** On update the server's own part of the metadata has been put back by the caller. */
export function updatedMetadata(object: JsonObject): StoredMeta {
  return looseMetadata(object) as StoredMeta;
}
