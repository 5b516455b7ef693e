import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Capsule } from '../src/capsules/contract.ts';
import type { Assignment } from '../src/probe-protocol/contract.ts';
import { until } from '../test/harness/until.ts';
import { startCapsules } from './capsules.ts';
import type { Call, Link, Outcome } from './link.ts';
import { sharedSlots } from './slots.ts';

const CAPSULE = { host: 'shop.example.com' } as Capsule;
const assignment = (monitor_id: string, organization_id = 'org_a'): Assignment => ({
  ...{ monitor_id, organization_id, type: 'tcp', config: {}, interval_seconds: 60, offset_ms: 0 },
});

const OK: Outcome = { kind: 'ok', body: { accepted: true }, sentAtMs: 0, receivedAtMs: 0 };

/** Capsules of these monitors, gathered when the test says so. */
function scene(monitors: readonly Assignment[], outcome: Outcome = OK) {
  const posted: Call[] = [];
  const link: Link = {
    call: (call) => {
      posted.push(call);
      return Promise.resolve(outcome);
    },
    close: () => undefined,
  };
  const begun: { id: string; ending: AbortController; end: (capsule?: Capsule) => void }[] = [];
  const logged: string[] = [];
  const capsules = startCapsules({
    ...{ link, probeId: 'probe-1', retry: { delayMs: () => 0 }, slots: sharedSlots() },
    log: (_level, sentence) => void logged.push(sentence),
    assignmentOf: (id) => monitors.find(({ monitor_id }) => monitor_id === id),
    gather: ({ monitor_id: id }, ending) =>
      new Promise((resolve) => begun.push({ id, ending, end: resolve })),
  });
  const ask = (...ids: string[]) =>
    capsules.add(ids.map((monitor_id) => ({ capsule_id: `c-${monitor_id}`, monitor_id })));
  return { capsules, posted, begun, logged, ask };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

test('a capsule is posted under the requested id, and a foreign monitor gets none', async () => {
  const { ask, begun, posted } = scene([assignment('one')]);
  ask('one', 'of nobody');
  assert.deepEqual(
    begun.map(({ id }) => id),
    ['one'],
  );
  begun[0]?.end(CAPSULE);
  await turn();
  assert.deepEqual(
    posted.map(({ path, body }) => [path, JSON.parse(body ?? '')]),
    [['/probe/capsules', { probe_id: 'probe-1', capsule_id: 'c-one', capsule: CAPSULE }]],
  );
});

test('one organization builds at most four capsules at a time, and leaves a slot to another', async () => {
  const many = Array.from({ length: 9 }, (_, n) => assignment(`m${n}`));
  const { ask, begun, capsules } = scene([...many, assignment('other', 'org_b')]);
  ask(...many.map(({ monitor_id }) => monitor_id), 'other');
  assert.deepEqual(
    begun.map(({ id }) => id),
    ['m0', 'm1', 'm2', 'm3', 'other'],
  );
  begun[0]?.end();
  await turn();
  assert.equal(begun.length, 6, 'the next one follows');
  capsules.stop();
});

test('a capsule that is not allowed is not answered, and one that the server refuses is not sent again', async () => {
  const none = scene([assignment('one')]);
  none.ask('one');
  none.begun[0]?.end(undefined);
  await turn();
  assert.equal(none.posted.length, 0);
  const refusing = scene([assignment('one')], { kind: 'refused', status: 400, message: 'no' });
  refusing.ask('one');
  refusing.begun[0]?.end(CAPSULE);
  await turn();
  assert.deepEqual([refusing.posted.length, refusing.logged.length], [1, 1]);
});

test('a stopping probe cancels its capsules, and starts no more', async () => {
  const { ask, begun, capsules, posted } = scene([assignment('one'), assignment('two')]);
  ask('one');
  capsules.stop();
  assert.equal(begun[0]?.ending.signal.aborted, true);
  ask('two');
  begun[0]?.end(CAPSULE);
  await turn();
  assert.deepEqual([begun.length, posted.length], [1, 0]);
});

test('a capsule that the server never takes is given up after three tries, and the log says so', async () => {
  const away = scene([assignment('one')], { kind: 'unavailable', waitMs: 0 });
  away.ask('one');
  away.begun[0]?.end(CAPSULE);
  await until(() => away.logged.length > 0, 'it is given up');
  assert.deepEqual(
    [away.posted.length, away.logged],
    [3, ['A failure capsule could not be delivered and is dropped']],
  );
});
