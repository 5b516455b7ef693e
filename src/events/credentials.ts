// The credential of a live stream, and whether it is still valid.
import { sql } from 'kysely';
import type { Caller } from '../platform/http/caller.ts';
import { refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';

export type Credential = { kind: 'user'; id: string; sessionId: string } | { kind: 'key'; id: string };

/** The credential of the caller who opens a stream. */
export function credentialOf(caller: Caller | null): Credential {
  if (caller?.kind === 'user') return { kind: 'user', id: caller.userId, sessionId: caller.sessionId };
  if (caller?.kind === 'key') return { kind: 'key', id: caller.keyId };
  return refuse('unauthenticated', 'Sign in, or send a valid credential.');
}

export type Holder = { orgId: string; credential: Credential };

/**
 * The holders still valid at `now`: members who are signed in, and keys neither revoked nor expired. Three statements for any
 * number of streams.
 */
export async function validHolders<T extends Holder>(
  db: Database,
  holders: readonly T[],
  now: Date,
): Promise<Set<T>> {
  const people: { orgId: string; userId: string; sessionId: string }[] = [];
  const keyIds: string[] = [];
  for (const { orgId, credential } of holders) {
    if (credential.kind === 'key') keyIds.push(credential.id);
    else people.push({ orgId, userId: credential.id, sessionId: credential.sessionId });
  }
  const [members, sessions, keys] = await Promise.all([
    db
      .selectFrom('members')
      .select(['org_id', 'user_id'])
      .where('org_id', '=', anyOf(people.map(({ orgId }) => orgId)))
      .where('user_id', '=', anyOf(people.map(({ userId }) => userId)))
      .execute(),
    db
      .selectFrom('sessions')
      .select('id')
      .where('id', '=', anyOf(people.map(({ sessionId }) => sessionId)))
      .where('expires_at', '>', now)
      .execute(),
    db
      .selectFrom('api_keys')
      .select('id')
      .where('id', '=', anyOf(keyIds))
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
      .execute(),
  ]);
  const member = new Set(members.map((row) => `${row.org_id} ${row.user_id}`));
  const signedIn = new Set(sessions.map((row) => row.id));
  const valid = new Set(keys.map((row) => row.id));
  return new Set(
    holders.filter(({ orgId, credential }) =>
      credential.kind === 'key'
        ? valid.has(credential.id)
        : member.has(`${orgId} ${credential.id}`) && signedIn.has(credential.sessionId),
    ),
  );
}

/** Matches any of the ids; unlike IN, it also works for an empty list. */
const anyOf = (ids: string[]) => sql<string>`ANY(${[...new Set(ids)]}::text[])`;
