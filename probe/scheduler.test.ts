import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Assignment, Result } from '../src/probe-protocol/contract.ts';
import type { CheckOutcome } from './check-outcome.ts';
import { type Scheduler, startScheduler } from './scheduler.ts';
import { sharedSlots } from './slots.ts';

const UP: CheckOutcome = { status: 'up', latency_ms: 1 };

/** A scheduler in a world whose time the test moves. */
function world(
  options: {
    startMs?: number;
    slots?: number;
    run?: (assignment: Assignment, signal: AbortSignal) => Promise<CheckOutcome>;
    voided?: (assignment: Assignment, inARow: number) => void;
  } = {},
) {
  let nowMs = options.startMs ?? 1_000_000;
  let lagMs = 0;
  let nextId = 0;
  const timers = new Map<number, { atMs: number; call: () => void }>();
  const results: Result[] = [];
  const starts: [string, number][] = [];
  const run = options.run ?? (async () => UP);
  const timer = {
    set(call: () => void, afterMs: number) {
      nextId += 1;
      timers.set(nextId, { atMs: nowMs + afterMs, call });
      return nextId;
    },
    clear: (id: number) => void timers.delete(id),
  };
  const scheduler = startScheduler({
    clock: { serverNowMs: () => nowMs },
    lag: { totalMs: () => lagMs },
    run: (assignment, { signal }) => {
      starts.push([assignment.monitor_id, nowMs]);
      return run(assignment, signal);
    },
    report: (result) => results.push(result),
    slots: sharedSlots(options.slots, timer),
    ...(options.voided === undefined ? {} : { voided: options.voided }),
    timer,
  });
  const advance = async (ms: number) => {
    const untilMs = nowMs + ms;
    for (;;) {
      const due = [...timers].sort(([, a], [, b]) => a.atMs - b.atMs)[0];
      if (due === undefined || due[1].atMs > untilMs) break;
      timers.delete(due[0]);
      nowMs = Math.max(nowMs, due[1].atMs);
      due[1].call();
      await settled();
    }
    nowMs = untilMs;
    await settled();
  };
  return {
    scheduler,
    results,
    starts,
    advance,
    now: () => nowMs,
    after: (ms: number, call: () => void) => void timer.set(call, ms),
    jump: (ms: number) => {
      nowMs += ms;
    },
    lag: (ms: number) => {
      lagMs += ms;
    },
  };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

const monitor = (monitor_id: string, more: Partial<Assignment> = {}): Assignment => ({
  monitor_id,
  type: 'http',
  config: { url: 'x' },
  interval_seconds: 10,
  offset_ms: 0,
  ...more,
});

test('a monitor is checked exactly at its offset in every interval, without drift', async () => {
  const w = world({ startMs: 1_000_123 });
  w.scheduler.replace([monitor('a', { offset_ms: 4_321 })]);
  await w.advance(100_000);
  assert.deepEqual(
    w.starts.map(([, atMs]) => atMs),
    Array.from({ length: 10 }, (_, i) => 1_004_321 + i * 10_000),
  );
  assert.deepEqual(w.results[0], { monitor_id: 'a', checked_at_ms: 1_004_321, ...UP });
});

test('a new monitor, and one with a new target, is checked at once and then on schedule', async () => {
  const w = world({ startMs: 1_000_123 });
  w.scheduler.replace([]);
  w.scheduler.assign([monitor('a', { offset_ms: 4_321 })]);
  w.scheduler.assign([monitor('a', { offset_ms: 4_321, config: { url: 'x' } })]);
  await w.advance(1_000);
  w.scheduler.assign([monitor('a', { offset_ms: 4_321, config: { url: 'y' } })]);
  await w.advance(0);
  await w.advance(9_000);
  assert.deepEqual(
    w.starts.map(([, atMs]) => atMs),
    [1_000_123, 1_001_123, 1_004_321],
  );
});

test('every monitor is checked within one interval of a restart, whatever its offset', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 1e9 }),
      fc.array(fc.record({ interval: fc.integer({ min: 1, max: 60 }), share: fc.nat(999) }), {
        maxLength: 20,
      }),
      async (startMs, shapes) => {
        const w = world({ startMs });
        w.scheduler.replace(
          shapes.map(({ interval, share }, i) =>
            monitor(`m${i}`, { interval_seconds: interval, offset_ms: interval * share }),
          ),
        );
        await w.advance(60_000);
        shapes.forEach(({ interval, share }, i) => {
          const [first] = w.starts.filter(([id]) => id === `m${i}`);
          const atMs = first?.[1] ?? Number.NaN;
          assert.ok(atMs - startMs <= interval * 1000, 'within one interval');
          assert.equal((atMs - interval * share) % (interval * 1000), 0, 'in rhythm');
        });
        w.scheduler.stop();
      },
    ),
    { numRuns: 30 },
  );
});

