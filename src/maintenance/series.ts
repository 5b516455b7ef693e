// The windows of a repetition. The row of the series says what they are made as; they are made 90 days ahead, in the unit of
// work that begins the series and then by a stored job. A writer of several windows locks the series first.
import { type Selectable, sql } from 'kysely';
import { nextOccurrence, occurrencesOf, type Series } from '../domain/recurrence.ts';
import type { Span } from '../domain/spans.ts';
import { publishMaintenance } from '../events/publish.ts';
import { lockTags } from '../monitors/tags-changed.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import type { DB } from '../platform/db/tables.ts';
import { newId } from '../platform/ids.ts';
import { addJob, addJobs, removeJob } from '../platform/jobs/add-job.ts';
import type { Tx, Work } from '../platform/work.ts';
import { applyChange, lockMonitors } from './apply-change.ts';
import { MAINTENANCE_TASK, windowKey } from './effects.ts';
import { AHEAD_MS } from './repeat.ts';
import { readWindows, type WindowMonitor } from './row.ts';

export const SERIES_TASK = 'maintenance_series';
export const seriesKey = (seriesId: string) => `${SERIES_TASK}:${seriesId}`;

export type SeriesRow = Selectable<DB['maintenance_series']>;

/** The template for the windows of a series. */
export type Template = Pick<SeriesRow, 'org_id' | 'title' | 'body' | 'public_visible' | 'tags'>;

/** The rule of a stored series. */
export const ruleOf = (row: SeriesRow): Series => ({
  repeat: { rrule: row.rrule, timezone: row.timezone, untilMs: row.repeat_until?.getTime() ?? null },
  first: { fromMs: row.first_start.getTime(), untilMs: row.first_end.getTime() },
});

/** The columns of a rule. */
export const columnsOf = ({ repeat, first }: Series) => ({
  rrule: repeat.rrule,
  timezone: repeat.timezone,
  repeat_until: repeat.untilMs === null ? null : new Date(repeat.untilMs),
  first_start: new Date(first.fromMs),
  first_end: new Date(first.untilMs),
});

/** Stores a series whose windows until `madeUntilMs` exist. Answers its id. */
export async function insertSeries(
  { tx, now }: Work,
  series: Series,
  template: Template,
  monitors: readonly WindowMonitor[],
  madeUntilMs: number,
): Promise<string> {
  const id = newId('mws');
  const { org_id, title, body, public_visible, tags } = template;
  await tx
    .insertInto('maintenance_series')
    .values({
      ...{ id, org_id, title, body, public_visible, tags },
      ...columnsOf(series),
      made_until: new Date(madeUntilMs),
      next_at: null,
      created_at: now,
    })
    .execute();
  await setMonitors(tx, id, monitors);
  return id;
}

/** Replaces the monitors of windows to come; those that are in by a tag are found by it. */
export async function setMonitors(
  tx: Tx,
  seriesId: string,
  monitors: readonly WindowMonitor[],
): Promise<void> {
  await tx.deleteFrom('maintenance_series_monitors').where('series_id', '=', seriesId).execute();
  await sql`INSERT INTO maintenance_series_monitors (series_id, monitor_no)
    SELECT ${seriesId}, no FROM monitors WHERE no = ANY(${pgArray(monitors.filter(({ byTag }) => !byTag).map(({ no }) => no))}::int[])`.execute(
    tx,
  );
}

/** Whom the windows to come name. */
export async function namedBy(tx: Tx, seriesId: string): Promise<WindowMonitor[]> {
  const { rows } = await sql<WindowMonitor>`
    SELECT m.no, m.id, m.name, m.project_id AS "projectId", false AS "byTag"
    FROM maintenance_series_monitors s JOIN monitors m ON m.no = s.monitor_no WHERE s.series_id = ${seriesId}`.execute(
    tx,
  );
  return rows;
}

