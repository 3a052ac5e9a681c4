import { dnsLabelFaults, negativeMessage, unsupportedMessage } from '../formats.ts';
import { type Complaint, type Rule, type RuleFacts, rule } from '../rule.ts';
import { all, each, fields, printedAs } from '../structure.ts';
import { amountOf, isDivisible, isNegative } from './amounts.ts';
import type { PodContext } from './context.ts';
import { compareQuantities, formatQuantity, isWhole, type Quantity } from './quantity.ts';
import {
  anyResourceFaults,
  canBeOvercommitted,
  comesInWholes,
  containerResourceFaults,
  isHugePages,
  isPodResource,
} from './resourceNames.ts';
import { about, missingMessage } from './ruleShapes.ts';
import type { ResourceClaimUse, ResourceList, ResourceRequirements } from './types.ts';

/** Resource requirements of containers and pods. Source: Kubernetes 1.35, core validation, resource requirements. */

const source = 'G10';

/** A rule about each name in a list, filed under the entry's key. */
function perName(facts: RuleFacts, faultOf: (name: string) => string | false): Rule<ResourceList, unknown, PodContext> {
  return perEntry(facts, faultOf);
}

/** A rule about each amount in a list, of the resources that it `concerns`. */
function perAmount(
  facts: RuleFacts,
  faultOf: (amount: Quantity, name: string, context: PodContext) => string | false,
  concerns: (name: string) => boolean = () => true,
): Rule<ResourceList, unknown, PodContext> {
  return perEntry(facts, (name, list, context) => {
    const amount = concerns(name) ? amountOf(list[name]) : undefined;
    return amount !== undefined && faultOf(amount, name, context);
  });
}

function perEntry(
  facts: RuleFacts,
  faultOf: (name: string, list: ResourceList, context: PodContext) => string | false,
): Rule<ResourceList, unknown, PodContext> {
  return rule<ResourceList, unknown, PodContext>({
    ...facts,
    refuses: (list, _owner, context) => {
      const complaints: Complaint[] = [];
      for (const name in list) {
        const message = faultOf(name, list, context);
        if (message !== false) complaints.push({ at: [{ key: name }], message });
      }
      return complaints;
    },
  });
}

/** The first of a name's faults, if it has any. */
function aboutFirst(name: string, [first]: readonly string[]): string | false {
  return first !== undefined && about(name, first);
}

const containerResourceName = perName(
  {
    code: 'resource-name-format',
    type: 'Invalid',
    source,
    says: 'A container asks for CPU, memory, ephemeral storage, huge pages or a resource with a domain.',
  },
  (name) => aboutFirst(name, containerResourceFaults(name)),
);

const amountNotNegative = perEntry(
  { code: 'resource-not-negative', type: 'Invalid', source, says: 'An amount of a resource is not negative.' },
  (name, list) => {
    const amount = isNegative(list[name]) ? amountOf(list[name]) : undefined;
    return amount !== undefined && about(formatQuantity(amount), negativeMessage);
  },
);

const amountWhole = perAmount(
  { code: 'resource-whole', type: 'Invalid', source, says: 'Devices and the like are asked for in whole numbers.' },
  (amount) => !isWhole(amount) && about(formatQuantity(amount), 'must be an integer'),
  comesInWholes,
);

const hugePagesDivisible = perAmount(
  {
    code: 'huge-pages-divisible',
    type: 'Invalid',
    source,
    says: 'Huge pages are asked for in multiples of the page size.',
  },
  (amount, name, { tolerances }) => {
    if (tolerances.indivisibleHugePages || isDivisible(name, amount) !== false) return false;
    const text = formatQuantity(amount);
    return about(text, `${text} is not positive integer multiple of ${name}`);
  },
  isHugePages,
);

const containerEntries = all(containerResourceName, amountNotNegative, amountWhole, hugePagesDivisible);

const limitRequired = rule<ResourceRequirements>({
  code: 'resource-limit-required',
  type: 'Required',
  source,
  says: 'What can not be overcommitted needs a limit beside its request.',
  refuses: ({ limits, requests }) => {
    const isMissing = Object.keys(requests ?? {}).some(
      (name) => !canBeOvercommitted(name) && !(name in (limits ?? {})),
    );
    return isMissing && [{ at: ['limits'], message: 'Limit must be set for non overcommitable resources' }];
  },
});

const requestWithinLimit = rule<ResourceList, ResourceRequirements>({
  code: 'resource-request-within-limit',
  type: 'Invalid',
  source,
  says: 'A request is at most the limit, and equal to it for what can not be overcommitted.',
  refuses: (requests, { limits }) => {
    const complaints: string[] = [];
    for (const name in requests) {
      const request = amountOf(requests[name]);
      const limit = amountOf(limits?.[name]);
      if (request === undefined || limit === undefined) continue;
      const order = compareQuantities(request, limit);
      const relation = canBeOvercommitted(name) ? 'less than or equal to' : 'equal to';
      if (order > 0 || (order < 0 && !canBeOvercommitted(name))) {
        complaints.push(
          about(formatQuantity(request), `must be ${relation} ${name} limit of ${formatQuantity(limit)}`),
        );
      }
    }
    return complaints;
  },
});