test('a check still running when the next is due skips that tick', async () => {
  let finish: ((seen: CheckOutcome) => void) | undefined;
  const w = world({ run: () => new Promise((resolve) => (finish = resolve)) });
  w.scheduler.replace([monitor('slow')]);
  await w.advance(25_000);
  assert.equal(w.starts.length, 1);
  assert.equal(w.scheduler.counts().skipped, 1);
  finish?.(UP);
  await settled();
  await w.advance(10_000);
  assert.equal(w.starts.length, 2);
});

test('a changed interval applies at once', async () => {
  const w = world();
  w.scheduler.replace([monitor('a', { interval_seconds: 600 })]);
  await w.advance(1_500);
  w.scheduler.assign([monitor('a', { interval_seconds: 5 })]);
  await w.advance(10_000);
  assert.deepEqual(
    w.starts.map(([, atMs]) => atMs),
    [1_005_000, 1_010_000],
  );
});

test('removed monitors are no longer checked, and their running checks are not reported', async () => {
  const finish: ((seen: CheckOutcome) => void)[] = [];
  const w = world({ run: () => new Promise((resolve) => finish.push(resolve)) });
  w.scheduler.replace([monitor('a'), monitor('b')]);
  await w.advance(10_000);
  w.scheduler.remove(['a']);
  for (const end of finish) end(UP);
  await w.advance(20_000);
  assert.deepEqual(
    w.results.map(({ monitor_id }) => monitor_id),
    ['b'],
  );
  assert.deepEqual(w.starts.map(([id]) => id).sort(), ['a', 'b', 'b']);
});

test('a full list forgets monitors that are not in it', async () => {
  const w = world();
  w.scheduler.replace([monitor('a'), monitor('b')]);
  w.scheduler.replace([monitor('b')]);
  await w.advance(10_000);
  assert.deepEqual(
    w.starts.map(([id]) => id),
    ['b'],
  );
});

test('a result of an older config is not reported; a result of the same config is', async () => {
  let finish: ((seen: CheckOutcome) => void) | undefined;
  const w = world({ run: () => new Promise((resolve) => (finish = resolve)) });
  w.scheduler.replace([monitor('a')]);
  await w.advance(10_000);
  w.scheduler.assign([monitor('a', { config: { url: 'x' }, interval_seconds: 20 })]);
  finish?.(UP);
  await settled();
  assert.equal(w.results.length, 1, 'the same config in other words');
  await w.advance(20_000);
  w.scheduler.assign([monitor('a', { config: { url: 'y' }, interval_seconds: 20 })]);
  finish?.(UP);
  await settled();
  assert.equal(w.results.length, 1);
});

test('no more checks run at once than allowed, and the rest wait their turn', async () => {
  const finish: ((seen: CheckOutcome) => void)[] = [];
  const w = world({ slots: 2, run: () => new Promise((resolve) => finish.push(resolve)) });
  w.scheduler.replace(['a', 'b', 'c'].map((id) => monitor(id)));
  await w.advance(10_000);
  assert.deepEqual(w.scheduler.counts(), { monitors: 3, inFlight: 2, waiting: 1, skipped: 0, voided: 0 });
  finish[0]?.(UP);
  await settled();
  assert.equal(w.starts.length, 3);
});

