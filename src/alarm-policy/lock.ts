import { sql } from 'kysely';
import type { Tx } from '../platform/work.ts';

/**
 * Locks an organization's inherited policies until the end of the transaction. Take it before the state of any monitor; see
 * docs/architecture.md, "Locks, in order". Monitor writes share it; a change of a profile or the standard is exclusive, so
 * that it sees every inheriting monitor and no concurrent write uses the old policy.
 */
export async function lockAlarmPolicy(tx: Tx, orgId: string, mode: 'shared' | 'exclusive'): Promise<void> {
  const key = sql`hashtextextended(${`alarm policy ${orgId}`}, 0)`;
  await (mode === 'shared'
    ? sql`SELECT pg_advisory_xact_lock_shared(${key})`
    : sql`SELECT pg_advisory_xact_lock(${key})`
  ).execute(tx);
}
