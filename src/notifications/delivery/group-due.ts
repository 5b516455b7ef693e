// When the next message about a group of incidents may be sent (docs/rules/notifications.md#storms).
import { type RawBuilder, sql } from 'kysely';
import type { EventName } from '#src/domain/names.ts';
import { pgArray } from '#src/platform/db/pg-array.ts';
import type { Work } from '#src/platform/work.ts';
import { opensPage } from '../channels/paging.ts';
import { APART_MS, groupOfKey, targetOfKey } from '../ordering-key.ts';
import { leavesOutIncidents, receivesIncident } from './receives-incident.ts';

/** How far apart messages about a group are. */
export const APART = sql.raw(`interval '${APART_MS} milliseconds'`);

/**
 * The attempts of a delivery `q` whose next try does not count, because it comes along with others: further incidents must not
 * use up its tries, nor make its pauses longer.
 */
export const uncounted = sql`CASE WHEN q.attempts > 1 THEN q.attempts - 1 ELSE q.attempts END`;

/** A delivery under the ordering key of a group. */
export type Grouped = { lane: string; paging: boolean; event: EventName };

/**
 * The earliest time of the next message about each of these groups. Messages are APART_MS apart, and recoveries wait that long
 * for further ones. The end of the group, its complete acknowledgement and a page that wakes people again are sent without
 * waiting. What wakes people does not wait for the retry of an earlier message. Locks the rows of the ordering keys, so that no
 * worker claims a group meanwhile.
 */
export async function dueOfGroups(
  { tx, now }: Work,
  orgId: string,
  deliveries: readonly Grouped[],
): Promise<ReadonlyMap<string, Date>> {
  const keys = [...Map.groupBy(deliveries, ({ lane }) => lane)].map(([lane, own]) => {
    const has = (...events: EventName[]) => own.some(({ event }) => events.includes(event));
    return {
      lane,
      no: groupOfKey(lane),
      target: targetOfKey(lane),
      paging: own[0]?.paging ?? false,
      acknowledges: has('acknowledged'),
      wakes: has('opened', 'escalated'),
      waits: own.every(({ event }) => event === 'resolved' || event === 'discarded'),
    };
  });
  if (keys.length === 0) return new Map();
  const later = new Date(now.getTime() + APART_MS);
  const { rows } = await sql<{ lane: string; due: Date }>`
    WITH given AS (
      SELECT k.*, ${leavesOutIncidents(sql`k.target`)} AS narrowed FROM jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
        AS k (lane text, no bigint, target text, paging boolean, acknowledges boolean, wakes boolean, waits boolean)
    ), held AS (
      INSERT INTO grouped_lanes AS g (lane, org_id, not_before)
      SELECT lane, ${orgId}, ${now} FROM given ORDER BY lane
      ON CONFLICT (lane) DO UPDATE SET not_before = g.not_before
      RETURNING lane, not_before, least(not_before, tried_at + ${APART}) AS not_retried_before, reported, open_pages, uncertain
    )
    SELECT lane, CASE
      WHEN state = 'over' AND reported IS DISTINCT FROM 'over' THEN ${now}::timestamptz
      WHEN state = 'acknowledged' AND acknowledges AND reported IS DISTINCT FROM 'acknowledged' THEN ${now}
      -- The message before has failed, or is being sent: the provider may have another state than the one that was reported.
      WHEN paging AND state = reported AND (state = 'over' OR state = 'acknowledged' AND acknowledges)
        AND (uncertain OR EXISTS (SELECT FROM delivery_queue q WHERE q.lane = held.lane AND q.attempts > 0)) THEN ${now}
      WHEN state = 'open' AND paging AND wakes
        -- None is open although there was a message: that one paged nobody.
        AND (reported IN ('acknowledged', 'over') OR reported IS NOT NULL AND open_pages = '{}') THEN ${now}
      -- The retry that would come first was dropped.
      WHEN paging AND waits AND state = 'over' THEN ${later}
      WHEN waits AND reported IS NOT NULL THEN greatest(not_before, ${later})
      WHEN paging AND wakes THEN greatest(not_retried_before, ${now})
      ELSE greatest(not_before, ${now}) END AS due
    FROM held JOIN given USING (lane) CROSS JOIN LATERAL (
      SELECT CASE WHEN count(*) = 0 THEN 'over' WHEN count(*) FILTER (WHERE i.acknowledged_at IS NULL) = 0 THEN 'acknowledged'
        ELSE 'open' END AS state
      -- A page stands for the incidents that woke people.
      FROM incidents i WHERE i.group_no = given.no AND i.status = 'open' AND (NOT paging OR i.alarm_no IS NOT NULL)
        AND (NOT narrowed OR ${receivesIncident(sql`given.target`, sql`i.id`)})
    ) current_state`.execute(tx);
  return new Map(rows.map(({ lane, due }) => [lane, due]));
}

/**
 * Makes waiting deliveries of these ordering keys due no later than the ones behind them, unless they are held. Those whose
 * attempt has failed wait for their retry, but not before pages that wake people or call them off at once: then they come along,
 * at most once in APART_MS.
 */
export function bringingForward(
  { now }: Pick<Work, 'now'>,
  dueOf: ReadonlyMap<string, Date>,
  deliveries: readonly Grouped[],
): RawBuilder<unknown> | null {
  if (dueOf.size === 0) return null;
  const isUrgent = ({ paging, lane, event }: Grouped) =>
    paging && (opensPage(event) || (dueOf.get(lane) ?? now) <= now);
  const urgent = new Set(deliveries.filter(isUrgent).map(({ lane }) => lane));
  const dues = pgArray([...dueOf.values()].map((due) => due.getTime()));
  return sql`
    WITH moved AS (
      UPDATE delivery_queue q SET next_attempt_at = CASE WHEN q.attempts = 0 THEN x.due ELSE greatest(x.due, x.again) END,
        attempts = ${uncounted}
      FROM (SELECT lane, to_timestamp(ms / 1000.0) AS due, urgent, g.tried_at + ${APART} AS again
        FROM unnest(${[...dueOf.keys()]}::text[], ${dues}::bigint[],
          ${pgArray([...dueOf.keys()].map((lane) => urgent.has(lane)))}::boolean[]) AS given (lane, ms, urgent)
        JOIN grouped_lanes g USING (lane)) x
      WHERE q.lane = x.lane AND q.next_attempt_at > x.due AND q.next_attempt_at < 'infinity' AND q.leased_until IS NULL
        AND (q.attempts = 0 OR (x.urgent AND (x.again IS NULL OR q.next_attempt_at > x.again)))
      RETURNING q.delivery_id, q.created_at, q.next_attempt_at, q.attempts
    )
    UPDATE deliveries d SET next_attempt_at = m.next_attempt_at FROM moved m
    WHERE m.attempts > 0 AND d.id = m.delivery_id AND d.created_at = m.created_at`;
}
