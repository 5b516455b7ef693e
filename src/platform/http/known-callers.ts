// Remembers the tenant of each credential, so that the next look-up uses that tenant's share of the database. The share of the
// address is not suitable: an office, a proxy or this machine's own probe may share the address with anybody.
import type { FastifyRequest } from 'fastify';
import type { Tenant } from '../db/asker.ts';
import { bearerHash, sessionHashes } from './credential-hash.ts';

/** If all are forgotten, each merely uses its address's share for one look-up. */
const MAX_KNOWN = 20_000;

export type KnownCallers = {
  /** null: the system's. undefined: not seen yet, or invalid. */
  of: (credential: string) => Tenant | null | undefined;
  learn: (credential: string, tenant: Tenant | null) => void;
  forget: (credential: string) => void;
};

export function makeKnownCallers(): KnownCallers {
  const known = new Map<string, Tenant | null>();
  return {
    of: (credential) => known.get(credential),
    learn(credential, tenant) {
      if (known.size >= MAX_KNOWN && !known.has(credential)) known.clear();
      known.set(credential, tenant);
    },
    forget: (credential) => known.delete(credential),
  };
}

/** The hash of a request's key, token or session; null if it has none or several. */
export function credentialOf({ headers }: FastifyRequest, sessionCookie: string): string | null {
  const bearer = bearerHash(headers.authorization);
  if (bearer !== null || headers.authorization !== undefined) return bearer;
  const [session, ...more] = sessionHashes(headers.cookie, sessionCookie);
  return more.length === 0 ? (session ?? null) : null;
}
