// Stores the heartbeats of a post and the checks that the agent's monitors derive from them, in one exchange with the database.
// Leaves out heartbeats that were stored before, and their checks.
import { sql } from 'kysely';
import { lateOf } from '../checks/store.ts';
import { READING_NAMES, type ReadingName, SILENT_AFTER_SECONDS } from '../domain/agent.ts';
import type { KeptService } from '../domain/agent-readings.ts';
import { pipelined } from '../platform/db/pipelined.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import type { AgentCaller } from '../platform/http/caller.ts';
import type { Database, Tx } from '../platform/work.ts';
import { AVERAGED, JUDGED, WATCHED } from './judge.ts';

/** A heartbeat whose readings are within bounds. */
export type Measured = {
  at_ms: number;
  sent_ms: number;
  disks: Record<string, number>;
  services: KeptService[];
} & { [name in ReadingName]?: number };

export type Post = {
  /** Oldest first, without those that are too old to be stored. */
  heartbeats: readonly Measured[];
  agentVersion: string;
  modules: readonly string[];
  /** Of the newest heartbeat. */
  readings: Readonly<Record<string, number>>;
  bootedAt: Date | null;
  inventory: { processes: readonly string[]; services: readonly { kind: string; name: string }[] } | null;
};

export type StoredPost = {
  inventory_enabled: boolean;
  upgrade_asked: boolean;
  watched_services: { kind: string; name: string }[];
  /** Monitors that need a decision: one of their results failed, or they are not steady. */
  undecided: number[];
  /** The time of the oldest result that may not have been decided, in ms. */
  undecided_from_ms: number | null;
};

const COLUMNS = sql.raw(READING_NAMES.join(', '));
const TYPED = sql.raw(READING_NAMES.map((name) => `${name} float8`).join(', '));
/** If an agent whose clock is off sends a heartbeat twice, the two times differ by less than this. */
const SAME_WITHIN = sql.raw("interval '10 seconds'");
/** Boot times computed from two heartbeats differ by at most this if it was the same boot. */
const BOOT_SLACK = sql.raw("interval '60 seconds'");
const SILENCE = sql.raw(`interval '${SILENT_AFTER_SECONDS} seconds'`);

/**
 * Returns null if the credential is void. `version` is the server's: an agent that runs it needs no upgrade. The partitions of
 * the heartbeats' days must exist. Sends three statements together: the agent, its state, and everything else. The last one
 * sees everything that was committed before the locks were taken, so it waits for no row and no row changes under it. The locks
 * are taken in the order in which agents are changed and removed.
 */
export async function storePost(
  db: Database,
  agent: AgentCaller,
  post: Post & { version: string },
  now: Date,
): Promise<StoredPost | null> {
  const lockAll = (tx: Tx) =>
    pipelined(
      () =>
        sql`SELECT FROM agents WHERE no = ${agent.agentNo} AND credential_hash = ${agent.credentialHash}
          FOR NO KEY UPDATE`.execute(tx),
      () => sql`SELECT FROM agent_states WHERE agent_no = ${agent.agentNo} FOR NO KEY UPDATE`.execute(tx),
      () => store(tx, agent, post, now),
    );
  const [, , stored] = await inTransaction(db, lockAll, { keepPlans: true });
  return stored;
}