/** A check that never ends on its own; cancelled, it ends like the checks of every type. */
const hanging = (_: Assignment, signal: AbortSignal): Promise<CheckOutcome> =>
  new Promise((resolve) =>
    signal.addEventListener('abort', () =>
      resolve({ status: 'down', failure_class: 'aborted', cause_layer: 'probe' }),
    ),
  );

test('hanging checks keep no other organization waiting; checks of the same one without a slot report the cause', async () => {
  const w = world({
    slots: 30,
    run: (assignment, signal) =>
      assignment.monitor_id.startsWith('hung') ? hanging(assignment, signal) : Promise.resolve(UP),
  });
  const hung = Array.from({ length: 100 }, (_, i) =>
    monitor(`hung${i}`, { organization_id: 'noisy', interval_seconds: 60, offset_ms: i }),
  );
  w.scheduler.replace([...hung, monitor('quiet', { organization_id: 'quiet' })]);
  await w.advance(200_000);
  assert.equal(w.scheduler.counts().inFlight, 20);
  const late = w.starts.filter(([id, atMs]) => id === 'quiet' && atMs % 10_000 !== 0);
  assert.deepEqual(late, []);
  assert.equal(w.results.filter(({ monitor_id }) => monitor_id === 'quiet').length, 20);
  const busy = w.results.filter(({ failure_class }) => failure_class === 'probe_busy');
  assert.ok(busy.length >= 80);
  assert.equal(busy[0]?.cause_layer, 'probe');
  assert.match(busy[0]?.detail ?? '', /within 10 s: 20 other checks of the same organization are running/);
});

test('removing or changing a monitor cancels its running check, and a changed one is checked again at once', async () => {
  const aborted: string[] = [];
  const w = world({
    run: (assignment, signal) => {
      signal.addEventListener('abort', () => aborted.push(assignment.monitor_id));
      return hanging(assignment, signal);
    },
  });
  w.scheduler.replace([monitor('removed'), monitor('changed')]);
  await w.advance(10_000);
  w.scheduler.remove(['removed']);
  w.scheduler.assign([monitor('changed', { config: { url: 'y' } })]);
  await w.advance(0);
  assert.deepEqual(aborted, ['removed', 'changed']);
  assert.deepEqual(
    w.starts.map(([id]) => id),
    ['removed', 'changed', 'changed'],
  );
  assert.deepEqual(w.results, []);
  w.scheduler.replace([]);
  await w.advance(9_999);
  assert.equal(aborted.length, 2, 'another probe may have taken it over: its result is still worth having');
  await w.advance(1);
  assert.equal(aborted.length, 3);
});

test('a timeout during the probe’s own delay is void, a timeout of the target is not', async () => {
  let lagDuringCheckMs = 300;
  let w: ReturnType<typeof world>;
  const run = async (): Promise<CheckOutcome> => {
    w.lag(lagDuringCheckMs);
    return { status: 'down', failure_class: 'response_timeout', latency_ms: 1_000 + lagDuringCheckMs };
  };
  w = world({ run });
  w.scheduler.replace([monitor('a')]);
  await w.advance(10_000);
  assert.ok(w.scheduler.counts().voided > 0);
  assert.deepEqual(w.results, []);
  lagDuringCheckMs = 200;
  await w.advance(10_000);
  assert.deepEqual([...new Set(w.results.map(({ failure_class }) => failure_class))], ['response_timeout']);
});

test('without a latency, a check without answer is void only if the delay is a large share of it', async () => {
  let lagDuringCheckMs = 2;
  let w: ReturnType<typeof world>;
  const run = async (): Promise<CheckOutcome> => {
    w.lag(lagDuringCheckMs);
    return { status: 'down', failure_class: 'no_answer', timings_ms: { total: 5_000 } };
  };
  w = world({ run });
  w.scheduler.replace([monitor('a')]);
  await w.advance(10_000);
  assert.equal(w.results.length, 1, 'a delay of 2 ms takes no outage away');
  lagDuringCheckMs = 2_000;
  await w.advance(10_000);
  assert.ok(w.scheduler.counts().voided > 0);
  assert.equal(w.results.length, 1);
});

