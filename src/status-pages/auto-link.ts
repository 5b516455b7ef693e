// Automatic incidents appear on status pages by themselves (docs/rules/status-pages.md#automatic-incidents).
import { sql } from 'kysely';
import type { IncidentChange } from '../events/contract.ts';
import type { IncidentRow } from '../incidents/queries.ts';
import { sendUnawaited, type Work } from '../platform/work.ts';

type Opened = Pick<IncidentRow, 'id' | 'origin' | 'monitor_no'>;

/**
 * Links automatic incidents that open to the pages that show their monitor, with one statement however many open at once;
 * nothing waits for its answer. It runs only when an incident opens, so a link that a person removes stays removed.
 */
export async function linkOpened(
  work: Work,
  {
    orgId,
    changes,
    routing,
  }: {
    orgId: string;
    changes: readonly { row: Opened; change: IncidentChange }[];
    routing: { hasPages: boolean } | null;
  },
): Promise<void> {
  if (routing?.hasPages === false) return;
  const opened = changes.flatMap(({ row, change }) =>
    change === 'opened' && row.origin === 'automatic' && row.monitor_no !== null ? [row] : [],
  );
  if (opened.length === 0) return;
  const { now } = work;
  // From pages to monitors: few pages show many monitors.
  const linking = sql`
    WITH shown AS MATERIALIZED (
      SELECT p.id, p.name, m.monitor_no FROM status_pages p JOIN status_page_monitors m ON m.status_page_id = p.id
      WHERE p.org_id = ${orgId} AND p.archived_at IS NULL AND p.auto_link_incidents
    ), linked AS (
      INSERT INTO incident_status_pages (incident_id, status_page_id, linked_at)
      SELECT i.id, shown.id, ${now}
      FROM unnest(${opened.map(({ id }) => id)}::text[], ${opened.map(({ monitor_no }) => monitor_no)}::int[])
        AS i (id, monitor_no) JOIN shown ON shown.monitor_no = i.monitor_no
      ON CONFLICT DO NOTHING
      RETURNING incident_id, status_page_id
    )
    INSERT INTO incident_timeline (incident_id, at, kind, detail)
    SELECT linked.incident_id, ${now}, 'linked', p.name FROM linked JOIN status_pages p ON p.id = linked.status_page_id
    ORDER BY linked.incident_id, p.id`;
  sendUnawaited(work, linking);
}