async function store(
  tx: Tx,
  agent: AgentCaller,
  { version, ...post }: Post & { version: string },
  now: Date,
): Promise<StoredPost | null> {
  const { inventory } = post;
  const { rows } = await sql<StoredPost>`
    WITH locked AS MATERIALIZED (
      SELECT a.id, a.org_id, a.inventory_enabled, a.upgrade_asked_at, s.*, ${now}::timestamptz AS now,
        ${now.getTime()}::bigint AS now_ms
      FROM agents a JOIN agent_states s ON s.agent_no = a.no
      WHERE a.no = ${agent.agentNo} AND a.credential_hash = ${agent.credentialHash}
    ), given AS MATERIALIZED (
      SELECT to_timestamp(g.at_ms::float8 / 1000) AS at, g.*
      FROM locked, jsonb_to_recordset(${JSON.stringify(post.heartbeats)}::jsonb)
        AS g (at_ms bigint, sent_ms bigint, ${TYPED}, disks jsonb, services jsonb)
    ), stored AS (
      INSERT INTO agent_readings (at, sent_ms, agent_no, ${COLUMNS}, disks)
      SELECT g.at, g.sent_ms, l.agent_no, ${COLUMNS}, nullif(g.disks, '{}'::jsonb) FROM given g, locked l
      -- A subquery with a LIMIT is asked once for each, by the key; a join might be planned as a scan of all readings.
      WHERE (SELECT r.at FROM agent_readings r WHERE r.agent_no = l.agent_no AND r.sent_ms = g.sent_ms
        AND r.at > g.at - ${SAME_WITHIN} AND r.at < g.at + ${SAME_WITHIN} LIMIT 1) IS NULL
      ON CONFLICT DO NOTHING RETURNING at
    ), kept AS MATERIALIZED (SELECT g.* FROM given g JOIN stored USING (at)
    ), watched AS MATERIALIZED (${WATCHED}
    ), recent AS MATERIALIZED (
      SELECT r.at, r.disks, ${sql.raw(READING_NAMES.map((name) => `r.${name}`).join(', '))}
      FROM agent_readings r, locked l
      WHERE r.agent_no = l.agent_no
        AND r.at > (SELECT min(at) FROM kept) - (SELECT max(window_length) FROM watched WHERE type = 'agent' AND metric <> 'online')
        AND r.at < (SELECT max(at) FROM kept)
      UNION ALL SELECT at, disks, ${COLUMNS} FROM kept
    ), averaged AS MATERIALIZED (${AVERAGED}
    ), judged AS MATERIALIZED (${JUDGED}
    ), ${lateOf(sql`SELECT no, at_ms FROM judged`)}, checked AS (
      INSERT INTO checks (checked_at, monitor_no, region_no, status, failure_class, cause_layer, detail, metric_value, metric_value_2)
      SELECT at, no, 0, status, class, CASE WHEN class IS NOT NULL THEN 'agent' END, detail, metric, metric_2 FROM judged
      ON CONFLICT DO NOTHING
    ), undecided AS MATERIALIZED (
      SELECT j.no, j.at_ms FROM judged j WHERE j.status > 0 OR NOT j.calm
      -- Something was stored and not decided, of whatever monitor.
      UNION ALL SELECT w.no, floor(extract(epoch FROM l.undecided_from) * 1000)::bigint
      FROM watched w, locked l WHERE l.undecided_from IS NOT NULL
    ), newest AS MATERIALIZED (
      -- What was measured before what is known already says nothing about the present.
      SELECT k.* FROM kept k, locked l WHERE k.at >= coalesce(l.measured_at, '-infinity') ORDER BY k.at DESC LIMIT 1
    ), happened AS (
      INSERT INTO agent_events (at, agent_no, kind, detail)
      SELECT e.at, l.agent_no, e.kind, e.detail FROM locked l LEFT JOIN newest n ON true, LATERAL (VALUES
        (l.now, 'back', CASE WHEN l.silent_since IS NOT NULL THEN to_char(l.silent_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') END),
        (${post.bootedAt}::timestamptz, 'rebooted', CASE WHEN n.at IS NOT NULL AND ${post.bootedAt}::timestamptz > l.measured_at - ${BOOT_SLACK}
          AND ${post.bootedAt}::timestamptz > l.booted_at + ${BOOT_SLACK} THEN '' END),
        (l.now, 'upgraded', CASE WHEN n.at IS NOT NULL AND l.agent_version <> ${post.agentVersion}::text THEN l.agent_version || ' → ' || ${post.agentVersion}::text END)
      ) AS e (at, kind, detail) WHERE e.detail IS NOT NULL
      ON CONFLICT DO NOTHING
    ), settled AS (
      UPDATE agents a SET upgrade_asked_at = NULL FROM locked l
      WHERE a.no = l.agent_no AND l.upgrade_asked_at IS NOT NULL AND ${post.agentVersion}::text = ${version}::text
    ), inventoried AS (
      INSERT INTO agent_inventories (agent_no, at, processes, services)
      SELECT agent_no, newest.at, ${inventory?.processes ?? []}::text[], ${JSON.stringify(inventory?.services ?? [])}::jsonb
      FROM locked, newest WHERE inventory_enabled AND ${inventory !== null}::boolean
      ON CONFLICT (agent_no) DO UPDATE SET at = excluded.at, processes = excluded.processes, services = excluded.services
    ), seen AS (
      UPDATE agent_states s SET last_heartbeat_at = l.now, look_at = l.now + ${SILENCE}, silent_since = NULL, excused = 0,
        agent_version = CASE WHEN n.at IS NULL THEN l.agent_version ELSE ${post.agentVersion}::text END,
        modules = CASE WHEN n.at IS NULL THEN l.modules ELSE ${[...post.modules]}::text[] END,
        booted_at = CASE WHEN n.at IS NULL THEN l.booted_at ELSE coalesce(${post.bootedAt}::timestamptz, l.booted_at) END,
        readings = CASE WHEN n.at IS NULL THEN l.readings ELSE ${JSON.stringify(post.readings)}::jsonb END,
        services = CASE WHEN n.at IS NULL THEN l.services ELSE n.services END,
        measured_at = greatest(l.measured_at, n.at),
        dirty_from = least(l.dirty_from, (SELECT min(at) FROM kept WHERE at < l.rolled_until)),
        undecided_from = least(l.undecided_from, (SELECT to_timestamp(min(at_ms)::float8 / 1000) FROM undecided))
      FROM locked l LEFT JOIN newest n ON true WHERE s.agent_no = l.agent_no
    )
    SELECT l.inventory_enabled, l.upgrade_asked_at IS NOT NULL AND ${post.agentVersion}::text <> ${version}::text AS upgrade_asked,
      coalesce((SELECT jsonb_agg(DISTINCT jsonb_build_object('kind', kind, 'name', service)) FROM watched WHERE type = 'service'),
        '[]'::jsonb) AS watched_services,
      ARRAY(SELECT DISTINCT no FROM undecided ORDER BY no) AS undecided,
      (SELECT min(at_ms) FROM undecided) AS undecided_from_ms
    FROM locked l`.execute(tx);
  return rows[0] ?? null;
}
