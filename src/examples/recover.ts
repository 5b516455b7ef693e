import { sql } from 'kysely';
import type { Changed } from '../incidents/announce.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Work } from '../platform/work.ts';

/** Time to look at an acknowledged incident before its target works again. */
const AFTER_ACKNOWLEDGING_SECONDS = 8;

/**
 * Reaction to `incidentsChanged`: the target of an example recovers soon after somebody acknowledges or closes its incident.
 */
export async function recoverExamples(
  { tx, now }: Work,
  { changes }: { changes: readonly Changed[] },
): Promise<void> {
  const examples = changes.filter(({ row }) => row.example);
  await heal('resolved', 0);
  await heal('acknowledged', AFTER_ACKNOWLEDGING_SECONDS);

  async function heal(change: Changed['change'], seconds: number): Promise<void> {
    const nos = examples.flatMap(({ row, change: is }) => (is === change ? (row.monitor_no ?? []) : []));
    if (nos.length === 0) return;
    await sql`UPDATE example_outages SET heals_at = least(heals_at, ${now}::timestamptz + make_interval(secs => ${seconds}))
      WHERE monitor_no = ANY(${pgArray(nos)}::int[])`.execute(tx);
  }
}
