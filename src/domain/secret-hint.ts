// What people see of a stored secret. Pure.

export const MASK = '••••';

/** The visible part of a stored secret: its last 4 characters, or none if they would be half of it. */
export const secretHint = (secret: string): string =>
  secret.length < 8 ? MASK : `${MASK}${secret.slice(-4)}`;

/** The address of a chat is its secret: only its host and the last characters of its path are shown. Idempotent. */
export function maskedAddress(address: string): string {
  const url = URL.parse(address);
  return url === null ? MASK : `${url.origin}/${MASK}${address.slice(-4)}`;
}
