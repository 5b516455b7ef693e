// For every history, not only those somebody thought of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  asked,
  everyHistory,
  REGIONS,
  statuses,
  subjects,
  WINDOW_MS,
} from '#test/harness/confirmation-histories.ts';
import { checksFaster } from './check-interval.ts';
import {
  advanceTime,
  type ConfirmationEvent,
  type ConfirmationState,
  displayStatus,
  hasOpenIncident,
  healthy,
  inOrder,
  isSteady,
  type MonitorRules,
  processResult,
} from './confirmation.ts';
import { isIn } from './maintenance.ts';
import type { CheckStatus } from './names.ts';

test('the random histories are meaningful: many of them open and resolve incidents', () => {
  let opened = 0;
  let resolved = 0;
  everyHistory((_, moments) => {
    const kinds = moments.flatMap((moment) => moment.events.map((event) => event.kind));
    if (kinds.includes('opened')) opened += 1;
    if (kinds.includes('resolved')) resolved += 1;
  });
  assert.ok(
    opened > 300 && resolved > 150,
    `of 1000 histories ${opened} opened an incident, ${resolved} resolved one`,
  );
});

test('at most one incident is open: openings and resolutions alternate, and the state agrees', () => {
  everyHistory((_, moments) => {
    let open = false;
    for (const { events, before, after } of moments) {
      if (events.length === 0 && hasOpenIncident(before) && !hasOpenIncident(after)) open = false; // by hand
      for (const event of events) {
        if (event.kind === 'opened') assert.equal(open, false);
        if (event.kind === 'resolved') assert.equal(open, true);
        if (event.kind === 'opened' || event.kind === 'resolved') open = event.kind === 'opened';
      }
      assert.equal(hasOpenIncident(after), open);
    }
  });
});

test('time alone resolves and starts nothing; whatever it opens has enough failing regions that report', () => {
  everyHistory((rules, moments) => {
    for (const { result, events, inputs, before } of moments) {
      if (result !== null) continue;
      for (const event of events) {
        assert.equal(event.kind, 'opened');
        if (event.kind !== 'opened') continue;
        for (const name of event.failingRegions) {
          assert.ok(inputs.onlineRegions.includes(name));
          assert.ok((before.regions[name]?.last.atMs ?? 0) > inputs.nowMs - WINDOW_MS);
        }
        assert.ok(event.failedRegions >= event.requiredRegions);
      }
    }
    const last = moments.at(-1);
    if (last === undefined) return;
    const muchLater = {
      ...last.inputs,
      nowMs: last.inputs.nowMs + 100 * WINDOW_MS,
      onlineRegions: [],
    };
    assert.deepEqual(advanceTime(rules, last.after, muchLater).events, []);
  });
});

test('an incident opens only if enough reporting regions are online and failing', () => {
  everyHistory((rules, moments) => {
    const { alarm_quorum_mode: mode, alarm_quorum_value: value } = rules.policy;
    for (const { result, events, inputs, before } of moments) {
      for (const event of events) {
        if (event.kind !== 'opened') continue;
        const online = rules.regions.filter(
          (name) => inputs.onlineRegions.includes(name) || name === result?.region,
        );
        const floor = Math.min(2, asked(mode, value, rules.regions.length));
        assert.ok(event.failingRegions.length >= Math.max(asked(mode, value, online.length), floor));
        const atMs = Math.min(inputs.nowMs, result?.atMs ?? inputs.nowMs);
        for (const name of event.failingRegions) {
          assert.ok(online.includes(name));
          const newestMs = name === result?.region ? result.atMs : (before.regions[name]?.last.atMs ?? 0);
          assert.ok(newestMs > atMs - WINDOW_MS);
        }
      }
    }
  });
});

test('an incident resolves only by recovery: a region of it recovered, the quorum is met, too few are failing', () => {
  everyHistory((rules, moments) => {
    const { policy, regions } = rules;
    for (const { result, events, inputs, before, after } of moments) {
      for (const event of events) {
        if (event.kind !== 'resolved') continue;
        const online = regions.filter(
          (name) => inputs.onlineRegions.includes(name) || name === result?.region,
        );
        const inState = (condition: string) =>
          online.filter((name) => (after.regions[name]?.condition ?? 'recovered') === condition);
        const floor = Math.min(2, asked(policy.alarm_quorum_mode, policy.alarm_quorum_value, regions.length));
        const required = Math.max(
          asked(policy.alarm_quorum_mode, policy.alarm_quorum_value, online.length),
          floor,
        );
        assert.ok(inState('failing').length < required);
        const quorum = asked(policy.recovery_quorum_mode, policy.recovery_quorum_value, online.length);
        assert.ok(inState('recovered').length >= quorum);
        // Opened and resolved by the same result, the outage is not in the state before it.
        const involved = before.outage?.regions ?? [];
        assert.ok(involved.some((name) => inState('recovered').includes(name)));
      }
    }
  });
});

