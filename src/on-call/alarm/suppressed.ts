// The timeline entry of an alarm that maintenance keeps quiet.
import { sql } from 'kysely';
import { recordTimeline } from '#src/incidents/timeline.ts';
import type { Work } from '#src/platform/work.ts';

/** These words are stored and compared: do not change them. */
const SUPPRESSED = 'the alarm is quiet: maintenance';

/**
 * Records that maintenance keeps the alarms of these incidents quiet, once until they ring: windows may overlap, and one may begin
 * between the commit that opens an incident and its alarm.
 */
export async function recordSuppressed(work: Work, incidentIds: readonly string[]): Promise<void> {
  if (incidentIds.length === 0) return;
  const { rows } = await sql<{ id: string }>`
    SELECT given.id FROM unnest(${[...incidentIds]}::text[]) WITH ORDINALITY AS given (id, place)
    LEFT JOIN LATERAL (
      SELECT t.kind FROM incident_timeline t
      WHERE t.incident_id = given.id AND (t.kind = 'paged' OR (t.kind = 'suppressed' AND t.detail = ${SUPPRESSED}))
      ORDER BY t.no DESC LIMIT 1
    ) last ON true WHERE last.kind IS DISTINCT FROM 'suppressed' ORDER BY place`.execute(work.tx);
  await recordTimeline(
    work,
    rows.map(({ id }) => ({ incidentId: id, kind: 'suppressed', detail: SUPPRESSED })),
  );
}
