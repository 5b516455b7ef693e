// Credentials as this process remembers them: never the credential itself.
import { hashToken } from '../secrets.ts';

const hashOf = (credential: string) => hashToken(credential).toString('base64url');

/** The hash of what follows "Bearer", however that is written; null where there is nothing to look up. */
export function bearerHash(authorization: string | undefined): string | null {
  const credential = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
  return credential === undefined ? null : hashOf(credential);
}

/** The hashes of the cookies of this name. */
export function sessionHashes(cookie = '', name: string): string[] {
  return cookie.split(';').flatMap((pair) => {
    const [key = '', ...value] = pair.trim().split('=');
    return key === name ? [hashOf(value.join('='))] : [];
  });
}
