// Reads the newest checks of a monitor, region by region, at the moment its incident opens.
import { sql } from 'kysely';
import { hasOpenIncident } from '../domain/confirmation-state.ts';
import type { Opened } from '../domain/confirmation-types.ts';
import { DAY_MS } from '../domain/durations.ts';
import type { LatestCheck } from '../domain/evidence.ts';
import { FUTURE_MS } from '../domain/reporting.ts';
import { unixOfMs } from '../platform/unix.ts';
import type { Database, Tx } from '../platform/work.ts';
import { policyOf } from './confirmation-rules.ts';
import type { LockedMonitor, LockedState } from './monitored.ts';
import { mayBePacked } from './packed/may-be-packed.ts';
import { checkId, type StoredCheck } from './records.ts';
import { statusOfNo } from './store.ts';

/** A region shows as many checks as it takes to become failing, but at least three. */
const MIN_CHECKS = 3;
const MAX_CHECKS = 10;
const checksShown = (consecutive: number) => Math.min(MAX_CHECKS, Math.max(MIN_CHECKS, consecutive));
/** Characters of a check's detail; the check itself keeps all of it. */
const MAX_DETAIL = 1024;
/** Checks are read ahead for this many monitors; of a large batch, few open an incident each time. */
const MAX_AHEAD = 20;

/** Asks for the newest `each` checks of every region, of those after `sinceMs` and up to `untilMs`. */
type Asked = { no: number; regions: readonly string[]; sinceMs: number; untilMs: number; each: number };
type Row = StoredCheck & { no: number; name: string };

/** Checks that were read before it was known whether an incident opens, and which. */
export type ChecksAhead = ReadonlyMap<number, { asked: Asked; rows: readonly Row[] }>;

type Opening = { monitor: Pick<LockedMonitor, 'no' | 'rules'>; opened: Opened };
type Reading = { tx: Tx | Database; now: Date };

/**
 * Reads the checks of those monitors whose incident the next result may open, in the round trip that reads what decides on it: an
 * alarm waits for each.
 */
export async function readChecksAhead(work: Reading, locked: readonly LockedState[]): Promise<ChecksAhead> {
  const near = locked.filter(isNear);
  if (near.length === 0 || near.length > MAX_AHEAD) return new Map();
  const nowMs = work.now.getTime();
  const asked = near.map((row): Asked => {
    const failures = Object.values(row.state.regions).map(({ firstFailureMs }) => firstFailureMs ?? nowMs);
    return {
      no: row.no,
      regions: row.regions,
      sinceMs: Math.min(nowMs, row.state.phase?.firstFailureMs ?? nowMs, ...failures) - DAY_MS,
      untilMs: nowMs + FUTURE_MS,
      each: checksShown(policyOf(row).alarm_consecutive),
    };
  });
  const rows = await readRows(work, asked);
  return new Map(asked.map((each) => [each.no, { asked: each, rows: rows.get(each.no) ?? [] }]));
}

/** One more failing result of a region may be enough. */
function isNear(row: LockedState): boolean {
  if (row.calm || hasOpenIncident(row.state)) return false;
  const streak = Math.max(0, ...Object.values(row.state.regions).map(({ fails }) => fails));
  return streak + 1 >= policyOf(row).alarm_consecutive;
}

/** The newest checks of each monitor, of every region, when its incident opened. */
export async function latestChecks(
  work: Reading,
  openings: readonly Opening[],
  ahead: ChecksAhead = new Map(),
): Promise<Map<number, LatestCheck[]>> {
  const asked = openings.map(
    ({ monitor, opened }): Asked => ({
      no: monitor.no,
      regions: monitor.rules.regions,
      untilMs: Math.max(opened.triggeredAtMs, opened.startedAtMs),
      sinceMs: opened.firstFailureAtMs - DAY_MS,
      each: checksShown(opened.consecutiveFailuresRequired),
    }),
  );
  const known = new Map(asked.map((each) => [each.no, knownOf(each, ahead)]));
  const rows = await readRows(
    work,
    asked.filter(({ no }) => known.get(no) === null),
  );
  return new Map(asked.map(({ no }) => [no, (known.get(no) ?? rows.get(no) ?? []).map(checkOf)]));
}

/** The checks that are asked for, out of those that were read ahead; null: these are not all of them. */
function knownOf({ no, sinceMs, untilMs, each }: Asked, ahead: ChecksAhead): Row[] | null {
  const read = ahead.get(no);
  if (read === undefined || read.asked.sinceMs > sinceMs || read.asked.each !== each) return null;
  // A later one may have taken the place of one that is asked for.
  if (read.rows.some((row) => row.at_ms > untilMs)) return null;
  return read.rows.filter((row) => row.at_ms > sinceMs);
}

async function readRows({ tx, now }: Reading, asked: readonly Asked[]): Promise<Map<number, Row[]>> {
  if (asked.length === 0) return new Map();
  const given = asked.map(({ sinceMs, untilMs, ...each }) => ({
    ...each,
    since: new Date(sinceMs),
    until: new Date(untilMs),
  }));
  // The bounds over all of them let the planner skip partitions that none of them needs.
  const sinceMs = Math.min(...asked.map((each) => each.sinceMs));
  const until = new Date(Math.max(...asked.map((each) => each.untilMs)));
  const all = mayBePacked(sinceMs, now)
    ? sql`newest_checks(a.no, r.no, a.since + interval '1 microsecond', a.until + interval '1 microsecond', a.each, true)`
    : sql`checks`;
  const { rows } = await sql<Row>`
    SELECT a.no, c.region_no, r.slug, r.name, (extract(epoch FROM c.checked_at) * 1000)::bigint AS at_ms, c.status,
      c.latency_ms, c.response_code, c.failure_class, c.cause_layer, left(c.detail, ${MAX_DETAIL}) AS detail
    FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      AS a (no int, regions text[], until timestamptz, since timestamptz, each int)
    JOIN regions r ON r.slug = ANY(a.regions)
    CROSS JOIN LATERAL (
      SELECT * FROM ${all} WHERE monitor_no = a.no AND region_no = r.no
        AND checked_at <= a.until AND checked_at > a.since AND checked_at <= ${until} AND checked_at > ${new Date(sinceMs)}
        AND cause_layer IS DISTINCT FROM 'probe'
      ORDER BY checked_at DESC LIMIT a.each
    ) c
    ORDER BY a.no, r.no, c.checked_at DESC`.execute(tx);
  return Map.groupBy(rows, ({ no }) => no);
}

const checkOf = (row: Row): LatestCheck => ({
  check_id: checkId(row.no, row.region_no, row.at_ms),
  checked_at_unix: unixOfMs(row.at_ms),
  region: row.slug,
  region_name: row.name,
  status: statusOfNo(row.status),
  cause_layer: row.cause_layer,
  detail: row.detail,
  latency_ms: row.latency_ms,
  response_code: row.response_code,
  failure_class: row.failure_class,
});
