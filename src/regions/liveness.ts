// A probe is online while its last request is younger than 30 s, a region while one of its probes is
// (decisions, section 5).
import { sql } from 'kysely';
import type { Database, Tx } from '../platform/work.ts';

export const ONLINE_MS = 30_000;

/** Written at most this often per probe: a steady stream of results must not cost an update each. */
const TOUCH_EVERY_MS = 5_000;

/** By database: several servers may run in one process. */
const touchedBy = new WeakMap<Database, Map<string, number>>();

/** A probe that calls, by the token it has. */
export type CallingProbe = { regionNo: number; tokenId: string };

/**
 * Part of every statement that notes a sign of life: when it is the first after everybody was silent for longer than a
 * probe stays online, that silence is kept (`regionsForDecisions`). It sees the table as it was before the statement.
 */
export const silenceEnds = (now: Date) => sql`silence AS (
  UPDATE installation SET silent_from = last.at, silent_until = ${now}
  FROM (SELECT max(last_seen_at) AS at FROM probes) last WHERE last.at < ${new Date(now.getTime() - ONLINE_MS)}
)`;

/** Notes that a probe was heard from. Cheap: at most one write per probe, process and 5 s. */
export async function touchProbe(
  db: Database,
  { regionNo, tokenId }: CallingProbe,
  probeId: string,
  now: Date,
): Promise<void> {
  const touched = touchedBy.get(db) ?? new Map<string, number>();
  touchedBy.set(db, touched);
  const key = `${regionNo} ${probeId}`;
  // Either way: a clock that was set back must not keep a probe from being seen.
  if (Math.abs(now.getTime() - (touched.get(key) ?? 0)) < TOUCH_EVERY_MS) return;
  await sql`
    WITH used AS (UPDATE probe_tokens SET last_used_at = ${now} WHERE id = ${tokenId}), ${silenceEnds(now)}
    INSERT INTO probes (region_no, probe_id, first_seen_at, last_seen_at)
    VALUES (${regionNo}, ${probeId}, ${now}, ${now})
    ON CONFLICT (region_no, probe_id)
      DO UPDATE SET last_seen_at = greatest(probes.last_seen_at, excluded.last_seen_at)`.execute(db);
  touched.set(key, now.getTime());
}

/** Slugs of the regions that are online at `now`. */
export async function onlineRegions(db: Database | Tx, now: Date): Promise<Set<string>> {
  const rows = await db
    .selectFrom('regions')
    .innerJoin('probes', 'probes.region_no', 'regions.no')
    .select('regions.slug')
    .where('probes.last_seen_at', '>', new Date(now.getTime() - ONLINE_MS))
    .distinct()
    .execute();
  return new Set(rows.map((row) => row.slug));
}

/**
 * Every region, and whether decisions take it as online: one that is, and, for as long after everybody was silent at once
 * (the server or its database was away, or cut off from all), one that was when the silence began. They come back one
 * after the other, and the first of them must not be the whole quorum.
 */
export async function regionsForDecisions(
  db: Database | Tx,
  now: Date,
): Promise<{ slug: string; online: boolean }[]> {
  const since = new Date(now.getTime() - ONLINE_MS);
  const { rows } = await sql<{ slug: string; online: boolean }>`
    SELECT r.slug, EXISTS (
      SELECT FROM probes p WHERE p.region_no = r.no AND (p.last_seen_at > ${since}
        OR (i.silent_until > ${since} AND p.last_seen_at > i.silent_from - make_interval(secs => ${ONLINE_MS / 1000}::float8)))
    ) AS online
    FROM regions r CROSS JOIN installation i`.execute(db);
  return rows;
}
