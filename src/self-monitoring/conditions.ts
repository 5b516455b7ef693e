// Reads the condition of regions, probes, queues, the disk and edges.
import { sql } from 'kysely';
import { dueDeliveries } from '../notifications/delivery/queue.ts';
import type { DiskGuard } from '../platform/db/disk-guard.ts';
import { dueJobs } from '../platform/jobs/due-jobs.ts';
import type { Database, Tx } from '../platform/work.ts';
import { hasStalled, ONLINE_MS, onlineNow } from '../regions/liveness.ts';
import { untriedNotices } from '../user-notifications/claim.ts';
import type { Watching } from './self-watch.ts';
import type { Condition } from './troubles.ts';

/** A probe counts as too busy for this long after it reported so (`busy_at_unix`). */
const BUSY_FOR_MS = 5 * 60_000;
/** After a time without a watching server, probes get this long to come back before they are reported. */
const COME_BACK_MS = 30_000;
const QUEUE_LATE_MS = 60_000;
/** A restarted Caddy has its configuration again within this time. */
const EDGE_LATE_MS = 60_000;
/** An edge that no server has observed for this long is no longer in use. */
const EDGE_GONE_MS = 5 * 60_000;

/**
 * Regions that ever had an admitted probe. For an offline one, only time in which a server watched counts. One of which the
 * operator has refused or removed every probe is offline as long as monitors are assigned to it.
 */
export async function regionConditions(tx: Tx, now: Date, watching: Watching): Promise<Condition[]> {
  const offlineSince = now.getTime() - ONLINE_MS;
  const { rows } = await sql<{
    slug: string;
    name: string;
    online: boolean;
    seen_at: Date;
    has_probe: boolean;
    monitors: number;
  }>`
    SELECT r.slug, r.name, ${onlineNow(now)} AS online, greatest(seen.at, r.probe_seen_at) AS seen_at,
      seen.at IS NOT NULL AS has_probe,
      (SELECT count(*)::int FROM assignments a WHERE a.region_no = r.no AND NOT a.removed) AS monitors
    FROM regions r CROSS JOIN LATERAL (
      SELECT max(p.last_seen_at) AS at FROM probes p WHERE p.region_no = r.no AND p.admission = 'admitted'
    ) seen WHERE greatest(seen.at, r.probe_seen_at) IS NOT NULL`.execute(tx);
  return rows.flatMap(({ slug, name, online, seen_at, has_probe, monitors }): Condition[] => {
    if (online) return [{ subject: slug, is: 'good' }];
    if (!has_probe && monitors === 0) return [{ subject: slug, is: 'gone' }];
    if (watching.since.getTime() + COME_BACK_MS > offlineSince) return [];
    if (seen_at.getTime() < offlineSince)
      return [{ subject: slug, is: 'bad', since: seen_at, data: { name, monitors } }];
    // One that is heard of and offline all the same delivers nothing. Another may come in place of one that was removed.
    return has_probe ? [{ subject: slug, is: 'bad', since: now, data: { name, monitors } }] : [];
  });
}

/** Probes that are in contact but do not keep up. The trouble of a probe that is gone ends. */
export async function probeConditions(tx: Tx, now: Date): Promise<Condition[]> {
  const { rows } = await sql<{
    region: string;
    name: string;
    probe: string;
    stalled: boolean;
    online: boolean;
    busy_at: Date | null;
  }>`
    SELECT r.slug AS region, r.name, p.probe_id AS probe, ${hasStalled} AS stalled, p.busy_at,
      p.last_seen_at > ${new Date(now.getTime() - ONLINE_MS)} AS online
    FROM probes p JOIN regions r ON r.no = p.region_no WHERE p.admission = 'admitted'`.execute(tx);
  const busySince = now.getTime() - BUSY_FOR_MS;
  const known = rows.map(({ region, name, probe, stalled, online, busy_at }): Condition => {
    const subject = `${region}/${probe}`;
    const isBusy = busy_at !== null && busy_at.getTime() > busySince;
    if (!online) return { subject, is: 'gone' };
    if (!(isBusy || stalled)) return { subject, is: 'good' };
    const since = isBusy ? busy_at : now;
    return { subject, is: 'bad', since, data: { name, probe, reason: stalled ? 'no_results' : 'busy' } };
  });
  return [...known, ...(await goneProbes(tx, known))];
}

async function goneProbes(tx: Tx, known: readonly Condition[]): Promise<Condition[]> {
  const ongoing = await tx
    .selectFrom('troubles')
    .select('subject')
    .where('kind', '=', 'probe_lagging')
    .where('ended_at', 'is', null)
    .execute();
  const there = new Set(known.map(({ subject }) => subject));
  return ongoing.flatMap(({ subject }) => (there.has(subject) ? [] : [{ subject, is: 'gone' as const }]));
}

/** Queues in which something waits for over a minute; after a gap of ours they have a minute to catch up. */
export async function queueConditions(db: Database, now: Date, watching: Watching): Promise<Condition[]> {
  // One after the other: nobody waits for them, and each at once would keep a connection of its own in memory.
  const deliveries = await dueDeliveries(db, now);
  const notices = await untriedNotices(db, now);
  const jobs = await dueJobs(db);
  const isProven = watching.since.getTime() < now.getTime() - QUEUE_LATE_MS;
  const queues = { deliveries, notices, jobs };
  return Object.entries(queues).flatMap(([subject, { count, oldestSeconds }]): Condition[] => {
    if (oldestSeconds * 1000 <= QUEUE_LATE_MS) return [{ subject, is: 'good' }];
    const since = new Date(now.getTime() - oldestSeconds * 1000);
    return isProven ? [{ subject, is: 'bad', since, data: { count } }] : [];
  });
}

/** Whether results of checks are refused because the disk of the database is full, or nearly. */
export function diskCondition(disk: Pick<DiskGuard, 'pausedForMs' | 'freeBytes'>, now: Date): Condition {
  const pausedForMs = disk.pausedForMs();
  if (pausedForMs === null) return { subject: 'database', is: 'good' };
  return {
    subject: 'database',
    is: 'bad',
    since: new Date(now.getTime() - pausedForMs),
    data: { free_bytes: disk.freeBytes() },
  };
}

/** Edges that have been without their configuration for over a minute, whichever server looked last. */
export async function edgeConditions(tx: Tx, now: Date): Promise<Condition[]> {
  const edges = await tx.selectFrom('edges').selectAll().execute();
  return edges.flatMap(({ address: subject, seen_at, failing_since: since, failure }): Condition[] => {
    const isGone = seen_at.getTime() < now.getTime() - EDGE_GONE_MS;
    if (since === null) return [{ subject, is: 'good' }];
    if (isGone) return [{ subject, is: 'gone' }];
    if (since.getTime() > now.getTime() - EDGE_LATE_MS) return [];
    return [{ subject, is: 'bad', since, data: { reason: failure } }];
  });
}
