import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Assignment, Assignments } from '../src/probe-protocol/contract.ts';
import { serverClock } from './clock.ts';
import type { Link } from './link.ts';
import { startSubscription } from './subscription.ts';

const monitor = (monitor_id: string): Assignment => ({
  monitor_id,
  type: 'http',
  config: {},
  interval_seconds: 60,
  offset_ms: 0,
});
const idsOf = ({ monitors }: Assignments) => monitors.map(({ monitor_id }) => monitor_id);

/** The probe's updates for these answers, and its request for each of them. */
async function after(
  answers: Partial<Assignments>[],
  apply: (assignments: Assignments) => void = () => undefined,
): Promise<{ received: Assignments[]; asked: string[]; said: string[] }> {
  const said: string[] = [];
  const asked: string[] = [];
  const received: Assignments[] = [];
  const all = Promise.withResolvers<void>();
  const link: Link = {
    async call({ path }) {
      const answer = answers[asked.length];
      asked.push(path);
      if (!answer) await new Promise(() => all.resolve());
      const body = {
        revision: 1,
        full: false,
        server_time_ms: 0,
        allow_private_targets: false,
        monitors: [],
        removed: [],
        epoch: `epoch-${asked.length}`,
        canaries: [],
        tests: [],
        ...answer,
      };
      return { kind: 'ok', body, sentAtMs: 0, receivedAtMs: 0 };
    },
    close: () => undefined,
  };
  startSubscription({
    link,
    clock: serverClock(() => 0),
    probeId: 'probe-1',
    retry: { delayMs: () => 0 },
    log: (_, message) => void said.push(message),
    wallClockMs: () => 0,
    onAssignments(assignments) {
      received.push(assignments);
      apply(assignments);
    },
  });
  await all.promise;
  return { received, asked, said };
}

test('the pages of a full answer are applied together, when the last has arrived', async () => {
  const { received, asked } = await after([
    { full: true, more: true, monitors: [monitor('a')] },
    { more: true, monitors: [monitor('b')] },
    { monitors: [monitor('c')] },
  ]);
  assert.deepEqual(
    received.map((one) => [one.full, idsOf(one)]),
    [
      [false, []],
      [false, []],
      [true, ['a', 'b', 'c']],
    ],
  );
  assert.match(asked[1] ?? '', /since=1&epoch=epoch-1&/);
});

test('a monitor removed between two pages is gone at once, and the last page does not bring it back', async () => {
  const { received } = await after([
    { full: true, more: true, monitors: [monitor('a'), monitor('b')] },
    { more: true, removed: ['a'] },
    { monitors: [monitor('c')] },
  ]);
  assert.deepEqual([received[1]?.removed, idsOf(received[2]!)], [['a'], ['b', 'c']]);
});

test('a full answer in the middle of another one replaces it', async () => {
  const { received } = await after([
    { full: true, more: true, monitors: [monitor('a')] },
    { full: true, more: true, monitors: [monitor('b')] },
    { monitors: [monitor('c')] },
  ]);
  assert.deepEqual(idsOf(received[2]!), ['b', 'c']);
});

test('pages of changes are applied one by one', async () => {
  const { received } = await after([
    { full: true, monitors: [monitor('a')] },
    { more: true, monitors: [monitor('b')] },
    { monitors: [monitor('c')], removed: ['a'] },
  ]);
  assert.deepEqual(
    received.map((one) => [one.full, idsOf(one), one.removed]),
    [
      [true, ['a'], []],
      [false, ['b'], []],
      [false, ['c'], ['a']],
    ],
  );
});

test('after an answer that could not be applied, the probe says so once and asks for everything again', async () => {
  const { asked, said } = await after(
    [{ full: true, monitors: [monitor('a')] }, { monitors: [monitor('b')] }, { full: true }, { full: true }],
    ({ full, monitors }) => {
      if (!full || monitors.length === 0) throw new TypeError('no such thing');
    },
  );
  assert.deepEqual(
    asked.map((path) => path.includes('since=')),
    [false, true, false, false, false],
  );
  assert.equal(said.filter((line) => /could not be applied: a defect/.test(line)).length, 1);
});

test('a monitor that this probe cannot use keeps no other from being checked', async () => {
  const unusable = [null, {}, { ...monitor('x'), interval_seconds: 0 }] as Assignment[];
  const { received, said } = await after([
    { full: true, monitors: [monitor('a'), ...unusable, monitor('b')] },
  ]);
  assert.deepEqual(received.map(idsOf), [['a', 'b']]);
  assert.equal(said.filter((line) => /cannot use a monitor/.test(line)).length, 3);
});
