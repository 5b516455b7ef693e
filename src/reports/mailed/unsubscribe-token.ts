// The token in the unsubscribe link of a report by mail. It is derived from a key of the installation, so that every mail can
// have it and none is stored; ending the subscription voids it.
import { createHmac } from 'node:crypto';
import { isId } from '#src/platform/ids.ts';
import { sameSecret } from '#src/platform/secrets.ts';

const signed = (key: Buffer, subscriptionId: string) =>
  createHmac('sha256', key).update(`report subscription ${subscriptionId}`).digest('base64url');

export const unsubscribeToken = (key: Buffer, subscriptionId: string): string =>
  `${subscriptionId}.${signed(key, subscriptionId)}`;

/** The subscription that the token belongs to; null if there is none. */
export function subscriptionOf(key: Buffer, token: string): string | null {
  const at = token.indexOf('.');
  const id = token.slice(0, Math.max(0, at));
  if (!isId('rps', id)) return null;
  return sameSecret(token.slice(at + 1), signed(key, id)) ? id : null;
}
