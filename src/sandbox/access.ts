import { randomBytes } from 'node:crypto';
import type { ResourceDefinition } from './resources.ts';
import { type ApiError, forbidden, unauthorized } from './status.ts';

/** Who may do what, as a Role has it. `*` stands for all. */
export interface AccessRule {
  readonly verbs: readonly string[];
  /** '' is the core group. */
  readonly apiGroups: readonly string[];
  /** `jobs`, `jobs/status`, `pods/log`. */
  readonly resources: readonly string[];
  /** Absent: everywhere, and what is cluster-scoped. */
  readonly namespaces?: readonly string[];
}

/** Somebody who is signed in. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly rules: readonly AccessRule[];
}

/** What RBAC is asked about. No namespace: the whole cluster, or what is cluster-scoped. */
export interface AccessAttributes {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string;
  readonly namespace?: string;
}

const everything: AccessRule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };

/** Every signed-in user may ask who he is and what he may do. */
const selfReview: AccessRule = {
  verbs: ['create'],
  apiGroups: ['authorization.k8s.io', 'authentication.k8s.io'],
  resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews', 'selfsubjectreviews'],
};

/** Tokens of one cluster and what their holders may do. Rules of a user can change while he is signed in. */
export class AccessControl {
  readonly #users = new Map<string, User>();

  /** Returns the new user's token. Drawn by the operating system, not by the injected randomness: it guards a port. */
  addUser(name: string, rules: readonly AccessRule[], groups: readonly string[] = []): string {
    const token = randomBytes(24).toString('base64url');
    this.#users.set(token, { name, rules: [...rules, selfReview], groups: [...groups, 'system:authenticated'] });
    return token;
  }

  addAdmin(name: string): string {
    return this.addUser(name, [everything], ['system:masters']);
  }

  setRules(token: string, rules: readonly AccessRule[]): void {
    const user = this.#users.get(token);
    if (user !== undefined) this.#users.set(token, { ...user, rules: [...rules, selfReview] });
  }

  /** From now on the token is refused with 401, as an expired login is. */
  revoke(token: string): void {
    this.#users.delete(token);
  }

  /** The user of an `Authorization` header; throws the 401. */
  authenticate(header: string | undefined): User {
    const token = /^Bearer (.+)$/u.exec(header ?? '')?.[1];
    const user = token === undefined ? undefined : this.#users.get(token);
    if (user === undefined) throw unauthorized();
    return user;
  }
}

/** Whether any of the user's rules covers the request; there are no rules that deny. */
export function isAllowed(user: User, attributes: AccessAttributes): boolean {
  const { verb, group, resource, subresource, namespace } = attributes;
  const full = subresource === undefined || subresource === '' ? resource : `${resource}/${subresource}`;
  return user.rules.some(
    (rule) =>
      covers(rule.verbs, verb) &&
      covers(rule.apiGroups, group) &&
      (covers(rule.resources, full) || rule.resources.includes(`*/${subresource ?? ''}`)) &&
      (rule.namespaces === undefined || (namespace !== undefined && rule.namespaces.includes(namespace))),
  );
}

function covers(list: readonly string[], value: string): boolean {
  return list.includes('*') || list.includes(value);
}

/** The 403 in the words of RBAC. */
export function denied(
  user: User,
  attributes: AccessAttributes,
  type: ResourceDefinition,
  name: string | undefined,
): ApiError {
  const { verb, group, resource, subresource, namespace } = attributes;
  const full = subresource === undefined ? resource : `${resource}/${subresource}`;
  const where = namespace === undefined ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return forbidden(
    type,
    name,
    `User "${user.name}" cannot ${verb} resource "${full}" in API group "${group}" ${where}`,
  );
}
