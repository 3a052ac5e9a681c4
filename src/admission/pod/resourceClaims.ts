import { dnsLabelFaults, dnsSubdomainFaults } from '../formats.ts';
import { type Complaint, rule } from '../rule.ts';
import { all, each, fields } from '../structure.ts';
import type { PodContext } from './context.ts';
import { aboutEach, formatted, required, unique } from './ruleShapes.ts';
import type { PodResourceClaim } from './types.ts';

/** Claims for devices. Source: Kubernetes 1.35, core validation, pod resource claims. */

const source = 'G18';

const oneSource = rule<PodResourceClaim>({
  code: 'pod-claim-one-source',
  type: 'Invalid',
  source,
  says: 'A claim of a pod exists already or is made from a template.',
  refuses: ({ resourceClaimName, resourceClaimTemplateName }) => {
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      return 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';
    }
    return (
      resourceClaimName !== undefined &&
      resourceClaimTemplateName !== undefined &&
      'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'
    );
  },
});

/** A name is judged where it stands first; repeating it is another fault. */
const names = rule<readonly PodResourceClaim[]>({
  code: 'pod-claim-name-format',
  type: 'Invalid',
  source,
  says: 'The name of a claim is a DNS label.',
  refuses: (claims) => {
    const seen = new Set<string>();
    const complaints: Complaint[] = [];
    for (const [index, { name = '' }] of claims.entries()) {
      if (name === '' || seen.has(name)) continue;
      seen.add(name);
      for (const message of aboutEach(name, dnsLabelFaults(name))) complaints.push({ at: [index, 'name'], message });
    }
    return complaints;
  },
});

const nameUnique = unique<PodResourceClaim>(
  { code: 'pod-claim-name-unique', source, says: 'A pod has one claim of a name.' },
  ({ name = '' }) => (name === '' ? undefined : name),
  'name',
);

/** The claims that the containers of a pod use. */
export const resourceClaims = all(
  each<PodResourceClaim, PodContext>(
    fields<PodResourceClaim, PodContext>({
      name: required({ code: 'pod-claim-name-required', source, says: 'A claim of a pod has a name.' }),
      resourceClaimName: formatted(
        { code: 'pod-claim-reference-format', source, says: 'The name of a ResourceClaim is a DNS subdomain.' },
        dnsSubdomainFaults,
      ),
      resourceClaimTemplateName: formatted(
        { code: 'pod-claim-template-format', source, says: 'The name of a ResourceClaimTemplate is a DNS subdomain.' },
        dnsSubdomainFaults,
      ),
    }),
    oneSource,
  ),
  all<readonly PodResourceClaim[], unknown, PodContext>(names, nameUnique),
);