/** Locks a series for the rest of the unit of work; null where it is gone. */
export async function lockSeries({ tx }: Work, seriesId: string): Promise<SeriesRow | null> {
  const row = await tx
    .selectFrom('maintenance_series')
    .selectAll()
    .where('id', '=', seriesId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** The stored job: makes what is missing of the next 90 days. Run too early or twice, it makes nothing. */
export async function extendInTime(work: Work, seriesId: string): Promise<void> {
  const row = await lockSeries(work, seriesId);
  if (row?.next_at) await extendSeries(work, row);
}

/** Makes the windows of a locked series until 90 days from now, and stores the job that goes on. */
export async function extendSeries(work: Work, row: SeriesRow): Promise<void> {
  if (row.tags.length > 0) await lockTags(work.tx, row.org_id, 'exclusive');
  const series = ruleOf(row);
  const [madeMs, nowMs] = [row.made_until.getTime(), work.now.getTime()];
  const horizonMs = Math.max(madeMs, nowMs + AHEAD_MS);
  const due = occurrencesOf(series, madeMs + 1, horizonMs);
  await makeWindows(
    work,
    row,
    due.filter(({ fromMs }) => fromMs > nowMs),
  );
  for (const span of due.filter(({ fromMs }) => fromMs <= nowMs)) await makeBegun(work, row, span);
  await keepMade(work, row, horizonMs);
}

/** Makes windows that have not begun of a locked series whose other windows until `madeMs` exist. */
export async function makeAnew(
  work: Work,
  row: SeriesRow,
  spans: readonly Span[],
  madeMs: number,
): Promise<void> {
  if (row.tags.length > 0) await lockTags(work.tx, row.org_id, 'exclusive');
  await makeWindows(
    work,
    row,
    spans.filter(({ fromMs }) => fromMs <= madeMs),
  );
  await keepMade(work, row, madeMs);
}

/** Notes until when the windows are made, and stores the job for the time when the next one comes within 90 days. */
async function keepMade({ tx, now }: Work, row: SeriesRow, madeUntilMs: number): Promise<void> {
  const next = nextOccurrence(ruleOf(row), madeUntilMs + 1);
  const nextAt = next && new Date(Math.max(now.getTime() + 1000, next.fromMs - AHEAD_MS));
  await tx
    .updateTable('maintenance_series')
    .set({ made_until: new Date(madeUntilMs), next_at: nextAt })
    .where('id', '=', row.id)
    .execute();
  if (nextAt) await wakeSeries(tx, row.id, { at: nextAt, from: now });
  else await removeJob(tx, seriesKey(row.id));
}

/** Ends a locked series: no window begins after `lastMs`, and none is made any more. */
export async function endSeries({ tx }: Work, row: SeriesRow, lastMs: number): Promise<void> {
  const until = Math.min(lastMs, row.repeat_until?.getTime() ?? lastMs);
  await tx
    .updateTable('maintenance_series')
    .set({ repeat_until: new Date(until), next_at: null })
    .where('id', '=', row.id)
    .execute();
  await removeJob(tx, seriesKey(row.id));
}

/** Runs the job of a series at `turn.at`, or as soon as this commits. */
export async function wakeSeries(tx: Tx, seriesId: string, turn?: { at: Date; from: Date }): Promise<void> {
  const job = { task: SERIES_TASK, payload: { series_id: seriesId }, key: seriesKey(seriesId) };
  await addJob(tx, turn ? { ...job, runAt: turn.at, from: turn.from } : job);
}

/** Windows that have not begun change nothing yet: their rows, and the job of each for its beginning. */
async function makeWindows(work: Work, row: SeriesRow, spans: readonly Span[]): Promise<void> {
  if (spans.length === 0) return;
  const { tx, now } = work;
  const windows = spans.map(({ fromMs, untilMs }) => ({
    id: newId('mwn'),
    start: new Date(fromMs),
    end: new Date(untilMs),
  }));
  await sql`
    WITH made AS (
      INSERT INTO maintenance_windows (id, org_id, title, body, scheduled_start, scheduled_end, public_visible, created_at,
        series_id, occurs_at, tags)
      SELECT id, ${row.org_id}, ${row.title}, ${row.body}, starts_at, ends_at, ${row.public_visible}, ${now}, ${row.id}, starts_at,
        ${row.tags}::text[]
      FROM unnest(${windows.map(({ id }) => id)}::text[], ${windows.map(({ start }) => start)}::timestamptz[],
        ${windows.map(({ end }) => end)}::timestamptz[]) AS given (id, starts_at, ends_at)
      RETURNING id, scheduled_start, scheduled_end
    )
    INSERT INTO maintenance_monitors (window_id, monitor_no, starts_at, ends_at, by_tag)
    SELECT made.id, m.no, made.scheduled_start, made.scheduled_end, m.by_tag FROM made, (${membersOf(row)}) m`.execute(
    tx,
  );
  await addJobs(
    tx,
    MAINTENANCE_TASK,
    windows.map(({ id, start }) => ({
      payload: { window_id: id },
      key: windowKey(id),
      runAt: start,
      from: now,
    })),
  );
  publishMaintenance(work, row.org_id, { window_id: windows[0]?.id ?? '' });
}

/** The monitors of a window that is made now. */
const membersOf = ({ id, org_id, tags }: SeriesRow) => sql`
  SELECT m.no, NOT EXISTS (SELECT FROM maintenance_series_monitors s WHERE s.series_id = ${id} AND s.monitor_no = m.no) AS by_tag
  FROM monitors m WHERE m.org_id = ${org_id} AND (m.tags && ${tags}::text[]
    OR m.no IN (SELECT s.monitor_no FROM maintenance_series_monitors s WHERE s.series_id = ${id}))
  FOR KEY SHARE OF m`;

/** A window that has begun takes effect at once. */
async function makeBegun(work: Work, row: SeriesRow, span: Span): Promise<void> {
  const id = newId('mwn');
  await work.tx
    .insertInto('maintenance_windows')
    .values({
      id,
      org_id: row.org_id,
      title: row.title,
      body: row.body,
      public_visible: row.public_visible,
      scheduled_start: new Date(span.fromMs),
      scheduled_end: new Date(span.untilMs),
      created_at: work.now,
      series_id: row.id,
      occurs_at: new Date(span.fromMs),
      tags: row.tags,
    })
    .execute();
  await sql`INSERT INTO maintenance_monitors (window_id, monitor_no, starts_at, ends_at, by_tag)
    SELECT ${id}, m.no, ${new Date(span.fromMs)}, ${new Date(span.untilMs)}, m.by_tag FROM (${membersOf(row)}) m`.execute(
    work.tx,
  );
  const [made] = await readWindows(work.tx, sql`w.id = ${id}`);
  if (!made) return;
  const monitors = await lockMonitors(work, made.monitors);
  await applyChange(work, { before: null, after: { ...made, monitors } });
}
