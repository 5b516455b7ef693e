// A probe is online while its last request is younger than 30 s, unless it stalled; a region while one of its probes is
// (docs/rules/regions-and-probes.md#liveness). Probes that are not admitted do not count.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { NO_REGION } from '../domain/no-region.ts';
import type { Database, Tx } from '../platform/work.ts';
import { admitProbe, type CallingProbe } from './admission.ts';

export const ONLINE_MS = 30_000;
/** After a silence longer than this, the wait for results starts over. */
const AWAY_MS = 15_000;
/** Results are awaited for this many times the shortest assigned interval (a check takes less than one interval). */
const PATIENT_INTERVALS = 4;
const MIN_PATIENCE_SECONDS = 60;

/** Written at most this often per probe: a steady stream of results must not cost an update each. */
const TOUCH_EVERY_MS = 5_000;

/** By database: several servers may run in one process. */
const writtenBy = new WeakMap<Database, Map<string, number>>();

/**
 * Part of every statement that records a sign of life: the first after all probes were silent, for longer than a probe stays
 * online, also records that silence (`onlineForDecisions`). It sees the table as it was before the statement.
 */
export const silenceEnds = (now: Date) => sql`silence AS (
  UPDATE installation SET silent_from = last.at, silent_until = ${now}
  FROM (SELECT max(last_seen_at) AS at FROM probes WHERE admission = 'admitted') last WHERE last.at < ${new Date(now.getTime() - ONLINE_MS)}
)`;

/** The SET clauses of every statement that records a probe's sign of life. */
export const aliveAt = (now: Date) => sql`
  last_seen_at = greatest(last_seen_at, ${now}::timestamptz),
  awaited_since = CASE WHEN ${now}::timestamptz - last_seen_at > make_interval(secs => ${AWAY_MS / 1000}::float8)
    THEN awaited_since + (${now}::timestamptz - last_seen_at) ELSE awaited_since END`;

/**
 * Part of statements that update a probe, which read `FROM (SELECT count(*) FROM used)`. It locks the token before the probe,
 * like `admitProbe`; the reverse order could deadlock two first requests.
 */
export const tokenUsed = (tokenId: string, now: Date) => sql`used AS (
  UPDATE probe_tokens SET last_used_at = ${now} WHERE id = ${tokenId} RETURNING id
)`;

/** Whether a probe asks for monitors but delivers no results; `p` is its row. */
export const hasStalled: RawBuilder<SqlBool> = sql`coalesce(
  p.last_seen_at > p.awaited_since + make_interval(secs => p.patience_seconds::float8), false)`;

/**
 * Records a probe's sign of life. Cheap: at most one write per probe, process and 5 s. Refuses (403) a probe that is not
 * admitted, at most 5 s after it was refused.
 */
export async function touchProbe(
  db: Database,
  caller: CallingProbe,
  probeId: string,
  now: Date,
): Promise<void> {
  await atTimes(db, `seen ${caller.tokenId} ${probeId}`, now, async () => {
    await admitProbe(db, caller, probeId, now);
    await sql`
      WITH ${tokenUsed(caller.tokenId, now)}, ${silenceEnds(now)}
      UPDATE probes SET ${aliveAt(now)} FROM (SELECT count(*) FROM used) token_first
      WHERE region_no = ${caller.regionNo} AND probe_id = ${probeId}`.execute(db);
  });
}

/** Records that a probe delivered a result for its region, at most as often. */
export async function noteDelivered(
  db: Database,
  { regionNo }: CallingProbe,
  probeId: string,
  now: Date,
): Promise<void> {
  await atTimes(db, `delivered ${regionNo} ${probeId}`, now, async () => {
    await sql`UPDATE probes SET awaited_since = ${now}
      WHERE region_no = ${regionNo} AND probe_id = ${probeId} AND awaited_since < ${now}`.execute(db);
  });
}

/** Failure classes by which a probe reports on itself: it set aside a check that froze it, or was too busy for one. */
const SAID_AT = { probe_frozen: sql`set_aside_at`, probe_busy: sql`busy_at` } as const;
export type ProbeTrouble = keyof typeof SAID_AT;
export const PROBE_TROUBLES = Object.keys(SAID_AT) as ProbeTrouble[];

/** Records a probe's own trouble, at most as often. */
export async function noteTrouble(
  db: Database,
  { regionNo }: CallingProbe,
  probeId: string,
  { trouble, now }: { trouble: ProbeTrouble; now: Date },
): Promise<void> {
  await atTimes(db, `${trouble} ${regionNo} ${probeId}`, now, async () => {
    await sql`UPDATE probes SET ${SAID_AT[trouble]} = ${now}
      WHERE region_no = ${regionNo} AND probe_id = ${probeId}`.execute(db);
  });
}

