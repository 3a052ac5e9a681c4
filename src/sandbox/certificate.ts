import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import * as der from './der.ts';

/** Vouches for the servers of one sandbox. */
export interface CertificateAuthority {
  /** PEM; what a kubeconfig carries as certificate-authority-data. */
  readonly certificate: string;
  /** A certificate for a server on this machine, with its key; both PEM. */
  issueServer(commonName: string): { readonly certificate: string; readonly key: string };
}

const ecdsaWithSha256 = der.sequence(der.objectIdentifier('1.2.840.10045.4.3.2'));

const dayMs = 86_400_000;

/**
 * A certificate authority that lives as long as the process: its key is never written anywhere. Certificates are valid
 * for a year, and from a day before `now`, so that a skewed clock doesn't refuse them.
 */
export function createCertificateAuthority(now: number): CertificateAuthority {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = distinguishedName('Delegated Jobs sandbox CA');
  const certificate = certificateOf({
    now,
    subject: name,
    issuer: name,
    publicKey: keys.publicKey,
    signer: keys.privateKey,
    extensions: [
      extension('2.5.29.19', true, der.sequence(der.boolean(true))),
      // keyCertSign and cRLSign
      extension('2.5.29.15', true, der.bitString(Buffer.from([0b0000_0110]), 1)),
      extension('2.5.29.14', false, der.octetString(keyIdentifier(keys.publicKey))),
    ],
  });
  return {
    certificate,
    issueServer(commonName) {
      const server = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      return {
        certificate: certificateOf({
          now,
          subject: distinguishedName(commonName),
          issuer: name,
          publicKey: server.publicKey,
          signer: keys.privateKey,
          extensions: [
            // digitalSignature; serverAuth
            extension('2.5.29.15', true, der.bitString(Buffer.from([0b1000_0000]), 7)),
            extension('2.5.29.37', false, der.sequence(der.objectIdentifier('1.3.6.1.5.5.7.3.1'))),
            extension('2.5.29.17', false, loopbackNames()),
            extension('2.5.29.35', false, der.sequence(der.implicit(0, keyIdentifier(keys.publicKey)))),
          ],
        }),
        key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      };
    },
  };
}

/** What a certificate says, and whose key signs it. */
interface CertificateParts {
  readonly now: number;
  readonly subject: der.Der;
  readonly issuer: der.Der;
  readonly publicKey: KeyObject;
  readonly signer: KeyObject;
  readonly extensions: readonly der.Der[];
}

/** RFC 5280: the signed part, the algorithm again, and the signature. */
function certificateOf({ now, subject, issuer, publicKey, signer, extensions }: CertificateParts): string {
  const body = der.sequence(
    der.explicit(0, der.integer(Buffer.from([2]))),
    der.integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    issuer,
    der.sequence(der.time(now - dayMs), der.time(now + 365 * dayMs)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der.explicit(3, der.sequence(...extensions)),
  );
  const signed = der.sequence(body, ecdsaWithSha256, der.bitString(sign('sha256', body, signer)));
  const lines = signed.toString('base64').match(/.{1,64}/gu) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function distinguishedName(commonName: string): der.Der {
  return der.sequence(der.setOf(der.sequence(der.objectIdentifier('2.5.4.3'), der.utf8String(commonName))));
}

function extension(oid: string, isCritical: boolean, content: der.Der): der.Der {
  const critical = isCritical ? [der.boolean(true)] : [];
  return der.sequence(der.objectIdentifier(oid), ...critical, der.octetString(content));
}

/** Subject alternative names: `localhost` and the two loopback addresses. */
function loopbackNames(): der.Der {
  const ipv6Loopback = Buffer.alloc(16);
  ipv6Loopback[15] = 1;
  return der.sequence(
    der.implicit(2, Buffer.from('localhost')),
    der.implicit(7, Buffer.from([127, 0, 0, 1])),
    der.implicit(7, ipv6Loopback),
  );
}

/** Any value that differs between keys will do; it only ties a certificate to its issuer. */
function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}
