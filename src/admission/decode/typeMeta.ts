import { isJsonObject } from '../../base/index.ts';
import { below } from '../path.ts';
import { type Fault, typeInvalid } from './complaints.ts';
import type { DecodedKind } from './decodeError.ts';
import { goQuote } from './goQuote.ts';

const groups: Readonly<Record<DecodedKind, string>> = {
  Job: 'batch',
  CronJob: 'batch',
  Pod: '',
  Deployment: 'apps',
  StatefulSet: 'apps',
};

/**
 * The server takes a missing apiVersion or kind from the URL; another one than the URL's it refuses.
 * Source: Kubernetes 1.35, apimachinery, JSON serializer.
 */
export function typeMetaFault(object: unknown, expectedKind: DecodedKind): Fault | undefined {
  if (!isJsonObject(object)) return undefined;
  const apiVersion = typeof object['apiVersion'] === 'string' ? object['apiVersion'] : '';
  const kind = typeof object['kind'] === 'string' && object['kind'] !== '' ? object['kind'] : expectedKind;
  const parts = apiVersion.split('/');
  if (parts.length > 2) return apiVersionFault(`unexpected GroupVersion string: ${apiVersion}`);
  if (kind !== expectedKind) {
    const message = `${kind} cannot be handled as a ${expectedKind}`;
    return typeInvalid(below(undefined, 'kind'), message, 'wrong-kind', 'type-meta');
  }
  const [version = '', group = ''] = parts.reverse();
  const expectedGroup = groups[expectedKind];
  if (version === '' && (group === '' || group === expectedGroup)) return undefined;
  if (version === '') return apiVersionFault("Object 'apiVersion' is missing");
  if (version === 'v1' && group === expectedGroup) return undefined;
  return apiVersionFault(`no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)}`);
}

function apiVersionFault(message: string): Fault {
  return typeInvalid(below(undefined, 'apiVersion'), message, 'wrong-api-version', 'type-meta');
}
