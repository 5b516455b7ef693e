// Revokes every API key and every probe token at once: after a restore of an old backup, which brings revoked ones back, or
// after somebody had access to the database.
import { revokeKey } from '../api-keys/revoke.ts';
import { type Actor, type Database, runWork } from '../platform/work.ts';
import { revokeProbeToken } from '../regions/tokens.ts';

export type Revoked = { keys: number; tokens: number };

/** Revokes all of them, each in a unit of work of its own and recorded like any other. */
export async function revokeAllKeys(db: Database, now: Date, actor: Actor): Promise<Revoked> {
  const keys = await db.selectFrom('api_keys').select(['id', 'org_id']).execute();
  for (const { id, org_id } of keys) await runWork(db, now, actor, (work) => revokeKey(work, org_id, id));
  const tokens = await db
    .selectFrom('probe_tokens')
    .innerJoin('regions', 'regions.no', 'probe_tokens.region_no')
    .select(['probe_tokens.id', 'regions.slug'])
    .execute();
  for (const { id, slug } of tokens)
    await runWork(db, now, actor, (work) => revokeProbeToken(work, slug, id));
  return { keys: keys.length, tokens: tokens.length };
}
