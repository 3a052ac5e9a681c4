import { byteLength, dnsSubdomainFaults, tooLongMessage } from '../formats.ts';
import { rule } from '../rule.ts';
import { each, fields } from '../structure.ts';
import type { PodContext } from './context.ts';
import { isGateOn } from './gates.ts';
import { ipFaults } from './ip.ts';
import { about, aboutEach, formatted } from './ruleShapes.ts';
import type { DnsConfig, HostAlias, NameReference, PodSpec } from './types.ts';

/** Name resolution inside the pod. Source: Kubernetes 1.35, core validation, DNS config and host aliases. */

const source = 'G12';
const mostNameservers = 3;
const mostSearches = 32;
const longestSearchList = 2048;
const longestSubdomain = 253;

const looseLabel = '_?[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?';
const looseSubdomain = new RegExp(`^${looseLabel}(?:\\.${looseLabel})*$`);

function addressFaults(text: string, context: PodContext): readonly string[] {
  return aboutEach(text, ipFaults(text, isGateOn('StrictIPCIDRValidation', context.version)));
}

const nameserverFormat = rule<string, unknown, PodContext>({
  code: 'nameserver-format',
  type: 'Invalid',
  source,
  says: 'A name server is an IP address.',
  refuses: (address, _list, context) => addressFaults(address, context),
});

function aboutList(list: readonly string[], fault: string): string {
  return `${JSON.stringify(list)}: ${fault}`;
}

const fewNameservers = rule<readonly string[]>({
  code: 'nameservers-few',
  type: 'Invalid',
  source,
  says: 'A pod has at most three name servers.',
  refuses: (list) =>
    list.length > mostNameservers && aboutList(list, `must not have more than ${mostNameservers} nameservers`),
});

const fewSearches = rule<readonly string[]>({
  code: 'searches-few',
  type: 'Invalid',
  source,
  says: 'A pod searches at most 32 domains, 2048 characters in all.',
  refuses: (list) => {
    if (list.length > mostSearches) return aboutList(list, `must not have more than ${mostSearches} search paths`);
    return (
      byteLength(list.join(' ')) > longestSearchList &&
      aboutList(list, `must not have more than ${longestSearchList} characters (including spaces) in the search list`)
    );
  },
});

const searchFormat = rule<string>({
  code: 'search-format',
  type: 'Invalid',
  source,
  says: 'A searched domain is a DNS subdomain; underscores and a final dot are fine.',
  refuses: (search) => {
    if (search === '.') return false;
    const domain = search.endsWith('.') ? search.slice(0, -1) : search;
    const faults: string[] = [];
    if (byteLength(domain) > longestSubdomain) faults.push(about(domain, tooLongMessage(longestSubdomain)));
    if (!looseSubdomain.test(domain)) {
      const pattern =
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";
      faults.push(about(domain, pattern));
    }
    return faults;
  },
});

const optionNamed = rule<NameReference>({
  code: 'dns-option-name',
  type: 'Required',
  source,
  says: 'A resolver option has a name.',
  refuses: ({ name = '' }) => name === '' && 'must not be empty',
});

/** Own resolver settings of the pod. Without the name servers that `dnsPolicy: None` needs, the rest goes unjudged. */
export const dnsConfig = fields<DnsConfig, PodContext>({
  nameservers: [fewNameservers, each<string, PodContext>(nameserverFormat)],
  searches: [fewSearches, each<string, PodContext>(searchFormat)],
  options: each<NameReference, PodContext>(optionNamed),
});

/** True if the pod resolves names only by its own settings. */
export function hasOwnResolver(spec: PodSpec): boolean {
  return spec.dnsPolicy === 'None';
}

/** A pod that resolves names only by its own settings has such settings. */
export const dnsConfigRequired = rule<DnsConfig, PodSpec>({
  code: 'dns-config-required',
  type: 'Required',
  source,
  says: 'dnsPolicy None needs dnsConfig with a name server.',
  evenIfAbsent: true,
  refuses: (config, spec) => {
    if (!hasOwnResolver(spec)) return false;
    if (config === undefined) return 'must provide `dnsConfig` when `dnsPolicy` is None';
    if ((config.nameservers ?? []).length > 0) return false;
    return [{ at: ['nameservers'], message: 'must provide at least one DNS nameserver when `dnsPolicy` is None' }];
  },
});

/** Entries of the pod's hosts file. */
export const hostAliases = each(
  fields<HostAlias, PodContext>({
    ip: rule<string, unknown, PodContext>({
      code: 'host-alias-ip-format',
      type: 'Invalid',
      source,
      says: 'A host alias has an IP address.',
      evenIfAbsent: true,
      refuses: (ip = '', _alias, context) => addressFaults(ip, context),
    }),
    hostnames: each<string, PodContext>(
      formatted(
        { code: 'host-alias-name-format', source, says: 'A host name is a DNS subdomain.' },
        dnsSubdomainFaults,
      ),
    ),
  }),
);
