import { sql } from 'kysely';
import type { Tx } from '../platform/work.ts';

/**
 * What monitors inherit stays as it is until the end of the transaction. Before the state of any monitor is locked; see
 * docs/architecture.md, "Locks, in order". Writes of monitors share it, a change of a profile or the standard has it alone:
 * it sees every monitor that inherits, and none that is written meanwhile goes by what it replaces.
 */
export async function lockAlarmPolicy(tx: Tx, orgId: string, mode: 'shared' | 'exclusive'): Promise<void> {
  const key = sql`hashtextextended(${`alarm policy ${orgId}`}, 0)`;
  await (mode === 'shared'
    ? sql`SELECT pg_advisory_xact_lock_shared(${key})`
    : sql`SELECT pg_advisory_xact_lock(${key})`
  ).execute(tx);
}
