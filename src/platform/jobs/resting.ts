import { sql } from 'kysely';
import type { Tx } from '../work.ts';

/** After so many failures in a row (pauses from 3 s to 7 min) a job begins anew: what had spoilt it may be mended. */
const MOST_PAUSES = 6;

/**
 * Of these jobs, by their keys, those that failed and keep their pause, which grows with each failure. Adding one again
 * would forget how often it failed: a job that fails each time would run without a pause for ever.
 */
export async function restingJobs(tx: Tx, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const { rows } = await sql<{ key: string }>`
    SELECT key FROM graphile_worker.jobs
    WHERE key = ANY(${[...keys]}::text[]) AND attempts BETWEEN 1 AND ${MOST_PAUSES} AND run_at > now()`.execute(
    tx,
  );
  return new Set(rows.map(({ key }) => key));
}
