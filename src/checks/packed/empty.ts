// Truncates partitions whose checks are read from blocks, which frees their disk space at once.
import { sql } from 'kysely';
import { inTransaction } from '#src/platform/db/transaction.ts';
import type { Database } from '#src/platform/work.ts';

const PATIENCE = sql.raw("SET LOCAL lock_timeout = '200ms'");
/** lock_not_available: another session holds the lock; undefined_table: the partition was dropped meanwhile. */
const LEFT_ALONE = ['55P03', '42P01'];

/**
 * Truncates them once no transaction can still read their rows. A transaction that began before the switch to blocks may have
 * an older snapshot, and would see a truncated table as empty. Transactions on a replica are not visible from the primary, so
 * they get a minute. Until then, and while a partition is locked, it is left for the next run.
 */
export async function emptyPacked(db: Database): Promise<void> {
  await sql`UPDATE packing_state SET settled_at = clock_timestamp() WHERE settled_at IS NULL`.execute(db);
  const { rows } = await sql<{ name: string }>`
    SELECT c.relname AS name
    FROM packing_state s CROSS JOIN pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'checks'::regclass AND s.settled_at < clock_timestamp() - interval '1 minute' AND pg_relation_size(c.oid) > 0
      AND right(c.relname, 8) < to_char(s.packed_until AT TIME ZONE 'UTC', 'YYYYMMDD')
      AND NOT EXISTS (SELECT FROM pg_stat_activity a WHERE a.datname = current_database()
        AND a.backend_type = 'client backend' AND a.pid <> pg_backend_pid()
        AND a.xact_start <= s.settled_at)
    ORDER BY 1`.execute(db);
  for (const { name } of rows)
    await inTransaction(db, async (tx) => {
      await PATIENCE.execute(tx);
      await sql`TRUNCATE ${sql.table(name)}`.execute(tx);
    }).catch((error: { code?: string }) => {
      if (!LEFT_ALONE.includes(error.code ?? '')) throw error;
    });
}
