// When a cron schedule is due, minute by minute as a clock on the wall shows them (docs/rules/monitor-types.md#cron-and-daylight-saving),
// and nothing of src/domain in it.

const MINUTE_MS = 60_000;
/** No zone changes its offset at another time than a full quarter of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;
/** The widest jump back of a clock. */
const BACK_MS = 3 * 60 * MINUTE_MS;
/** A schedule of the walks comes once a week. */
const MAX_AHEAD_MS = 8 * 24 * 60 * MINUTE_MS;

const offsets = new Map<string, Map<number, number>>();

/** What the clock of a zone shows at an instant, as if it were UTC. */
function clockOf(zone: string): (instantMs: number) => number {
  const known = offsets.get(zone) ?? new Map<number, number>();
  offsets.set(zone, known);
  return (instantMs) => {
    const quarterMs = instantMs - (instantMs % QUARTER_MS);
    let offsetMs = known.get(quarterMs);
    if (offsetMs === undefined) {
      const zoned = Temporal.Instant.fromEpochMilliseconds(quarterMs).toZonedDateTimeISO(zone);
      offsetMs = zoned.offsetNanoseconds / 1e6;
      known.set(quarterMs, offsetMs);
    }
    return instantMs + offsetMs;
  };
}

/** The next `count` instants after `afterMs`. */
export function cronTimes(
  { expression, timezone }: { expression: string; timezone: string },
  afterMs: number,
  count: number,
): number[] {
  const isNamed = matcherOf(expression);
  const wallMs = clockOf(timezone);
  const found: number[] = [];
  let atMs = Math.floor(afterMs / MINUTE_MS) * MINUTE_MS - BACK_MS;
  let shownMs = wallMs(atMs);
  while (found.length < count && atMs < afterMs + MAX_AHEAD_MS * count) {
    atMs += MINUTE_MS;
    const nowMs = wallMs(atMs);
    // A clock that goes back shows again what it has shown; one that goes ahead shows all that it skips.
    let named = false;
    for (; shownMs < nowMs; shownMs += MINUTE_MS) named ||= isNamed(shownMs + MINUTE_MS);
    if (named && atMs > afterMs) found.push(atMs);
  }
  return found;
}

/** Whether an expression names a minute. Those of the walks never restrict day of month and day of week at once. */
function matcherOf(expression: string): (wallMs: number) => boolean {
  const [minutes, hours, days, months, weekdays] = expression.split(' ').map(valuesOf);
  return (wallMs) => {
    const wall = new Date(wallMs);
    return Boolean(
      minutes?.has(wall.getUTCMinutes()) &&
        hours?.has(wall.getUTCHours()) &&
        days?.has(wall.getUTCDate()) &&
        months?.has(wall.getUTCMonth() + 1) &&
        weekdays?.has(wall.getUTCDay()),
    );
  };
}

/** The values that a field names. */
function valuesOf(field: string): Set<number> {
  const values = Array.from({ length: 60 }, (_, i) => i);
  return new Set(field.split(',').flatMap((part) => values.filter((value) => includes(part, value))));
}

function includes(part: string, value: number): boolean {
  const [range = '', step = '1'] = part.split('/');
  if (range === '*') return value % Number(step) === 0;
  const [from = 0, to = from] = range.split('-').map(Number);
  return value >= from && value <= to && (value - from) % Number(step) === 0;
}
