// What the desk sends next: the due heads of lanes, each taken for a while by whoever sends it.
import { sql } from 'kysely';
import { WEBHOOK_FAMILIES, type WebhookKind } from '../../domain/names.ts';
import type { Work } from '../../platform/work.ts';
import type { Group } from '../kinds/kind.ts';
import { APART_MS, groupOfLane } from '../lane.ts';
import { readContents } from './contents.ts';
import type { Claimed, Flight } from './flight.ts';
import { postponeLanes } from './postpone.ts';

/** Longer than the total time of a try: whoever holds a lease past it has died. */
export const LEASE_MS = 30_000;
/** Lanes of one target that are sent at a time, over all processes (reliability, section 4). */
const LANES_A_TARGET = 4;
/** Events of one message; what is beyond follows with the next one. */
const MOST_TOGETHER = 5_000;

/** How much may be taken; targets that failed last time have a part of it only. */
export type Room = { lanes: number; lanesOfFailing: number };

/**
 * Takes what is due, in the order of its time, for LEASE_MS. Claims of all processes take turns, so that no target gets
 * more than LANES_A_TARGET at a time; what somebody else holds is left to them.
 */
export async function claim(work: Work, room: Room): Promise<Flight[]> {
  if (room.lanes <= 0) return [];
  const [, heads] = await Promise.all([
    // The claim travels right behind it, and sees what the one before it has committed.
    sql`SELECT pg_advisory_xact_lock(hashtext('tocsin deliveries'))`.execute(work.tx),
    claimHeads(work, room),
  ]);
  if (heads.length === 0) return [];
  const grouped = heads.filter(({ lane }) => groupOfLane(lane) !== null);
  const [rest, groups] =
    grouped.length === 0
      ? [[], new Map<number, Counted>()]
      : await Promise.all([claimRest(work, grouped), readGroups(work, grouped)]);
  const contents = await readContents(work, [...heads, ...rest]);
  return heads.flatMap((head) => {
    const { org_id, target_id, target_name, kind, url, secret_sealed, failing, ...claimed } = head;
    const no = groupOfLane(head.lane);
    const others = no === null ? [] : rest.filter(({ lane }) => lane === head.lane);
    const deliveries = [claimed, ...others].flatMap((each) => {
      const content = contents.get(each.event_id);
      return content ? [{ ...each, ...content }] : [];
    });
    if (deliveries.length === 0) return [];
    return {
      orgId: org_id,
      lane: head.lane,
      deliveries,
      target: { id: target_id, name: target_name, kind, url, secretSealed: secret_sealed },
      group: no === null ? null : groupFor(head, no, groups),
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

async function claimHeads({ tx, now }: Work, { lanes, lanesOfFailing }: Room): Promise<Head[]> {
  const lease = leaseFrom(now);
  // The recursive part steps from one waiting target to the next by index, whatever number of deliveries waits.
  const { rows } = await sql<Head>`
    WITH RECURSIVE waiting (target_id) AS (
      (SELECT q.target_id FROM delivery_queue q ORDER BY q.target_id LIMIT 1)
      UNION ALL
      SELECT (SELECT q.target_id FROM delivery_queue q WHERE q.target_id > w.target_id ORDER BY q.target_id LIMIT 1)
      FROM waiting w WHERE w.target_id IS NOT NULL
    ), head AS (
      SELECT due.seq, due.next_attempt_at, t.id AS target_id, t.name, t.kind, t.url, t.secret_sealed,
        t.failing_since IS NOT NULL AS failing,
        row_number() OVER (PARTITION BY t.failing_since IS NULL ORDER BY due.next_attempt_at, due.seq) AS place
      FROM waiting w JOIN webhook_targets t ON t.id = w.target_id AND t.active
      CROSS JOIN LATERAL (
        SELECT count(DISTINCT l.lane) AS lanes FROM delivery_queue l
        WHERE l.target_id = w.target_id AND l.leased_until IS NOT NULL AND l.leased_until > ${now}
      ) under_way
      CROSS JOIN LATERAL (
        SELECT q.seq, q.next_attempt_at FROM delivery_queue q
        WHERE q.target_id = w.target_id AND q.next_attempt_at <= ${now}
          AND (q.leased_until IS NULL OR q.leased_until <= ${now})
          AND NOT EXISTS (SELECT FROM delivery_queue e WHERE e.lane = q.lane AND e.seq < q.seq)
          -- Somebody is adding to a group: it is told of once they have.
          AND (q.lane NOT LIKE '%:group:%'
            OR EXISTS (SELECT FROM grouped_lanes g WHERE g.lane = q.lane FOR NO KEY UPDATE SKIP LOCKED))
        ORDER BY q.next_attempt_at, q.seq
        LIMIT greatest(0, ${LANES_A_TARGET} - under_way.lanes)
        FOR NO KEY UPDATE OF q SKIP LOCKED
      ) due
    ), taken AS (
      SELECT seq, target_id, name, kind, url, secret_sealed, failing FROM head
      WHERE NOT failing OR place <= ${lanesOfFailing}
      ORDER BY failing, next_attempt_at, seq LIMIT ${lanes}
    ), claimed AS (
      UPDATE delivery_queue SET leased_until = ${lease}, next_attempt_at = ${lease}, attempts = attempts + 1
      WHERE seq = ANY(ARRAY(SELECT seq FROM taken))
      RETURNING seq, delivery_id AS id, created_at, event_id, lane, attempts, leased_until, org_id
    )
    SELECT c.seq, c.id, c.created_at, c.event_id, c.lane, c.attempts, c.leased_until, c.org_id, t.target_id, t.name AS target_name, t.kind, t.url, t.secret_sealed, t.failing
    FROM claimed c JOIN taken t ON t.seq = c.seq ORDER BY c.seq`.execute(tx);
  return rows;
}

const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS);

/** What else waits in the lanes of groups goes along; the next message of each lane keeps its distance. */
async function claimRest(work: Work, heads: readonly Head[]): Promise<Claimed[]> {
  const { tx, now } = work;
  const lanes = heads.map(({ lane }) => lane);
  const lease = leaseFrom(now);
  const notBefore = new Date(now.getTime() + APART_MS);
  const [{ rows }] = await Promise.all([
    sql<Claimed>`
      WITH waiting AS (
        SELECT q.seq, row_number() OVER (PARTITION BY q.lane ORDER BY q.seq) AS place FROM delivery_queue q
        WHERE q.lane = ANY(${lanes}::text[]) AND (q.leased_until IS NULL OR q.leased_until <= ${now})
      )
      UPDATE delivery_queue SET leased_until = ${lease}, next_attempt_at = ${lease}, attempts = attempts + 1
      WHERE seq = ANY(ARRAY(SELECT seq FROM waiting WHERE place < ${MOST_TOGETHER}))
      RETURNING seq, delivery_id AS id, created_at, event_id, lane, attempts, leased_until`.execute(tx),
    sql`UPDATE grouped_lanes SET not_before = ${notBefore} WHERE lane = ANY(${lanes}::text[])`.execute(tx),
    postponeLanes(work, lanes, notBefore),
  ]);
  return rows.toSorted((a, b) => a.seq - b.seq);
}

/** A group as a whole, and as far as it wakes people: what was quiet all along has no part in a page. */
type Counted = { all: Group; woken: Group };

const groupFor = ({ kind }: Head, no: number, groups: ReadonlyMap<number, Counted>): Group => {
  const counted = groups.get(no);
  const group = WEBHOOK_FAMILIES[kind] === 'paging' ? counted?.woken : counted?.all;
  return group ?? { no, total: 0, open: 0, unacknowledged: 0 };
};

/** How the groups stand at this moment. */
async function readGroups({ tx }: Work, heads: readonly Head[]): Promise<Map<number, Counted>> {
  const nos = heads.map(({ lane }) => groupOfLane(lane));
  const { rows } = await sql<Group & { woken: boolean }>`
    SELECT group_no AS no, alarm_no IS NOT NULL AS woken, count(*)::int AS total,
      (count(*) FILTER (WHERE status = 'open'))::int AS open,
      (count(*) FILTER (WHERE status = 'open' AND acknowledged_at IS NULL))::int AS unacknowledged
    FROM incidents WHERE group_no = ANY(${nos}::bigint[]) GROUP BY group_no, alarm_no IS NOT NULL`.execute(
    tx,
  );
  const none = (no: number): Group => ({ no, total: 0, open: 0, unacknowledged: 0 });
  const counted = new Map<number, Counted>();
  for (const { woken, ...some } of rows) {
    const { all, woken: before } = counted.get(some.no) ?? { all: none(some.no), woken: none(some.no) };
    counted.set(some.no, { all: together(all, some), woken: woken ? together(before, some) : before });
  }
  return counted;
}

const together = (a: Group, b: Group): Group => ({
  no: a.no,
  total: a.total + b.total,
  open: a.open + b.open,
  unacknowledged: a.unacknowledged + b.unacknowledged,
});
