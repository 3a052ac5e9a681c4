import { type Clock, isJsonObject, type JsonObject } from '../base/index.ts';
import { isAllowed, type User } from './access.ts';
import { type Answer, jsonAnswer, parseJson } from './answer.ts';
import { stringAt, timestamp } from './objects.ts';
import { type ReviewKind, reviews } from './requestInfo.ts';

/** Answers who the caller is and what he may do. */
export function handleReview(user: User, review: ReviewKind, bodyText: string, clock: Clock): Answer {
  const body = parseJson(bodyText === '' ? '{}' : bodyText);
  const sent = isJsonObject(body) ? body : {};
  const spec = isJsonObject(sent['spec']) ? sent['spec'] : {};
  const kind = reviews[review];
  if (review === 'selfsubjectreviews') {
    const metadata = { creationTimestamp: timestamp(clock.now()) };
    const status = { userInfo: { username: user.name, groups: user.groups } };
    return jsonAnswer(201, JSON.stringify({ kind, apiVersion: 'authentication.k8s.io/v1', metadata, status }));
  }
  const status = review === 'selfsubjectaccessreviews' ? accessStatus(user, spec) : rulesStatus(user, spec);
  return jsonAnswer(201, JSON.stringify({ kind, apiVersion: 'authorization.k8s.io/v1', metadata: {}, spec, status }));
}

/** Why it is allowed isn't told: the real server says so only for roles that it has found. */
function accessStatus(user: User, spec: JsonObject): JsonObject {
  const wanted = isJsonObject(spec['resourceAttributes']) ? spec['resourceAttributes'] : undefined;
  // Paths that are no resources are open to everybody who is signed in.
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
  return { allowed };
}

/** What holds everywhere and what holds in the namespace, as one list. */
function rulesStatus(user: User, spec: JsonObject): JsonObject {
  const namespace = stringAt(spec, 'namespace') ?? '';
  const rules = user.rules.filter((rule) => rule.namespaces === undefined || rule.namespaces.includes(namespace));
  const resourceRules = rules.map(({ verbs, apiGroups, resources }) => ({ verbs, apiGroups, resources }));
  return { resourceRules, nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['*'] }], incomplete: false };
}
