// What the desk sends next: the due heads of lanes, each taken for a while by whoever sends it.
import { type RawBuilder, sql } from 'kysely';
import type { WebhookKind } from '../../domain/names.ts';
import type { Work } from '../../platform/work.ts';
import type { Group } from '../kinds/kind.ts';
import { APART_MS, groupOfLane } from '../lane.ts';
import type { Claimed, Flight } from './flight.ts';

/** Longer than the total time of a try: whoever holds a lease past it has died. */
export const LEASE_MS = 30_000;
/** Lanes of one target that are sent at a time, over all processes (reliability, section 4). */
const LANES_A_TARGET = 4;
/** Events of one message; what is beyond follows with the next one. */
const MOST_TOGETHER = 5_000;
/** Clocks of several servers may differ: what another one made is found although it lies ahead. */
const AHEAD_MS = 3_600_000;

/**
 * A queue wants its indexes, whatever the statistics say: those of a day's partition come when it is nearly over, and
 * without them the planner would rather read everything. Planned anew each time, for the partitions that matter.
 */
const PLAIN_PLAN = sql.raw(
  [
    ['plan_cache_mode', 'force_custom_plan'],
    ...['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin'].map((name) => [
      name,
      'off',
    ]),
  ]
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(', '),
);

/** How much may be taken; targets that failed last time have a part of it only. */
export type Room = { lanes: number; lanesOfFailing: number };

/**
 * Takes what is due, in the order of its time, for LEASE_MS. Claims of all processes take turns, so that no target gets
 * more than LANES_A_TARGET at a time; what somebody else holds is left to them. `since` is the oldest delivery that may
 * be waiting: it spares a look into the partitions before it.
 */
export async function claim(work: Work, room: Room, since: Date): Promise<Flight[]> {
  if (room.lanes <= 0) return [];
  const [, heads] = await Promise.all([
    // The claim travels right behind it, and sees what the one before it has committed.
    sql`SELECT pg_advisory_xact_lock(hashtext('tocsin deliveries')), ${PLAIN_PLAN}`.execute(work.tx),
    claimHeads(work, room, since),
  ]);
  const grouped = heads.filter(({ lane }) => groupOfLane(lane) !== null);
  const [rest, groups] =
    grouped.length === 0
      ? [[], new Map<number, Group>()]
      : await Promise.all([claimRest(work, grouped, since), readGroups(work, grouped)]);
  return heads.map((head) => {
    const { org_id, target_id, target_name, kind, url, secret_sealed, failing, ...delivery } = head;
    const no = groupOfLane(head.lane);
    const others = no === null ? [] : rest.filter(({ lane }) => lane === head.lane);
    return {
      orgId: org_id,
      lane: head.lane,
      deliveries: [delivery, ...others],
      target: { id: target_id, name: target_name, kind, url, secretSealed: secret_sealed },
      group: no === null ? null : (groups.get(no) ?? { no, total: 0, open: 0, unacknowledged: 0 }),
      failing,
    };
  });
}

type Head = Claimed & {
  org_id: string;
  target_id: string;
  target_name: string;
  kind: WebhookKind;
  url: string;
  secret_sealed: string | null;
  failing: boolean;
};

