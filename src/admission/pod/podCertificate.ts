import { byteLength, lowerCase, qualifiedNameFaults, unsupportedMessage } from '../formats.ts';
import { rule } from '../rule.ts';
import { all, fields } from '../structure.ts';
import { about, aboutEach, missingMessage } from './ruleShapes.ts';
import { signerName } from './signerName.ts';
import { filePath, fileUser } from './volumeFiles.ts';
import type { PodCertificateProjection } from './volumeTypes.ts';

/** Certificates that a pod gets for itself. Source: Kubernetes 1.35, core validation, projected volumes. */

const source = 'G9';
const maxAnnotationBytes = 262144;
const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
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
      const faults = qualifiedNameFaults(lowerCase(key));
      if (faults.length > 0) return aboutEach(key, faults);
      return key.includes('/') ? [] : [about(key, 'must be a domain-prefixed key (such as "acme.io/foo")')];
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
    if (seconds < shortestCertificate) return about(seconds, 'if provided, maxExpirationSeconds must be >= 3600');
    const longest = isOfKubernetes(signer) ? longestOfKubernetes : longestCertificate;
    return seconds > longest && about(seconds, `if provided, maxExpirationSeconds must be <= ${longest}`);
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

/** A certificate of the pod's own, with its key, in files. */
export const podCertificate = all(
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