test('a result that counts as history changes nothing at all', () => {
  everyHistory((rules, moments) => {
    for (const { result, inputs, before, after, events } of moments) {
      if (result === null) continue;
      const late = inputs.nowMs - result.atMs > WINDOW_MS;
      const old = result.atMs <= (before.regions[result.region]?.last.atMs ?? -1);
      const foreign = !rules.regions.includes(result.region);
      if (!(late || old || foreign || result.probeFault)) continue;
      assert.equal(after, before);
      assert.equal(events.length, 0);
    }
  });
});

test('a resolution comes only with a passing result, an opening never during maintenance', () => {
  everyHistory((_, moments) => {
    for (const { result, events, inputs } of moments) {
      for (const event of events) {
        if (event.kind === 'resolved') assert.notEqual(result?.status ?? 'down', 'down');
        if (event.kind !== 'opened') continue;
        assert.equal(
          inputs.maintenance.some((window) => isIn(window, event.triggeredAtMs)),
          false,
        );
      }
    }
  });
});

test('the evidence is consistent: counts, times and names match', () => {
  everyHistory((rules, moments) => {
    for (const { events, inputs } of moments) {
      for (const event of events) {
        if (event.kind === 'resolved') assert.ok(event.atMs <= inputs.nowMs);
        if (event.kind !== 'opened') continue;
        assert.ok(event.requiredRegions >= 1);
        assert.ok(event.failedRegions >= event.requiredRegions);
        assert.ok(event.reportingRegions >= event.failedRegions);
        assert.ok(event.expectedRegions >= event.reportingRegions);
        assert.equal(event.expectedRegions, rules.regions.length);
        assert.equal(event.failingRegions.length, event.failedRegions);
        for (const name of event.failingRegions) assert.ok(event.downRegions.includes(name));
        assert.ok(event.consecutiveFailuresObserved >= event.consecutiveFailuresRequired);
        assert.ok(event.firstFailureAtMs <= event.failurePhaseStartedAtMs);
        assert.ok(event.failurePhaseStartedAtMs <= event.startedAtMs);
        assert.ok(event.triggeredAtMs >= event.startedAtMs + event.minimumOutageSeconds * 1000);
        assert.ok(event.triggeredAtMs <= inputs.nowMs);
      }
    }
  });
});

test('an incident never resolves before it was triggered', () => {
  everyHistory((_, moments) => {
    let triggeredMs = 0;
    for (const event of moments.flatMap((moment) => moment.events)) {
      if (event.kind === 'opened') triggeredMs = event.triggeredAtMs;
      if (event.kind === 'resolved') assert.ok(event.atMs >= triggeredMs);
    }
  });
});

test('after recovery nothing stays failed: enough passing results everywhere make every monitor steady', () => {
  everyHistory((rules, moments) => {
    const last = moments.at(-1);
    let state = last?.after ?? healthy;
    let nowMs = (last?.inputs.nowMs ?? 0) + 60_000;
    for (let i = 0; i < 2 * rules.policy.recovery_consecutive + 1; i++) {
      for (const region of rules.regions) {
        const inputs = {
          nowMs,
          onlineRegions: rules.regions,
          lastResultAtMs: {},
          maintenance: [],
        };
        state = processResult(
          rules,
          state,
          { region, atMs: nowMs, status: 'up', probeFault: false },
          inputs,
        ).state;
      }
      nowMs += 30_000;
    }
    assert.equal(displayStatus(state, rules.regions), 'passed');
    assert.equal(isSteady(state), true);
    assert.equal(checksFaster(state, rules.regions), false);
  });
});

