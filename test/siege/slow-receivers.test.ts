// One organization has many slow receivers: another's alarm does not wait for them.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { EventName } from '#src/domain/names.ts';
import { startAppOfFile, type TestApp } from '../harness/app.ts';
import { enqueueEach, idsOf } from '../harness/enqueued-events.ts';
import { startReceiver } from '../harness/receiver.ts';
import { until } from '../harness/until.ts';
import { scaled } from './scale.ts';

const TARGETS = 40;
const BURST = scaled(5, 25);
const ALARMS = scaled(1, 100);

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

/** Accepts requests, and answers 200 when the test says so, or after 14 s. */
async function startTarpit() {
  const held = new Set<() => void>();
  let open = false;
  const server = createServer((request, response) => {
    request.resume();
    const answer = () => response.writeHead(200).end();
    if (open) return void answer();
    const late = setTimeout(answer, 14_000).unref();
    const letGo = () => {
      clearTimeout(late);
      held.delete(letGo);
      answer();
    };
    held.add(letGo);
    response.on('close', () => held.delete(letGo));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    held: () => held.size,
    async stop() {
      open = true;
      for (const letGo of [...held]) letGo();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const EVENTS: EventName[] = ['opened', 'updated'];
const hookTo = (orgId: string, url: string, name: string) =>
  app.alice.ok<{ id: string }>('POST', `/organizations/${orgId}/webhooks`, {
    ...{ name, kind: 'webhook', url, events: EVENTS },
  });

for (const flood of EVENTS)
  test(`40 targets that answer after 14 s delay nobody else, flooded with "${flood}"`, async (t) => {
    const noisy = await app.place();
    const quiet = await app.place();
    const tarpit = await startTarpit();
    t.after(() => tarpit.stop());
    const receiver = await startReceiver();
    t.after(() => receiver.stop());
    for (const i of idsOf(TARGETS, 'slow')) await hookTo(noisy.orgId, `${tarpit.url}${i}`, i);
    await hookTo(quiet.orgId, receiver.url, 'Quiet');

    await enqueueEach(app, noisy.orgId, flood, idsOf(BURST, `flood_${flood}`));
    // Each occupies as many slots as it can get: nothing moves any more until they answer.
    let before = 0;
    await until(async () => {
      const now = tarpit.held();
      const settled = now > 0 && now === before;
      before = now;
      if (!settled) await new Promise((resolve) => setTimeout(resolve, 200));
      return settled;
    }, 'all places that the slow ones get are taken');

    const tooks: number[] = [];
    for (const id of idsOf(ALARMS, `alarm_${flood}`)) {
      const at = performance.timeOrigin + performance.now();
      await enqueueEach(app, quiet.orgId, 'opened', [id]);
      const arrived = await receiver.next(({ body }) => body.incident?.id === id, 12_000);
      assert.equal(arrived.event, 'opened');
      tooks.push(arrived.atMs - at);
    }
    assert.ok(tarpit.held() > 0, 'the others are still stuck');
    const { rows } = await sql<{ n: number }>`
      SELECT count(*)::int AS n FROM delivery_queue WHERE org_id = ${noisy.orgId}`.execute(app.db);
    assert.ok((rows[0]?.n ?? 0) > 0, 'and most of the flood still waits');
    const p99 = tooks.toSorted((a, b) => a - b)[Math.ceil(tooks.length * 0.99) - 1] ?? 0;
    if (ALARMS > 1) {
      t.diagnostic(`p99 of ${ALARMS} alarms: ${Math.round(p99)} ms`);
      assert.ok(p99 < 500, `p99 ${p99} ms`);
    }
  });

test('deliveries that wait behind one being sent cost nobody else anything', async (t) => {
  const noisy = await app.place();
  const quiet = await app.place();
  const tarpit = await startTarpit();
  t.after(() => tarpit.stop());
  const receiver = await startReceiver();
  t.after(() => receiver.stop());
  for (const i of idsOf(TARGETS, 'long')) await hookTo(noisy.orgId, `${tarpit.url}${i}`, i);
  await hookTo(quiet.orgId, receiver.url, 'Quiet');
  // Repeated events of one incident: one ordering key per target, with everything behind its first delivery.
  const again = scaled(250, 2500);
  await enqueueEach(app, noisy.orgId, 'updated', Array<string>(again).fill('one_incident'));
  await until(() => tarpit.held() === TARGETS, 'the first of each key is being sent');
  // The same receivers, another incident: the deliveries behind the first one exceed what a claim searches.
  await enqueueEach(app, noisy.orgId, 'updated', ['another_incident']);
  await until(() => tarpit.held() > TARGETS, 'another key of them is sent as well', 12_000);
  const at = performance.now();
  await enqueueEach(app, quiet.orgId, 'opened', ['behind_nobody']);
  await receiver.next(({ body }) => body.incident?.id === 'behind_nobody', 12_000);
  t.diagnostic(`told after ${Math.round(performance.now() - at)} ms`);
});
