import { createHash } from 'node:crypto';

/** SHA-1 of a text in hexadecimal: a fingerprint that other programs use in names, nothing that keeps a secret. */
export function sha1Hex(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}
