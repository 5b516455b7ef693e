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
import { afterCommit, type Work } from '../platform/work.ts';
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
  // Only then is noted who is silent: after a look that failed the next one looks at the same monitors.
  afterCommit(work, () => known.keep(due, looked, now));
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

/**
 * Notes later beginnings where a result that arrived late is newer, and its monitor is without data even so. A row that another
 * transaction is changing is left alone: nobody waits for the other here.
 */
export async function moveSilences(work: Work, newestMs: ReadonlyMap<number, number>): Promise<void> {
  const { tx, now } = work;
  const { rows } = await sql<Moved>`
    WITH online AS MATERIALIZED ${onlineRegionNos(now)}, noted AS MATERIALIZED (
      SELECT s.monitor_no, s.since FROM silences s
        JOIN unnest(${pgArray([...newestMs.keys()])}::int[], ${pgArray([...newestMs.values()])}::bigint[]) AS given (no, ms)
          ON given.no = s.monitor_no
      WHERE s.since < to_timestamp(given.ms / 1000.0) FOR UPDATE OF s SKIP LOCKED
    )
    UPDATE silences SET since = found.newest FROM (
      SELECT monitors.no, monitors.id, monitors.org_id, monitors.project_id, m.last_status, ${newestResultSince(sql`noted.since`)} AS newest
      FROM noted JOIN monitors ON monitors.no = noted.monitor_no JOIN monitor_state m ON m.monitor_no = monitors.no
        CROSS JOIN ${reportingAt(now)} reporting
      WHERE NOT reporting.reports
    ) found WHERE silences.monitor_no = found.no AND found.newest > silences.since
    RETURNING found.id, found.org_id, found.project_id, found.last_status, silences.cannot_check AS cannot, silences.since`.execute(
    tx,
  );
  for (const row of rows) publish(work, row, row.since);
}

type Shown = Pick<Row, 'id' | 'org_id' | 'project_id' | 'last_status' | 'cannot'>;
type Moved = Shown & { since: Date };

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

function publish(work: Work, row: Shown, since: Date | null): void {
  publishMonitor(work, row.org_id, {
    monitor_id: row.id,
    project_id: row.project_id,
    change: 'data',
    last_status: row.last_status,
    no_data_since_unix: since === null ? null : unix(since),
    cannot_check: since === null ? null : cannotCheck(row.cannot),
  });
}
