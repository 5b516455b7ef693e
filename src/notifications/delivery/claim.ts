// Claims the deliveries that a worker sends next: the first due ones of their ordering keys, each under a lease.
import { sql } from 'kysely';
import { allocateSlots, type InUse, maxUrgentSlots } from '#src/domain/fair-share.ts';
import { CHANNEL_FAMILIES, type ChannelName, type PageLanguage } from '#src/domain/names.ts';
import { pipelined } from '#src/platform/db/pipelined.ts';
import type { Tx, Work } from '#src/platform/work.ts';
import type { Group } from '../channels/channel.ts';
import { APART_MS, groupOfKey } from '../ordering-key.ts';
import { deferUntil, isFirst } from './queue.ts';
import { readContents } from './read-contents.ts';
import { type ClaimedGroup, readGroups } from './read-groups.ts';
import { leavesOutIncidents } from './receives-incident.ts';
import type { Attempt, Claimed, Content } from './send.ts';
import { cancelOutdated } from './superseded.ts';

/** Longer than the total time of an attempt: a worker that holds a lease past this has died. */
export const LEASE_MS = 30_000;
/** Messages sent to one target at a time, over all processes (docs/rules/notifications.md#order-of-deliveries). */
export const MAX_PER_TARGET = 4;
/** The most events in one message; the rest goes into the next one. */
const MAX_EVENTS_PER_MESSAGE = 5_000;

/** Slots of each process reserved for messages that wake people. */
const RESERVED = 20;
/** The most deliveries that one claim considers: the first of each ordering key, from every organization. */
const MAX_QUEUE_HEADS = 600;
/** The most due deliveries of one target and urgency that a claim searches for the first of an ordering key. */
const MAX_SCANNED = 64;

/** The lock of claims. */
const CLAIMS = 'tocsin deliveries';

/** Takes the lock of claims if it is free, and then sets `tocsin.claims_locked` to `true` for this transaction. */
export const tryLockClaims = (tx: Tx) =>
  sql`SELECT set_config('tocsin.claims_locked', pg_try_advisory_xact_lock(hashtext(${CLAIMS}))::text, true)`.execute(
    tx,
  );

/** Free slots of the worker. Targets that are slow, or failed last time, get only part of them. */
export type FreeSlots = { slots: number; slotsForSlow: number };

/**
 * Claims due deliveries for LEASE_MS, shared out fairly among organizations and destinations, the most urgent first. Claims
 * of all processes take turns, so that no target gets more than MAX_PER_TARGET at a time, and no organization more than
 * its share. Deliveries that another worker holds are left to it.
 */
export async function claim(work: Work, freeSlots: FreeSlots): Promise<Attempt[]> {
  if (freeSlots.slots <= 0) return [];
  const [, waiting, inUse] = await pipelined(
    // The reads behind the lock see what the claim before this one has committed.
    () => sql`SELECT pg_advisory_xact_lock(hashtext(${CLAIMS}))`.execute(work.tx),
    () => readHeads(work, freeSlots),
    () => readInUse(work),
  );
  if (waiting.length === 0) return [];
  const free = { all: freeSlots.slots, slow: freeSlots.slotsForSlow, reserved: RESERVED };
  const contenders = waiting.map((head) => ({ ...head, tenant: head.org_id }));
  const chosen = allocateSlots(contenders, free, inUse);
  if (chosen.length === 0) return [];
  const grouped = chosen.filter(({ lane }) => groupOfKey(lane) !== null);
  const [heads, rest, contents] = await pipelined(
    () => lease(work, chosen),
    // The rest of a group: all deliveries without a lease by now, so not its first one.
    async () => (grouped.length === 0 ? [] : claimRest(work, grouped)),
    () => readContents(work, chosen),
  );
  if (rest.length > 0) for (const [id, content] of await readContents(work, rest)) contents.set(id, content);
  const groups = await groupsOf(work, grouped, rest, contents);
  const outdated = await cancelOutdated(
    work,
    heads.filter(isPageAgain).flatMap(({ seq, event_id }) => {
      const content = contents.get(event_id);
      return content ? [{ seq, ...content }] : [];
    }),
  );
  return heads.flatMap((head) => {
    if (outdated.has(head.seq)) return [];
    const {
      org_id,
      target_id,
      target_name,
      kind,
      url,
      secret_sealed,
      language,
      slow,
      narrowed: _,
      ...claimed
    } = head;
    const group = groups.get(head.lane) ?? null;
    const others = group === null ? [] : rest.filter(({ lane }) => lane === head.lane);
    const deliveries = [claimed, ...others].flatMap((each) => {
      const content = contents.get(each.event_id);
      return content ? [{ ...each, ...content }] : [];
    });
    if (deliveries.length === 0) return [];
    return {
      orgId: org_id,
      orderingKey: head.lane,
      deliveries,
      target: { id: target_id, name: target_name, kind, url, secretSealed: secret_sealed, language },
      group,
      slow,
    };
  });
}

/** Its incident may have been acknowledged, or have ended, while another worker sent it and died. What a group says is read anyway. */
const isPageAgain = ({ kind, lane, attempts }: Head) =>
  CHANNEL_FAMILIES[kind] === 'paging' && groupOfKey(lane) === null && attempts > 1;

