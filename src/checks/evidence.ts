// Reads the evidence of opening incidents: the newest stored checks of every region.
import { sql } from 'kysely';
import type { Opened } from '../domain/confirmation.ts';
import { buildEvidence, incidentWords, type LatestCheck } from '../domain/evidence.ts';
import { groupEvidence } from '../domain/group.ts';
import type { Findings } from '../incidents/open.ts';
import { maskConfig } from '../monitors/sealing.ts';
import { rulesOf } from '../monitors/types.ts';
import { unixOfMs } from '../platform/unix.ts';
import type { Database, Tx, Work } from '../platform/work.ts';
import { membersOf, ruleOf } from './group-members.ts';
import type { LockedMonitor } from './monitored.ts';
import { mayBePacked } from './packed/may-be-packed.ts';
import { checkId, type StoredCheck } from './records.ts';
import { statusOfNo } from './store.ts';

type Row = StoredCheck & { no: number; name: string };

/** A region shows as many checks as it takes to become failing, but at least three. */
const MIN_CHECKS = 3;
const MAX_CHECKS = 10;
/** Characters of a check's detail; the check itself keeps all of it. */
const MAX_DETAIL = 1024;

export type ToOpen = { monitor: LockedMonitor; opened: Opened };

/** Evidence, cause and summary for each of these incidents to open, in their order, from one statement. */
export async function evidenceOf(work: Work, opening: readonly ToOpen[]): Promise<Findings[]> {
  const checks = await latestChecks(work, opening);
  const found: Findings[] = [];
  for (const each of opening) found.push(await findingsOf(work, each, checks.get(each.monitor.no) ?? []));
  return found;
}

/** The newest checks of each monitor, of every region, when its incident opened. */
export async function latestChecks(
  work: { tx: Tx | Database; now: Date },
  opening: readonly { monitor: Pick<LockedMonitor, 'no' | 'rules'>; opened: Opened }[],
): Promise<Map<number, LatestCheck[]>> {
  const asked = opening.map(({ monitor, opened }) => ({
    no: monitor.no,
    regions: monitor.rules.regions,
    until: new Date(Math.max(opened.triggeredAtMs, opened.startedAtMs)),
    since: new Date(opened.firstFailureAtMs - 86_400_000),
    each: Math.min(MAX_CHECKS, Math.max(MIN_CHECKS, opened.consecutiveFailuresRequired)),
  }));
  // The bounds over all of them let the planner skip partitions that none of them needs.
  const until = new Date(Math.max(...asked.map((each) => each.until.getTime())));
  const since = new Date(Math.min(...asked.map((each) => each.since.getTime())));
  const all = mayBePacked(since.getTime(), work.now)
    ? sql`newest_checks(a.no, r.no, a.since + interval '1 microsecond', a.until + interval '1 microsecond', a.each, true)`
    : sql`checks`;
  const { rows } = await sql<Row>`
    SELECT a.no, c.region_no, r.slug, r.name, (extract(epoch FROM c.checked_at) * 1000)::bigint AS at_ms, c.status,
      c.latency_ms, c.response_code, c.failure_class, c.cause_layer, left(c.detail, ${MAX_DETAIL}) AS detail
    FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
      AS a (no int, regions text[], until timestamptz, since timestamptz, each int)
    JOIN regions r ON r.slug = ANY(a.regions)
    CROSS JOIN LATERAL (
      SELECT * FROM ${all} WHERE monitor_no = a.no AND region_no = r.no
        AND checked_at <= a.until AND checked_at > a.since AND checked_at <= ${until} AND checked_at > ${since}
        AND cause_layer IS DISTINCT FROM 'probe'
      ORDER BY checked_at DESC LIMIT a.each
    ) c
    ORDER BY a.no, r.no, c.checked_at DESC`.execute(work.tx);
  const byMonitor = new Map<number, LatestCheck[]>();
  for (const row of rows) {
    const check: LatestCheck = {
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
    };
    const list = byMonitor.get(row.no);
    if (list) list.push(check);
    else byMonitor.set(row.no, [check]);
  }
  return byMonitor;
}

async function findingsOf(work: Work, { monitor, opened }: ToOpen, checks: LatestCheck[]): Promise<Findings> {
  const input = {
    opened,
    monitor: {
      id: monitor.id,
      name: monitor.name,
      type: monitor.type,
      config: maskConfig(rulesOf(monitor.type), monitor.config),
    },
    project: { id: monitor.projectId, name: monitor.projectName },
    checks,
  };
  const evidence = buildEvidence(input);
  if (monitor.type !== 'group') return { evidence, ...incidentWords(input) };
  return groupEvidence(evidence, ruleOf(monitor), await membersOf(work, monitor), opened);
}
