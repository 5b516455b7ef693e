// A person plans and deletes windows over 300 days of the past, for all their monitors and in all their organizations at once:
// the recomputation stays as small as their history, and others' has its turn.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { MAX_DAYS } from '#src/series/behind.ts';
import { nextRound } from '#src/series/rollup-late.ts';
import { type Person, type Place, startAppOfFile, type TestApp } from '../harness/app.ts';
import type { Answer } from '../harness/client.ts';
import { makeMany } from '../harness/many-monitors.ts';
import { resultOf } from '../harness/probe.ts';
import { scaled } from './scale.ts';

const DAY = 86_400;
const YOUNG = scaled(40, 200);
const TIMES = scaled(3, 100);
/** Of 90 days each: more than the backlog may have. */
const OLD = scaled(40, 200);

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
  await app.runTask('partitions');
});

const nowUnix = () => Math.floor(app.clock.ms() / 1000);
const windowsOf = ({ orgId }: Place) => `/organizations/${orgId}/maintenance-windows`;
const plan = (by: Person, place: Place, monitors: string[], [from, to] = [-300, 60]) =>
  by.send('POST', windowsOf(place), {
    title: 'W',
    scheduled_start: nowUnix() + from! * DAY,
    scheduled_end: nowUnix() + to! * DAY,
    monitors,
  });
/** Checked so rarely that results kept by a probe can reach 90 days back. */
const monitorsOf = (place: Place, count: number) =>
  makeMany(app, {
    count,
    region: 'local',
    place,
    config: { url: 'https://shop.example.com/' },
    intervalSeconds: 3600,
  });

async function notedRows(): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM rollup_dirty`.execute(app.db);
  return rows[0]?.n ?? -1;
}

async function rollUpAll(): Promise<void> {
  for (let i = 0; i < 400 && (i === 0 || (await notedRows()) > 0); i++) await app.runTask('roll_up');
  assert.equal(await notedRows(), 0);
}

/** Monitors that were created 90 days ago, and a check of each every 30 days since. */
async function old(place: Place, count: number): Promise<string[]> {
  const ids = await monitorsOf(place, count);
  const results = ids.flatMap((id) =>
    [0, 30, 60, 89].map((days) => resultOf(id, app.clock.ms() - days * DAY * 1000 - 1000, 'up')),
  );
  for (let i = 0; i < results.length; i += 5000) {
    const some = results.slice(i, i + 5000);
    assert.equal((await app.probe().post(some)).body.accepted, some.length);
  }
  await app.db
    .updateTable('monitors')
    .set({ created_at: new Date(app.clock.ms() - 90 * DAY * 1000) })
    .where('id', 'in', ids)
    .execute();
  return ids;
}

test('windows over 300 days of monitors that are minutes old leave one range of each, processed by the next roll-up', async () => {
  const mallory = await app.person('mallory');
  const places = [await app.place(mallory), await app.place(mallory)];
  const monitors = [await monitorsOf(places[0]!, YOUNG), await monitorsOf(places[1]!, YOUNG)];
  app.clock.advance(30 * 60_000);
  await rollUpAll();
  await Promise.all(
    [0, 1, 0, 1].map(async (which) => {
      for (let i = 0; i < TIMES; i++) {
        const { status, body } = await plan(mallory, places[which]!, monitors[which]!);
        assert.equal(status, 201);
        const path = `${windowsOf(places[which]!)}/${(body as { id: string }).id}`;
        assert.equal((await mallory.send('DELETE', path)).status, 204);
      }
    }),
  );
  assert.equal(await notedRows(), 2 * YOUNG);
  await rollUpAll();
});

test('an owner with a roll-up backlog of more than minutes is refused in all of their organizations until it is done; others continue', async () => {
  const mallory = await app.person('mallory');
  const bob = await app.person('bob');
  const [many, other, his] = [await app.place(mallory), await app.place(mallory), await app.place(bob)];
  const monitors = await old(many, OLD);
  const others = await old(other, 1);
  const bobs = await old(his, 1);
  await rollUpAll();

  const first = await plan(mallory, many, monitors);
  assert.equal(first.status, 201);
  assert.equal(await notedRows(), OLD);
  const refused = async (answer: Promise<Answer<unknown>>) => {
    const { status, body, headers } = await answer;
    const { error, reason } = body as { error: string; reason: string };
    assert.deepEqual([status, error, reason], [429, 'rate_limited', 'figures_behind']);
    assert.ok(Number(headers.get('retry-after')) >= 60);
  };
  const window = `${windowsOf(many)}/${(first.body as { id: string }).id}`;
  await refused(plan(mallory, many, monitors));
  await refused(plan(mallory, other, others));
  await refused(mallory.send('DELETE', window));
  await refused(mallory.send('PATCH', window, { scheduled_start: nowUnix() - 40 * DAY }));
  await refused(
    mallory.send('POST', `/organizations/${many.orgId}/incidents`, {
      monitor_id: monitors[0],
      cause: 'It was slow',
      severity: 'default',
      started_at_unix: nowUnix() - 40 * DAY,
    }),
  );
  assert.equal(await notedRows(), OLD, `${MAX_DAYS} days are exceeded, and nothing is added`);
  // Changes that do not affect the past go on.
  assert.equal((await plan(mallory, many, monitors, [1, 2])).status, 201);
  assert.equal((await mallory.send('POST', `${window}/cancel`)).status, 200);

  // Recorded last, and behind all of the others' backlog.
  assert.equal((await plan(bob, his, bobs, [-20, -10])).status, 201);
  const { no } = await app.db
    .selectFrom('monitors')
    .select('no')
    .where('id', '=', bobs[0]!)
    .executeTakeFirstOrThrow();
  const round = await nextRound(app.db, nowUnix() - DAY);
  assert.ok(round.some((piece) => piece.no === no));
  await rollUpAll();
  assert.equal((await mallory.send('DELETE', window)).status, 204);
});