/** A world in which checks run into a timeout of `tookMs`, while this process did not run for part of it. */
function lateWorld(tookMs: number, lagMs: (startedMs: number) => number) {
  const reported: [string, number][] = [];
  const run = async (): Promise<CheckOutcome> => {
    const startedMs = w.now();
    await new Promise<void>((resolve) => w.after(tookMs, resolve));
    w.lag(lagMs(startedMs));
    return { status: 'down', failure_class: 'connect_timeout', timings_ms: { total: tookMs } };
  };
  const w: ReturnType<typeof world> = world({
    run,
    voided: ({ monitor_id }, inARow) => reported.push([monitor_id, inARow]),
  });
  return { ...w, reported };
}

test('a void check is repeated once before its next moment, at a time of its own', async () => {
  let lagMs = 500;
  const w = lateWorld(1_000, () => lagMs);
  w.scheduler.replace([monitor('a'), monitor('b')]);
  await w.advance(29_999);
  const ofA = w.starts.filter(([id]) => id === 'a').map(([, atMs]) => atMs);
  const [due = 0, again = 0, next = 0, nextAgain = 0] = ofA;
  assert.equal(next - due, 10_000);
  for (const pauseMs of [again - due - 1_000, nextAgain - next - 1_000])
    assert.ok(pauseMs >= 250 && pauseMs <= 2_000, `made again after ${pauseMs} ms`);
  lagMs = 0;
  await w.advance(10_000);
  assert.equal(w.results.filter(({ cause_layer }) => cause_layer !== 'probe').length, 2);
});

test('from the third void check in a row a monitor has no data', async () => {
  let lagMs = 500;
  const w = lateWorld(1_000, () => lagMs);
  w.scheduler.replace([monitor('a')]);
  await w.advance(20_500);
  assert.deepEqual([w.reported.at(-1), w.results], [['a', 2], []]);
  await w.advance(19_500);
  assert.deepEqual(w.reported.at(-1), ['a', 6]);
  assert.deepEqual(
    w.results.map(({ failure_class, cause_layer }) => [failure_class, cause_layer]),
    Array(4).fill(['probe_busy', 'probe']),
  );
  assert.equal(w.results[0]?.checked_at_ms, 1_020_000);
  assert.match(
    w.results[0]?.detail ?? '',
    /too busy to tell a slow target from its own delay, 3 times in a row/,
  );
  lagMs = 0;
  await w.advance(10_000);
  assert.equal(w.results.at(-1)?.failure_class, 'connect_timeout');
  lagMs = 500;
  await w.advance(1_500);
  assert.deepEqual(w.reported.at(-1), ['a', 1], 'a verdict resets the count');
});

test('a monitor whose schedule always coincides with a delay of its probe still gets a verdict', async () => {
  for (const interval_seconds of [1, 2, 3]) {
    const intervalMs = interval_seconds * 1_000;
    const tookMs = 0.8 * intervalMs;
    // The loop is busy in the first tenth of each interval.
    const w = lateWorld(tookMs, (startedMs) => (startedMs % intervalMs < intervalMs / 10 ? tookMs / 2 : 0));
    w.scheduler.replace([monitor('a', { interval_seconds })]);
    await w.advance(6 * intervalMs);
    const verdicts = w.results.filter(({ cause_layer }) => cause_layer !== 'probe');
    assert.ok(verdicts.length > 0, `every ${interval_seconds} s`);
  }
});

test('the probe’s own delay voids only verdicts that depend on time', async () => {
  let w: ReturnType<typeof world>;
  const run = async (): Promise<CheckOutcome> => {
    w.lag(5_000);
    return { status: 'down', failure_class: 'http_status', latency_ms: 5_001 };
  };
  w = world({ run });
  w.scheduler.replace([monitor('a')]);
  await w.advance(10_000);
  assert.equal(w.results.length, 1);
});

