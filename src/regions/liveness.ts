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
    WITH used AS (UPDATE probe_tokens SET last_used_at = ${now} WHERE id = ${tokenId})
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