const hugePagesNeedMore = rule<ResourceRequirements>({
  code: 'huge-pages-need-cpu-or-memory',
  type: 'Forbidden',
  source,
  says: 'Huge pages are asked for together with CPU or memory.',
  refuses: ({ limits = {}, requests = {} }) => {
    if ('cpu' in limits || 'memory' in limits || 'cpu' in requests || 'memory' in requests) return false;
    const asksForPages = [...Object.keys(limits), ...Object.keys(requests)].some(isHugePages);
    return asksForPages && 'HugePages require cpu or memory';
  },
});

const claimRequired = rule<ResourceClaimUse>({
  code: 'resource-claim-required',
  type: 'Required',
  source,
  says: 'A use of a claim names the claim.',
  refuses: ({ name = '' }) => name === '' && missingMessage,
});

const claimExists = rule<ResourceClaimUse, unknown, PodContext>({
  code: 'resource-claim-exists',
  type: 'NotFound',
  source,
  says: 'A used claim is one of spec.resourceClaims.',
  refuses: ({ name = '' }, _list, { claimNames }) => {
    if (name === '' || claimNames.has(name)) return false;
    const known = claimNames.size === 0 ? ' which is empty' : `: ${[...claimNames].sort().join(', ')}`;
    return about(name, `must be one of the names in pod.spec.resourceClaims${known}`);
  },
});

/** For each use: whether it repeats an earlier one, and whether its claim was already used as a whole. */
function* repeatedUses(uses: readonly ResourceClaimUse[]) {
  const seen = new Set<string>();
  const inPart = new Set<string>();
  for (const [index, { name = '', request = '' }] of uses.entries()) {
    if (name === '') continue;
    const isUsedAsWhole = seen.has(name);
    const key = request === '' || isUsedAsWhole ? name : `${name}/${request}`;
    const isUsedInPart = request === '' && inPart.has(name);
    yield { index, request, key, isUsedAsWhole, isRepeated: isUsedAsWhole || isUsedInPart || seen.has(key) };
    if (isUsedAsWhole) continue;
    seen.add(key);
    if (key.includes('/')) inPart.add(key.split('/', 1)[0] ?? '');
  }
}

const claimUnique = rule<readonly ResourceClaimUse[]>({
  code: 'resource-claim-unique',
  type: 'Duplicate',
  source,
  says: 'A claim is used as a whole, or once for each of its requests.',
  refuses: (uses) => {
    const complaints: Complaint[] = [];
    for (const { index, key, isRepeated } of repeatedUses(uses)) {
      if (isRepeated) complaints.push({ at: [index], message: JSON.stringify(key) });
    }
    return complaints;
  },
});

const claimRequestFormat = rule<readonly ResourceClaimUse[]>({
  code: 'resource-claim-request-format',
  type: 'Invalid',
  source,
  says: 'The name of a request is a DNS label.',
  refuses: (uses) => {
    const complaints: Complaint[] = [];
    for (const { index, request, isUsedAsWhole } of repeatedUses(uses)) {
      if (request === '' || isUsedAsWhole) continue;
      for (const fault of dnsLabelFaults(request)) {
        complaints.push({ at: [index, 'request'], message: about(request, fault) });
      }
    }
    return complaints;
  },
});

const claimUses = all(
  each<ResourceClaimUse, PodContext>(claimRequired, claimExists),
  all<readonly ResourceClaimUse[], unknown, PodContext>(claimUnique, claimRequestFormat),
);

/** What one container asks for. */
export const containerResources = all(
  fields<ResourceRequirements, PodContext>({
    limits: containerEntries,
    requests: [containerEntries, requestWithinLimit],
  }),
  limitRequired,
  hugePagesNeedMore,
  fields<ResourceRequirements, PodContext>({ claims: claimUses }),
);

/** What running the pod costs beside its containers; the server judges it as if it were limits. */
export const overhead = all(
  printedAs<ResourceList, unknown, PodContext>('.overhead.limits', containerEntries),
  rule<ResourceList>({
    code: 'overhead-huge-pages',
    type: 'Forbidden',
    source,
    says: 'Huge pages are asked for together with CPU or memory.',
    refuses: (list) =>
      !('cpu' in list) &&
      !('memory' in list) &&
      Object.keys(list).some(isHugePages) &&
      'HugePages require cpu or memory',
  }),
);

const podResourceName = perName(
  {
    code: 'pod-resource-name-format',
    type: 'Invalid',
    source,
    says: 'The name of a resource is known or has a domain.',
  },
  (name) => aboutFirst(name, anyResourceFaults(name)),
);

const podResourceSupported = perName(
  {
    code: 'pod-resource-supported',
    type: 'NotSupported',
    source,
    says: 'For a pod as a whole, CPU, memory and huge pages can be asked for.',
  },
  (name) =>
    anyResourceFaults(name).length === 0 &&
    !isPodResource(name) &&
    unsupportedMessage(name, ['cpu', 'hugepages-', 'memory']),
);

const podEntries = all(podResourceName, podResourceSupported, amountNotNegative, amountWhole, hugePagesDivisible);

/** What is asked for the pod as a whole, apart from how that agrees with its containers. */
export const podRequirements = all(
  fields<ResourceRequirements, PodContext>({
    claims: rule<readonly ResourceClaimUse[]>({
      code: 'pod-resource-claims',
      type: 'Forbidden',
      source,
      says: 'Claims are used by containers, not by the pod as a whole.',
      refuses: () => 'claims may not be set for Resources at pod-level',
    }),
    limits: podEntries,
    requests: [podEntries, requestWithinLimit],
  }),
  limitRequired,
  hugePagesNeedMore,
  fields<ResourceRequirements, PodContext>({ claims: claimUses }),
);
