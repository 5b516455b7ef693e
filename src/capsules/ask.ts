// Requests a failure capsule once from each failing region, after the incident is committed and notified: the unit of work that
// opens it only wakes this process.
import { sql } from 'kysely';
import { TENANTS_OF_AN_OWNER } from '../platform/http/tenant-limits.ts';
import type { Log } from '../platform/log.ts';
import { afterCommit, type Database, runWork, SYSTEM, type Work } from '../platform/work.ts';
import { wakeProbes } from '../regions/wake.ts';

/** Capsules (incidents times regions) per organization and minute; those of one owner together have TENANTS_OF_AN_OWNER times that. */
export const CAPSULES_A_MINUTE = 20;
/** Older incidents get no capsule: by now a lookup would not show what failed then. */
const YOUNG_MS = 60_000;
/** Lets the alarm go first. */
const AFTER_MS = 250;

const wakers = new Set<() => void>();
const wakeNow = () => {
  for (const wake of wakers) wake();
};

/** Reaction to opened incidents: requests capsules soon after this unit of work is committed. The audit finds missed ones. */
export function askSoon(work: Work): void {
  afterCommit(work, wakeNow);
}

/** Starts requesting capsules in this process; `timers` false: only when called. */
export function startAsking({
  db,
  clock,
  log,
  timers,
}: {
  db: Database;
  clock: () => Date;
  log: Log;
  timers: boolean;
}): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | null = null;
  let running = Promise.resolve();
  const wake = () => {
    if (!timers) return;
    timer ??= setTimeout(() => {
      timer = null;
      running = running
        .then(async () => {
          await askForCapsules(db, clock());
        })
        .catch((err: unknown) => log.warn({ err }, 'cannot request failure capsules; trying again'));
    }, AFTER_MS);
  };
  wakers.add(wake);
  return {
    async stop() {
      wakers.delete(wake);
      if (timer) clearTimeout(timer);
      await running;
    },
  };
}

/** Requests the capsules of young incidents that have none yet; returns how many. */
export function askForCapsules(db: Database, now: Date): Promise<number> {
  const minuteAgo = new Date(now.getTime() - YOUNG_MS);
  return runWork(db, now, SYSTEM, async ({ tx }) => {
    const { rows } = await sql<{ region_no: number; skipped: boolean }>`
      WITH young AS (
        SELECT i.id, i.org_id, f.user_id AS owner, i.monitor_id, r.no AS region_no,
          row_number() OVER (PARTITION BY i.org_id ORDER BY i.created_at, i.id, r.no) AS of_org,
          row_number() OVER (PARTITION BY f.user_id ORDER BY i.created_at, i.id, r.no) AS of_owner
        FROM incidents i JOIN regions r ON r.slug = ANY(i.down_regions) AND r.slug <> ''
        LEFT JOIN first_owners f ON f.org_id = i.org_id
        WHERE i.status = 'open' AND i.origin = 'automatic' AND i.created_at > ${minuteAgo}
          AND NOT EXISTS (SELECT FROM incident_capsules c WHERE c.incident_id = i.id)
      ), lately AS (
        SELECT c.org_id, count(*) AS asked FROM incident_capsules c
        WHERE c.org_id IN (SELECT org_id FROM young) AND c.asked_at > ${minuteAgo} AND NOT c.skipped GROUP BY c.org_id
      ), lately_of_owner AS (
        SELECT f.user_id, count(*) AS asked FROM incident_capsules c JOIN first_owners f ON f.org_id = c.org_id
        WHERE f.user_id IN (SELECT owner FROM young) AND c.asked_at > ${minuteAgo} AND NOT c.skipped GROUP BY f.user_id
      )
      INSERT INTO incident_capsules (capsule_id, incident_id, region_no, org_id, monitor_id, asked_at, skipped)
      SELECT y.id || '-' || y.region_no, y.id, y.region_no, y.org_id, y.monitor_id, ${now},
        coalesce(l.asked, 0) + y.of_org > ${CAPSULES_A_MINUTE} OR (y.owner IS NOT NULL
          AND coalesce(o.asked, 0) + y.of_owner > ${TENANTS_OF_AN_OWNER * CAPSULES_A_MINUTE})
      FROM young y LEFT JOIN lately l ON l.org_id = y.org_id LEFT JOIN lately_of_owner o ON o.user_id = y.owner
      ON CONFLICT DO NOTHING RETURNING region_no, skipped`.execute(tx);
    const asked = rows.filter(({ skipped }) => !skipped);
    for (const regionNo of new Set(asked.map(({ region_no }) => region_no))) await wakeProbes(tx, regionNo);
    return asked.length;
  });
}
