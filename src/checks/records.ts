// Checks as the API shows them.
import { sql } from 'kysely';
import { inMaintenance } from '../conditions/maintenance.ts';
import type { ResourceFilter } from '../platform/http/caller.ts';
import { seenIn } from '../platform/http/within.ts';
import { notFound } from '../platform/refusals.ts';
import { unixOfMs } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import type { CheckRecord } from './contract.ts';
import { statusOfNo } from './store.ts';

/** A check as it is stored, with the slug of its region. */
export type StoredCheck = {
  region_no: number;
  slug: string;
  at_ms: number;
  status: number;
  latency_ms: number | null;
  response_code: number | null;
  failure_class: string | null;
  cause_layer: string | null;
  detail: string | null;
};

type Row = StoredCheck & {
  monitor_no: number;
  metric_value: number | null;
  in_maintenance: boolean;
  discarded: boolean;
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  first_byte_ms: number | null;
};

/** Opaque id of a check. It is made from the key of the row and is not stored. */
export function checkId(monitorNo: number, regionNo: number, atMs: number): string {
  return `chk_${monitorNo.toString(36)}-${regionNo.toString(36)}-${atMs.toString(36)}`;
}

/** The start of a page: before an instant, or behind one check. Other checks may have the same instant in other regions. */
export type ChecksCursor = { atMs: number; regionNo: number | null };

const CHECK_ID = /^chk_[0-9a-z]{1,8}-([0-9a-z]{1,4})-([0-9a-z]{1,10})$/;

/** Reads the id of a check (`checkId`); null for any other text. */
function readCheckId(id: string): { atMs: number; regionNo: number } | null {
  const [, regionNo, atMs] = CHECK_ID.exec(id) ?? [];
  if (regionNo === undefined || atMs === undefined) return null;
  return { atMs: Number.parseInt(atMs, 36), regionNo: Number.parseInt(regionNo, 36) };
}

/** Reads `before`: the id of a check, or Unix seconds. */
export const cursorOf = (before: string): ChecksCursor =>
  readCheckId(before) ?? { atMs: Number(before) * 1000, regionNo: null };

export type ChecksFilter = {
  region: string | null;
  limit: number;
  /** The most checks of each region; `limit` unless given. */
  perRegion?: number;
  before: ChecksCursor | null;
  /** Only checks after this time, as the plan allows (docs/rules/figures.md#check-records); null: no limit. */
  since: Date | null;
};

/** Makes a bound inclusive or exclusive. */
const INSTANT = sql.raw("interval '1 microsecond'");

/** Checks of a monitor, newest first. `discarded`: the check lies in a downtime that was discarded as a false alarm. */
export async function listChecks(
  db: Database,
  monitorId: string,
  { region, limit, perRegion = limit, before, since }: ChecksFilter,
): Promise<CheckRecord[]> {
  const untilMs = before?.atMs ?? null;
  const { rows } = await sql<Row>`
    SELECT c.monitor_no, c.region_no, r.slug, (extract(epoch FROM c.checked_at) * 1000)::bigint AS at_ms, c.status,
      c.latency_ms, c.response_code, c.failure_class, c.cause_layer, c.detail, c.metric_value,
      ${inMaintenance(sql`c.monitor_no`, sql`c.checked_at`)} AS in_maintenance,
      c.dns_ms, c.connect_ms, c.tls_ms, c.first_byte_ms,
      EXISTS (SELECT FROM incidents i WHERE i.monitor_no = c.monitor_no AND i.discarded
        AND c.checked_at >= i.started_at AND c.checked_at < i.resolved_at) AS discarded
    FROM (SELECT no FROM monitors WHERE id = ${monitorId}) m
    CROSS JOIN LATERAL (
      SELECT r.no, r.slug FROM regions r
      WHERE (${region}::text IS NULL OR r.slug = ${region})
    ) r
    CROSS JOIN LATERAL (
      SELECT * FROM newest_checks(m.no, r.no, coalesce(${since}::timestamptz + ${INSTANT}, '-infinity'), coalesce(
        to_timestamp(${untilMs}::float8 / 1000) + CASE WHEN r.no > ${before?.regionNo ?? null}::int THEN ${INSTANT}
          ELSE interval '0' END, 'infinity'), ${perRegion}::int)
      ORDER BY checked_at DESC LIMIT ${perRegion}
    ) c
    ORDER BY c.checked_at DESC, r.no LIMIT ${limit}`.execute(db);
  return rows.map((row) => ({
    id: checkId(row.monitor_no, row.region_no, row.at_ms),
    monitor_id: monitorId,
    region: row.slug,
    checked_at_unix: unixOfMs(row.at_ms),
    status: statusOfNo(row.status),
    latency_ms: row.latency_ms,
    response_code: row.response_code,
    failure_class: row.failure_class,
    cause_layer: row.cause_layer,
    detail: row.detail,
    metric_value: row.metric_value,
    timings_ms: {
      ...(row.dns_ms === null ? {} : { dns: row.dns_ms }),
      ...(row.connect_ms === null ? {} : { connect: row.connect_ms }),
      ...(row.tls_ms === null ? {} : { tls: row.tls_ms }),
      ...(row.first_byte_ms === null ? {} : { first_byte: row.first_byte_ms }),
      ...(row.latency_ms === null ? {} : { total: row.latency_ms }),
    },
    in_maintenance: row.in_maintenance,
    discarded: row.discarded,
  }));
}