test('after a small step back of the clock no moment is checked twice; a large step reschedules everything', async () => {
  const w = world();
  w.scheduler.replace([monitor('a')]);
  await w.advance(10_000);
  w.jump(-5);
  w.scheduler.clockMoved(-5);
  await w.advance(9_999);
  assert.equal(w.starts.length, 1);
  await w.advance(6);
  assert.equal(w.starts.length, 2);
  w.jump(-3_600_000);
  w.scheduler.clockMoved(-3_600_000);
  await w.advance(10_000);
  assert.equal(w.starts.length, 3);
});

test('a check that throws is a failure of the probe', async () => {
  const w = world({ run: () => Promise.reject(new Error('a mistake')) });
  w.scheduler.replace([monitor('a')]);
  await w.advance(10_000);
  assert.deepEqual(
    w.results.map(({ failure_class, cause_layer }) => [failure_class, cause_layer]),
    [['probe_error', 'probe']],
  );
});

test('after stop nothing starts and nothing is reported', async () => {
  let finish: ((seen: CheckOutcome) => void) | undefined;
  const w = world({ run: () => new Promise((resolve) => (finish = resolve)) });
  const scheduler: Scheduler = w.scheduler;
  scheduler.replace([monitor('a')]);
  await w.advance(10_000);
  scheduler.stop();
  finish?.(UP);
  await w.advance(60_000);
  assert.deepEqual([w.starts.length, w.results.length], [1, 0]);
});

test('a check that starts within half a second of its moment is dated by the moment, a later one by its start', async () => {
  const lates = [0, 1, 500, 501, 3_000];
  for (const lateMs of lates) {
    const w = world({ startMs: 1_000_000 });
    w.scheduler.replace([monitor('a', { offset_ms: 4_321 })]);
    await w.advance(4_320);
    // The probe's process is kept from running.
    w.jump(lateMs + 1);
    await w.advance(0);
    await w.advance(1);
    const startedMs = 1_004_321 + lateMs;
    assert.equal(w.starts[0]?.[1], startedMs);
    assert.equal(w.results[0]?.checked_at_ms, lateMs <= 500 ? 1_004_321 : startedMs, `${lateMs} ms`);
  }
});

test('a check on demand is dated by its start', async () => {
  const w = world({ startMs: 1_004_400 });
  w.scheduler.assign([monitor('a', { offset_ms: 4_321 })]);
  await settled();
  assert.equal(w.results[0]?.checked_at_ms, 1_004_400);
});

test('a full list changes neither the schedule nor the running check of a monitor that stays', async () => {
  const finish: ((seen: CheckOutcome) => void)[] = [];
  const w = world({ run: () => new Promise((resolve) => finish.push(resolve)) });
  w.scheduler.replace([monitor('a', { offset_ms: 4_321 })]);
  await w.advance(4_321);
  assert.deepEqual(w.scheduler.replace([monitor('a', { offset_ms: 4_321, config: { url: 'x' } })]), []);
  finish[0]?.(UP);
  await settled();
  assert.deepEqual(
    w.results.map(({ checked_at_ms }) => checked_at_ms),
    [1_004_321],
  );
  await w.advance(10_000);
  assert.deepEqual(
    w.starts.map(([, atMs]) => atMs),
    [1_004_321, 1_014_321],
  );
});

test('the running check of a monitor that another probe has taken over is reported, and no further check starts', async () => {
  const finish: ((seen: CheckOutcome) => void)[] = [];
  const w = world({ run: () => new Promise((resolve) => finish.push(resolve)) });
  w.scheduler.replace([monitor('a'), monitor('b')]);
  await w.advance(10_000);
  assert.deepEqual(w.scheduler.replace([monitor('b')]), ['a']);
  for (const end of finish) end(UP);
  await settled();
  assert.deepEqual(w.results.map(({ monitor_id }) => monitor_id).sort(), ['a', 'b']);
  await w.advance(10_000);
  assert.deepEqual(w.starts.map(([id]) => id).sort(), ['a', 'b', 'b']);
});
