// The effects of a window: notifications, paused alarms, decisions due at its end, and its next job. Writes and the job share
// them. Suppression itself needs none of this: queries compare the time with the window.
import { isDeepStrictEqual } from 'node:util';
import { changedTime, maintenanceState, nextTurnMs, timeInForce } from '../domain/maintenance.ts';
import type { EventName } from '../domain/names.ts';
import { publishMaintenance } from '../events/publish.ts';
import { triggerGroupsOf } from '../monitors/groups.ts';
import { enqueueEvents } from '../notifications/outbox.ts';
import { addJob, removeJob } from '../platform/jobs/add-job.ts';
import type { Tx, Work } from '../platform/work.ts';
import { type ChangedTime, maintenanceChanged, type WindowChange, windowChanged } from './changed.ts';
import { plannedTime, showWindow, type WindowMonitor, type WindowRow } from './row.ts';

export const MAINTENANCE_TASK = 'maintenance';
export const windowKey = (windowId: string) => `${MAINTENANCE_TASK}:${windowId}`;

/** A window before and after a change; null: it did not exist yet, or is deleted. */
export type Change = { before: WindowRow | null; after: WindowRow | null };

/**
 * Applies a window that was written, or whose start or end has come. Its row and the states of its monitors are locked.
 * `missed`: if the window began and ended while no server ran, both notifications are sent now.
 */
export async function applyWindow(work: Work, change: Change, { missed = false } = {}): Promise<void> {
  const { before, after } = change;
  const window = after ?? before;
  if (!window) return;
  const wasActive = before !== null && before.started_at !== null && before.ended_at === null;
  const isActive = after !== null && stateAt(after, work) === 'active';
  if (after) await saveStartAndEnd(work, change, { wasActive, isActive });

  const begun = isActive ? without(after.monitors, wasActive ? before.monitors : []) : [];
  const wasBegun = before !== null && before.ended_at === null && before.scheduled_start <= work.now;
  const released = wasBegun ? without(before.monitors, isActive ? after.monitors : []) : [];
  // The jobs of groups are locked before the organization, as everywhere; whatever follows may lock that.
  await triggerGroupsOf(
    work,
    [...begun, ...released].map(({ id }) => id),
  );
  await maintenanceChanged.run(work, {
    changed: changedTimeOf(change),
    begun: numbers(begun),
    released: numbers(released),
  });

  const isMissed = missed && !wasActive && !isActive && wasBegun;
  const events: WindowChange['events'][number][] = [];
  if ((isActive && !wasActive) || isMissed) events.push('maintenance_started');
  if ((wasActive && !isActive) || isMissed) events.push('maintenance_ended');
  await windowChanged.run(work, { before, after, events });
  await notify(work, window, events);
}

const numbers = (monitors: readonly WindowMonitor[]) => monitors.map(({ no }) => no).sort((a, b) => a - b);

/** Records when its start and its end took effect, and when it changed, and schedules its next job. */
async function saveStartAndEnd(
  work: Work,
  { before, after }: Change,
  { wasActive, isActive }: { wasActive: boolean; isActive: boolean },
): Promise<void> {
  if (!after) return;
  const { tx, now } = work;
  const isAhead = stateAt(after, work) === 'upcoming';
  const started = isAhead ? null : isActive && !wasActive ? now : (before?.started_at ?? now);
  const ended = isAhead || isActive ? null : wasActive ? now : (before?.ended_at ?? now);
  await tx
    .updateTable('maintenance_windows')
    .set({
      started_at: started,
      ended_at: ended,
      ...(before && saysTheSame(before, after) ? {} : { changed_at: now }),
    })
    .where('id', '=', after.id)
    .execute();
  await scheduleWindow(tx, after, now);
}

/** Whether a window says the same to those who read of it; its start and its end may have come meanwhile. */
function saysTheSame(before: WindowRow, after: WindowRow): boolean {
  const of = (row: WindowRow) => [
    ...[row.title, row.body, row.public_visible],
    ...[row.scheduled_start, row.scheduled_end, row.cancelled_at],
    numbers(row.monitors),
  ];
  return isDeepStrictEqual(of(before), of(after));
}

const stateAt = (row: WindowRow, { now }: Work) => maintenanceState(plannedTime(row), now.getTime());

/** Schedules the job for a window's next start or end, or cancels it. */
export async function scheduleWindow(
  tx: Tx,
  row: Pick<WindowRow, 'id' | 'scheduled_start' | 'scheduled_end' | 'cancelled_at'>,
  now: Date,
): Promise<void> {
  const turnMs = nextTurnMs(plannedTime(row), now.getTime());
  if (turnMs === null) await removeJob(tx, windowKey(row.id));
  else await wakeWindow(tx, row.id, { at: new Date(turnMs), from: now });
}

/** Runs the job of a window at `turn.at`, or as soon as this commits. */
export async function wakeWindow(tx: Tx, windowId: string, turn?: { at: Date; from: Date }): Promise<void> {
  const job = { task: MAINTENANCE_TASK, payload: { window_id: windowId }, key: windowKey(windowId) };
  await addJob(tx, turn ? { ...job, runAt: turn.at, from: turn.from } : job);
}

function without(monitors: readonly WindowMonitor[], others: readonly WindowMonitor[]): WindowMonitor[] {
  const left = new Set(others.map(({ no }) => no));
  return monitors.filter(({ no }) => !left.has(no));
}

/** The time that entered or left maintenance, by monitors. */
export function changedTimeOf({ before, after }: Change): ChangedTime[] {
  const [was, is] = [before, after].map((row) => (row ? timeInForce(plannedTime(row)) : null));
  const stayed =
    before && after ? before.monitors.filter(({ no }) => after.monitors.some((m) => m.no === no)) : [];
  const parts = [
    { monitors: stayed, spans: changedTime(was ?? null, is ?? null) },
    { monitors: without(before?.monitors ?? [], stayed), spans: changedTime(was ?? null, null) },
    { monitors: without(after?.monitors ?? [], stayed), spans: changedTime(null, is ?? null) },
  ];
  return parts.flatMap(({ monitors, spans }) =>
    monitors.length === 0
      ? []
      : spans.map(({ fromMs, untilMs }) => ({
          monitorNos: numbers(monitors),
          since: new Date(fromMs),
          until: new Date(untilMs),
        })),
  );
}

async function notify(work: Work, window: WindowRow, events: readonly EventName[]): Promise<void> {
  publishMaintenance(work, window.org_id, { window_id: window.id });
  const maintenance = {
    payload: showWindow(window),
    monitorNos: window.monitors.map(({ no }) => no),
  };
  await enqueueEvents(
    work,
    window.org_id,
    events.map((event) => ({
      event,
      projectId: null,
      monitorNo: null,
      groupNo: null,
      incident: null,
      maintenance,
    })),
    ['webhook', 'chat'],
  );
}