/** One check of a monitor; 404 for an unknown id and for a check before `since`. */
export async function oneCheck(
  db: Database,
  monitorId: string,
  id: string,
  since: Date | null,
): Promise<CheckRecord> {
  const key = readCheckId(id);
  if (key === null) return notFound('check');
  const { atMs } = key;
  const filter = { region: null, limit: MAX_SAME_INSTANT, before: { atMs, regionNo: -1 }, since };
  const found = (await listChecks(db, monitorId, { ...filter, perRegion: 1 })).find(
    (check) => check.id === id,
  );
  return found ?? notFound('check');
}

/** Checks of different regions may have the same instant. */
const MAX_SAME_INSTANT = 1_000;

export type RecentChecks = {
  monitor_id: string;
  checks: {
    checked_at_unix: number;
    region: string;
    status: string;
    latency_ms: number | null;
    cause_layer: string | null;
  }[];
};

/** The last `limit` checks of every monitor of a project, of the last day. A narrowed key gets only its monitors. */
export async function recentChecks(
  db: Database,
  projectId: string,
  limit: number,
  now: Date,
  within: ResourceFilter,
): Promise<RecentChecks[]> {
  const seen = within ? seenIn(within, { project: 'm.project_id', monitor: 'm.id' }) : sql`true`;
  const since = new Date(now.getTime() - 86_400_000);
  const { rows } = await sql<{
    id: string;
    slug: string | null;
    at: number | null;
    status: number | null;
    latency_ms: number | null;
    cause_layer: string | null;
  }>`
    SELECT m.id, c.slug, extract(epoch FROM c.checked_at)::bigint AS at, c.status, c.latency_ms, c.cause_layer
    FROM monitors m
    LEFT JOIN LATERAL (
      SELECT r.slug, newest.* FROM regions r
      CROSS JOIN LATERAL (
        SELECT checked_at, status, latency_ms, cause_layer FROM checks
        WHERE monitor_no = m.no AND region_no = r.no AND checked_at > ${since}
        ORDER BY checked_at DESC LIMIT ${limit}
      ) newest
      WHERE r.slug = ANY(m.regions) OR (r.no = 0 AND m.regions = '{}')
      ORDER BY newest.checked_at DESC LIMIT ${limit}
    ) c ON true
    WHERE m.project_id = ${projectId} AND ${seen}
    ORDER BY m.no DESC, c.checked_at DESC`.execute(db);
  const byMonitor = new Map<string, RecentChecks>();
  for (const row of rows) {
    const entry = byMonitor.get(row.id) ?? { monitor_id: row.id, checks: [] };
    byMonitor.set(row.id, entry);
    if (row.at !== null)
      entry.checks.push({
        checked_at_unix: row.at,
        region: row.slug ?? '',
        status: statusOfNo(row.status ?? 2),
        latency_ms: row.latency_ms,
        cause_layer: row.cause_layer,
      });
  }
  return [...byMonitor.values()];
}
