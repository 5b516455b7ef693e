// This process remembers credentials as hashes only.
import { hashToken } from '../secrets.ts';

const hashOf = (credential: string) => hashToken(credential).toString('base64url');

/** The hash of the Bearer credential, in any spelling of "Bearer"; null if there is none. */
export function bearerHash(authorization: string | undefined): string | null {
  const credential = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
  return credential === undefined ? null : hashOf(credential);
}

/** The hashes of all cookies with this name. */
export function sessionHashes(cookie = '', name: string): string[] {
  return cookie.split(';').flatMap((pair) => {
    const [key = '', ...value] = pair.trim().split('=');
    return key === name ? [hashOf(value.join('='))] : [];
  });
}
