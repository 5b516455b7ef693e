// Stored jobs are not in a backup. Those that carry a wait out (deliveries, confirmations) are added again by the audit
// of every server (src/server/job-auditor.ts); those that were still removing what belonged to something deleted end here.
import pg from 'pg';
import { checkIdsOf } from '../series/purge.ts';
import { BLANKED, LEFT_OUT } from './left-out.ts';

/** Tables whose rows outlive their organization until a job has removed them. */
const OUTLIVING = ['activity', 'live_events', 'outbox', 'deliveries', 'delivery_queue'];

/** Tables whose rows outlive their monitor in the same way. */
const OF_MONITORS = [
  'checks',
  'late_checks',
  'packed_checks',
  'check_buckets_10m',
  'check_buckets_1h',
  'check_buckets_12h',
  'downtime_buckets',
  'reported_times',
  'rollup_dirty',
];

/** Tables whose rows outlive their host agent. */
const OF_AGENTS = ['agent_readings', 'agent_buckets_10m', 'agent_buckets_12h', 'agent_events'];

/** Rows that a backup of an older version still contains: nobody is signed in to a restored installation, and no link of before works. */
export async function removeLeftOut(client: pg.Client): Promise<void> {
  for (const table of LEFT_OUT) await client.query(`DELETE FROM ${pg.escapeIdentifier(table)}`);
  for (const [table, columns] of Object.entries(BLANKED)) {
    const names = columns.map((column) => pg.escapeIdentifier(column));
    await client.query(
      `UPDATE ${pg.escapeIdentifier(table)} SET ${names.map((name) => `${name} = NULL`).join(', ')}
       WHERE ${names.map((name) => `${name} IS NOT NULL`).join(' OR ')}`,
    );
  }
}

/** Removes checks and what was made of them without a monitor, data without its agent, and rows without an organization. */
export async function removeLeftovers(client: pg.Client): Promise<void> {
  for (const table of OF_MONITORS)
    await client.query(
      `DELETE FROM ${table} t WHERE NOT EXISTS (SELECT FROM monitors m WHERE m.no = t.monitor_no)`,
    );
  const { rows: monitors } = await client.query<{ no: number }>('SELECT no FROM monitors');
  const checkIds = monitors.map(({ no }) => checkIdsOf(no).from);
  await client.query(
    "DELETE FROM check_responses WHERE split_part(check_id, '-', 1) || '-' <> ALL ($1::text[])",
    [checkIds],
  );
  for (const table of OF_AGENTS)
    await client.query(
      `DELETE FROM ${table} t WHERE NOT EXISTS (SELECT FROM agents a WHERE a.no = t.agent_no)`,
    );
  for (const table of OUTLIVING)
    await client.query(
      `DELETE FROM ${table} t
       WHERE t.org_id IS NOT NULL AND NOT EXISTS (SELECT FROM organizations o WHERE o.id = t.org_id)`,
    );
}
