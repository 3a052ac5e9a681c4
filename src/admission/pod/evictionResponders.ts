import { qualifiedNameFaults, tooManyMessage } from '../formats.ts';
import { type Complaint, type Rule, type RuleFacts, rule } from '../rule.ts';
import { all } from '../structure.ts';
import type { PodContext } from './context.ts';
import { repeated } from './repeated.ts';
import { about, missingMessage } from './ruleShapes.ts';
import type { EvictionResponder } from './types.ts';

/**
 * Who is asked before a pod is evicted; alpha in 1.37, so they are judged only where the stored template has some, and
 * there only what changed. Source: Kubernetes 1.37, declarative validation of the pod spec.
 */

const source = 'Kubernetes 1.37, pod spec, evictionResponders';
const mostResponders = 10;
const reservedDomains = ['.k8s.io', '.kubernetes.io'];
const lowestPriority = 1000;
const highestPriority = 100000;

const few = rule<readonly EvictionResponder[], unknown, PodContext>({
  code: 'eviction-responders-few',
  type: 'TooMany',
  source,
  says: 'A pod has at most ten eviction responders.',
  refuses: (list, _spec, context) =>
    list.length > mostResponders && isChanged(list, context) && tooManyMessage(list.length, mostResponders),
});

function storedIn({ oldTemplate }: PodContext): readonly EvictionResponder[] {
  return oldTemplate?.spec?.evictionResponders ?? [];
}

function isChanged(list: readonly EvictionResponder[], context: PodContext): boolean {
  const stored = storedIn(context);
  return (
    list.length !== stored.length ||
    list.some(({ name, priority }, index) => stored[index]?.name !== name || stored[index]?.priority !== priority)
  );
}

/** A rule about one responder, asked only about those that the stored template doesn't have. */
function ofNew(
  facts: RuleFacts,
  field: 'name' | 'priority',
  faultOf: (responder: EvictionResponder) => string | false,
): Rule<readonly EvictionResponder[], unknown, PodContext> {
  return rule<readonly EvictionResponder[], unknown, PodContext>({
    ...facts,
    refuses: (list, _spec, context) => {
      const complaints: Complaint[] = [];
      if (!isChanged(list, context)) return complaints;
      for (const [index, responder] of list.entries()) {
        const before = storedIn(context).find(({ name }) => name === responder.name);
        if (before !== undefined && before[field] === responder[field]) continue;
        const message = faultOf(responder);
        if (message !== false) complaints.push({ at: [index, field], message });
      }
      return complaints;
    },
  });
}

/** The eviction responders of a pod. */
export const evictionResponders = all<readonly EvictionResponder[], unknown, PodContext>(
  few,
  rule<readonly EvictionResponder[], unknown, PodContext>({
    code: 'eviction-responder-unique',
    type: 'Duplicate',
    source,
    says: 'An eviction responder stands once.',
    refuses: (list, _spec, context) =>
      isChanged(list, context) &&
      repeated(list.map(({ name = '' }) => name)).map(([index, name]) => ({
        at: [index],
        message: JSON.stringify(name),
      })),
  }),
  ofNew(
    { code: 'eviction-responder-name-required', type: 'Required', source, says: 'An eviction responder has a name.' },
    'name',
    ({ name = '' }) => name === '' && missingMessage,
  ),
  ofNew(
    {
      code: 'eviction-responder-name',
      type: 'Invalid',
      source,
      says: "The name of an eviction responder has a domain, none of Kubernetes' own.",
    },
    'name',
    ({ name = '' }) => {
      if (name === '') return false;
      const domain = `.${name.split('/', 1)[0] ?? ''}`;
      if (!name.includes('/') || qualifiedNameFaults(name).length > 0) return 'must be a domain-prefixed key';
      return reservedDomains.some((reserved) => domain.endsWith(reserved)) && 'this domain is reserved';
    },
  ),
  ofNew(
    {
      code: 'eviction-responder-priority-required',
      type: 'Required',
      source,
      says: 'An eviction responder has a priority.',
    },
    'priority',
    ({ priority }) => priority === undefined && missingMessage,
  ),
  ofNew(
    {
      code: 'eviction-responder-priority',
      type: 'Invalid',
      source,
      says: 'The priority of an eviction responder is between 1000 and 100000.',
    },
    'priority',
    ({ priority }) =>
      priority !== undefined &&
      (priority < lowestPriority || priority > highestPriority) &&
      about(priority, `must be between ${lowestPriority} and ${highestPriority}, inclusive`),
  ),
);
