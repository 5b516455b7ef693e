// Incidents that opened on their own and then joined a storm: chat and paging targets now get them in the storm's messages.
import { sql } from 'kysely';
import { CHANNEL_FAMILIES, type ChannelFamily } from '#src/domain/names.ts';
import { pgArray } from '#src/platform/db/pg-array.ts';
import type { Work } from '#src/platform/work.ts';
import { GATHER_MS } from '../ordering-key.ts';
import { receivesIncident } from './receives-incident.ts';

const kindsOf = (...families: ChannelFamily[]) =>
  Object.entries(CHANNEL_FAMILIES).flatMap(([kind, family]) => (families.includes(family) ? [kind] : []));

/**
 * Moves the pending deliveries of these incidents to the ordering keys of their groups, those being sent included, so that no
 * message about the group overtakes them. The first message about the group waits GATHER_MS for further events, since people
 * already know of these incidents. For paging targets it records the incidents whose pages the group's page replaces. The
 * organization is locked.
 */
export async function moveToGroups(
  { tx, now }: Work,
  orgId: string,
  joined: readonly { incidentId: string; groupNo: number }[],
): Promise<void> {
  if (joined.length === 0) return;
  const ids = joined.map(({ incidentId }) => incidentId);
  const nos = sql`${pgArray(joined.map(({ groupNo }) => groupNo))}::bigint[]`;
  await sql`
    WITH keys AS (
      SELECT t.id AS target_id, t.id || ':' || x.id AS own, t.id || ':group:' || x.no AS lane
      FROM webhook_targets t CROSS JOIN unnest(${ids}::text[], ${nos}) AS x (id, no)
      WHERE t.org_id = ${orgId} AND t.kind = ANY(${kindsOf('chat', 'paging')}::text[])
    ), moved AS (
      UPDATE delivery_queue q SET lane = k.lane FROM keys k WHERE q.lane = k.own AND q.target_id = k.target_id
      RETURNING q.delivery_id, q.created_at, q.lane
    )
    UPDATE deliveries d SET lane = m.lane FROM moved m WHERE d.id = m.delivery_id AND d.created_at = m.created_at`.execute(
    tx,
  );
  await sql`
    INSERT INTO grouped_lanes AS g (lane, org_id, not_before, paged)
    SELECT t.id || ':group:' || x.no, ${orgId}, ${new Date(now.getTime() + GATHER_MS)}::timestamptz,
      CASE WHEN t.kind = ANY(${kindsOf('paging')}::text[]) THEN array_agg(x.id ORDER BY x.id) ELSE '{}' END
    FROM webhook_targets t CROSS JOIN unnest(${ids}::text[], ${nos}) AS x (id, no)
    WHERE t.org_id = ${orgId} AND (t.active AND t.kind = ANY(${kindsOf('chat')}::text[])
        -- Pages of a target that is switched off for a while are still open. Where no alarm has started, there is no page.
        OR t.kind = ANY(${kindsOf('paging')}::text[])
          AND EXISTS (SELECT FROM incidents i WHERE i.id = x.id AND i.alarm_no IS NOT NULL))
      AND ${receivesIncident(sql`t.id`, sql`x.id`)}
    GROUP BY t.id, t.kind, x.no ORDER BY 1
    ON CONFLICT (lane) DO UPDATE SET paged = g.paged || excluded.paged`.execute(tx);
}