test('a total failure is never missed: enough failing results in all regions open an incident', () => {
  everyHistory((rules, moments) => {
    const last = moments.at(-1);
    let state = last?.after ?? healthy;
    let nowMs = (last?.inputs.nowMs ?? 0) + 60_000;
    for (let i = 0; i < rules.policy.alarm_consecutive + 10; i++) {
      for (const region of rules.regions) {
        const inputs = {
          nowMs,
          onlineRegions: rules.regions,
          lastResultAtMs: {},
          maintenance: [],
        };
        state = processResult(
          rules,
          state,
          { region, atMs: nowMs, status: 'down', probeFault: false },
          inputs,
        ).state;
      }
      nowMs += 30_000;
    }
    assert.equal(hasOpenIncident(state), true);
  });
});

test('the order within a batch and duplicates in it change nothing', () => {
  const batch = fc.uniqueArray(
    fc.record({
      region: fc.constantFrom(...REGIONS),
      atMs: fc.integer({ min: 1, max: 60 }).map((s) => s * 1000),
      status: statuses,
    }),
    { selector: ({ region, atMs }) => `${region} ${atMs}`, maxLength: 40 },
  );
  const twoOrders = batch.chain((results) =>
    fc.record({
      results: fc.constant(results),
      // Every result at least once, some twice, in any order.
      shuffled: fc
        .shuffledSubarray([...results, ...results], { minLength: results.length })
        .map((some) => [...some, ...results]),
    }),
  );
  const outcomeOf = (
    rules: MonitorRules,
    results: readonly { region: string; atMs: number; status: CheckStatus }[],
  ) => {
    const inputs = { nowMs: 61_000, onlineRegions: REGIONS, lastResultAtMs: {}, maintenance: [] };
    let state = healthy;
    const events: ConfirmationEvent[] = [];
    for (const result of inOrder(results)) {
      const decision = processResult(rules, state, { ...result, probeFault: false }, inputs);
      state = decision.state;
      events.push(...decision.events);
    }
    return { state, events };
  };
  fc.assert(
    fc.property(subjects, twoOrders, (rules, { results, shuffled }) => {
      assert.deepEqual(outcomeOf(rules, shuffled), outcomeOf(rules, results));
    }),
    { numRuns: 400 },
  );
});

test('the start of an outage does not depend on the order in which the regions’ results arrive', () => {
  const failing = fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1, maxLength: 6 });
  const allFailing = fc.array(failing, { minLength: 4, maxLength: 4 });
  const inputs = { nowMs: 151_000, onlineRegions: REGIONS, lastResultAtMs: {}, maintenance: [] };
  const beginning = (rules: MonitorRules, order: readonly { region: string; atMs: number }[]) => {
    let state = healthy;
    for (const result of order) {
      state = processResult(rules, state, { ...result, status: 'down', probeFault: false }, inputs).state;
    }
    return { since: state.outage?.sinceMs, regions: state.outage?.regions, started: state.phase?.startedMs };
  };
  fc.assert(
    fc.property(subjects, allFailing, fc.array(fc.nat(3), { maxLength: 40 }), (given, times, turns) => {
      const rules = { ...given, policy: { ...given.policy, alarm_min_duration_seconds: 3600 } };
      const queues = rules.regions.map((region, i) =>
        [...new Set(times[i])].sort((x, y) => x - y).map((second) => ({ region, atMs: second * 1000 })),
      );
      const inTime = inOrder(queues.flat());
      // Every region's own results stay in order; between the regions anything goes.
      const asArrived = turns.flatMap((turn) => queues[turn]?.splice(0, 1) ?? []).concat(queues.flat());
      assert.deepEqual(beginning(rules, asArrived), beginning(rules, inTime));
    }),
    { numRuns: 400 },
  );
});

test('the state is plain JSON and survives storage', () => {
  everyHistory((_, moments) => {
    const state = moments.at(-1)?.after ?? healthy;
    assert.deepEqual(JSON.parse(JSON.stringify(state)), state);
  }, 100);
});

test('passing results of a steady monitor change nothing but the last results', () => {
  everyHistory((rules, moments) => {
    for (const { after, inputs } of moments) {
      if (!isSteady(after)) continue;
      const nowMs = inputs.nowMs + 60_000;
      const region = rules.regions[0] ?? 'a';
      const result = { region, atMs: nowMs, status: 'up' as const, probeFault: false };
      const decision = processResult(rules, after, result, { ...inputs, nowMs });
      assert.deepEqual(decision.events, []);
      assert.equal(isSteady(decision.state), true);
      const without = (state: ConfirmationState) => ({
        ...state,
        regions: { ...state.regions, [region]: null },
      });
      assert.deepEqual(without(decision.state), without(after));
    }
  }, 200);
});
