import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { afterDowntime, findingAt, type Heartbeat, lateAt, nextTurnMs } from './heartbeat.ts';

const MINUTE = 60_000;

/** Pinged at 0, expected each 10 minutes with 2 of grace. */
const beating = (given: Partial<Heartbeat> = {}): Heartbeat => ({
  schedule: { kind: 'period', period_seconds: 600 },
  graceMs: 2 * MINUTE,
  maxRuntimeMs: null,
  lastPingMs: 0,
  lastOk: true,
  lastCode: null,
  dueMs: 10 * MINUTE,
  runs: [],
  excused: 0,
  ...given,
});
const run = (atMs: number, unsure = false) => ({ rid: `at ${atMs}`, atMs, unsure });
const found = (heartbeat: Heartbeat, atMs: number) => {
  const finding = findingAt(heartbeat, atMs);
  return finding?.status === 'down' ? finding.failureClass : (finding?.status ?? null);
};

describe('the state of a heartbeat', () => {
  test('none before its first ping', () => {
    assert.equal(found(beating({ lastPingMs: null, lastOk: null, dueMs: null }), 1e12), null);
  });
  test('up, until period and grace are over to the millisecond', () => {
    assert.equal(found(beating(), 12 * MINUTE - 1), 'up');
    assert.equal(found(beating(), 12 * MINUTE), 'heartbeat_missed');
  });
  test('down, until it reports success or falls silent', () => {
    const failed = beating({ lastOk: false, lastCode: 3 });
    assert.equal(found(failed, MINUTE), 'heartbeat_failed');
    assert.equal(found(failed, 12 * MINUTE), 'heartbeat_missed');
    assert.deepEqual(findingAt(failed, MINUTE), {
      status: 'down',
      failureClass: 'heartbeat_failed',
      detail: 'reported exit code 3 at 1970-01-01 00:00:00 UTC',
      responseCode: 3,
    });
  });
  test('a run that is too long comes before anything else', () => {
    const running = beating({ maxRuntimeMs: 5 * MINUTE, runs: [run(MINUTE)], lastOk: false });
    assert.equal(found(running, 6 * MINUTE - 1), 'heartbeat_failed');
    assert.equal(found(running, 6 * MINUTE), 'heartbeat_overrun');
    assert.equal(found(running, 60 * MINUTE), 'heartbeat_overrun');
  });
  test('nothing about a run whose end may have been missed, nor without a limit', () => {
    assert.equal(found(beating({ maxRuntimeMs: MINUTE, runs: [run(0, true)] }), 5 * MINUTE), 'up');
    assert.equal(found(beating({ runs: [run(0)] }), 5 * MINUTE), 'up');
  });
});

test('the next evaluation is the next instant at which silence changes the state', () => {
  const heartbeat = beating({ maxRuntimeMs: 5 * MINUTE, runs: [run(MINUTE), run(2 * MINUTE, true)] });
  assert.equal(nextTurnMs(heartbeat, 0), 6 * MINUTE);
  assert.equal(nextTurnMs(heartbeat, 6 * MINUTE), 12 * MINUTE);
  assert.equal(nextTurnMs(heartbeat, 12 * MINUTE), null);
});

describe('after a time without a server', () => {
  const away = (from: number, until: number) => ({ fromMs: from * MINUTE, untilMs: until * MINUTE });

  test('a ping that was expected then is excused, and the next one is expected', () => {
    const after = afterDowntime(beating(), away(9, 11), MINUTE);
    assert.deepEqual([after.dueMs, after.excused], [21 * MINUTE, 1]);
  });
  test('so is one whose time ran out while no server ran', () => {
    assert.equal(afterDowntime(beating(), away(9, 200), MINUTE).dueMs, 210 * MINUTE);
  });
  test('a ping that is expected long after stays expected', () => {
    const after = afterDowntime(beating(), away(1, 3), MINUTE);
    assert.deepEqual([after.dueMs, after.excused], [10 * MINUTE, 0]);
  });
  test('a ping that was late before stays late', () => {
    assert.equal(afterDowntime(beating(), away(13, 15), MINUTE).dueMs, 10 * MINUTE);
  });
  test('a cron time is excused until the next one', () => {
    const cron = { kind: 'cron', expression: '0 * * * *', timezone: 'UTC' } as const;
    assert.equal(
      afterDowntime(beating({ schedule: cron, dueMs: 60 * MINUTE }), away(59, 61), MINUTE).dueMs,
      120 * MINUTE,
    );
  });
  test('a server that keeps restarting excuses three times, then one interval only', () => {
    let heartbeat = beating();
    for (let i = 0; i < 3; i++) {
      const due = (heartbeat.dueMs ?? 0) / MINUTE;
      heartbeat = afterDowntime(heartbeat, away(due - 1, due + 1), MINUTE);
    }
    const due = heartbeat.dueMs ?? 0;
    const again = afterDowntime(heartbeat, { fromMs: due - MINUTE, untilMs: due + 5 * MINUTE }, MINUTE);
    assert.equal(lateAt(again), due + 6 * MINUTE);
  });
  test('open runs are no longer measured against their limit', () => {
    const heartbeat = beating({ maxRuntimeMs: 5 * MINUTE, runs: [run(MINUTE)] });
    assert.equal(found(afterDowntime(heartbeat, away(2, 3), MINUTE), 9 * MINUTE), 'up');
  });
  test('silence never counts before an interval has passed, and nothing is expected earlier than before', () => {
    const minutes = fc.integer({ min: 0, max: 500 });
    fc.assert(
      fc.property(minutes, minutes, minutes, fc.integer({ min: 0, max: 5 }), (due, from, length, excused) => {
        const heartbeat = beating({ dueMs: due * MINUTE, excused });
        const gap = away(from, from + length);
        const after = afterDowntime(heartbeat, gap, MINUTE);
        assert.ok((after.dueMs ?? 0) >= due * MINUTE);
        const wasLate = (lateAt(heartbeat) ?? 0) <= gap.fromMs;
        if (!wasLate) assert.ok((lateAt(after) ?? 0) >= gap.untilMs + MINUTE);
      }),
    );
  });
});
