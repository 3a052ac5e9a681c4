import type { JsonObject } from '../base/index.ts';
import { allDefinitions, type ResourceDefinition } from './resources.ts';

/**
 * Just enough OpenAPI for kubectl: before it creates or applies anything it looks up whether the server checks fields
 * and knows dry runs. There are no schemas; the server checks without them.
 */
export function openApiAnswer(path: string): JsonObject | undefined {
  if (path === '/openapi/v3') {
    const paths = groupVersions().map((base) => [base, { serverRelativeURL: `/openapi/v3/${base}` }]);
    return { paths: Object.fromEntries(paths) };
  }
  const base = path.replace(/^\/openapi\/v3\//u, '');
  const types = allDefinitions.filter((type) => baseOf(type) === base);
  if (base === path || types.length === 0) return undefined;
  return {
    openapi: '3.0.0',
    info: { title: 'Delegated Jobs sandbox', version: '1' },
    paths: Object.fromEntries(types.map(pathEntry)),
  };
}

function baseOf({ group, version }: ResourceDefinition): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

function groupVersions(): readonly string[] {
  return [...new Set(allDefinitions.map(baseOf))];
}

function pathEntry(type: ResourceDefinition): readonly [string, JsonObject] {
  const { group, version, kind, plural } = type;
  const parameter = (name: string): JsonObject => ({ name, in: 'query', schema: { type: 'string' } });
  const operation = {
    operationId: `patch${kind}`,
    parameters: [parameter('dryRun'), parameter('fieldValidation')],
    responses: {},
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': { group, version, kind },
  };
  const scope = type.isNamespaced ? '/namespaces/{namespace}' : '';
  return [`/${baseOf(type)}${scope}/${plural}/{name}`, { patch: operation }];
}
