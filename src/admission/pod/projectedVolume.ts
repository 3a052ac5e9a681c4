import { byteLength, dnsLabelFaults, dnsSubdomainFaults, qualifiedNameFaults, unsupportedMessage } from '../formats.ts';
import { labelSelector } from '../labelSelector.ts';
import { type Check, type Complaint, rule } from '../rule.ts';
import { all, each, fields, printedAs } from '../structure.ts';
import type { PodContext } from './context.ts';
import { filePathFaults } from './filePaths.ts';
import { formattedIfSet, missingMessage, required } from './ruleShapes.ts';
import { downwardFiles, fileMode, filePath, fileUser, keyFiles } from './volumeFiles.ts';
import type {
  ClusterTrustBundleProjection,
  PodCertificateProjection,
  ProjectedVolume,
  ProjectionSource,
  ServiceAccountTokenProjection,
} from './volumeTypes.ts';

/** Volumes projected from several sources. Source: Kubernetes 1.35, core validation, projected volumes. */

const source = 'G9';
const shortestToken = 600;
const longestToken = 2 ** 32;
const maxAnnotationBytes = 262144;

const namedSource = (code: string, says: string) => required({ code, source, says });

const tokenExpiration = rule<number>({
  code: 'token-expiration',
  type: 'Invalid',
  source,
  says: 'A token lives between ten minutes and 2^32 seconds.',
  refuses: (seconds) => {
    if (seconds < shortestToken) return `${seconds}: may not specify a duration less than 10 minutes`;
    return seconds > longestToken && `${seconds}: may not specify a duration larger than 2^32 seconds`;
  },
});

/** The server files the path of a token under the volume itself. */
const tokenPath = all(
  required({ code: 'token-path-required', source, says: 'A token has a path.' }),
  rule<string, unknown, PodContext>({
    code: 'token-path',
    type: 'Invalid',
    source,
    says: 'The path of a token is relative, without `..`.',
    refuses: (path, _token, { tolerances }) => path !== '' && !tolerances.nonLocalTokenPath && filePathFaults(path),
  }),
);

const signerNameFaults = (name: string): readonly string[] => {
  const segments = name.split('/');
  const [domain = '', path = ''] = segments;
  if (segments.length !== 2) return ["must be a fully qualified domain and path of the form 'example.com/signer-name'"];
  const faults: string[] = [];
  const labels = domain.split('.');
  const badLabel = labels.find((label) => dnsLabelFaults(label).length > 0);
  if (badLabel !== undefined) faults.push(`validating label ${JSON.stringify(badLabel)}: must be a DNS label`);
  if (labels.length < 2) faults.push('should be a domain with at least two segments separated by dots');
  const badPart = path.split('.').find((part) => dnsSubdomainFaults(part).length > 0);
  if (badPart !== undefined) faults.push(`validating label ${JSON.stringify(badPart)}: must be a DNS subdomain`);
  return faults;
};

const longestSignerDomain = 253;
const longestSignerName = longestSignerDomain + 1 + 253 + 63 + 1;

