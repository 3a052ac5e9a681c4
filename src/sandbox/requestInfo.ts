import { allDefinitions, findDefinition, type ResourceDefinition } from './resources.ts';

/** What a URL and a method ask for, before anybody decides whether they may. */
export type RequestInfo =
  | {
      readonly kind: 'resource';
      readonly type: ResourceDefinition;
      readonly verb: Verb;
      readonly namespace?: string;
      readonly name?: string;
      readonly subresource?: string;
    }
  | { readonly kind: 'review'; readonly review: ReviewKind }
  | { readonly kind: 'other' };

/** What RBAC calls it; a GET is one of three. */
export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection';

/** Resources that are asked and never stored, with their kinds. */
export const reviews = {
  selfsubjectaccessreviews: 'SelfSubjectAccessReview',
  selfsubjectrulesreviews: 'SelfSubjectRulesReview',
  selfsubjectreviews: 'SelfSubjectReview',
} as const;
/** One of them, by its name in the URL. */
export type ReviewKind = keyof typeof reviews;

function isReview(plural: string | undefined): plural is ReviewKind {
  return plural !== undefined && Object.hasOwn(reviews, plural);
}

/** `/api/v1/…` or `/apis/GROUP/VERSION/…`, then `[namespaces/NS/]PLURAL[/NAME[/SUBRESOURCE]]`. */
export function parseRequest(method: string, path: string, query: URLSearchParams): RequestInfo | undefined {
  const parts = pathParts(path);
  if (parts === undefined) return undefined;
  const prefixLength = parts[0] === 'api' ? 2 : parts[0] === 'apis' ? 3 : 0;
  if (prefixLength === 0 || parts.length <= prefixLength) return { kind: 'other' };
  const group = parts[0] === 'api' ? '' : (parts[1] ?? '');
  const version = parts[prefixLength - 1] ?? '';
  const rest = parts.slice(prefixLength);
  if (group.startsWith('auth') && isReview(rest[0])) return { kind: 'review', review: rest[0] };

  // `namespaces/NS/pods` lies in a namespace; `namespaces/NS` and `namespaces/NS/status` are about the namespace.
  const isInside = rest[0] === 'namespaces' && rest.length > 2 && rest[2] !== 'status' && rest[2] !== 'finalize';
  const namespace = isInside ? rest[1] : undefined;
  // A group that isn't served is no resource at all, merely a path.
  if (!allDefinitions.some((known) => known.group === group)) return { kind: 'other' };
  const [plural = '', name, subresource, ...tooMuch] = isInside ? rest.slice(2) : rest;
  const type = findDefinition(group, version, plural);
  if (type === undefined || tooMuch.length > 0 || (namespace !== undefined && !type.isNamespaced)) return undefined;
  const verb = verbOf(method, name, query);
  if (verb === undefined) return undefined;
  return {
    kind: 'resource',
    type,
    verb,
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
    ...(subresource === undefined ? {} : { subresource }),
  };
}

/** How flags are written in a query. */
export function isTrue(value: string | null): boolean {
  return value === 'true' || value === '1';
}

/** Undefined for a path whose escapes can't be read. */
function pathParts(path: string): readonly string[] | undefined {
  try {
    return path
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/** Undefined for a method that no resource knows. */
function verbOf(method: string, name: string | undefined, query: URLSearchParams): Verb | undefined {
  switch (method) {
    case 'GET':
    case 'HEAD':
      if (name !== undefined) return 'get';
      return isTrue(query.get('watch')) ? 'watch' : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name === undefined ? 'deletecollection' : 'delete';
    default:
      return undefined;
  }
}
