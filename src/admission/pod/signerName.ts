import { byteLength, dnsLabelFaults, dnsSubdomainFaults } from '../formats.ts';
import { rule } from '../rule.ts';
import { all } from '../structure.ts';
import { about, required } from './ruleShapes.ts';

/** Names of who signs certificates. Source: Kubernetes 1.35, core validation, signer names. */

const source = 'G9';

/** What is wrong with a signer's name, each fault with the part that has it. */
function signerNameFaults(name: string): readonly string[] {
  const [domain = '', path, ...rest] = name.split('/');
  if (path === undefined || rest.length > 0) {
    return [about(name, "must be a fully qualified domain and path of the form 'example.com/signer-name'")];
  }
  const faults = [...firstLabelFaults(domain, dnsLabelFaults)];
  if (!domain.includes('.')) {
    faults.push(about(domain, 'should be a domain with at least two segments separated by dots'));
  }
  faults.push(...firstLabelFaults(path, dnsSubdomainFaults));
  return faults;
}

/** The faults of the first label between dots that has any. */
function firstLabelFaults(text: string, faultsOf: (label: string) => readonly string[]): readonly string[] {
  const labels = text.split('.');
  const bad = labels.find((label) => faultsOf(label).length > 0);
  if (bad === undefined) return [];
  return faultsOf(bad).map((fault) => about(text, `validating label ${JSON.stringify(bad)}: ${fault}`));
}

const longestSignerDomain = 253;
const longestSignerName = longestSignerDomain + 1 + 253 + 63 + 1;

/** The name of a signer. */
export const signerName = all(
  required({ code: 'signer-name-required', source, says: 'A source of certificates names its signer.' }),
  rule<string>({
    code: 'signer-name-format',
    type: 'Invalid',
    source,
    says: 'A signer is `example.com/name`.',
    refuses: (name) => name !== '' && signerNameFaults(name),
  }),
  rule<string>({
    code: 'signer-name-length',
    type: 'TooLong',
    source,
    says: 'The domain of a signer has at most 253 characters, its whole name at most 571.',
    refuses: (name) => {
      const segments = name.split('/');
      if (segments.length !== 2) return false;
      if (byteLength(segments[0] ?? '') > longestSignerDomain)
        return `may not be more than ${longestSignerDomain} bytes`;
      return byteLength(name) > longestSignerName && `may not be more than ${longestSignerName} bytes`;
    },
  }),
);
