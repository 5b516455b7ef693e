// Three regions with real probes, and lines cut between them: what must wake nobody, and what must.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PROBING } from '#test/harness/partition/net.ts';
import { databaseAway, startPartition } from '#test/partition.ts';

test('cut connections: one region alone opens nothing, silence decides nothing, two regions open exactly one incident', async (t) => {
  const { net, db, monitor, region, until, seen, incidents, onlineNow, alice } = await startPartition(t);
  t.diagnostic(`lines made of ${net.made}`);
  const failing = async (place: 1 | 2 | 3, since: Date, times: number) =>
    (await seen(place, since)).down >= times;
  const passing = async (place: 1 | 2 | 3, since: Date, times: number) =>
    (await seen(place, since)).up >= times;
  const statusOf = async () =>
    (await alice.ok<{ last_status: string }>('GET', `/monitors/${monitor.id}`)).last_status;

  await t.test('one region cut off from the target: degraded, and no incident', async () => {
    const since = new Date();
    await net.toTarget(1).cut();
    await until('many failing results of region 1', () => failing(1, since, 8));
    assert.equal(await statusOf(), 'degraded');
    assert.deepEqual(await incidents(), []);
    const mended = new Date();
    await net.toTarget(1).mend();
    await until('region 1 to pass again', () => passing(1, mended, 3));
    await until('the monitor to be passed', async () => (await statusOf()) === 'passed');
    assert.deepEqual(await incidents(), []);
  });

  await t.test('one region cut off from the server: it goes offline, and nothing opens', async () => {
    const since = new Date();
    await net.toServer(2).cut();
    await until('region 2 to be offline', async () => !(await onlineNow()).includes(2));
    assert.deepEqual(await incidents(), []);
    assert.equal(await statusOf(), 'passed');
    await net.toServer(2).mend();
    await until('region 2 to be online', async () => (await onlineNow()).includes(2));
    // What it measured meanwhile is in the figures, once.
    await until('what region 2 kept on disk', async () => (await seen(2, since)).up >= 30);
  });

  await t.test('all regions cut off from the server: nothing opens', async () => {
    for (const place of PROBING) await net.toServer(place).cut();
    await until('all regions to be offline', async () => (await onlineNow()).length === 0);
    assert.deepEqual(await incidents(), []);
    const mended = new Date();
    for (const place of PROBING) await net.toServer(place).mend();
    await until('all regions to report', async () =>
      (await Promise.all(PROBING.map((place) => passing(place, mended, 2)))).every(Boolean),
    );
    assert.deepEqual(await incidents(), []);
  });

  await t.test(
    'two regions cut off from the target: exactly one incident, which silence does not resolve',
    async () => {
      const since = new Date();
      for (const place of [1, 3] as const) await net.toTarget(place).cut();
      await until('the incident', async () => (await incidents()).length > 0);
      for (const place of [1, 3] as const) await until('more failures', () => failing(place, since, 6));
      const before = await incidents();
      assert.deepEqual(before, [{ status: 'open', down_regions: [region(1), region(3)] }]);

      for (const place of PROBING) await net.toServer(place).cut();
      await until('all regions to be offline', async () => (await onlineNow()).length === 0);
      assert.deepEqual(await incidents(), before);

      for (const place of PROBING) await net.toServer(place).mend();
      for (const place of [1, 3] as const) await net.toTarget(place).mend();
      await until('the incident to resolve', async () => (await incidents())[0]?.status === 'closed');
      assert.equal((await incidents()).length, 1);
    },
  );

  const { count } = await db
    .selectFrom('checks')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  assert.ok(Number(count) > 100, `only ${count} results: too little happened to prove anything`);
});

test('the database is down while the probes spool: every result of that time arrives, and nothing opens', async (t) => {
  // Longer than the reporting window of 3.8 s, so that it comes back as history; `npm run soak -- --database-away 300` takes longer.
  const { results } = await databaseAway(t, 12);
  assert.ok(results >= 3 * 9, `only ${results} results of the time without a database`);
});
