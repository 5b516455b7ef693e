import { sql } from 'kysely';
import { newId } from '../platform/ids.ts';
import type { Work } from '../platform/work.ts';
import { announceIncident } from './announce.ts';
import type { Evidence } from './contract.ts';
import { endHoldAt } from './end-hold.ts';
import { heldEntry, holdOf } from './hold.ts';
import { writeIncidents } from './queries.ts';
import { recordTimeline } from './timeline.ts';

export type Opening = {
  orgId: string;
  monitorId: string;
  monitorNo: number;
  projectId: string;
  checkKind: string;
  downRegions: string[];
  regionCount: number;
  startedAt: Date;
  failurePhaseStartedAt: Date;
  triggeredAt: Date;
};

/** What is read of the checks while the rest is prepared. */
export type Findings = { evidence: Evidence; cause: string; summary: string };

/**
 * Opens the automatic incident of a confirmed outage, with its evidence, once: null when one is open already, which
 * the database decides (`incidents_one_open`).
 */
export async function openIncident(
  work: Work,
  opening: Opening,
  findings: Promise<Findings>,
): Promise<string | null> {
  const { tx, now } = work;
  const { monitorNo } = opening;
  const [{ evidence, cause, summary }, hold] = await Promise.all([
    findings,
    holdOf(tx, { monitorNo, now, openedAt: null, from: now }),
  ]);
  const insert = tx
    .insertInto('incidents')
    .values({
      id: newId('inc'),
      org_id: opening.orgId,
      monitor_id: opening.monitorId,
      monitor_no: opening.monitorNo,
      project_id: opening.projectId,
      origin: 'automatic',
      check_kind: opening.checkKind,
      cause,
      summary,
      severity: 'critical',
      status: 'open',
      down_regions: opening.downRegions,
      region_count: opening.regionCount,
      started_at: opening.startedAt,
      failure_phase_started_at: opening.failurePhaseStartedAt,
      alarm_held_until: hold?.until ?? null,
      alarm_held_by_name: hold?.byName ?? null,
      evidence: JSON.stringify(evidence),
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .column('monitor_no')
        // Literals: a parameter would not be recognized as the condition of the index.
        .where('status', '=', sql.lit('open'))
        .where('origin', '=', sql.lit('automatic'))
        .doNothing(),
    )
    .returningAll();
  const [row] = await writeIncidents(tx, insert);
  if (!row) return null;
  const opened = { incidentId: row.id, kind: 'opened', at: opening.triggeredAt, detail: summary } as const;
  await Promise.all([
    recordTimeline(work, hold ? [opened, heldEntry(row.id, hold, opening.triggeredAt)] : [opened]),
    ...(hold ? [endHoldAt(tx, row.id, hold.until)] : []),
  ]);
  announceIncident(work, row, 'opened');
  return row.id;
}
