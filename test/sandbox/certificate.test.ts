import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createCertificateAuthority } from '../../src/sandbox/certificate.ts';
import * as der from '../../src/sandbox/der.ts';

describe('a DER element', () => {
  it.each([
    ['a short length', der.octetString(Buffer.alloc(3)), '0403000000'],
    ['a long length', der.octetString(Buffer.alloc(200)).subarray(0, 3), '0481c8'],
    ['a longer length', der.octetString(Buffer.alloc(300)).subarray(0, 4), '0482012c'],
    ['a small integer', der.integer(Buffer.from([2])), '020102'],
    ['an integer with a leading one bit', der.integer(Buffer.from([0x80])), '02020080'],
    ['an integer without leading zeros', der.integer(Buffer.from([0, 0, 1])), '020101'],
    ['an object identifier', der.objectIdentifier('1.2.840.10045.4.3.2'), '06082a8648ce3d040302'],
    ['a truth', der.boolean(true), '0101ff'],
    ['bits', der.bitString(Buffer.from([6]), 1), '03020106'],
    ['a time before 2050', der.time(Date.parse('2026-11-29T23:18:06Z')), '170d3236313132393233313830365a'],
    ['a time after 2049', der.time(Date.parse('2050-01-01T00:00:00Z')), '180f32303530303130313030303030305a'],
    ['a sequence of two', der.sequence(der.boolean(false), der.utf8String('a')), '30060101000c0161'],
  ])('writes %s', (_, element, hex) => {
    expect(element.toString('hex')).toBe(hex);
  });
});

describe('the certificate authority', () => {
  const now = Date.parse('2026-11-29T12:00:00Z');
  const authority = createCertificateAuthority(now);
  const ca = new X509Certificate(authority.certificate);
  const server = new X509Certificate(authority.issueServer('worker-1').certificate);

  it('signs itself and may sign others', () => {
    expect(ca.ca).toBe(true);
    expect(ca.verify(ca.publicKey)).toBe(true);
  });

  it('signs servers that may not sign', () => {
    expect(server.checkIssued(ca)).toBe(true);
    expect(server.verify(ca.publicKey)).toBe(true);
    expect(server.ca).toBe(false);
  });

  it.each(['127.0.0.1', '::1'])('vouches for the address %s', (address) => {
    expect(server.checkIP(address)).toBe(address);
  });

  it('vouches for localhost and for no other name', () => {
    expect(server.checkHost('localhost')).toBe('localhost');
    expect(server.checkHost('worker-1')).toBeUndefined();
  });

  it('is valid around its making', () => {
    expect(server.validFromDate.getTime()).toBe(now - 86_400_000);
    expect(server.validToDate.getTime()).toBe(now + 365 * 86_400_000);
  });

  it('gives every certificate a number of its own', () => {
    expect(server.serialNumber).not.toBe(
      new X509Certificate(authority.issueServer('worker-2').certificate).serialNumber,
    );
  });
});
