// Browser-safe. The destination of a config's secrets, and how safely they are sent: a stored secret goes to its own
// destination only.

/** A config that has not been validated. */
type Given = Readonly<Record<string, unknown>>;

/**
 * One text per destination. Its parts are sealed with the secret (see ../sealing.ts): a change here makes stored secrets
 * unreadable.
 */
export const destination = (...parts: readonly unknown[]): string =>
  JSON.stringify(parts.map((part) => part ?? null));

/** Scheme, host and port of an address; an invalid address is a destination of its own. */
export function originOf(address: unknown): string {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  return url === null ? String(address) : `${url.protocol}//${url.host}`;
}

/** A host in the form in which names are compared. */
export const hostOf = ({ host }: Given): string => String(host).toLowerCase();

/** The server that a connection must prove to be, and the authority: `tls` of a config with certificates. */
export function verificationOf({ tls }: Given): readonly unknown[] {
  const given = (typeof tls === 'object' && tls !== null ? tls : {}) as Given;
  return [given.verify ?? true, given.server_name ?? null, given.ca_pem ?? null];
}
