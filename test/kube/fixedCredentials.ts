import type { Access, Credentials, TlsMaterial } from '../../src/kube/credentials.ts';

/** A login that never changes; anonymous without a token and a certificate. */
export function fixedCredentials(
  access: {
    readonly token?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly tls?: TlsMaterial;
  } = {},
): Credentials {
  const authorization = access.token === undefined ? {} : { Authorization: `Bearer ${access.token}` };
  const fixed: Access = { headers: { ...access.headers, ...authorization }, tls: access.tls ?? {} };
  return {
    async current() {
      return fixed;
    },
    async renew() {
      return undefined;
    },
    reset() {},
  };
}
