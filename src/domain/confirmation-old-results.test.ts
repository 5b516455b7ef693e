// What was stored while a monitor was calm is known when its calm ends (docs/rules/confirmation.md#results).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { monitorWith, World } from './confirmation.testing.ts';
import { healthy, lastSeverity, processResult } from './confirmation.ts';

const policy = { alarm_consecutive: 1, recovery_consecutive: 1 } as const;

/** A monitor that a region made calm, while others were only stored. */
function calmWith(lastResultAtMs: Record<string, number>) {
  const rules = monitorWith(policy);
  const about = { nowMs: 100_000, onlineRegions: ['a', 'b', 'c'], lastResultAtMs: {}, maintenance: [] };
  const first = { region: 'a', atMs: 1000, status: 'up', probeFault: false } as const;
  const { state } = processResult(rules, healthy, first, about);
  return { rules, state, about: { ...about, lastResultAtMs } };
}

test('when the steady state ends, each region is known up to its newest stored result', () => {
  const { rules, state, about } = calmWith({ a: 70_000, b: 60_000, c: 65_000 });
  const failure = { region: 'b', atMs: 90_000, status: 'down', probeFault: false } as const;
  const after = processResult(rules, state, failure, { ...about, lastResultAtMs: { a: 70_000, c: 65_000 } });
  assert.equal(after.state.regions.a?.last.atMs, 70_000);
  assert.deepEqual(after.state.regions.c?.last, { atMs: 65_000, status: 'up' });
  const old = { region: 'c', atMs: 64_000, status: 'down', probeFault: false } as const;
  const decision = processResult(rules, after.state, old, { ...about, lastResultAtMs: {} });
  assert.equal(decision.reason, 'not_newer');
  assert.equal(decision.state, after.state);
});

test('a region without stored results stays unknown when the steady state ends', () => {
  const { rules, state, about } = calmWith({ a: 70_000 });
  const failure = { region: 'b', atMs: 90_000, status: 'down', probeFault: false } as const;
  assert.equal(processResult(rules, state, failure, about).state.regions.c, undefined);
});

test('for a steady monitor, a result older than its region’s newest stored one is history', () => {
  const { rules, state, about } = calmWith({ b: 60_000 });
  const failure = { region: 'b', atMs: 59_000, status: 'down', probeFault: false } as const;
  assert.equal(processResult(rules, state, failure, about).reason, 'not_newer');
});

test('the last severity is that of the newest result, even if it arrived while the monitor was steady', () => {
  const world = new World(policy);
  world.passes('a', 10);
  world.lastResultAtMs = { c: 30_000 };
  world.result('b', 20, 'down', { arrives: 31 });
  assert.equal(lastSeverity(world.state), 'ok');
});
