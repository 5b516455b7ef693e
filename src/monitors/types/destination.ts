// Browser-safe. Where the secrets of a config travel, and how safely: a stored one goes there and nowhere else.

/** A config that has passed no check yet. */
type Given = Readonly<Record<string, unknown>>;

/**
 * One text for one destination. What it is made of is sealed with the secret (see ../sealing.ts): a change here makes
 * stored secrets unreadable.
 */
export const destination = (...parts: readonly unknown[]): string =>
  JSON.stringify(parts.map((part) => part ?? null));

/** Scheme, host and port of an address; what is no address is a place of its own. */
export function originOf(address: unknown): string {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  return url === null ? String(address) : `${url.protocol}//${url.host}`;
}

/** A host as names are compared. */
export const hostOf = ({ host }: Given): string => String(host).toLowerCase();

/** The server that a connection must prove to be, and by whom: `tls` of a config with certificates. */
export function verificationOf({ tls }: Given): readonly unknown[] {
  const given = (typeof tls === 'object' && tls !== null ? tls : {}) as Given;
  return [given.verify ?? true, given.server_name ?? null, given.ca_pem ?? null];
}
