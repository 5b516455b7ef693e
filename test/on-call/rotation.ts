// Who is on duty: docs/rules/on-call-and-alarms.md#rotation, #daylight-saving and #overrides written down a second time, and nothing of src
// in it. The beginning of a day is looked for, not computed.

export type Who = number;
export type Override = { no: number; who: Who; fromMs: number; untilMs: number };

/** What is in force: people who are no members, or are viewers, are `null`, and their overrides are left out. */
export type Rotation = {
  on: boolean;
  zone: string;
  mode: 'weekly' | 'manual';
  manual: Who | null;
  roster: readonly (Who | null)[];
  setMs: number;
  overrides: readonly Override[];
};

export type Shift = {
  who: Who | null;
  source: 'rotation' | 'manual' | 'override' | null;
  /** The place of the roster whose turn it is. */
  turn: number | null;
  fromMs: number | null;
  untilMs: number | null;
};

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** 1970-01-05. */
const FIRST_MONDAY_MS = 4 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;

const formats = new Map<string, Intl.DateTimeFormat>();
const beginnings = new Map<string, number>();

function dateIn(zone: string, ms: number): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  formats.set(zone, format);
  return format.format(ms);
}

/** The first moment at which a clock on a wall of the zone shows the Monday of this number, or a later day. */
function beginningOf(week: number, zone: string): number {
  const utcMs = FIRST_MONDAY_MS + week * WEEK_MS;
  const key = `${zone} ${week}`;
  const known = beginnings.get(key);
  if (known !== undefined) return known;
  const date = dateIn('UTC', utcMs);
  // Clocks are changed at quarters of an hour.
  let ms = utcMs - 15 * 60 * MINUTE_MS;
  while (dateIn(zone, ms) < date) ms += 15 * MINUTE_MS;
  beginnings.set(key, ms);
  return ms;
}

function weekAt(ms: number, zone: string): number {
  let week = Math.floor((ms - FIRST_MONDAY_MS) / WEEK_MS) + 1;
  while (beginningOf(week, zone) > ms) week -= 1;
  return week;
}

const takesTurns = ({ on, mode, roster }: Rotation) => on && mode === 'weekly' && roster.length > 0;

/** When somebody else's turn begins after this moment; null: never. */
export const nextTurn = (rotation: Rotation, ms: number): number | null =>
  takesTurns(rotation) ? beginningOf(weekAt(ms, rotation.zone) + 1, rotation.zone) : null;

/** What a moment has in common with those before and after it that are the same shift. */
function keyAt(rotation: Rotation, ms: number): string {
  if (!rotation.on) return 'off';
  const override = rotation.overrides.findLast(({ fromMs, untilMs }) => fromMs <= ms && ms < untilMs);
  if (override) return `override ${override.no}`;
  return takesTurns(rotation) ? `week ${weekAt(ms, rotation.zone)}` : 'always';
}

/** The shift at a moment. */
export function shiftAt(rotation: Rotation, ms: number): Shift {
  const key = keyAt(rotation, ms);
  const edges = [
    ...new Set(rotation.on ? rotation.overrides.flatMap((each) => [each.fromMs, each.untilMs]) : []),
  ];
  const whole = key.startsWith('override') ? null : wholeTurn(rotation, ms);
  const before = edges.filter((edge) => edge <= ms && keyAt(rotation, edge - 1) !== keyAt(rotation, edge));
  const after = edges.filter((edge) => edge > ms && keyAt(rotation, edge - 1) !== keyAt(rotation, edge));
  const froms = [...before, ...(whole ? [whole.fromMs] : [])];
  const untils = [...after, ...(whole ? [whole.untilMs] : [])];
  const bounds = {
    fromMs: froms.length > 0 ? Math.max(...froms) : null,
    untilMs: untils.length > 0 ? Math.min(...untils) : null,
  };
  if (!rotation.on) return { who: null, source: null, turn: null, ...bounds };
  const turn = takesTurns(rotation) ? placeAt(rotation, ms) : null;
  const override = rotation.overrides.find(({ no }) => key === `override ${no}`);
  if (override) return { who: override.who, source: 'override', turn, ...bounds };
  const who =
    rotation.mode === 'manual' ? rotation.manual : turn === null ? null : (rotation.roster[turn] ?? null);
  const source = rotation.mode === 'manual' ? 'manual' : 'rotation';
  return { who, source: who === null ? null : source, turn, ...bounds };
}

function wholeTurn(rotation: Rotation, ms: number): { fromMs: number; untilMs: number } | null {
  if (!takesTurns(rotation)) return null;
  const week = weekAt(ms, rotation.zone);
  return { fromMs: beginningOf(week, rotation.zone), untilMs: beginningOf(week + 1, rotation.zone) };
}

function placeAt({ zone, setMs, roster }: Rotation, ms: number): number {
  let place = 0;
  const weeks = weekAt(ms, zone) - weekAt(setMs, zone);
  for (let i = 0; i < Math.abs(weeks); i++) place += weeks > 0 ? 1 : roster.length - 1;
  return place % roster.length;
}

/** The shifts of so many turns from now on; where nobody takes turns, until the last override is over and what follows it. */
export function shiftsFrom(rotation: Rotation, ms: number, weeks: number): Shift[] {
  const end = takesTurns(rotation)
    ? beginningOf(weekAt(ms, rotation.zone) + weeks, rotation.zone)
    : Number.POSITIVE_INFINITY;
  const shifts: Shift[] = [];
  for (let at: number | null = ms; at !== null && at < end; ) {
    const shift = shiftAt(rotation, at);
    shifts.push(shift);
    at = shift.untilMs;
  }
  return shifts;
}
