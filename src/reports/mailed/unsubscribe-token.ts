// The token of the way out of a report by mail. It follows from a key of the installation, so that every mail can carry it and
// none is stored; ending the subscription voids it.
import { createHmac } from 'node:crypto';
import { isId } from '#src/platform/ids.ts';
import { sameSecret } from '#src/platform/secrets.ts';

const signed = (key: Buffer, subscriptionId: string) =>
  createHmac('sha256', key).update(`report subscription ${subscriptionId}`).digest('base64url');

export const unsubscribeToken = (key: Buffer, subscriptionId: string): string =>
  `${subscriptionId}.${signed(key, subscriptionId)}`;

/** The subscription whose token this is; null: none's. */
export function subscriptionOf(key: Buffer, token: string): string | null {
  const at = token.indexOf('.');
  const id = token.slice(0, Math.max(0, at));
  if (!isId('rps', id)) return null;
  return sameSecret(token.slice(at + 1), signed(key, id)) ? id : null;
}
