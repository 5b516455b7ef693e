// Computes who is on duty (docs/rules/on-call-and-alarms.md#rotation). Pure: the caller passes the time.
import type { RotationMode } from './names.ts';

/** The rotation of an organization, as far as it is in force. */
export type Rota = {
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
};

/** One period of duty, [from, until) in Unix milliseconds; null: open. Without a user it is a gap. */
export type DutyPeriod = {
  userId: string | null;
  source: 'manual' | 'rotation' | null;
  /** Whose turn it is, as an index of the roster, even if they have left; null: nobody's. */
  place: number | null;
  fromMs: number | null;
  untilMs: number | null;
};

const GAP: DutyPeriod = { userId: null, source: null, place: null, fromMs: null, untilMs: null };

/** The person on duty at an instant, and for how long. */
export function dutyAt(rota: Rota, atMs: number): DutyPeriod {
  if (!rota.active) return GAP;
  if (rota.mode === 'manual') {
    const { manualUserId: userId } = rota;
    return userId === null ? GAP : { ...GAP, userId, source: 'manual' };
  }
  const { roster, rosterSetAtMs, timezone } = rota;
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

/** The periods of duty from the one at `atMs` on, `weeks` of them; a single one if there are no handovers. */
export function periodsFrom(rota: Rota, atMs: number, weeks: number): DutyPeriod[] {
  const periods: DutyPeriod[] = [];
  let at: number | null = atMs;
  while (at !== null && periods.length < weeks) {
    const period = dutyAt(rota, at);
    periods.push(period);
    at = period.untilMs;
  }
  return periods;
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
