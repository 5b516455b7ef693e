// The host that passkeys are made for, and the proof that they must give.
import type { passkey } from '@better-auth/passkey';
import { APIError } from 'better-auth';

type Options = NonNullable<Parameters<typeof passkey>[0]>;

/**
 * A passkey belongs to the host of BASE_URL. It cannot belong to an IP address, so an installation on a loopback address
 * has passkeys for http://localhost. It replaces password and code, so it must have asked for a
 * fingerprint, a face or a PIN.
 */
export function passkeyOptions(given: { baseUrl: string; port: number }): Options {
  const url = new URL(given.baseUrl);
  const isLoopback = /^(127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  const rpID = isLoopback ? 'localhost' : url.hostname;
  const named = new URL(given.baseUrl);
  named.hostname = rpID;
  return {
    rpName: 'Tocsin',
    rpID,
    // With PORT=0 only the browser knows the port; that it is our own origin is checked for every request that writes.
    origin: given.port === 0 ? null : [...new Set([url.origin, named.origin])],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      async afterVerification({ verification }) {
        if (!verification.registrationInfo?.userVerified) throw new APIError('BAD_REQUEST', UNVERIFIED);
      },
    },
    authentication: {
      async afterVerification({ verification }) {
        if (!verification.authenticationInfo.userVerified) throw new APIError('BAD_REQUEST', UNVERIFIED);
      },
    },
  };
}

const UNVERIFIED = {
  code: 'USER_NOT_VERIFIED',
  message: 'The passkey must ask for a fingerprint, a face or a PIN; set one up for it.',
};
