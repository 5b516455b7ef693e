// Stop 5 of 8 (docs/architecture.md#from-a-result-to-the-receiver). From ../checks/apply.ts: the incidents to open, and a
// function that reads their evidence. It writes their rows and the first timeline entries in bulk: when a network fails, one
// batch of results opens thousands. A hold (hold.ts), from an announced change or a dependency that is down, delays the alarm.
// Next, announce.ts: each incident that opened.
import { sql } from 'kysely';
import { newId } from '../platform/ids.ts';
import { sendUnawaited, type Work } from '../platform/work.ts';
import { announceIncident } from './announce.ts';
import type { Evidence } from './contract.ts';
import { endingHolds } from './end-hold.ts';
import { type Hold, heldEntry, holdsOf } from './hold.ts';
import { projectOf } from './project-of.ts';
import { writeIncidents } from './queries.ts';
import { addingEntries } from './timeline.ts';

export type Opening = {
  orgId: string;
  monitorId: string;
  monitorNo: number;
  monitorType: string;
  severity: string;
  /** false: no hold has to be looked up. */
  mayBeHeld: boolean;
  /** The host in the monitor's config; null: none. */
  host: string | null;
  downRegions: string[];
  regionCount: number;
  startedAt: Date;
  failurePhaseStartedAt: Date;
  triggeredAt: Date;
};

/** The part of an incident that comes from its checks. */
export type Findings = { evidence: Evidence; cause: string; summary: string };

/**
 * Opens one incident for each monitor; `readFindings` answers in the order of `openings`. A monitor that already has an open
 * automatic incident is skipped; a unique index (`incidents_one_open`) ensures that. The states of the monitors are locked.
 */
export async function openIncidents(
  work: Work,
  openings: readonly Opening[],
  readFindings: () => Promise<readonly Findings[]>,
): Promise<void> {
  const { tx, now } = work;
  const nos = openings.flatMap(({ monitorNo, mayBeHeld }) => (mayBeHeld ? monitorNo : []));
  const [found, holds] = await Promise.all([readFindings(), holdsOf(tx, nos, now)]);
  const ids = openings.map(() => newId('inc'));
  const entries = openings.flatMap(({ monitorNo, triggeredAt: at }, i) => {
    const [incidentId = '', hold] = [ids[i], holds.get(monitorNo)];
    const opened = { incidentId, kind: 'opened', at, detail: found[i]?.summary } as const;
    return hold ? [opened, heldEntry(incidentId, hold, at)] : [opened];
  });
  const rows = await writeIncidents(tx, insertionOf(work, openings, { ids, found, holds }), {
    areNew: true,
    beside: addingEntries(work, entries, sql`SELECT id FROM written`),
  });
  const held = rows.flatMap(({ id, alarm_held_until: at }) => (at ? [{ incidentId: id, at }] : []));
  sendUnawaited(work, endingHolds(work, held));
  for (const row of rows) announceIncident(work, row, 'opened');
}

function insertionOf(
  { now }: Work,
  openings: readonly Opening[],
  {
    ids,
    found,
    holds,
  }: { ids: readonly string[]; found: readonly Findings[]; holds: ReadonlyMap<number, Hold> },
) {
  const rows = openings.map((opening, i) => {
    const hold = holds.get(opening.monitorNo);
    return {
      id: ids[i],
      org_id: opening.orgId,
      monitor_id: opening.monitorId,
      monitor_no: opening.monitorNo,
      check_kind: opening.monitorType,
      severity: opening.severity,
      host: opening.host,
      down_regions: opening.downRegions,
      region_count: opening.regionCount,
      started_at: opening.startedAt,
      failure_phase_started_at: opening.failurePhaseStartedAt,
      alarm_held_until: hold?.until ?? null,
      alarm_held_by_name: hold?.byName ?? null,
      alarm_held_by_user_id: hold?.userId ?? null,
      evidence: found[i]?.evidence,
      cause: found[i]?.cause.toWellFormed(),
      summary: found[i]?.summary.toWellFormed(),
    };
  });
  return sql`
    INSERT INTO incidents (id, org_id, monitor_id, monitor_no, project_id, origin, check_kind, cause, summary, severity,
      status, down_regions, region_count, started_at, failure_phase_started_at, alarm_held_until, alarm_held_by_name,
      alarm_held_by_user_id, evidence, host, created_at, example)
    SELECT id, org_id, monitor_id, monitor_no, ${projectOf(sql`o.monitor_no`)}, 'automatic', check_kind, cause, summary, severity,
      'open', down_regions, region_count, started_at, failure_phase_started_at, alarm_held_until, alarm_held_by_name,
      alarm_held_by_user_id, evidence, host, ${now}, (SELECT m.example FROM monitors m WHERE m.no = o.monitor_no)
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS o (id text, org_id text, monitor_id text, monitor_no int,
      check_kind text, severity text, cause text, summary text, down_regions text[], region_count int,
      started_at timestamptz, failure_phase_started_at timestamptz, alarm_held_until timestamptz,
      alarm_held_by_name text, alarm_held_by_user_id text, evidence jsonb, host text)
    ORDER BY monitor_no
    ON CONFLICT (monitor_no) WHERE status = 'open' AND origin = 'automatic' DO NOTHING
    RETURNING incidents.*`;
}
