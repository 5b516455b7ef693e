// Monitors on which no region reports: noted, shown in dashboards, and after a while mailed to the people of their organization.
import { type RawBuilder, sql } from 'kysely';
import { cannotCheck } from '../domain/cannot-check.ts';
import { publishMonitor } from '../events/publish.ts';
import {
  CAN_FALL_SILENT,
  CANNOT_CHECK_CLASS,
  newestResultSince,
  onlineRegionNos,
  REPORTS_UNTIL,
  reportingAt,
} from '../monitors/no-data.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import { unix } from '../platform/unix.ts';
import type { Work } from '../platform/work.ts';
import { knownReports, type ReadMonitor } from './known-reports.ts';

type Row = ReadMonitor & {
  id: string;
  org_id: string;
  project_id: string;
  last_status: string | null;
  cannot: string | null;
  noted_since: Date | null;
  noted_cannot: string | null;
};

/** Notes which monitors fell silent or report again, and updates connected dashboards. Returns how many are silent. */
export async function noteSilences(work: Work): Promise<number> {
  const { tx, now } = work;
  const known = knownReports(work.db);
  const due = await known.due(work);
  const { rows: looked } = await sql<Row>`
    WITH online AS MATERIALIZED ${onlineRegionNos(now)}
    SELECT monitors.no, monitors.id, monitors.org_id, monitors.project_id, s.last_status,
        ${CAN_FALL_SILENT} AND NOT monitors.example AND NOT reporting.reports AS silent, ${CANNOT_CHECK_CLASS} AS cannot,
        silences.since AS noted_since, silences.cannot_check AS noted_cannot, monitors.example, ${REPORTS_UNTIL} AS reports_until
      FROM monitors JOIN monitor_state s ON s.monitor_no = monitors.no
      CROSS JOIN ${reportingAt(now)} reporting
      LEFT JOIN silences ON silences.monitor_no = monitors.no
    WHERE monitors.no = ANY(${pgArray(due.nos)}::int[])`.execute(tx);
  known.keep(due, looked, now);
  const rows = looked.filter(({ silent, noted_since }) => silent || noted_since !== null);
  const begun = rows.filter(({ silent, noted_since }) => silent && noted_since === null);
  const over = rows.filter(({ silent }) => !silent);
  const changed = rows.filter(
    (row) => row.silent && row.noted_since !== null && row.cannot !== row.noted_cannot,
  );
  const since = await note(work, begun);
  await forget(work, over);
  await noteCannot(work, changed);
  for (const row of begun) publish(work, row, since.get(row.no) ?? now);
  for (const row of changed) publish(work, row, row.noted_since);
  for (const row of over) publish(work, { ...row, cannot: null }, null);
  return rows.length - over.length;
}

const numbers = (rows: readonly Row[]): RawBuilder<unknown> => sql`${rows.map(({ no }) => no)}::int[]`;

async function note({ tx }: Work, rows: readonly Row[]): Promise<Map<number, Date>> {
  if (rows.length === 0) return new Map();
  const classes = rows.map(({ cannot }) => cannot);
  const { rows: noted } = await sql<{ no: number; since: Date }>`
    INSERT INTO silences (monitor_no, since, cannot_check)
    SELECT monitors.no, coalesce(${newestResultSince(null)}, monitors.created_at), n.cannot
    FROM monitors JOIN unnest(${numbers(rows)}, ${classes}::text[]) AS n (no, cannot) ON n.no = monitors.no
    ON CONFLICT (monitor_no) DO NOTHING RETURNING monitor_no AS no, since`.execute(tx);
  return new Map(noted.map(({ no, since }) => [no, since]));
}

async function forget({ tx }: Work, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`DELETE FROM silences WHERE monitor_no = ANY(${numbers(rows)})`.execute(tx);
}

async function noteCannot({ tx }: Work, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`UPDATE silences s SET cannot_check = n.cannot
    FROM unnest(${numbers(rows)}, ${rows.map(({ cannot }) => cannot)}::text[]) AS n (no, cannot)
    WHERE s.monitor_no = n.no`.execute(tx);
}

function publish(work: Work, row: Row, since: Date | null): void {
  publishMonitor(work, row.org_id, {
    monitor_id: row.id,
    project_id: row.project_id,
    change: 'data',
    last_status: row.last_status,
    no_data_since_unix: since === null ? null : unix(since),
    cannot_check: since === null ? null : cannotCheck(row.cannot),
  });
}
