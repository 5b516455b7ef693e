import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHECK_MS, type CheckTime, type Excess, loopTime } from './loop-time.ts';
import { sharedSlots } from './slots.ts';
import type { Tenant } from './tenant.ts';

const BEAT_MS = 100;

/**
 * Accounts whose time moves a tick at a time; `late`: the loop was late throughout the tick. It is always busy, and has
 * `attainable` of the processor.
 */
function world(attainable = 1) {
  let nowMs = 1_000;
  let lagMs = 0;
  const loop = loopTime({
    nowMs: () => nowMs,
    lagMs: () => lagMs,
    idleMs: () => 0,
    cpuMs: () => nowMs * attainable,
  });
  const ended: [string, Excess['of']][] = [];
  return {
    loop,
    ended,
    open: (name: string, tenant: Tenant): CheckTime => loop.open(tenant, ({ of }) => ended.push([name, of])),
    tick(times: number, { late = false, each }: { late?: boolean; each?: () => void } = {}) {
      for (let i = 0; i < times; i++) {
        each?.();
        nowMs += BEAT_MS;
        if (late) lagMs += BEAT_MS / 2;
        loop.tick();
      }
    },
  };
}

const noisy: Tenant = { organizationId: 'noisy' };
const quiet: Tenant = { organizationId: 'quiet' };

test('a check that takes too much of the loop is ended once, and no other is', () => {
  const w = world();
  const costly = w.open('costly', noisy);
  const honest = w.open('honest', noisy);
  honest.charge(30);
  costly.charge(CHECK_MS);
  w.tick(1);
  assert.deepEqual(w.ended, []);
  costly.charge(1);
  w.tick(3);
  assert.deepEqual(w.ended, [['costly', 'check']]);
  assert.equal(costly.end(), true);
  assert.equal(honest.end(), false);
});

test('while the loop lags, the organization that causes it has its checks ended and starts none; others continue', () => {
  const w = world();
  const flood = w.open('flood', noisy);
  const check = w.open('check', quiet);
  w.tick(20, { late: true, each: () => [flood.charge(10), check.charge(0.6)] });
  assert.deepEqual(w.ended, [], 'a fifth of the loop is less than a half');
  w.tick(8, { late: true, each: () => flood.charge(90) });
  assert.deepEqual(w.ended.slice(0, 1), [['flood', 'check']]);
  const others = [w.open('another', noisy), w.open('another of quiet', quiet)];
  others[0]?.charge(20);
  others[1]?.charge(20);
  w.tick(30, { late: true, each: () => flood.charge(90) });
  assert.deepEqual(w.ended.slice(1), [['another', 'organization']]);
  assert.equal(w.loop.admits(noisy), false);
  assert.equal(w.loop.admits(quiet), true);
  assert.equal(w.loop.admits({ organizationId: 'new' }), true);
});

test('the organizations of one owner share one budget', () => {
  const w = world();
  w.open('check', quiet).charge(1);
  const floods = ['a', 'b', 'c'].map((id) => w.open(id, { organizationId: id, ownerId: 'mallory' }));
  w.tick(60, {
    late: true,
    each: () => {
      for (const flood of floods) flood.charge(30);
    },
  });
  assert.equal(w.loop.admits({ organizationId: 'd', ownerId: 'mallory' }), false);
  assert.equal(w.loop.admits(quiet), true);
});

test('an organization is not held back if it is alone, or if the machine is busy with something else', () => {
  const alone = world();
  const check = alone.open('check', noisy);
  alone.tick(40, { late: true, each: () => check.charge(95) });
  assert.equal(alone.loop.admits(noisy), true);

  const busyMachine = world();
  busyMachine.open('quiet', quiet).charge(1);
  const large = busyMachine.open('large', noisy);
  busyMachine.tick(40, { late: true, each: () => large.charge(5) });
  assert.equal(busyMachine.loop.admits(noisy), true);
});

test('throttled checks are admitted again one by one, as their organization’s usage decays', () => {
  const w = world();
  w.open('quiet', quiet).charge(5_000);
  const flood = w.open('flood', noisy);
  w.tick(60, { late: true, each: () => flood.charge(95) });
  flood.end();
  assert.equal(w.loop.admits(noisy), false);
  w.tick(60);
  let begun = 0;
  for (; begun < 10_000 && w.loop.admits(noisy); begun++) w.open('again', noisy);
  assert.ok(begun > 0 && begun < 1_000, `${begun} began at once`);
});

test('a check that is not admitted waits without using a slot, and starts once admitted', () => {
  const barred = new Set(['noisy']);
  const timers: (() => void)[] = [];
  const timer = { set: (call: () => void) => timers.push(call), clear: () => undefined };
  const slots = sharedSlots(6, timer, ({ organizationId }) => !barred.has(organizationId));
  const reported: string[] = [];
  const want = (name: string, tenant: Tenant) =>
    slots.want({
      tenant,
      withinMs: 1_000,
      start: () => void reported.push(`${name} begins`),
      late: (why) => void reported.push(`${name}: ${why}`),
    });
  for (const name of ['a', 'b', 'c', 'd']) want(name, noisy);
  const callOff = want('e', noisy);
  want('q', quiet);
  assert.deepEqual(reported, ['q begins']);
  assert.deepEqual(slots.counts(), { held: 1, waiting: 5 });
  assert.equal(callOff(), true);
  assert.equal(callOff(), false);
  timers[0]?.();
  assert.match(
    reported[1] ?? '',
    /^a: This probe was late.*more of its main loop than their share.*within 1 s$/,
  );
  barred.clear();
  slots.reconsider();
  assert.deepEqual(reported.slice(2), ['b begins', 'c begins', 'd begins']);
});

test('evaluation in another thread counts for its organization, but ends no check', () => {
  const w = world();
  w.open('quiet', quiet).charge(1);
  const judged = w.open('judged', noisy);
  w.tick(40, { late: true, each: () => judged.chargeSeparately(90) });
  assert.deepEqual(w.ended, [['judged', 'organization']]);
  assert.equal(w.loop.admits(noisy), false);
  assert.equal(w.loop.admits(quiet), true);
  assert.equal(judged.end(), false);
});

test('an organization with a void check precedes the ones that voided it: unused time is no longer given away', () => {
  const w = world();
  const check = w.open('check', quiet);
  const flood = w.open('flood', noisy);
  w.tick(20, { each: () => [flood.charge(60), check.charge(0.5)] });
  assert.equal(w.loop.admits(noisy), true, 'the loop is not behind');
  w.loop.voided(noisy);
  assert.equal(w.loop.admits(noisy), true, 'by its own doing');
  w.loop.voided(quiet);
  assert.equal(w.loop.admits(noisy), false);
  assert.equal(w.loop.admits(quiet), true);
  w.tick(310);
  assert.equal(w.loop.admits(noisy), true, 'not for ever');
});

test('a void check throttles nobody if the machine is busy, and not its checks', () => {
  const w = world();
  const check = w.open('check', quiet);
  const large = w.open('large', noisy);
  large.charge(900);
  w.tick(20, { late: true, each: () => [large.charge(5), check.charge(0.5)] });
  w.loop.voided(quiet);
  assert.equal(w.loop.admits(noisy), true);
});

test('on a machine busy with other programs, checks share the time that the loop gets', () => {
  const w = world(0.2);
  const check = w.open('check', quiet);
  const flood = w.open('flood', noisy);
  w.tick(40, { late: true, each: () => [flood.charge(18), check.charge(0.2)] });
  assert.equal(w.loop.admits(noisy), false);
  assert.equal(w.loop.admits(quiet), true);
});
