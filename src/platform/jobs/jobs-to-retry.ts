import { sql } from 'kysely';
import type { Tx } from '../work.ts';

/** After this many failures in a row (pauses from 3 s to 7 min) a job starts over: the cause may be fixed. */
const MAX_PAUSES = 6;

/**
 * The keys among these whose job has failed and waits for its next attempt. Adding such a job again would reset its failure
 * count, and a job that always fails would run for ever without a pause.
 */
export async function jobsToRetry(tx: Tx, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM graphile_worker.jobs
    WHERE key = ANY(${[...keys]}::text[]) AND attempts BETWEEN 1 AND ${MAX_PAUSES} AND run_at > now()`.execute(
    tx,
  );
  return new Set(rows.map(({ key }) => key));
}
