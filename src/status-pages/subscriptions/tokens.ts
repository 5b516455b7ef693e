// Tokens of links in mails to subscribers. They are derived from a key of the installation, so that every mail can have one and
// none is stored; deleting the subscriber voids it.
import { createHmac } from 'node:crypto';
import { isId } from '#src/platform/ids.ts';
import { sameSecret } from '#src/platform/secrets.ts';

/** `manage`: the choice and unsubscribing; `confirm`: this address wants the mails. */
export type TokenPurpose = 'manage' | 'confirm';

const signed = (key: Buffer, purpose: TokenPurpose, subscriberId: string) =>
  createHmac('sha256', key).update(`subscriber ${purpose} ${subscriberId}`).digest('base64url');

export const makeToken = (key: Buffer, purpose: TokenPurpose, subscriberId: string): string =>
  `${subscriberId}.${signed(key, purpose, subscriberId)}`;

/** The subscriber that the token belongs to; null if there is none. */
export function subscriberOf(key: Buffer, purpose: TokenPurpose, token: string): string | null {
  const at = token.indexOf('.');
  const id = token.slice(0, Math.max(0, at));
  if (!isId('sub', id)) return null;
  return sameSecret(token.slice(at + 1), signed(key, purpose, id)) ? id : null;
}
