// Windows of tags: whatever monitor has one of them is in. Which those are stands in the rows of `maintenance_monitors`, so that a
// result is judged without looking tags up; a job keeps the rows of windows that are not over true (docs/rules/confirmation.md#windows-of-tags).
import { sql } from 'kysely';
import { publishMaintenance } from '../events/publish.ts';
import { lockTags } from '../monitors/tags-changed.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import { addJob } from '../platform/jobs/add-job.ts';
import type { Tx, Work } from '../platform/work.ts';
import { applyChange, lockMonitors } from './apply-change.ts';
import { readWindows, type WindowMonitor, type WindowRow } from './row.ts';

export const TAGS_TASK = 'maintenance_tags';

/** Those that are named, and of the others those that have one of the tags now; by name. */
export async function withTagged(
  tx: Tx,
  orgId: string,
  named: readonly WindowMonitor[],
  tags: readonly string[],
): Promise<WindowMonitor[]> {
  if (tags.length === 0) return [...named];
  const nos = sql`${pgArray(named.map(({ no }) => no))}::int[]`;
  const { rows } = await sql<WindowMonitor>`
    SELECT no, id, name, project_id AS "projectId", no <> ALL(${nos}) AS "byTag" FROM monitors
    WHERE org_id = ${orgId} AND (no = ANY(${nos}) OR tags && ${[...tags]}::text[]) ORDER BY name, id`.execute(
    tx,
  );
  return rows;
}

/** Those that were in by a tag, whatever tags they have now, and those that are named; in the order of before. */
export function withNamed(
  before: readonly WindowMonitor[],
  named: readonly WindowMonitor[],
): WindowMonitor[] {
  const byNo = new Map([...before.filter(({ byTag }) => byTag), ...named].map((each) => [each.no, each]));
  const kept = before.flatMap(({ no }) => byNo.get(no) ?? []);
  return [...kept, ...named.filter((each) => !kept.includes(each))];
}

/**
 * The monitors that each of these windows gets by its id, where those that are named change, or the tags, or both (null: each
 * window keeps its own).
 */
export async function monitorsOfEach(
  tx: Tx,
  orgId: string,
  windows: readonly WindowRow[],
  given: { named: readonly WindowMonitor[] | null; tags: readonly string[] | null },
): Promise<Map<string, WindowMonitor[]>> {
  const of = (window: WindowRow) => ({
    named: given.named ?? window.monitors.filter(({ byTag }) => !byTag),
    tags: given.tags ?? window.tags,
  });
  if (windows.some((window) => of(window).tags.length > 0)) await lockTags(tx, orgId, 'exclusive');
  // Hundreds of windows, and most are alike.
  const alike = Map.groupBy(windows, (window) => {
    const { named, tags } = of(window);
    return JSON.stringify([named.map(({ no }) => no), tags]);
  });
  const found = new Map<string, WindowMonitor[]>();
  for (const same of alike.values()) {
    const [first] = same as [WindowRow];
    const { named, tags } = of(first);
    const monitors = await withTagged(tx, orgId, named, tags);
    for (const { id } of same) found.set(id, monitors);
  }
  return found;
}

/** Monitors got or lost these tags: windows that go by them follow as soon as this commits. */
export async function wakeTags(
  { tx, now }: Work,
  { orgId, tags }: { orgId: string; tags: readonly string[] },
): Promise<void> {
  const { rows } = await sql`
    SELECT FROM maintenance_windows WHERE org_id = ${orgId} AND tags <> '{}' AND scheduled_end > ${now}
      AND cancelled_at IS NULL AND tags && ${[...tags]}::text[] LIMIT 1`.execute(tx);
  if (rows.length > 0)
    await addJob(tx, { task: TAGS_TASK, payload: { org_id: orgId }, key: `${TAGS_TASK}:${orgId}` });
}

/** The job: brings the monitors of every window that goes by tags and is not over in line with the tags. */
export async function followTags(work: Work, orgId: string): Promise<void> {
  const { tx, now } = work;
  const mine = sql`w.org_id = ${orgId} AND w.tags <> '{}' AND w.cancelled_at IS NULL AND w.scheduled_end > ${now}`;
  await sql`SELECT FROM maintenance_windows w WHERE ${mine} ORDER BY w.id FOR UPDATE`.execute(tx);
  const begunOrAlone = await readWindows(
    tx,
    sql`${mine} AND (w.series_id IS NULL OR w.scheduled_start <= ${now})`,
    sql`ORDER BY w.id`,
  );
  const changes: { before: WindowRow; after: WindowRow }[] = [];
  for (const before of begunOrAlone) {
    const named = before.monitors.filter(({ byTag }) => !byTag);
    const after = { ...before, monitors: await withTagged(tx, orgId, named, before.tags) };
    if (numbersOf(before) !== numbersOf(after)) changes.push({ before, after });
  }
  await lockMonitors(
    work,
    changes.flatMap(({ before, after }) => [...before.monitors, ...after.monitors]),
  );
  for (const change of changes) await applyChange(work, change);
  await followAhead(work, orgId, sql`${mine} AND w.series_id IS NOT NULL AND w.scheduled_start > ${now}`);
}

const numbersOf = ({ monitors }: WindowRow) =>
  monitors
    .map(({ no }) => no)
    .sort((a, b) => a - b)
    .join();

/** Windows to come of a repetition change nothing yet: there may be hundreds, and their rows are all there is to them. */
async function followAhead(work: Work, orgId: string, mine: ReturnType<typeof sql>): Promise<void> {
  const { rows } = await sql<{ window_id: string }>`
    WITH gone AS (
      DELETE FROM maintenance_monitors x USING maintenance_windows w, monitors m
      WHERE ${mine} AND x.window_id = w.id AND x.by_tag AND m.no = x.monitor_no AND NOT m.tags && w.tags
      RETURNING x.window_id
    ), come AS (
      INSERT INTO maintenance_monitors (window_id, monitor_no, starts_at, ends_at, by_tag)
      SELECT w.id, m.no, w.scheduled_start, w.scheduled_end, true
      FROM maintenance_windows w JOIN monitors m ON m.org_id = w.org_id AND m.tags && w.tags
      WHERE ${mine} ON CONFLICT DO NOTHING RETURNING window_id
    )
    UPDATE maintenance_windows SET changed_at = ${work.now}
    WHERE id IN (SELECT window_id FROM gone UNION ALL SELECT window_id FROM come) RETURNING id AS window_id`.execute(
    work.tx,
  );
  const [changed] = rows;
  if (changed) publishMaintenance(work, orgId, { window_id: changed.window_id });
}