/** The groups of these deliveries by ordering key, read after all their events are claimed. */
async function groupsOf(
  work: Work,
  heads: readonly Waiting[],
  rest: readonly Claimed[],
  contents: ReadonlyMap<string, Content>,
): Promise<Map<string, Group>> {
  if (heads.length === 0) return new Map();
  const others = Map.groupBy(rest, ({ lane }) => lane);
  const contentOf = ({ event_id }: Pick<Claimed, 'event_id'>) => contents.get(event_id) ?? [];
  const claimed = heads.map((head): [string, ClaimedGroup] => [
    head.lane,
    {
      paging: CHANNEL_FAMILIES[head.kind] === 'paging',
      narrowed: head.narrowed,
      events: [head, ...(others.get(head.lane) ?? [])].flatMap(contentOf),
    },
  ]);
  return readGroups(work, new Map(claimed));
}

/** The first due delivery of its ordering key, and its target. */
type Waiting = Pick<Claimed, 'seq' | 'created_at' | 'event_id' | 'lane'> & {
  id: string;
  org_id: string;
  owner: string | null;
  target_id: string;
  target_name: string;
  kind: ChannelName;
  url: string;
  secret_sealed: string | null;
  /** Of its organization. */
  language: PageLanguage;
  /** Host and port of the target. */
  host: string;
  urgency: number;
  slow: boolean;
  /** It is a message about a group, not all of whose incidents may concern the target. */
  narrowed: boolean;
};
type Head = Claimed & Omit<Waiting, 'host' | 'urgency' | 'owner'>;

// The columns are named: a statement that asks for every column is never prepared.
const HEAD =
  'seq, id, created_at, event_id, lane, org_id, target_id, target_name, kind, url, secret_sealed, host, urgency, slow';
const HOST = sql<string>`split_part(split_part(t.url, '://', 2), '/', 1)`;

/**
 * The first due delivery of each ordering key that is not being sent, locked. Organizations take turns, and urgent deliveries
 * come first. Skips an organization that already has its whole share.
 */
async function readHeads({ tx, now }: Work, { slots, slotsForSlow }: FreeSlots): Promise<Waiting[]> {
  // The recursive part steps from one waiting target to the next by index, however many deliveries wait.
  const { rows } = await sql<Waiting>`
    WITH RECURSIVE waiting (target_id) AS (
      (SELECT q.target_id FROM delivery_queue q ORDER BY q.target_id LIMIT 1)
      UNION ALL
      SELECT (SELECT q.target_id FROM delivery_queue q WHERE q.target_id > w.target_id ORDER BY q.target_id LIMIT 1)
      FROM waiting w WHERE w.target_id IS NOT NULL
    ), at_share AS MATERIALIZED (
      SELECT org_id, count(DISTINCT lane) >= ${maxUrgentSlots(slots)} AS is_full FROM delivery_queue
      WHERE leased_until IS NOT NULL AND leased_until > ${now}
      GROUP BY org_id HAVING count(DISTINCT lane) >= ${maxUrgentSlots(Math.min(slots, slotsForSlow))}
    ), head AS (
      SELECT due.seq, due.id, due.created_at, due.event_id, due.lane, due.org_id, due.urgency, due.next_attempt_at,
        t.id AS target_id, t.name AS target_name, t.kind, t.url, t.secret_sealed, ${HOST} AS host,
        t.slow OR t.failing_since IS NOT NULL AS slow, ${MAX_PER_TARGET} - cardinality(under_way.keys) AS free
      FROM waiting w JOIN webhook_targets t ON t.id = w.target_id AND t.active
        AND NOT EXISTS (SELECT FROM at_share s
          WHERE s.org_id = t.org_id AND (s.is_full OR t.slow OR t.failing_since IS NOT NULL))
      CROSS JOIN LATERAL (
        SELECT coalesce(array_agg(DISTINCT l.lane), '{}') AS keys FROM delivery_queue l
        WHERE l.target_id = w.target_id AND l.leased_until IS NOT NULL AND l.leased_until > ${now}
      ) under_way
      CROSS JOIN (VALUES (0::smallint), (1), (2)) AS class (urgency)
      CROSS JOIN LATERAL (
        SELECT q.seq, q.delivery_id AS id, q.created_at, q.event_id, q.lane, q.org_id, q.urgency, q.next_attempt_at
        FROM (
          SELECT f.seq, f.next_attempt_at FROM delivery_queue f
          WHERE f.target_id = w.target_id AND f.urgency = class.urgency AND f.next_attempt_at <= ${now}
            AND f.lane <> ALL(under_way.keys)
          ORDER BY f.next_attempt_at, f.seq
          LIMIT CASE WHEN cardinality(under_way.keys) < ${MAX_PER_TARGET} THEN ${MAX_SCANNED} ELSE 0 END
        ) first JOIN delivery_queue q ON q.seq = first.seq
        WHERE (q.leased_until IS NULL OR q.leased_until <= ${now})
          AND ${isFirst}
          -- Another transaction is adding to this group: its message waits until that has committed.
          AND (q.lane NOT LIKE '%:group:%'
            OR EXISTS (SELECT FROM grouped_lanes g WHERE g.lane = q.lane FOR NO KEY UPDATE SKIP LOCKED))
        ORDER BY first.next_attempt_at, first.seq
        LIMIT greatest(0, ${MAX_PER_TARGET} - cardinality(under_way.keys))
        FOR NO KEY UPDATE OF q SKIP LOCKED
      ) due
    ), placed AS (
      SELECT ${sql.raw(HEAD)}, next_attempt_at, free,
        row_number() OVER (PARTITION BY target_id ORDER BY urgency, next_attempt_at, seq) AS place,
        row_number() OVER (PARTITION BY org_id, slow, urgency ORDER BY next_attempt_at, seq) AS turn
      FROM head
    )
    SELECT ${sql.raw(HEAD)}, (SELECT user_id FROM first_owners f WHERE f.org_id = placed.org_id) AS owner,
      (SELECT language FROM organizations o WHERE o.id = placed.org_id) AS language,
      lane LIKE '%:group:%' AND ${leavesOutIncidents(sql`placed.target_id`)} AS narrowed
    FROM placed WHERE place <= free ORDER BY turn, slow, urgency, next_attempt_at, seq LIMIT ${MAX_QUEUE_HEADS}`.execute(
    tx,
  );
  return rows;
}

