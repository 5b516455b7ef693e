import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './durations.ts';
import { HOURS_OF_A_WEEK, hourParts, uptimeByHourOfWeek } from './hours-of-week.ts';
import { uptimeOf } from './uptime.ts';

const ZONES = Intl.supportedValuesOf('timeZone');
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const clocks = new Map<string, Intl.DateTimeFormat>();

/** The hour of the week that the clocks of a zone show, by another calendar than ours. */
function shownHour(ms: number, timeZone: string): number {
  const made =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short', hour: '2-digit', hourCycle: 'h23' });
  clocks.set(timeZone, made);
  const parts = made.formatToParts(ms);
  const [day = '', hour = ''] = ['weekday', 'hour'].map(
    (type) => parts.find((part) => part.type === type)?.value,
  );
  return DAYS.indexOf(day) * 24 + Number(hour);
}

/** Adds up, minute by minute, how long each hour of the week was in a range. */
function recount(fromMs: number, untilMs: number, zone: string): number[] {
  const minutes = new Array<number>(HOURS_OF_A_WEEK).fill(0);
  for (let at = fromMs; at < untilMs; at += MINUTE_MS) {
    const hour = shownHour(at, zone);
    minutes[hour] = (minutes[hour] ?? 0) + 1;
  }
  return minutes;
}

function counted(fromMs: number, untilMs: number, zone: string): number[] {
  const history = { known: [{ fromMs, untilMs }], maintenance: [], downtime: [] };
  return uptimeByHourOfWeek({ fromMs, untilMs }, zone, history).map(({ countedMs }) => countedMs / MINUTE_MS);
}

test('in every zone the hours around each change of the clocks have their local length', () => {
  for (const zone of ZONES) {
    let at = Temporal.Instant.from('2024-01-01T00:00Z').toZonedDateTimeISO(zone);
    for (let changes = 0; changes < 3; changes++) {
      const next = at.getTimeZoneTransition('next');
      if (next === null) break;
      const fromMs = next.epochMilliseconds - 3 * HOUR_MS - 17 * MINUTE_MS;
      const untilMs = next.epochMilliseconds + 4 * HOUR_MS;
      assert.deepEqual(counted(fromMs, untilMs, zone), recount(fromMs, untilMs, zone), `${zone} ${next}`);
      at = next;
    }
  }
});

test('in any zone at any time a part is in its local hour, and the parts add up to the range', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.integer({ min: 0, max: 2_000_000_000 }),
      fc.integer({ min: 1, max: 20 * 86_400 }),
      fc.integer({ min: 0, max: 999 }),
      (zone, from, seconds, within) => {
        const [fromMs, untilMs] = [from * 1000, (from + seconds) * 1000];
        const parts = hourParts({ fromMs, untilMs }, zone);
        assert.equal(parts[0]?.startMs, fromMs);
        for (const [i, { startMs, hour }] of parts.entries()) {
          const endMs = parts[i + 1]?.startMs ?? untilMs;
          assert.ok(endMs > startMs && endMs - startMs <= HOUR_MS);
          const inside = startMs + Math.floor(((endMs - startMs) * within) / 1000);
          assert.equal(hour, shownHour(inside, zone), `${zone} ${new Date(inside).toISOString()}`);
        }
      },
    ),
    { numRuns: 150 },
  );
});

const berlin = (text: string) =>
  Temporal.PlainDateTime.from(text).toZonedDateTime('Europe/Berlin').epochMilliseconds;
const SUNDAY_2 = 6 * 24 + 2;
for (const [what, from, until, minutes] of [
  ['goes by twice in autumn', '2026-10-25T00:00', '2026-10-26T00:00', 120],
  ['is left out in spring', '2026-03-29T00:00', '2026-03-30T00:00', 0],
  ['is an hour on any other Sunday', '2026-11-01T00:00', '2026-11-02T00:00', 60],
] as const)
  test(`two o’clock on a Sunday ${what}`, () => {
    assert.equal(counted(berlin(from), berlin(until), 'Europe/Berlin')[SUNDAY_2], minutes);
  });

test('all hours together have the uptime of the range, whatever happened in it', () => {
  const start = Date.UTC(2026, 9, 20);
  const span = fc
    .tuple(fc.integer({ min: 0, max: 30 * DAY_MS }), fc.integer({ min: 0, max: 3 * DAY_MS }))
    .map(([from, length]) => ({ fromMs: start + from, untilMs: start + from + length }));
  const spans = fc.array(span, { maxLength: 6 });
  const history = fc.record({ known: spans, maintenance: spans, downtime: spans });
  fc.assert(
    fc.property(history, fc.constantFrom(...ZONES), (given, zone) => {
      const range = { fromMs: start + 1234, untilMs: start + 28 * DAY_MS };
      const hours = uptimeByHourOfWeek(range, zone, given);
      const whole = uptimeOf(range, given);
      const sum = (of: (hour: (typeof hours)[number]) => number) =>
        hours.reduce((all, hour) => all + of(hour), 0);
      assert.equal(
        sum(({ countedMs }) => countedMs),
        whole.countedMs,
      );
      assert.equal(
        sum(({ downMs }) => downMs),
        whole.downMs,
      );
      for (const { countedMs, downMs, pct } of hours) {
        if (countedMs === 0) assert.equal(pct, null);
        else assert.equal(pct, ((countedMs - downMs) / countedMs) * 100);
      }
    }),
    { numRuns: 60 },
  );
});
