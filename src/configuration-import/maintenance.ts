// Maintenance that is not over: windows that stand alone, and repetitions from their next window on.

import { isTimezone } from '../domain/cron.ts';
import { nextOccurrence, normalRule, ruleProblem, type Series } from '../domain/recurrence.ts';
import { createMaintenance } from '../maintenance/contract.ts';
import { remainingRepeat } from '../maintenance/lay-out.ts';
import { createWindow } from '../maintenance/write.ts';
import type { DataOf } from '../organization-export/format.ts';
import type { BodyOf } from '../platform/contract.ts';
import { validate } from '../platform/http/validate.ts';
import { refuse } from '../platform/refusals.ts';
import { attempt, type Importing, type Note, unixOf } from './importing.ts';
import { named } from './monitors.ts';

type Body = BodyOf<typeof createMaintenance>;

const NOTHING_AHEAD = 'It has no window ahead.';
/** A search for a rule's next day that is given up takes half a second: the file may not have many such rules. */
const MAX_GIVEN_UP = 3;

export async function importSeries(importing: Importing): Promise<void> {
  const { work, orgId, given } = importing;
  const rows = await work.tx
    .selectFrom('maintenance_series')
    .select(['title', 'rrule', 'timezone'])
    .where('org_id', '=', orgId)
    .execute();
  const keyOf = ({ title, rrule, timezone }: (typeof rows)[number]) =>
    [title, normalRule(rrule), timezone].join('\n');
  const existing = new Set(rows.map(keyOf));
  let givenUp = 0;
  for (const line of given.maintenance_series) {
    if (line.next_at === null) continue;
    await attempt(importing, 'maintenance_series', line.title, async () => {
      if (existing.has(keyOf(line))) return { exists: true };
      if (givenUp >= MAX_GIVEN_UP) refuse('invalid_request', NOTHING_AHEAD, { field: 'rrule' });
      const next = upcoming(line, work.now);
      if (next === null) {
        givenUp += 1;
        return refuse('invalid_request', NOTHING_AHEAD, { field: 'rrule' });
      }
      const { start, end, repeat } = next;
      return plan(importing, line, line.monitor_ids, { scheduled_start: start, scheduled_end: end, repeat });
    });
  }
}

export async function importWindows(importing: Importing): Promise<void> {
  const { work, orgId, given } = importing;
  const rows = await work.tx
    .selectFrom('maintenance_windows')
    .select(['title', 'scheduled_start'])
    .where('org_id', '=', orgId)
    .where('scheduled_end', '>', work.now)
    .execute();
  const keyOf = (title: string, start: number) => `${start} ${title}`;
  const existing = new Set(
    rows.map(({ title, scheduled_start: at }) => keyOf(title, Math.floor(at.getTime() / 1000))),
  );
  for (const line of given.maintenance_window) {
    if (!isAhead(line, work.now)) continue;
    await attempt(importing, 'maintenance_window', line.title, async () => {
      const start = unixOf(line.scheduled_start, 'scheduled_start');
      if (existing.has(keyOf(line.title, start))) return { exists: true };
      const byTag = new Set(line.tagged_ids);
      return plan(
        importing,
        line,
        line.monitor_ids.filter((id) => !byTag.has(id)),
        {
          scheduled_start: start,
          scheduled_end: unixOf(line.scheduled_end, 'scheduled_end'),
        },
      );
    });
  }
}

/** What is over is history; the windows of a repetition are made with it. */
const isAhead = (line: DataOf<'maintenance_window'>, now: Date) =>
  line.series_id == null &&
  line.cancelled_at === null &&
  line.ended_at === null &&
  !(Date.parse(line.scheduled_end) <= now.getTime());

/**
 * Maintenance of the monitors that came in with it: a file must not silence an existing monitor, nor notify the readers
 * of its pages.
 */
async function plan(
  { work, orgId, monitors, made, hadMonitors }: Importing,
  {
    title,
    body,
    public_visible,
    tags: wanted = [],
  }: Pick<DataOf<'maintenance_series'>, 'title' | 'body' | 'public_visible' | 'tags'>,
  ids: readonly string[],
  times: Pick<Body, 'scheduled_start' | 'scheduled_end' | 'repeat'>,
): Promise<{ notes: Note[] }> {
  const mine = named(monitors, ids).filter((id) => made.has(id));
  const tags = hadMonitors ? [] : wanted;
  if (mine.length === 0 && tags.length === 0)
    refuse('invalid_request', 'None of its monitors came in with it.', { field: 'monitors' });
  const given = { title, body, public_visible, tags, monitors: mine, ...times };
  validate(createMaintenance.body!, given);
  await createWindow(work, orgId, given, null);
  const isWhole = mine.length === ids.length && tags.length === wanted.length;
  return { notes: isWhole ? [] : ['monitors_left_out'] };
}

/** The next window of a repetition, and what is left of its rule from there; null where none is found. */
function upcoming(line: DataOf<'maintenance_series'>, now: Date) {
  const problem = ruleProblem(line.rrule);
  if (problem) refuse('invalid_request', `rrule ${problem}.`, { field: 'rrule' });
  if (!isTimezone(line.timezone))
    refuse('invalid_request', 'timezone must be the name of an IANA time zone.', { field: 'timezone' });
  const untilMs = line.repeat_until === null ? null : unixOf(line.repeat_until, 'repeat_until') * 1000;
  const series: Series = {
    repeat: { rrule: normalRule(line.rrule), timezone: line.timezone, untilMs },
    first: {
      fromMs: unixOf(line.first_start, 'first_start') * 1000,
      untilMs: unixOf(line.first_end, 'first_end') * 1000,
    },
  };
  try {
    const next = nextOccurrence(series, Math.max(now.getTime(), series.first.fromMs));
    if (next)
      return {
        start: next.fromMs / 1000,
        end: next.untilMs / 1000,
        repeat: remainingRepeat(series, next.fromMs - 1000),
      };
  } catch {
    // The search was given up: it begins too far away.
  }
  return null;
}
