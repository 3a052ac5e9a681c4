import { dnsSubdomainFaults } from '../formats.ts';
import { labelSelector } from '../labelSelector.ts';
import { type Check, rule } from '../rule.ts';
import { all, fields } from '../structure.ts';
import type { PodContext } from './context.ts';
import { aboutEach, required } from './ruleShapes.ts';
import { signerName } from './signerName.ts';
import { filePath, fileUser } from './volumeFiles.ts';
import type { ClusterTrustBundleProjection } from './volumeTypes.ts';

/** Trust bundles as files. Source: Kubernetes 1.35, core validation, projected volumes. */

const source = 'G9';

/** A bundle's name starts with its signer, slashes written as colons. */
function bundleNameFaults(name: string): readonly string[] {
  const colon = name.lastIndexOf(':');
  if (colon < 0) return dnsSubdomainFaults(name);
  // The name of the signer that this looks like has slashes for colons; both are written alike in the prefix.
  const prefix = name.slice(0, colon).replaceAll('/', ':');
  if (prefix === '') return ['ClusterTrustBundle without signer name must not have ":" in its name'];
  if (!name.startsWith(`${prefix}:`)) {
    const signer = prefix.replace(':', '/');
    return [`ClusterTrustBundle for signerName ${signer} must be named with prefix ${prefix}:`];
  }
  return dnsSubdomainFaults(name.slice(prefix.length + 1));
}

const bundleSelected = rule<ClusterTrustBundleProjection>({
  code: 'trust-bundle-selected',
  type: 'Required',
  source,
  says: 'Trust bundles are selected by name or by signer.',
  refuses: (bundle) =>
    bundle.name === undefined && bundle.signerName === undefined && 'either name or signerName must be specified',
});

const bundleSelectedOnce = rule<ClusterTrustBundleProjection>({
  code: 'trust-bundle-selected-once',
  type: 'Invalid',
  source,
  says: 'Trust bundles are selected by name or by signer, not both.',
  refuses: (bundle) =>
    bundle.name !== undefined && bundle.signerName !== undefined && 'only one of name and signerName may be used',
});

const bundleByName = fields<ClusterTrustBundleProjection>({
  name: [
    required({ code: 'trust-bundle-name-required', source, says: 'The name of a trust bundle is not empty.' }),
    rule<string>({
      code: 'trust-bundle-name-format',
      type: 'Invalid',
      source,
      says: "The name of a trust bundle is a DNS subdomain after its signer's.",
      refuses: (name) =>
        aboutEach(
          name,
          bundleNameFaults(name).map((fault) => `not a valid clustertrustbundlename: ${fault}`),
        ),
    }),
  ],
  labelSelector: rule<object>({
    code: 'trust-bundle-name-without-selector',
    type: 'Invalid',
    source,
    says: 'Labels select among the bundles of a signer.',
    refuses: () => 'labelSelector must be unset if name is specified',
  }),
});

const bundleBySigner = fields<ClusterTrustBundleProjection, PodContext>({ signerName, labelSelector });

/** The certificates of one trust bundle, or of all bundles of a signer, in a file. */
export const trustBundle = all(
  bundleSelected,
  bundleSelectedOnce,
  {
    run: (bundle, owner, context, path, judgement) => {
      if (bundle?.name !== undefined && bundle.signerName !== undefined) return;
      if (bundle?.name !== undefined) bundleByName.run(bundle, owner, context, path, judgement);
      else if (bundle?.signerName !== undefined) bundleBySigner.run(bundle, owner, context, path, judgement);
    },
    visit(visit) {
      bundleByName.visit(visit);
      bundleBySigner.visit(visit);
    },
  } satisfies Check<ClusterTrustBundleProjection, unknown, PodContext>,
  fields<ClusterTrustBundleProjection, PodContext>({
    path: [required({ code: 'trust-bundle-path-required', source, says: 'A file has a path.' }), filePath],
    user: fileUser,
  }),
);
