// Stored jobs are not in a backup. Those that carry a wait out (deliveries, confirmations) are added again by the audit
// of every server (src/watch.ts); those that were still removing what belonged to something deleted end here.
import type pg from 'pg';

/** Tables whose rows outlive their organization until a job has removed them. */
const OUTLIVING = ['activity', 'live_events', 'outbox', 'deliveries'];

/** Removes checks without a monitor, and rows without an organization. */
export async function removeLeftovers(client: pg.Client): Promise<void> {
  await client.query(
    'DELETE FROM checks c WHERE NOT EXISTS (SELECT FROM monitors m WHERE m.no = c.monitor_no)',
  );
  for (const table of OUTLIVING)
    await client.query(
      `DELETE FROM ${table} t
       WHERE t.org_id IS NOT NULL AND NOT EXISTS (SELECT FROM organizations o WHERE o.id = t.org_id)`,
    );
}
