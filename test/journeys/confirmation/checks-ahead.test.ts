// The checks of an incident's evidence are read before it is known that it opens, so that an alarm waits for one answer of the
// database less (docs/adr/0034-from-the-check-to-the-receiver.md).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { type ChecksAhead, latestChecks, readChecksAhead } from '#src/checks/latest-checks.ts';
import { describeMonitors, type LockedMonitor, lockStates } from '#src/checks/monitored.ts';
import type { Opened } from '#src/domain/confirmation-types.ts';
import { DAY_MS } from '#src/domain/durations.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { runWork, SYSTEM, type Work } from '#src/platform/work.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { resultOf } from '#test/harness/probe.ts';

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile({ env: { LOCAL_PROBE: 'off' } });
  place = await app.place();
  for (const region of ['a', 'b']) await app.region(region);
});

let made = 0;

/** A monitor of two regions that must both fail three times. */
const create = (policy: object = {}) =>
  app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, {
    name: `Shop ${made++}`,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    regions: ['a', 'b'],
    policy: { alarm_consecutive: 3, alarm_quorum_mode: 'all', ...policy },
  });

/** `a+` is a passing result of region a, `b-` a failing one of b; each a second after the one before. */
async function say({ id }: Monitor, line: string): Promise<void> {
  for (const [region = '', sign] of line.split(' ')) {
    app.clock.advance(1000);
    await app.probe(region).post([resultOf(id, app.clock.ms(), sign === '+' ? 'up' : 'down')]);
  }
}

type Locked = { work: Work; monitor: LockedMonitor; ahead: ChecksAhead };

async function locked<T>({ id }: Monitor, act: (read: Locked) => Promise<T>): Promise<T> {
  const { no } = await app.db
    .selectFrom('monitors')
    .select('no')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return runWork(app.db, app.clock.now(), SYSTEM, async (work) => {
    const rows = await lockStates(work, [no]);
    const [monitor] = await describeMonitors(work, rows);
    assert.ok(monitor);
    return act({ work, monitor, ahead: await readChecksAhead(work, rows) });
  });
}

const opened = (triggeredAtMs: number, firstFailureAtMs: number, required = 3) =>
  ({
    startedAtMs: triggeredAtMs,
    triggeredAtMs,
    firstFailureAtMs,
    consecutiveFailuresRequired: required,
  }) as Opened;

test('the checks read ahead are those that are read once the incident is known, whatever it is', async () => {
  const monitor = await create();
  const fromMs = app.clock.ms();
  await say(monitor, 'a+ b+');
  app.clock.advance(DAY_MS);
  const againMs = app.clock.ms();
  await say(monitor, 'a- a- b- a- a- b-');
  const untilMs = app.clock.ms();
  await locked(monitor, async ({ work, monitor: described, ahead }) => {
    assert.equal(ahead.size, 1);
    for (const required of [1, 3, 4, 12])
      for (let atMs = againMs - 1000; atMs <= untilMs + 2000; atMs += 500)
        for (const firstMs of [fromMs, atMs, againMs, againMs + DAY_MS + 2500]) {
          const openings = [{ monitor: described, opened: opened(atMs, firstMs, required) }];
          const read = await latestChecks(work, openings, ahead);
          assert.deepEqual(read, await latestChecks(work, openings));
        }
  });
});

test('an incident that opens with the newest result reads no check again', async () => {
  const monitor = await create();
  await say(monitor, 'a+ b+ a- a- a- b- b- b+ b- b-');
  const first = await locked(monitor, async ({ work, monitor: described, ahead }) => {
    const { phase, regions } = described.state;
    const firstMs = phase?.firstFailureMs ?? regions.a?.firstFailureMs ?? 0;
    const openings = [{ monitor: described, opened: opened(app.clock.ms(), firstMs) }];
    // Without a transaction every statement fails.
    const read = await latestChecks({ tx: null as unknown as Work['tx'], now: work.now }, openings, ahead);
    assert.deepEqual(read, await latestChecks(work, openings));
    return [...read.values()].flat();
  });
  assert.deepEqual(
    first.map(({ region, status }) => `${region} ${status}`),
    ['a down', 'a down', 'a down', 'b down', 'b down', 'b up'],
  );
  await say(monitor, 'b-');
  const [incident] = await app.alice.ok<{ id: string }[]>('GET', `/monitors/${monitor.id}/incidents`);
  assert.ok(incident);
});

for (const [what, line, policy] of [
  ['passes', 'a+ b+', {}],
  ['has failed once where three times are needed', 'a+ b+ a-', {}],
  ['has an open incident', 'a- b- a- b- a- b- a-', {}],
  ['needs one failing result and passes', 'a+ b+', { alarm_consecutive: 1 }],
] as const)
  test(`no check is read ahead of a monitor that ${what}`, async () => {
    const monitor = await create(policy);
    await say(monitor, line);
    await locked(monitor, async ({ ahead }) => assert.equal(ahead.size, 0));
  });
