// The form values of a maintenance window, and its request body. Times are texts of `datetime-local` fields, in the
// reader's time zone.
import type { MaintenanceScope } from '#src/domain/names.ts';
import type {
  createMaintenance,
  MaintenanceWindow,
  Repeat,
  updateMaintenance,
} from '#src/maintenance/contract.ts';
import type { BodyOf } from '#src/platform/contract.ts';
import { changedOf } from '#web/meanwhile/clashes.ts';
import { fromLocalInput, toLocalInput } from '../incidents/actions/local-time.ts';
import { type Before, NO_REPEAT, type RepeatValues, repeatOf, repeatValuesOf } from './repeat-values.ts';

export type Values = {
  title: string;
  body: string;
  startsNow: boolean;
  start: string;
  end: string;
  /** Monitors selected by id; those selected by a tag are separate. */
  monitors: string[];
  tags: string[];
  isPublic: boolean;
  /** With the stored rule that it was read from: the form cannot express every difference between two rules. */
  repeat: RepeatValues & { rule: Repeat | null };
};

const HOUR = 3_600;

/** Defaults of a new window: the next full hour, for one hour. */
export function newValues(now: number): Values {
  const start = Math.ceil(now / HOUR) * HOUR;
  return {
    title: '',
    body: '',
    startsNow: false,
    start: toLocalInput(start),
    end: toLocalInput(start + HOUR),
    monitors: [],
    tags: [],
    isPublic: true,
    repeat: { ...NO_REPEAT, rule: null },
  };
}

export const valuesOf = (window: MaintenanceWindow): Values => ({
  title: window.title,
  body: window.body,
  startsNow: false,
  start: toLocalInput(window.scheduled_start),
  end: toLocalInput(window.scheduled_end),
  monitors: window.monitors.filter((monitor) => !monitor.by_tag).map(({ id }) => id),
  tags: window.tags,
  isPublic: window.public_visible,
  repeat: { ...repeatValuesOf(window.repeat), rule: window.repeat },
});

/** "Now" as the field of the end counts, which knows no seconds: otherwise an hour would be up to a minute short. */
const thisMinute = (now: number) => now - (now % 60);

/** Start and end in Unix seconds, null if invalid; untouched fields keep their seconds. */
export function timesOf(values: Values, now: number, before?: MaintenanceWindow) {
  return {
    start: values.startsNow ? thisMinute(now) : fromLocalInput(values.start, before?.scheduled_start),
    end: fromLocalInput(values.end, before?.scheduled_end),
  };
}

/** The end at this duration after the start. */
export function endAfter(values: Values, seconds: number, now: number): string {
  const start = values.startsNow ? now : fromLocalInput(values.start);
  return start === null ? values.end : toLocalInput(start + seconds);
}

/** Moves the end along with a new start, so that the duration stays. */
export function movedTo(values: Values, start: string): Values {
  const [before, after, end] = [values.start, start, values.end].map((text) => fromLocalInput(text));
  if (before == null || after == null || end == null || end <= before) return { ...values, start };
  return { ...values, start, end: toLocalInput(end + after - before) };
}

export function bodyOf(
  values: Values,
  times: { start: number; end: number },
  before: Before | null,
): BodyOf<typeof createMaintenance> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const repeat = repeatOf(values.repeat, times.start, before, timeZone);
  return {
    title: values.title,
    body: values.body,
    scheduled_start: times.start,
    scheduled_end: times.end,
    monitors: values.monitors,
    tags: values.tags,
    public_visible: values.isPublic,
    ...(repeat === null ? {} : { repeat }),
  };
}

/** The same for a window that is `before`; an invalid time counts as untouched. */
export function editedBody(values: Values, before: MaintenanceWindow): BodyOf<typeof createMaintenance> {
  const { start, end } = timesOf(values, before.scheduled_start, before);
  const times = { start: start ?? before.scheduled_start, end: end ?? before.scheduled_end };
  return bodyOf(values, times, before);
}

/** Whether a change of this scope may change how the window recurs: a single occurrence has no rule of its own. */
export const hasRule = (
  { series_id }: Pick<MaintenanceWindow, 'series_id'>,
  scope: MaintenanceScope,
): boolean => series_id === null || scope !== 'this';

/**
 * What the form changes of a window that is `before`. Nothing else is sent, so that no occurrence of the scope loses what was changed
 * of it alone.
 */
export function changesOf(
  values: Values,
  before: MaintenanceWindow,
  scope: MaintenanceScope,
): BodyOf<typeof updateMaintenance> {
  const changed = changedOf(editedBody(valuesOf(before), before), editedBody(values, before));
  const { repeat, ...others } = changed;
  return hasRule(before, scope) ? changed : others;
}