/**
 * Records the shortest interval assigned to a probe, null if it has nothing to check. From now on the server expects results;
 * asking again does not restart that wait.
 */
export async function noteGiven(
  db: Database,
  { regionNo }: CallingProbe,
  probeId: string,
  { shortestSeconds, now }: { shortestSeconds: number | null; now: Date },
): Promise<void> {
  const patience =
    shortestSeconds === null
      ? MIN_PATIENCE_SECONDS
      : Math.max(MIN_PATIENCE_SECONDS, PATIENT_INTERVALS * shortestSeconds);
  const seconds = (of: RawBuilder<unknown>) => sql`make_interval(secs => ${of}::float8)`;
  await sql`UPDATE probes SET patience_seconds = ${patience}, awaited_since = CASE
      WHEN ${shortestSeconds === null} THEN NULL
      WHEN awaited_since IS NULL THEN ${now}::timestamptz
      -- What is checked more often from now on has its whole patience before it.
      WHEN patience_seconds > ${patience} THEN
        least(awaited_since + ${seconds(sql`patience_seconds`)} - ${seconds(sql`${patience}`)}, ${now}::timestamptz)
      ELSE awaited_since END
    WHERE region_no = ${regionNo} AND probe_id = ${probeId}`.execute(db);
}

/** A change smaller than this is not written. */
const CLOCK_STEP_MS = 500;
const MAX_OFFSET_MS = 2_147_483_647;

/** Records the offset of a probe's clock from the database's, if it has changed, and at most as often. */
export async function noteClock(
  db: Database,
  { regionNo }: CallingProbe,
  probeId: string,
  { clockMs, now }: { clockMs: number; now: Date },
): Promise<void> {
  const off = Math.max(-MAX_OFFSET_MS, Math.min(MAX_OFFSET_MS, clockMs - now.getTime()));
  await atTimes(db, `clock ${regionNo} ${probeId}`, now, async () => {
    await sql`UPDATE probes SET clock_off_ms = ${off} WHERE region_no = ${regionNo} AND probe_id = ${probeId}
      AND (clock_off_ms IS NULL OR abs(clock_off_ms::bigint - ${off}::bigint) >= ${CLOCK_STEP_MS})`.execute(
      db,
    );
  });
}

async function atTimes(db: Database, key: string, now: Date, write: () => Promise<void>): Promise<void> {
  const written = writtenBy.get(db) ?? new Map<string, number>();
  writtenBy.set(db, written);
  // In both directions: a clock that was set back must not hide a probe.
  if (Math.abs(now.getTime() - (written.get(key) ?? 0)) < TOUCH_EVERY_MS) return;
  await write();
  written.set(key, now.getTime());
}

/** Whether the region of a row `r` of `regions` is online at `now`. */
export const onlineNow = (now: Date): RawBuilder<boolean> => sql`EXISTS (
  SELECT FROM probes p WHERE p.region_no = r.no AND p.last_seen_at > ${new Date(now.getTime() - ONLINE_MS)}
    AND p.admission = 'admitted' AND NOT ${hasStalled})`;

/** Slugs of the regions that are online at `now`. */
export async function onlineRegions(db: Database | Tx, now: Date): Promise<Set<string>> {
  const { rows } = await sql<{ slug: string }>`SELECT r.slug FROM regions r WHERE ${onlineNow(now)}`.execute(
    db,
  );
  return new Set(rows.map((row) => row.slug));
}

/**
 * The regions that decisions treat as online, the virtual one included. For a while after all probes were silent (the server or
 * its database was down), these include the regions that were online when the silence began: they return one after the other,
 * and the first must not be the whole quorum.
 */
export async function onlineForDecisions(db: Database | Tx, now: Date): Promise<Set<string>> {
  const since = new Date(now.getTime() - ONLINE_MS);
  const { rows } = await sql<{ slug: string }>`
    SELECT r.slug FROM regions r CROSS JOIN installation i WHERE EXISTS (
      SELECT FROM probes p WHERE p.region_no = r.no AND p.admission = 'admitted' AND NOT ${hasStalled}
        AND (p.last_seen_at > ${since} OR (i.silent_until > ${since}
          AND p.last_seen_at > i.silent_from - make_interval(secs => ${ONLINE_MS / 1000}::float8)))
    )`.execute(db);
  return new Set([NO_REGION, ...rows.map(({ slug }) => slug)]);
}
