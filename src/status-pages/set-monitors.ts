import { sql } from 'kysely';
import { recordActivity } from '../activity/record.ts';
import { lockTags } from '../monitors/tags-changed.ts';
import type { BodyOf } from '../platform/contract.ts';
import { refuse } from '../platform/refusals.ts';
import { checkedTags } from '../platform/tags.ts';
import type { Work } from '../platform/work.ts';
import { fillByTag } from './by-tag.ts';
import { announcePage } from './changed.ts';
import type { setStatusPageMonitors as contract, StatusPageDetail } from './contract.ts';
import { getStatusPage, monitorsOf } from './detail.ts';
import { lockPage } from './lock.ts';
import { lineOrNull } from './update.ts';

type Given = BodyOf<typeof contract>['monitors'];

/**
 * Replaces the list of monitors that a page shows, and the tags by which it shows monitors, if they are given. Refuses with 400
 * a monitor that is named twice, or is not one of the organization's.
 */
export async function setStatusPageMonitors(
  work: Work,
  pageId: string,
  { monitors: given, tags }: BodyOf<typeof contract>,
): Promise<StatusPageDetail> {
  const { tx } = work;
  const page = await lockPage(work, pageId);
  const before = await monitorsOf(tx, pageId);
  const monitor_tags = tags === undefined ? page.monitor_tags : checkedTags(tags);
  if (monitor_tags.length > 0) await lockTags(tx, page.org_id, 'exclusive');
  const rows = shownRows(given, await numbersOf(work, page.org_id, given));
  await tx.deleteFrom('status_page_monitors').where('status_page_id', '=', pageId).execute();
  if (rows.length > 0)
    await tx
      .insertInto('status_page_monitors')
      .values(rows.map((row) => ({ ...row, status_page_id: pageId })))
      .execute();
  await tx.updateTable('status_pages').set({ monitor_tags }).where('id', '=', pageId).execute();
  await fillByTag(tx, { ...page, monitor_tags });
  const after = await getStatusPage(tx, pageId);
  await announcePage(work, pageId);
  await recordActivity(work, {
    orgId: page.org_id,
    action: 'status_page.set_monitors',
    resource: { kind: 'status_page', id: pageId, name: page.name },
    before: { monitors: before, tags: page.monitor_tags },
    after: { monitors: after.monitors, tags: after.tags },
  });
  return after;
}

/** The list as it is stored; a monitor without a position gets its index in the list. */
export function shownRows(given: Given, numbers: ReadonlyMap<string, number>) {
  const named = new Set<string>();
  return given.map((entry, i) => {
    const field = `monitors.${i}.monitor_id`;
    const no = numbers.get(entry.monitor_id);
    if (no === undefined)
      return refuse(
        'invalid_request',
        `${field} names ${JSON.stringify(entry.monitor_id)}, which is no monitor of this organization.`,
        { field },
      );
    if (named.has(entry.monitor_id))
      refuse('invalid_request', `${field} names a monitor that is in the list already.`, { field });
    named.add(entry.monitor_id);
    const line = (name: 'display_name' | 'group_label') =>
      entry[name] == null ? null : lineOrNull(entry[name], `monitors.${i}.${name}`);
    return {
      monitor_no: no,
      display_name: line('display_name'),
      group_label: line('group_label'),
      show_sparkline: entry.show_sparkline ?? true,
      show_uptime_bars: entry.show_uptime_bars ?? true,
      show_uptime_chart: entry.show_uptime_chart ?? true,
      sort_order: entry.sort_order ?? i,
      uptime_window_days: entry.uptime_window_days ?? 90,
    };
  });
}

/** Monitors of the organization by id, locked so that nobody deletes one meanwhile. */
export async function numbersOf({ tx }: Work, orgId: string, given: Given): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; no: number }>`
    SELECT id, no FROM monitors
    WHERE org_id = ${orgId} AND NOT example AND id = ANY(${given.map(({ monitor_id }) => monitor_id)}::text[])
    ORDER BY no FOR KEY SHARE`.execute(tx);
  return new Map(rows.map(({ id, no }) => [id, no]));
}
