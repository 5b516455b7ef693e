import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { common, lengthMs, type Span } from './spans.ts';
import { type History, uptimeByPart, uptimeOf } from './uptime.ts';

const HOUR = 3_600_000;
const DAY: Span = { fromMs: 0, untilMs: 24 * HOUR };
const hours = (from: number, until: number): Span => ({ fromMs: from * HOUR, untilMs: until * HOUR });

const CASES: [what: string, history: Partial<History>, counted: number, down: number, pct: number | null][] =
  [
    ['nothing known is no figure', { known: [] }, 0, 0, null],
    ['known and never down is all of it', {}, 24, 0, 100],
    ['an outage counts for as long as it lasted', { downtime: [hours(6, 12)] }, 24, 6, 75],
    ['before the first result is unknown', { known: [hours(12, 24)], downtime: [hours(18, 24)] }, 12, 6, 50],
    [
      'unknown time does not count',
      { known: [hours(0, 4), hours(20, 24)], downtime: [hours(0, 2)] },
      8,
      2,
      75,
    ],
    [
      'an outage counts only as far as it is known',
      { known: [hours(0, 8)], downtime: [hours(6, 20)] },
      8,
      2,
      75,
    ],
    [
      'maintenance does not count, down or not',
      { maintenance: [hours(0, 12)], downtime: [hours(6, 15)] },
      12,
      3,
      75,
    ],
    ['all of it in maintenance is no figure', { maintenance: [hours(-1, 30)] }, 0, 0, null],
    ['two outages at once count once', { downtime: [hours(0, 6), hours(3, 12)] }, 24, 12, 50],
    ['what lies outside of the range does not count', { downtime: [hours(-8, 6), hours(24, 30)] }, 24, 6, 75],
    [
      'an outage under way lasts to the end',
      { downtime: [{ fromMs: 18 * HOUR, untilMs: Infinity }] },
      24,
      6,
      75,
    ],
  ];

for (const [what, history, counted, down, pct] of CASES)
  test(what, () => {
    const all = { known: [hours(-100, 100)], maintenance: [], downtime: [], ...history };
    assert.deepEqual(uptimeOf(DAY, all), { countedMs: counted * HOUR, downMs: down * HOUR, pct });
  });

const set = fc.array(
  fc
    .tuple(fc.integer({ min: -10, max: 50 }), fc.integer({ min: 0, max: 20 }))
    .map(([fromMs, length]) => ({ fromMs, untilMs: fromMs + length })),
  { maxLength: 5 },
);
const histories = fc.record({ known: set, maintenance: set, downtime: set });
const RANGE: Span = { fromMs: 0, untilMs: 40 };

test('it equals a count of every single instant', () => {
  fc.assert(
    fc.property(histories, ({ known, maintenance, downtime }) => {
      const has = (spans: readonly Span[], at: number) =>
        spans.some(({ fromMs, untilMs }) => at >= fromMs && at < untilMs);
      const counted = Array.from({ length: 40 }, (_, at) => at).filter(
        (at) => has(known, at) && !has(maintenance, at),
      );
      const down = counted.filter((at) => has(downtime, at)).length;
      assert.deepEqual(uptimeOf(RANGE, { known, maintenance, downtime }), {
        countedMs: counted.length,
        downMs: down,
        pct: counted.length === 0 ? null : ((counted.length - down) / counted.length) * 100,
      });
    }),
  );
});

test('parts of a range add up to the whole', () => {
  fc.assert(
    fc.property(histories, fc.integer({ min: 0, max: 40 }), (history, at) => {
      const [first, second] = [
        uptimeOf({ ...RANGE, untilMs: at }, history),
        uptimeOf({ ...RANGE, fromMs: at }, history),
      ];
      const whole = uptimeOf(RANGE, history);
      assert.equal(first.countedMs + second.countedMs, whole.countedMs);
      assert.equal(first.downMs + second.downMs, whole.downMs);
    }),
  );
});

test('parts computed in one pass equal those computed one by one', () => {
  const starts = fc.uniqueArray(fc.integer({ min: 0, max: 39 }), { maxLength: 8 });
  fc.assert(
    fc.property(histories, starts, (history, given) => {
      const all = [...new Set([0, ...given])].sort((a, b) => a - b);
      const each = all.map((fromMs, i) => {
        const part = { fromMs, untilMs: all[i + 1] ?? 40 };
        const maintenanceMs = lengthMs(common([part], history.maintenance));
        return { ...uptimeOf(part, history), maintenanceMs };
      });
      assert.deepEqual(uptimeByPart(RANGE, all, history), each);
    }),
  );
});
