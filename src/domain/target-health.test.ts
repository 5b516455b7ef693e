import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeTries, type TargetHealth, type Tried } from './target-health.ts';

const WELL: TargetHealth = { failingSince: null, recentFailures: [], warnedAt: null };
const OK: Tried = { ok: true, gone: false };
const FAILED: Tried = { ok: false, gone: false };
const OURS: Tried = { ok: false, gone: false, isOurs: true };
const GONE: Tried = { ok: false, gone: true };
const HOUR = 3_600_000;
const at = (ms: number) => new Date(Date.UTC(2027, 0, 4) + ms);

/** The action at each of these moments, each with the attempts that ended then. */
function run(paging: boolean, moments: readonly (readonly [number, readonly Tried[]])[]): string[] {
  let health = WELL;
  return moments.map(([ms, tries]) => {
    const judged = judgeTries(health, tries, { now: at(ms), paging });
    health = judged.health;
    return judged.deactivate ? 'deactivate' : judged.warn ? 'warn' : '';
  });
}

test('a target that fails every attempt is reported once, after a day, and deactivated after five', () => {
  const days = [0, 0.9, 1, 2, 4.9, 5].map((day) => [day * 24 * HOUR, [FAILED]] as const);
  assert.deepEqual(run(false, days), ['', '', 'warn', '', '', 'deactivate']);
});

test('a target with rare deliveries is deactivated only a day after its warning', () => {
  const days = [0, 10, 10.5, 11].map((day) => [day * 24 * HOUR, [FAILED]] as const);
  assert.deepEqual(run(false, days), ['', 'warn', '', 'deactivate']);
});

test('one success resets everything', () => {
  const days = [
    [0, [FAILED]],
    [24 * HOUR, [FAILED]],
    [100 * HOUR, [FAILED, OK]],
    [121 * HOUR, [FAILED]],
    [144 * HOUR, [FAILED]],
    [145 * HOUR, [FAILED]],
  ] as const;
  assert.deepEqual(run(false, days), ['', 'warn', '', '', '', 'warn']);
});

test('failures that may be ours are reported, but deactivate nothing until the target has failed for a day by itself', () => {
  const tries = [0, 1, 2, 5, 9, 9.5, 10].map((day) => [day * 24 * HOUR, [day > 9 ? FAILED : OURS]] as const);
  assert.deepEqual(run(false, tries), ['', 'warn', '', '', '', '', 'deactivate']);
  const paged = [0, 5, 20].map((second) => [second * 1000, [OURS]] as const);
  assert.deepEqual(run(true, paged), ['', '', 'warn']);
});

test('a target that is gone is deactivated at once, a paging one is reported', () => {
  assert.deepEqual(run(false, [[0, [GONE]]]), ['deactivate']);
  assert.deepEqual(
    run(true, [
      [0, [GONE]],
      [1, [GONE]],
    ]),
    ['warn', ''],
  );
});

test('three failures of a paging target within two minutes are reported, at most once an hour, and never deactivate it', () => {
  const seconds = (...list: number[]) => list.map((second) => [second * 1000, [FAILED]] as const);
  assert.deepEqual(run(true, seconds(0, 5, 20, 65)), ['', '', 'warn', '']);
  assert.deepEqual(run(true, seconds(0, 61, 121)), ['', '', '']);
  assert.deepEqual(run(true, [[0, [FAILED, FAILED, OK, FAILED, FAILED]]]), ['']);
  assert.deepEqual(run(true, [[0, [FAILED, FAILED, FAILED]]]), ['warn']);
  const hours = [0, 1, 2, 3599, 3600, 3601, 3602].map((second) => [second * 1000, [FAILED]] as const);
  assert.deepEqual(run(true, hours), ['', '', 'warn', '', '', '', 'warn']);
  assert.deepEqual(
    run(true, [
      [0, [FAILED]],
      [200 * HOUR, [FAILED]],
    ]),
    ['', ''],
  );
});
