// The token of a link: `tcw_` and 32 random bytes in base62. It is in the fragment of the address, after the #, so that it
// appears in no proxy log and no Referer.
import { RANDOM_DIGITS, randomBase62 } from '../platform/base62.ts';

const SHAPE = new RegExp(`^tcw_[0-9A-Za-z]{${RANDOM_DIGITS}}$`);

export const makeWallToken = (): string => `tcw_${randomBase62()}`;

/** The token of an Authorization header; null if it cannot be one, so that nothing is looked up. */
export function wallTokenOf(authorization: string | undefined): string | null {
  const token = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1] ?? '';
  return SHAPE.test(token) ? token : null;
}

export const wallUrl = (baseUrl: string, token: string): string => `${baseUrl}/app/wall#${token}`;
