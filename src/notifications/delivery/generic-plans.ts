// A queue is empty at one moment and has 50,000 rows at the next: a plan that was made, and kept, for the one must do
// for the other, and statistics are of neither. So the statements about it find their rows by an index, one by one, and
// are planned once: for what takes turns, planning again would take longer than running.
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '#src/platform/db/transaction.ts';

const OFF = ['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin'];
const SETTINGS = [...OFF.map((name) => [name, 'off']), ['plan_cache_mode', 'force_generic_plan']];
const PLAIN = sql.raw(SETTINGS.map(([name, value]) => `set_config('${name}', '${value}', true)`).join(', '));
const FORGIVING = sql`${PLAIN}, set_config('synchronous_commit', 'off', true)`;

/**
 * For the rest of this transaction. With `durable` false its commit does not wait for the disk: what a crash of the
 * database may forget of it must do no harm.
 */
export async function planPlainly(tx: Tx, { durable }: { durable: boolean }): Promise<void> {
  await sql`SELECT ${durable ? PLAIN : FORGIVING}`.execute(tx);
}

/** The rows of these ids that were made at these instants: only the partitions in between are looked into. */
export function madeAt(ids: readonly string[], instants: readonly Date[]): RawBuilder<boolean> {
  const [first = new Date(0)] = instants;
  let oldest = first;
  let newest = first;
  for (const at of instants) {
    if (at < oldest) oldest = at;
    if (at > newest) newest = at;
  }
  return sql<boolean>`id = ANY(${ids}::text[]) AND created_at >= ${oldest} AND created_at <= ${newest}`;
}
