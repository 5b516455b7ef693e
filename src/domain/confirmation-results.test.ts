// For every history: what silence, one region alone and late results may never do, and that evidence adds up with the
// results it came from, as the test counts them itself.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  asked,
  everyHistory,
  type History,
  histories,
  live,
  type Moment,
  REGIONS,
  subjects,
  WINDOW_MS,
} from '#test/harness/confirmation-histories.ts';
import { advanceTime, displayStatus, hasOpenIncident, healthy, type MonitorRules } from './confirmation.ts';

test('silence opens and resolves nothing, however long it lasts and whoever is online', () => {
  const gaps = fc.integer({ min: WINDOW_MS, max: 1000 * WINDOW_MS });
  const online = fc.subarray(REGIONS);
  fc.assert(
    fc.property(subjects, histories, gaps, online, (rules, history, gapMs, onlineRegions) => {
      const last = live(rules, history).at(-1);
      if (last === undefined) return;
      const inputs = {
        ...last.inputs,
        nowMs: last.inputs.nowMs + gapMs,
        onlineRegions,
        maintenance: [],
      };
      const { events, state } = advanceTime(rules, last.after, inputs);
      assert.deepEqual(events, []);
      assert.equal(hasOpenIncident(state), hasOpenIncident(last.after));
      assert.equal(displayStatus(state, REGIONS), displayStatus(last.after, REGIONS));
    }),
    { numRuns: 1000 },
  );
});

test('one region alone never confirms an outage if two are required, whoever else is silent or offline', () => {
  let failures = 0;
  fc.assert(
    fc.property(subjects, histories, fc.constantFrom(...REGIONS), (rules, history, alone) => {
      const { alarm_quorum_mode: mode, alarm_quorum_value: value } = rules.policy;
      fc.pre(asked(mode, value, rules.regions.length) >= 2);
      const onlyThere: History = history.map((step) =>
        step.happening.kind === 'result' && step.happening.region !== alone
          ? { ...step, happening: { ...step.happening, status: 'up' } }
          : step,
      );
      for (const { events, after } of live(rules, onlyThere)) {
        assert.ok(events.every(({ kind }) => kind !== 'opened' && kind !== 'outage_began'));
        assert.equal(after.outage, null);
        if (after.regions[alone]?.condition === 'failing') failures += 1;
      }
    }),
    { numRuns: 1000 },
  );
  assert.ok(failures > 500, `failing in one region at ${failures} moments only`);
});

test('late results change history and never a decision: inserted anywhere, they change no outcome', () => {
  const late = fc.array(
    fc.record({
      at: fc.nat(200),
      region: fc.constantFrom(...REGIONS),
      status: fc.constantFrom('down', 'up', 'degraded'),
      lateMs: fc.integer({ min: WINDOW_MS + 1, max: 50 * WINDOW_MS }),
    }),
    { minLength: 1, maxLength: 20 },
  );
  const outcomes = (moments: Moment[]) => ({
    events: moments.flatMap(({ events }) => events),
    state: moments.at(-1)?.after ?? healthy,
  });
  fc.assert(
    fc.property(subjects, histories, late, (rules, history, strewn) => {
      const withLate = history.flatMap((step, i) => [
        step,
        ...strewn
          .filter(({ at }) => at % history.length === i)
          .map(({ at: _, ...result }) => ({
            waitMs: 0,
            happening: { kind: 'result' as const, probeFault: false, ...result },
          })),
      ]) as History;
      assert.deepEqual(outcomes(live(rules, withLate)), outcomes(live(rules, history)));
    }),
    { numRuns: 1000 },
  );
});

/** What the results of one region say, by a reading of the rules that shares nothing with the code. */
type Count = { fails: number; passes: number; failing: boolean; longest: number };
const NOTHING: Count = { fails: 0, passes: 0, failing: false, longest: 0 };

function counted(count: Count, status: string, { policy }: MonitorRules): Count {
  if (status === 'down') {
    const fails = count.fails + 1;
    const failing = count.failing || fails >= policy.alarm_consecutive;
    return { fails, passes: 0, failing, longest: Math.max(count.longest, fails) };
  }
  const passes = count.passes + 1;
  const failing = count.failing && passes < policy.recovery_consecutive;
  return { fails: 0, passes, failing, longest: failing ? count.longest : 0 };
}

test('the evidence matches the results: streaks, first failures and regions are the reported ones', () => {
  let opened = 0;
  everyHistory((rules, moments) => {
    let counts: Record<string, Count> = {};
    const newestMs: Record<string, number> = {};
    const failedAtMs: Record<string, number[]> = {};
    for (const { result, inputs, before, after, events } of moments) {
      const earlier = counts;
      const isNews =
        result !== null &&
        !result.probeFault &&
        rules.regions.includes(result.region) &&
        inputs.nowMs - result.atMs <= WINDOW_MS &&
        result.atMs > (newestMs[result.region] ?? -1);
      if (isNews) {
        const { region, atMs, status } = result;
        newestMs[region] = atMs;
        counts = { ...counts, [region]: counted(counts[region] ?? NOTHING, status, rules) };
        if (status === 'down') failedAtMs[region] = [...(failedAtMs[region] ?? []), atMs];
      }
      const closedByHand = result === null && hasOpenIncident(before) && !hasOpenIncident(after);
      if (closedByHand) counts = {};
      const failures = Object.values(failedAtMs).flat();
      for (const event of events) {
        if (event.kind !== 'opened') continue;
        opened += 1;
        // One that was due opens before the result that comes next is laid in.
        const candidates = [earlier, counts].filter((each) =>
          event.failingRegions.every((region) => each[region]?.failing),
        );
        const streaks = candidates.map((each) =>
          Math.min(...event.failingRegions.map((region) => each[region]?.longest ?? 0)),
        );
        assert.ok(streaks.includes(event.consecutiveFailuresObserved), JSON.stringify({ streaks, event }));
        for (const ms of [event.startedAtMs, event.failurePhaseStartedAtMs, event.firstFailureAtMs])
          assert.ok(failures.includes(ms), 'a clock of the evidence is no failing result’s');
        for (const region of event.downRegions)
          assert.ok((failedAtMs[region]?.length ?? 0) >= rules.policy.alarm_consecutive);
      }
    }
  });
  assert.ok(opened > 300, `${opened} incidents only`);
});
