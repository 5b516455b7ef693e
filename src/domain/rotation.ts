// Computes who is on duty (docs/rules/on-call-and-alarms.md#rotation). Pure: the caller passes the time.
import type { RotationMode } from './names.ts';

/** The rotation of an organization, as far as it is in force. */
export type Rotation = {
  /** Switched on, and in the plan. */
  active: boolean;
  /** An IANA zone. */
  timezone: string;
  mode: RotationMode;
  /** null: nobody was named, or the named person is no longer a member. */
  manualUserId: string | null;
  /** In order; null keeps the place of a person who left. */
  roster: readonly (string | null)[];
  /** When the roster was set: its first member has that week. null: it never was. */
  rosterSetAtMs: number | null;
  /** Shifts that people took over, in the order in which they were made; of those that overlap the last one counts. */
  overrides: readonly Override[];
};

/** Somebody is on duty in [from, until), whoever's turn it is. */
export type Override = { userId: string; fromMs: number; untilMs: number };

/** One period of duty, [from, until) in Unix milliseconds; null: open. Without a user it is a gap. */
export type DutyPeriod = {
  userId: string | null;
  source: 'manual' | 'rotation' | 'override' | null;
  /** Whose turn it is, as an index of the roster, even if they have left; null: nobody's. */
  place: number | null;
  fromMs: number | null;
  untilMs: number | null;
};

const GAP: DutyPeriod = { userId: null, source: null, place: null, fromMs: null, untilMs: null };

/** The person on duty at an instant, and for how long. */
export function dutyAt(rotation: Rotation, atMs: number): DutyPeriod {
  const regular = regularAt(rotation, atMs);
  if (!rotation.active || rotation.overrides.length === 0) return regular;
  const override = overrideAt(rotation, atMs);
  const { fromMs, untilMs } = boundsOf(rotation, atMs, override, regular);
  return override === undefined
    ? { ...regular, fromMs, untilMs }
    : { ...regular, userId: override.userId, source: 'override', fromMs, untilMs };
}

/** Whose turn it would be without overrides. */
function regularAt(rotation: Rotation, atMs: number): DutyPeriod {
  if (!rotation.active) return GAP;
  if (rotation.mode === 'manual') {
    const { manualUserId: userId } = rotation;
    return userId === null ? GAP : { ...GAP, userId, source: 'manual' };
  }
  const { roster, rosterSetAtMs, timezone } = rotation;
  if (rosterSetAtMs === null || roster.length === 0) return GAP;
  const first = mondayOf(rosterSetAtMs, timezone);
  const monday = mondayOf(atMs, timezone);
  const weeks = Math.round(first.until(monday, { largestUnit: 'day' }).days / 7);
  const place = ((weeks % roster.length) + roster.length) % roster.length;
  const userId = roster[place] ?? null;
  return {
    userId,
    source: userId === null ? null : 'rotation',
    place,
    fromMs: startOf(monday, timezone),
    untilMs: startOf(monday.add({ days: 7 }), timezone),
  };
}

const overrideAt = ({ overrides }: Rotation, atMs: number): Override | undefined =>
  overrides.findLast(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);

/**
 * The longest time around `atMs` in which the same override is in force; without one, the same turn. An override goes on over
 * a handover.
 */
function boundsOf(
  rotation: Rotation,
  atMs: number,
  override: Override | undefined,
  regular: DutyPeriod,
): { fromMs: number | null; untilMs: number | null } {
  const edges = [...new Set(rotation.overrides.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]))].sort(
    (a, b) => a - b,
  );
  const changesAt = (edge: number) => overrideAt(rotation, edge) !== overrideAt(rotation, edge - 1);
  const begins = edges.findLast((edge) => edge <= atMs && changesAt(edge)) ?? null;
  const ends = edges.find((edge) => edge > atMs && changesAt(edge)) ?? null;
  if (override !== undefined) return { fromMs: begins, untilMs: ends };
  const later = [begins, regular.fromMs].filter((ms) => ms !== null);
  const sooner = [ends, regular.untilMs].filter((ms) => ms !== null);
  return {
    fromMs: later.length === 0 ? null : Math.max(...later),
    untilMs: sooner.length === 0 ? null : Math.min(...sooner),
  };
}

/**
 * The periods of duty from the one at `atMs` on, through as many turns as `weeks`; where nothing hands over, until the last
 * override ends and the one after it.
 */
export function periodsFrom(rotation: Rotation, atMs: number, weeks: number): DutyPeriod[] {
  const horizon = horizonOf(rotation, atMs, weeks);
  const periods: DutyPeriod[] = [];
  let at: number | null = atMs;
  while (at !== null && at < horizon) {
    const period = dutyAt(rotation, at);
    periods.push(period);
    at = period.untilMs;
  }
  return periods;
}

function horizonOf(rotation: Rotation, atMs: number, weeks: number): number {
  let at: number | null = atMs;
  for (let turn = 0; at !== null && turn < weeks; turn++) at = regularAt(rotation, at).untilMs;
  return at ?? Number.POSITIVE_INFINITY;
}

/**
 * The first instant of a local day: its midnight, or the first of two, or the first moment after the gap if daylight
 * saving, or a move across the date line, skips midnight.
 */
function startOf(day: Temporal.PlainDate, timezone: string): number {
  return day.toZonedDateTime(timezone).epochMilliseconds;
}

/** The latest Monday that has begun, by the rule of `startOf`: a clock set back over midnight does not undo a handover. */
function mondayOf(atMs: number, timezone: string): Temporal.PlainDate {
  const local = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone).toPlainDate();
  const monday = local.subtract({ days: local.dayOfWeek - 1 });
  const next = monday.add({ days: 7 });
  return startOf(next, timezone) <= atMs ? next : monday;
}