/** Messages being sent, over all processes, also to targets that were deleted meanwhile. */
async function readInUse({ tx, now }: Work): Promise<InUse> {
  const { rows } = await sql<{
    org_id: string;
    owner: string | null;
    host: string | null;
    in_flight: number;
  }>`
    SELECT org_id, (SELECT user_id FROM first_owners f WHERE f.org_id = in_use.org_id) AS owner, host, in_flight
    FROM (
      SELECT l.org_id, ${HOST} AS host, count(DISTINCT l.lane)::int AS in_flight
      FROM delivery_queue l LEFT JOIN webhook_targets t ON t.id = l.target_id
      WHERE l.leased_until IS NOT NULL AND l.leased_until > ${now} GROUP BY 1, 2
    ) in_use`.execute(tx);
  const inUse = { tenants: new Map<string, number>(), owners: new Map(), hosts: new Map() };
  const add = (counts: Map<string, number>, key: string | null, count: number) =>
    key === null ? undefined : counts.set(key, (counts.get(key) ?? 0) + count);
  for (const { org_id, owner, host, in_flight } of rows) {
    add(inUse.tenants, org_id, in_flight);
    add(inUse.owners, owner, in_flight);
    add(inUse.hosts, host, in_flight);
  }
  return inUse;
}

async function lease({ tx, now }: Work, chosen: readonly Waiting[]): Promise<Head[]> {
  if (chosen.length === 0) return [];
  const until = leaseFrom(now);
  const seqs = chosen.map(({ seq }) => String(seq));
  const { rows } = await sql<Pick<Claimed, 'seq' | 'attempts' | 'leased_until'>>`
    UPDATE delivery_queue SET leased_until = ${until}, next_attempt_at = ${until}, attempts = attempts + 1
    WHERE seq = ANY(${seqs}::bigint[]) RETURNING seq, attempts, leased_until`.execute(tx);
  const leased = new Map(rows.map((row) => [row.seq, row]));
  return chosen.flatMap((head) => {
    const row = leased.get(head.seq);
    return row ? [{ ...head, ...row }] : [];
  });
}

const leaseFrom = (now: Date) => new Date(now.getTime() + LEASE_MS);

/** Claims the other deliveries of groups, which go into the same message unless they are held, and sets the earliest time of the next message. */
async function claimRest(work: Work, heads: readonly Waiting[]): Promise<Claimed[]> {
  const { tx, now } = work;
  const keys = heads.map(({ lane }) => lane);
  const lease = leaseFrom(now);
  const notBefore = new Date(now.getTime() + APART_MS);
  const [{ rows }] = await pipelined(
    () =>
      sql<Claimed>`
      WITH waiting AS (
        SELECT q.seq, row_number() OVER (PARTITION BY q.lane ORDER BY q.seq) AS place FROM delivery_queue q
        WHERE q.lane = ANY(${keys}::text[]) AND q.next_attempt_at < 'infinity' AND (q.leased_until IS NULL OR q.leased_until <= ${now})
      )
      UPDATE delivery_queue SET leased_until = ${lease}, next_attempt_at = ${lease}, attempts = attempts + 1
      WHERE seq = ANY(ARRAY(SELECT seq FROM waiting WHERE place < ${MAX_EVENTS_PER_MESSAGE}))
      RETURNING seq, delivery_id AS id, created_at, event_id, lane, attempts, leased_until`.execute(tx),
    () =>
      sql`UPDATE grouped_lanes SET not_before = ${notBefore}, tried_at = ${now} WHERE lane = ANY(${keys}::text[])`.execute(
        tx,
      ),
    // Only what did not fit into this message is left to defer.
    () => deferUntil(work, keys, notBefore),
  );
  return rows.toSorted((a, b) => a.seq - b.seq);
}
