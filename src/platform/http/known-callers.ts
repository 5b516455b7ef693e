// Whose a credential was when it was last seen: so that looking it up again is done in that tenant's share of the database,
// not in the one of the address, which an office, a proxy or this machine's own probe may have in common with anybody.
import type { FastifyRequest } from 'fastify';
import type { Tenant } from '../db/asker.ts';
import { bearerHash, sessionHashes } from './credential-hash.ts';

/** Forgetting all of them costs nothing but their shares of one look-up. */
const MOST_KNOWN = 20_000;

export type KnownCallers = {
  /** null: the system's. undefined: it was not seen yet, or turned out to be none. */
  of: (credential: string) => Tenant | null | undefined;
  learn: (credential: string, tenant: Tenant | null) => void;
  forget: (credential: string) => void;
};

export function makeKnownCallers(): KnownCallers {
  const known = new Map<string, Tenant | null>();
  return {
    of: (credential) => known.get(credential),
    learn(credential, tenant) {
      if (known.size >= MOST_KNOWN && !known.has(credential)) known.clear();
      known.set(credential, tenant);
    },
    forget: (credential) => known.delete(credential),
  };
}

/** What a request is known by: the hash of its key, its token or its session; null where it has none, or several. */
export function credentialOf({ headers }: FastifyRequest, sessionCookie: string): string | null {
  const bearer = bearerHash(headers.authorization);
  if (bearer !== null || headers.authorization !== undefined) return bearer;
  const [session, ...more] = sessionHashes(headers.cookie, sessionCookie);
  return more.length === 0 ? (session ?? null) : null;
}
