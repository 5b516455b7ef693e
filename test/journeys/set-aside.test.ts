// Poison: a row that throws each time it is worked holds up nobody, is not worked in a tight loop, and is counted.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { Monitor } from '../../src/monitors/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '../harness/app.ts';
import { resultOf } from '../harness/probe.ts';

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
});

let made = 0;
function create(fields: object = {}): Promise<Monitor> {
  made += 1;
  const body = {
    name: `Monitor ${made}`,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    interval_seconds: 10,
    ...fields,
  };
  return app.alice.ok('POST', `/projects/${place.projectId}/monitors`, body);
}
const checksOf = ({ id }: Monitor) => app.alice.ok<{ status: string }[]>('GET', `/monitors/${id}/checks`);
const statusOf = async ({ id }: Monitor) =>
  (await app.alice.ok<Monitor>('GET', `/monitors/${id}`)).last_status;
const noOf = ({ id }: Pick<Monitor, 'id'>) =>
  app.db.selectFrom('monitors').select('no').where('id', '=', id).executeTakeFirstOrThrow();

/** Its state is nothing that anybody could go by. */
async function spoil(monitor: Monitor): Promise<void> {
  const { no } = await noOf(monitor);
  await sql`UPDATE monitor_state SET state = '"spoilt"', calm = false WHERE monitor_no = ${no}`.execute(
    app.db,
  );
}

async function setAside(kind: string): Promise<number> {
  const text = await (await fetch(`${app.url}/metrics`)).text();
  return Number(
    new RegExp(`^tocsin_set_aside_total\\{kind="${kind}"\\} ([0-9]+)$`, 'm').exec(text)?.[1] ?? 0,
  );
}

test('a monitor whose state is spoilt does not keep the others of its batch from being judged', async () => {
  const [poison, ...others] = [await create(), await create(), await create(), await create()] as const;
  await spoil(poison);
  const before = await setAside('monitor');
  const all = [poison, ...others];
  const batch = () => all.map(({ id }) => resultOf(id, app.clock.ms(), 'down'));
  for (let i = 0; i < 2; i++) {
    app.clock.advance(1000);
    const { status, body } = await app.probe().post(batch());
    assert.deepEqual(
      [status, body.accepted, body.ignored, body.refused],
      [200, all.length, 0, []],
      `batch ${i}`,
    );
  }
  for (const other of others) assert.equal(await statusOf(other), 'failed');
  // What it said is history, and it rests: of the second batch nothing was tried again.
  assert.equal((await checksOf(poison)).length, 2);
  assert.equal((await setAside('monitor')) - before, 1);
});

test('a monitor that was set aside is judged again once its state is whole', async () => {
  const [poison, whole] = await Promise.all([create(), create()]);
  await spoil(poison);
  app.clock.advance(1000);
  await app.probe().says(poison.id, 'down');
  await sql`UPDATE monitor_state s SET state = w.state FROM monitor_state w
    WHERE s.monitor_no = ${(await noOf(poison)).no} AND w.monitor_no = ${(await noOf(whole)).no}`.execute(
    app.db,
  );
  for (const seconds of [11, 1]) {
    app.clock.advance(seconds * 1000);
    await app.probe().says(poison.id, 'down');
  }
  assert.equal(await statusOf(poison), 'failed');
});
