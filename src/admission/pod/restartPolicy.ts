import { tooManyMessage, unsupportedMessage } from '../formats.ts';
import { rule } from '../rule.ts';
import { each, fields } from '../structure.ts';
import type { ContainerContext } from './context.ts';
import { oneOf } from './ruleShapes.ts';
import type { Container, RestartRule } from './types.ts';

/** Restart policies of single containers. Source: Kubernetes 1.35, core validation, container restart policy. */

const source = 'G11';
const policies = ['Always', 'Never', 'OnFailure'];
const mostRules = 20;
const mostExitCodes = 255;

const needsPolicy = rule<string, Container>({
  code: 'restart-rules-need-policy',
  type: 'Required',
  source,
  says: 'Restart rules need a restartPolicy for what they leave open.',
  evenIfAbsent: true,
  refuses: (policy, { restartPolicyRules = [] }) =>
    policy === undefined && restartPolicyRules.length > 0 && 'must specify restartPolicy when restart rules are used',
});

const policyKnown = oneOf(
  { code: 'container-restart-policy', source, says: 'A container restarts Always, OnFailure or Never.' },
  policies,
);

/** Through 1.35 the server called a list too long, in bytes; since then it says that there are too many items. */
function few<T>(code: string, says: string, most: number) {
  const tooLong = (list: readonly T[]) => list.length > most && `may not be more than ${most} bytes`;
  const tooMany = (list: readonly T[]) => list.length > most && tooManyMessage(list.length, most);
  return [
    rule<readonly T[]>({ code, type: 'TooLong', source, says, until: '1.35', refuses: tooLong }),
    rule<readonly T[]>({ code: `${code}-counted`, type: 'TooMany', source, says, since: '1.36', refuses: tooMany }),
  ];
}

type ExitCodes = NonNullable<RestartRule['exitCodes']>;

const actionKnown = rule<string, unknown, ContainerContext>({
  code: 'restart-rule-action',
  type: 'NotSupported',
  source,
  says: 'A restart rule restarts its container or, from 1.36 on, all of them.',
  evenIfAbsent: true,
  refuses: (action = '', _rule, { tolerances }) => {
    const actions = tolerances.restartAllContainers ? ['Restart', 'RestartAllContainers'] : ['Restart'];
    return !actions.includes(action) && unsupportedMessage(action, actions);
  },
});

const restartRule = fields<RestartRule, ContainerContext>({
  action: actionKnown,
  exitCodes: [
    rule<ExitCodes>({
      code: 'restart-rule-exit-codes',
      type: 'Required',
      source,
      says: 'A restart rule goes by exit codes.',
      evenIfAbsent: true,
      refuses: (codes) => codes === undefined && 'must be specified',
    }),
    fields<ExitCodes>({
      operator: rule<string>({
        code: 'restart-rule-operator',
        type: 'NotSupported',
        source,
        says: 'The operator of a restart rule is In or NotIn.',
        evenIfAbsent: true,
        refuses: (operator = '') =>
          operator !== 'In' && operator !== 'NotIn' && unsupportedMessage(operator, ['In', 'NotIn']),
      }),
      values: few<number>('restart-rule-values', 'A restart rule names at most 255 exit codes.', mostExitCodes),
    }),
  ],
});

const restartRules = [
  ...few<RestartRule>('restart-rules-few', 'A container has at most 20 restart rules.', mostRules),
  each(restartRule),
];

const withRules = fields<Container, ContainerContext>({
  restartPolicy: [needsPolicy, policyKnown],
  restartPolicyRules: restartRules,
});

/**
 * The restart policy of a regular container. Before 1.35 there is none to judge: the server drops it, except where it
 * is stored already.
 */
export const regularRestartPolicy = withRules;

const noRulesForSidecars = fields<Container, ContainerContext>({
  restartPolicyRules: rule<readonly RestartRule[]>({
    code: 'sidecar-restart-rules',
    type: 'Forbidden',
    source,
    says: 'Before 1.36, a sidecar has no restart rules: it restarts always.',
    refuses: (rules) =>
      rules.length > 0 && 'restartPolicyRules are not allowed for init containers with restart policy Always',
  }),
});

const initPolicyForRules = rule<string, Container>({
  code: 'init-restart-rules-need-policy',
  type: 'Required',
  source,
  since: '1.35',
  says: 'Restart rules need a restartPolicy for what they leave open.',
  evenIfAbsent: true,
  refuses: (_policy, { restartPolicyRules = [] }) =>
    restartPolicyRules.length > 0 && 'must specify restartPolicy when restart rules are used',
});

const initNeedsPolicy = fields<Container, ContainerContext>({ restartPolicy: initPolicyForRules });

/** The restart policy of an init container. Its rules go unjudged while it has no policy. */
export const initRestartPolicy = {
  run: (container, owner, context, path, judgement) => {
    const policy = container?.restartPolicy;
    let check = withRules;
    if (policy === undefined) check = initNeedsPolicy;
    else if (policy === 'Always' && !context.tolerances.restartAllContainers) check = noRulesForSidecars;
    check.run(container, owner, context, path, judgement);
  },
  visit(visit) {
    initNeedsPolicy.visit(visit);
    noRulesForSidecars.visit(visit);
  },
} satisfies typeof withRules;
