// A page waits for a retry when a hold or maintenance begins: it wakes nobody until that is over, and what calls people off
// still goes out.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { TestApp } from '#test/harness/app.ts';
import { makePagerScene, type Pager, startPagedApp } from '#test/harness/pager-scene.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
let pager: Pager;
before(async () => {
  ({ app, pager } = await startPagedApp());
});

const scene = (count: number) => makePagerScene({ app, pager }, count);

for (const [count, what] of [
  [1, 'an incident'],
  [3, 'a storm'],
] as const)
  for (const how of ['a hold', 'maintenance'] as const) {
    test(`the page of ${what} that waits for a retry waits for the end of ${how}, and is then sent at once`, async () => {
      const s = await scene(count);
      await s.waits();
      const end = await s.quiet(how);
      await s.after(10 * 60);
      assert.deepEqual(pager.got, []);
      assert.ok(
        (await s.deliveries()).every(({ ok, next_attempt_at_unix }) => !ok && next_attempt_at_unix === null),
      );
      await end();
      await app.runTask('deliver');
      assert.deepEqual(pager.got, ['trigger']);
      assert.ok((await s.deliveries()).every(({ ok }) => ok));
    });

    test(`acknowledging ${what} during ${how} pages nobody, and tells the pager at once`, async () => {
      const s = await scene(count);
      await s.waits();
      const end = await s.quiet(how);
      await s.ack();
      await s.after(10 * 60);
      assert.deepEqual([...new Set(pager.got)], ['acknowledge']);
      await end();
      await s.all('up');
      await s.after(10 * 60);
      assert.equal(pager.got.at(-1), 'resolve');
      assert.ok(!pager.got.includes('trigger'));
    });
  }

test('a page that is being sent when a hold begins waits if its attempt fails', async () => {
  const s = await scene(1);
  const answer = Promise.withResolvers<void>();
  pager.answers = answer.promise;
  await s.all('down');
  const sending = app.runTask('deliver');
  await until(async () => pager.got.length === 1, 'the page is being sent');
  const end = await s.quiet('a hold');
  answer.resolve();
  await sending;
  pager.status = 202;
  await s.after(10 * 60);
  assert.deepEqual(pager.got, ['trigger']);
  assert.deepEqual(
    (await s.deliveries()).map(({ attempts, next_attempt_at_unix }) => [attempts, next_attempt_at_unix]),
    [[1, null]],
  );
  await end();
  await app.runTask('deliver');
  assert.deepEqual(pager.got, ['trigger', 'trigger']);
});

test('the end of an alarm of a storm does not wait behind a held page of another of its alarms', async () => {
  const s = await scene(4);
  const [late, ...first] = s.monitors;
  pager.status = 202;
  await s.all('down', first);
  await s.after(60);
  await s.ack();
  await s.after(60);
  pager.status = 500;
  await s.all('down', [late!]);
  await s.after(60);
  pager.status = 202;
  const end = await s.quiet('a hold');
  pager.got.length = 0;
  await s.all('up', first);
  await s.after(120);
  assert.deepEqual(pager.got.splice(0), ['resolve']);
  await end();
  await s.after(60);
  assert.deepEqual(pager.got, ['trigger']);
});

test('replaying a page of a storm sends no held page of another of its alarms; replaying that one does', async () => {
  const s = await scene(4);
  const [late, ...first] = s.monitors;
  pager.status = 202;
  await s.all('down', first);
  await s.after(60);
  await s.ack();
  await s.after(60);
  pager.status = 500;
  await s.all('down', [late!]);
  await s.after(60);
  pager.status = 202;
  await s.quiet('a hold');
  pager.got.length = 0;
  const deliveries = (await s.deliveries()).filter(({ event }) => event === 'opened');
  await s.replay(deliveries.find(({ ok }) => ok)?.id ?? '');
  await s.after(120);
  assert.deepEqual(pager.got.splice(0), ['acknowledge']);
  await s.replay(deliveries.find(({ ok }) => !ok)?.id ?? '');
  await s.after(120);
  assert.deepEqual(pager.got, ['trigger']);
});

test('an incident that recovers during a hold pages nobody, even if the pager has answered others since', async () => {
  const s = await scene(1);
  await s.waits();
  await s.quiet('a hold');
  // Its last attempt counts as arrived: nothing is expected to wait for it.
  await app.db
    .updateTable('webhook_targets')
    .set({ failing_since: null })
    .where('name', '=', 'Pager')
    .execute();
  await s.all('up');
  await s.after(10 * 60);
  assert.deepEqual(pager.got, ['resolve']);
});

const filtered = async () => {
  const s = await makePagerScene({ app, pager }, 3, undefined, true);
  await s.waits();
  return { ...s, end: await s.quiet('maintenance', s.monitors.slice(0, 1)) };
};

test('the page of the only incident of a storm that a target receives waits for the end of its maintenance, though the others ring', async () => {
  const s = await filtered();
  await s.after(10 * 60);
  assert.deepEqual(pager.got, []);
  assert.deepEqual(
    (await s.deliveries()).map(({ ok, next_attempt_at_unix }) => [ok, next_attempt_at_unix]),
    [[false, null]],
  );
  await s.end();
  await app.runTask('deliver');
  assert.deepEqual(pager.got, ['trigger']);
});

test('such an incident that recovers in its maintenance pages nobody, and the pager is told that it is over', async () => {
  const s = await filtered();
  await s.all('up', s.monitors.slice(0, 1));
  await s.after(10 * 60);
  assert.deepEqual(pager.got, ['resolve']);
  await s.end();
  await s.all('up');
  await s.after(10 * 60);
  assert.deepEqual([...new Set(pager.got)], ['resolve']);
});
