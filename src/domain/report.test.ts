import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { figuresOf, uptimeOfAll } from './report.ts';
import type { Span } from './spans.ts';
import { uptimeOf } from './uptime.ts';

const span = (fromMs: number, untilMs: number): Span => ({ fromMs, untilMs });
const RANGE = span(0, 1000);
const KNOWN = { known: [span(0, 1000)], maintenance: [], downtime: [] };

test('a quiet month has 100 percent uptime and full coverage', () => {
  assert.deepEqual(figuresOf(RANGE, KNOWN, []), {
    ...{ uptimePct: 100, countedMs: 1000, downMs: 0, maintenanceMs: 0 },
    ...{ unknownMs: 0, discardedMs: 0, longestMs: 0 },
  });
});

test('an outage counts as far as it lies in the range, is known, and is outside maintenance', () => {
  const figures = figuresOf(
    RANGE,
    {
      known: [span(100, 2000)],
      maintenance: [span(400, 500)],
      downtime: [span(-50, 200), span(450, 650), span(900, Number.POSITIVE_INFINITY)],
    },
    [],
  );
  assert.deepEqual(figures, {
    ...{ uptimePct: 56.25, countedMs: 800, downMs: 350, maintenanceMs: 100 },
    ...{ unknownMs: 100, discardedMs: 0, longestMs: 150 },
  });
});

test('maintenance takes precedence over unknown time', () => {
  const { maintenanceMs, unknownMs } = figuresOf(
    RANGE,
    { known: [span(0, 300)], maintenance: [span(200, 600)], downtime: [] },
    [],
  );
  assert.deepEqual([maintenanceMs, unknownMs], [400, 400]);
});

test('a false alarm is listed with its duration, but not counted twice', () => {
  const history = { ...KNOWN, downtime: [span(100, 200)] };
  const { downMs, discardedMs } = figuresOf(RANGE, history, [span(150, 300), span(250, 400)]);
  assert.deepEqual([downMs, discardedMs], [100, 200]);
});

test('simultaneous outages count once', () => {
  const history = { ...KNOWN, downtime: [span(100, 300), span(200, 500)] };
  assert.equal(figuresOf(RANGE, history, []).longestMs, 400);
});

const anySpans = fc.array(
  fc
    .tuple(fc.integer({ min: -200, max: 1200 }), fc.integer({ min: 1, max: 400 }))
    .map(([at, length]) => span(at, at + length)),
  { maxLength: 6 },
);

test('the parts add up to the whole, and the uptime equals that of every other page', () => {
  fc.assert(
    fc.property(anySpans, anySpans, anySpans, anySpans, (known, maintenance, downtime, discarded) => {
      const history = { known, maintenance, downtime };
      const figures = figuresOf(RANGE, history, discarded);
      assert.equal(figures.countedMs + figures.maintenanceMs + figures.unknownMs, 1000);
      assert.equal(figures.uptimePct, uptimeOf(RANGE, history).pct);
      assert.ok(figures.longestMs <= figures.downMs);
      assert.ok(figures.downMs + figures.discardedMs <= figures.countedMs);
      // Discarding all and restoring none moves the time from one figure to the other.
      const restored = uptimeOf(RANGE, { ...history, downtime: [...downtime, ...discarded] });
      assert.equal(restored.downMs, figures.downMs + figures.discardedMs);
    }),
  );
});

test('totals are weighted by time', () => {
  assert.equal(
    uptimeOfAll([
      { countedMs: 900, downMs: 0 },
      { countedMs: 100, downMs: 100 },
    ]),
    90,
  );
  assert.equal(uptimeOfAll([{ countedMs: 0, downMs: 0 }]), null);
});