const signerName = all(
  required({ code: 'signer-name-required', source, says: 'A source of certificates names its signer.' }),
  formattedIfSet({ code: 'signer-name-format', source, says: 'A signer is `example.com/name`.' }, signerNameFaults),
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

/** A bundle's name starts with its signer, slashes written as colons. */
function bundleNameFaults(name: string): readonly string[] {
  const colon = name.lastIndexOf(':');
  if (colon < 0) return dnsSubdomainFaults(name);
  // The name of the signer that this looks like has slashes for colons; both are written alike in the prefix.
  const prefix = name.slice(0, colon).replaceAll('/', ':');
  if (prefix === '') return ['ClusterTrustBundle without signer name must not have ":" in its name'];
  if (!name.startsWith(`${prefix}:`)) return [`ClusterTrustBundle must be named with prefix ${prefix}:`];
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
      refuses: (name) => bundleNameFaults(name).map((fault) => `not a valid clustertrustbundlename: ${fault}`),
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

const trustBundle = all(
  bundleSelected,
  bundleSelectedOnce,
  {
    run(bundle, owner, context, path, judgement) {
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
    path: [namedSource('trust-bundle-path-required', 'A file has a path.'), filePath],
    user: fileUser,
  }),
);

const keyTypes = ['ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519', 'RSA3072', 'RSA4096'];
const shortestCertificate = 3600;
const longestCertificate = 91 * 86400;
const longestOfKubernetes = 86400;

function isOfKubernetes(signer: string): boolean {
  const host = signer.split('/', 1)[0] ?? '';
  return host === 'kubernetes.io' || host.endsWith('.kubernetes.io');
}

const userAnnotationKey = rule<Readonly<Record<string, string>>>({
  code: 'user-annotation-key',
  type: 'Invalid',
  source,
  since: '1.35',
  says: 'A user annotation has a key with a domain.',
  refuses: (annotations) =>
    Object.keys(annotations).flatMap((key) => {
      if (key === '') return [];
      const faults = qualifiedNameFaults(key.toLowerCase());
      if (faults.length > 0) return faults;
      return key.includes('/') ? [] : ['must be a domain-prefixed key (such as "acme.io/foo")'];
    }),
});

const userAnnotationKeyRequired = rule<Readonly<Record<string, string>>>({
  code: 'user-annotation-key-required',
  type: 'Required',
  source,
  since: '1.35',
  says: 'A user annotation has a key.',
  refuses: (annotations) => '' in annotations && missingMessage,
});

const userAnnotationsSize = rule<Readonly<Record<string, string>>>({
  code: 'user-annotations-size',
  type: 'TooLong',
  source,
  since: '1.35',
  says: 'All user annotations together have at most 256 KiB.',
  refuses: (annotations) => {
    let bytes = 0;
    for (const key in annotations) bytes += byteLength(key) + byteLength(annotations[key] ?? '');
    return bytes > maxAnnotationBytes && `may not be more than ${maxAnnotationBytes} bytes`;
  },
});

const certificateExpiration = rule<number, PodCertificateProjection>({
  code: 'certificate-expiration',
  type: 'Invalid',
  source,
  says: "A pod certificate lives between an hour and 91 days, a day if Kubernetes' own signer makes it.",
  refuses: (seconds, { signerName: signer = '' }) => {
    if (seconds < shortestCertificate) return `${seconds}: if provided, maxExpirationSeconds must be >= 3600`;
    const longest = isOfKubernetes(signer) ? longestOfKubernetes : longestCertificate;
    return seconds > longest && `${seconds}: if provided, maxExpirationSeconds must be <= ${longest}`;
  },
});

const certificateFile = rule<PodCertificateProjection>({
  code: 'certificate-file-required',
  type: 'Required',
  source,
  says: 'A pod certificate is written to a file.',
  refuses: ({ credentialBundlePath = '', keyPath = '', certificateChainPath = '' }) =>
    credentialBundlePath === '' &&
    keyPath === '' &&
    certificateChainPath === '' &&
    'specify at least one of credentialBundlePath, keyPath, and certificateChainPath',
});

const podCertificate = all(
  fields<PodCertificateProjection>({
    signerName,
    userAnnotations: [userAnnotationKey, userAnnotationKeyRequired, userAnnotationsSize],
    user: fileUser,
    keyType: rule<string>({
      code: 'certificate-key-type',
      type: 'NotSupported',
      source,
      says: 'A pod certificate has an RSA, ECDSA or ED25519 key.',
      evenIfAbsent: true,
      refuses: (type = '') => !keyTypes.includes(type) && unsupportedMessage(type, keyTypes),
    }),
    maxExpirationSeconds: certificateExpiration,
    credentialBundlePath: filePath,
    keyPath: filePath,
    certificateChainPath: filePath,
  }),
  certificateFile,
);

const sourceKinds = [
  'secret',
  'configMap',
  'downwardAPI',
  'serviceAccountToken',
  'clusterTrustBundle',
  'podCertificate',
] as const;

const oneKind = rule<ProjectionSource>({
  code: 'projection-one-kind',
  type: 'Forbidden',
  source,
  says: 'A source of a projected volume is of one kind.',
  refuses: (projection) =>
    sourceKinds.filter((kind) => projection[kind] !== undefined).length > 1 &&
    'may not specify more than 1 volume type per source',
});

/** The paths that one source fills, except that of a token: the server doesn't look at it here. */
function pathsOf(projection: ProjectionSource): readonly string[] {
  const { secret, configMap, downwardAPI, clusterTrustBundle, podCertificate: certificate } = projection;
  const items = [...(secret?.items ?? []), ...(configMap?.items ?? []), ...(downwardAPI?.items ?? [])];
  const paths = [
    ...items.map((item) => item.path),
    certificate?.credentialBundlePath,
    certificate?.keyPath,
    certificate?.certificateChainPath,
  ].filter((path) => path !== undefined && path !== '');
  // A bundle counts even without a path.
  return [...paths, ...(clusterTrustBundle ? [clusterTrustBundle.path ?? ''] : [])].flatMap((path) => path ?? []);
}

const pathsUnique = rule<ProjectedVolume>({
  code: 'projection-paths-unique',
  type: 'Invalid',
  source,
  says: 'Each file of a projected volume has a path of its own.',
  refuses: ({ sources = [] }) => {
    const seen = new Set<string>();
    const complaints: Complaint[] = [];
    for (const path of sources.flatMap(pathsOf)) {
      if (seen.has(path)) complaints.push({ message: `${JSON.stringify(path)}: conflicting duplicate paths` });
      seen.add(path);
    }
    return complaints;
  },
});

const projectionSource = all(
  fields<ProjectionSource, PodContext>({
    secret: fields<NonNullable<ProjectionSource['secret']>>({
      name: namedSource('projected-secret-name-required', 'A projected Secret has a name.'),
      items: keyFiles,
    }),
    configMap: fields<NonNullable<ProjectionSource['configMap']>>({
      name: namedSource('projected-config-map-name-required', 'A projected ConfigMap has a name.'),
      items: keyFiles,
    }),
    downwardAPI: fields<NonNullable<ProjectionSource['downwardAPI']>>({ items: downwardFiles }),
    serviceAccountToken: fields<ServiceAccountTokenProjection>({
      expirationSeconds: tokenExpiration,
      user: fileUser,
    }),
    clusterTrustBundle: trustBundle,
    podCertificate,
  }),
  oneKind,
);

/** Tokens once more, for their path: `projected.path` instead of `projected.sources[0].serviceAccountToken.path`. */
const tokenPaths = each(
  printedAs<ProjectionSource, readonly ProjectionSource[], PodContext>(
    '',
    fields<ProjectionSource, PodContext>({
      serviceAccountToken: printedAs<ServiceAccountTokenProjection, ProjectionSource, PodContext>(
        '',
        fields<ServiceAccountTokenProjection, PodContext>({ path: tokenPath }),
      ),
    }),
  ),
);

/** A projected volume. */
export const projectedVolume = all(
  fields<ProjectedVolume, PodContext>({
    defaultMode: fileMode,
    defaultUser: fileUser,
    sources: [
      each(projectionSource),
      printedAs<readonly ProjectionSource[], ProjectedVolume, PodContext>('', tokenPaths),
    ],
  }),
  pathsUnique,
);