/** Deliveries that were made in the time in which one can still be waiting: which partitions are looked into. */
const madeIn = (alias: string, { now }: Work, since: Date): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(`${alias}.created_at`)} >= ${since}
    AND ${sql.ref(`${alias}.created_at`)} < ${new Date(now.getTime() + AHEAD_MS)}`;

async function claimHeads(work: Work, { lanes, lanesOfFailing }: Room, since: Date): Promise<Head[]> {
  const { tx, now } = work;
  // The recursive part steps from one waiting target to the next by index, whatever number of deliveries waits.
  const { rows } = await sql<Head>`
    WITH RECURSIVE waiting (target_id) AS (
      (SELECT d.target_id FROM deliveries d WHERE d.state = 'pending' AND ${madeIn('d', work, since)}
        ORDER BY d.target_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.target_id FROM deliveries d
        WHERE d.state = 'pending' AND ${madeIn('d', work, since)} AND d.target_id > w.target_id
        ORDER BY d.target_id LIMIT 1)
      FROM waiting w WHERE w.target_id IS NOT NULL
    ), head AS (
      SELECT due.id, due.created_at, due.event_id, due.next_attempt_at, due.seq,
        t.id AS target_id, t.name, t.kind, t.url, t.secret_sealed, t.failing_since IS NOT NULL AS failing,
        row_number() OVER (PARTITION BY t.failing_since IS NULL ORDER BY due.next_attempt_at, due.seq) AS place
      FROM waiting w JOIN webhook_targets t ON t.id = w.target_id AND t.active
      CROSS JOIN LATERAL (
        SELECT count(DISTINCT l.lane) AS lanes FROM deliveries l
        WHERE l.target_id = w.target_id AND l.leased_until IS NOT NULL AND l.leased_until > ${now}
          AND ${madeIn('l', work, since)}
      ) under_way
      CROSS JOIN LATERAL (
        SELECT d.id, d.created_at, d.event_id, d.next_attempt_at, d.seq FROM deliveries d
        WHERE d.target_id = w.target_id AND d.state = 'pending' AND d.next_attempt_at <= ${now}
          AND (d.leased_until IS NULL OR d.leased_until <= ${now}) AND ${madeIn('d', work, since)}
          AND NOT EXISTS (SELECT FROM deliveries e
            WHERE e.lane = d.lane AND e.state = 'pending' AND e.seq < d.seq AND ${madeIn('e', work, since)})
          -- Somebody is adding to a group: it is told of once they have.
          AND (d.lane NOT LIKE '%:group:%'
            OR EXISTS (SELECT FROM grouped_lanes g WHERE g.lane = d.lane FOR NO KEY UPDATE SKIP LOCKED))
        ORDER BY d.next_attempt_at, d.seq
        LIMIT greatest(0, ${LANES_A_TARGET} - under_way.lanes)
        FOR NO KEY UPDATE OF d SKIP LOCKED
      ) due
    ), taken AS (
      SELECT id, created_at, event_id, target_id, name, kind, url, secret_sealed, failing FROM head
      WHERE NOT failing OR place <= ${lanesOfFailing}
      ORDER BY failing, next_attempt_at, seq LIMIT ${lanes}
    )
    UPDATE deliveries d SET leased_until = ${leaseUntil(work)}, attempts = d.attempts + 1
    FROM taken h JOIN outbox o ON o.id = h.event_id AND o.created_at = h.created_at
    WHERE d.id = h.id AND d.created_at = h.created_at AND ${madeIn('d', work, since)}
    RETURNING d.id, d.created_at, d.seq, d.org_id, d.lane, d.event, d.attempts, d.leased_until, o.body, o.incident_id,
      h.target_id, h.name AS target_name, h.kind, h.url, h.secret_sealed, h.failing`.execute(tx);
  return rows.toSorted((a, b) => a.seq - b.seq);
}

const leaseUntil = ({ now }: Work) => new Date(now.getTime() + LEASE_MS);

/** What else waits in the lanes of groups goes along; the next message of each lane keeps its distance. */
async function claimRest(work: Work, heads: readonly Head[], since: Date): Promise<Claimed[]> {
  const { tx, now } = work;
  const lanes = heads.map(({ lane }) => lane);
  const notBefore = new Date(now.getTime() + APART_MS);
  const [{ rows }] = await Promise.all([
    sql<Claimed>`
      WITH waiting AS (
        SELECT d.id, d.created_at, d.event_id, row_number() OVER (PARTITION BY d.lane ORDER BY d.seq) AS place FROM deliveries d
        WHERE d.lane = ANY(${lanes}::text[]) AND d.state = 'pending'
          AND (d.leased_until IS NULL OR d.leased_until <= ${now}) AND ${madeIn('d', work, since)}
      )
      UPDATE deliveries d SET leased_until = ${leaseUntil(work)}, attempts = d.attempts + 1
      FROM waiting w JOIN outbox o ON o.id = w.event_id AND o.created_at = w.created_at
      WHERE d.id = w.id AND d.created_at = w.created_at AND w.place < ${MOST_TOGETHER} AND ${madeIn('d', work, since)}
      RETURNING d.id, d.created_at, d.seq, d.lane, d.event, d.attempts, d.leased_until, o.body, o.incident_id`.execute(
      tx,
    ),
    sql`UPDATE grouped_lanes SET not_before = ${notBefore} WHERE lane = ANY(${lanes}::text[])`.execute(tx),
    sql`UPDATE deliveries d SET next_attempt_at = ${notBefore}
      WHERE d.lane = ANY(${lanes}::text[]) AND d.state = 'pending' AND d.leased_until IS NULL
        AND d.next_attempt_at < ${notBefore} AND ${madeIn('d', work, since)}`.execute(tx),
  ]);
  return rows.toSorted((a, b) => a.seq - b.seq);
}

/** How the groups stand at this moment. */
async function readGroups({ tx }: Work, heads: readonly Head[]): Promise<Map<number, Group>> {
  const nos = heads.map(({ lane }) => groupOfLane(lane));
  const { rows } = await sql<Group>`
    SELECT group_no AS no, count(*)::int AS total, (count(*) FILTER (WHERE status = 'open'))::int AS open,
      (count(*) FILTER (WHERE status = 'open' AND acknowledged_at IS NULL))::int AS unacknowledged
    FROM incidents WHERE group_no = ANY(${nos}::bigint[]) GROUP BY group_no`.execute(tx);
  return new Map(rows.map((group) => [group.no, group]));
}
