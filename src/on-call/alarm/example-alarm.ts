// The alarm of an example outage: no chain, no message, only the dashboards of the person who started it ring.
import { sql } from 'kysely';
import type { Changed } from '#src/incidents/announce.ts';
import { pgArray } from '#src/platform/db/pg-array.ts';
import type { Work } from '#src/platform/work.ts';
import { publishRinging, ringFor } from './loud-alarm.ts';

/** FROM: the incidents `i` of examples that a person started, with their monitors `m`. */
export const examplesOf = (userId: string) => sql`example_outages e
  JOIN monitors m ON m.no = e.monitor_no AND e.user_id = ${userId} JOIN incidents i ON i.monitor_no = m.no AND i.example`;

/** Reaction to `alarmsFollow`: an example rings until somebody takes or closes it. */
export async function ringForExamples(
  work: Work,
  { changes }: { changes: readonly Changed[] },
): Promise<void> {
  const examples = changes.filter(({ row }) => row.example && row.monitor_no !== null);
  if (examples.length === 0) return;
  const { rows } = await sql<{ no: number; userId: string; name: string }>`
    SELECT e.monitor_no AS no, u.id AS "userId", u.name FROM example_outages e JOIN users u ON u.id = e.user_id
    JOIN members m ON m.org_id = e.org_id AND m.user_id = u.id
    WHERE e.monitor_no = ANY(${pgArray(examples.flatMap(({ row }) => row.monitor_no ?? []))}::int[])`.execute(
    work.tx,
  );
  for (const { row, change } of examples) {
    const people = rows.filter(({ no }) => no === row.monitor_no);
    // Whoever was quick has acknowledged or closed it between its commit and its alarm.
    const rings = change === 'opened' && row.status === 'open' && row.acknowledged_at === null;
    if (rings) await ringFor(work, [{ row, people, detail: 'the loud alarm rings' }]);
    if (change === 'acknowledged' || change === 'resolved') publishRinging(work, row, 'ended', people);
  }
}
