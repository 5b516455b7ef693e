// What waits in lanes is not looked at before a later time.
import { sql } from 'kysely';
import type { Work } from '#src/platform/work.ts';
import { madeAt } from './generic-plans.ts';

/** Moves what waits in these lanes, and is not being sent, to `until` where it would be due before; people see it. */
export async function postponeLanes({ tx, now }: Work, lanes: readonly string[], until: Date): Promise<void> {
  const { rows } = await sql<{ id: string; created_at: Date }>`
    UPDATE delivery_queue SET next_attempt_at = ${until}
    WHERE lane = ANY(${lanes}::text[]) AND next_attempt_at < ${until} AND (leased_until IS NULL OR leased_until <= ${now})
    RETURNING delivery_id AS id, created_at`.execute(tx);
  if (rows.length === 0) return;
  const moved = madeAt(
    rows.map(({ id }) => id),
    rows.map(({ created_at }) => created_at),
  );
  await sql`UPDATE deliveries SET next_attempt_at = ${until} WHERE ${moved}`.execute(tx);
}
