// A page waits for a retry when a hold or maintenance begins: it wakes nobody until that is over, and what calls people off
// still goes out.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { before, test } from 'node:test';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Delivery, WebhookTarget } from '#src/notifications/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { resultOf } from '#test/harness/probe.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
/** A pager that answers with the status that the test says. */
const pager = { status: 202, got: [] as string[], answers: Promise.resolve() };
before(async () => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    pager.got.push(
      (JSON.parse(Buffer.concat(chunks).toString('utf8')) as { event_action: string }).event_action,
    );
    await pager.answers;
    response.writeHead(pager.status).end('{"status":"success"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closeAfterTests(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  app = await startAppOfFile({ env: { PAGERDUTY_URL: url } });
});

const HOUR = 3600;
type Quiet = 'a hold' | 'maintenance';

/** An organization with a pager and monitors of one host: three of them fail as a storm. */
async function scene(count: number) {
  const place = await app.place(app.alice, 'business');
  const url = (path: string) => `/organizations/${place.orgId}/${path}`;
  const target = await app.alice.ok<WebhookTarget>('POST', url('webhooks'), {
    name: 'Pager',
    kind: 'pagerduty',
    credential: '0123456789abcdef0123456789abcdef',
    events: ['opened', 'acknowledged', 'resolved', 'escalated'],
  });
  const monitors: Monitor[] = [];
  for (let i = 0; i < count; i++)
    monitors.push(
      await app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, {
        name: `Page ${i}`,
        type: 'http',
        config: { url: `https://shop.example.com/${i}` },
        interval_seconds: 10,
      }),
    );
  Object.assign(pager, { status: 500, answers: Promise.resolve() });
  pager.got.length = 0;
  const incidents = () => app.alice.ok<IncidentSummary[]>('GET', url('incidents'));
  const hold = async (seconds: number) => {
    for (const { id } of await incidents())
      await app.alice.ok('POST', url(`incidents/${id}/hold`), { seconds });
  };
  async function maintain() {
    const start = Math.floor(app.clock.ms() / 1000);
    const { id } = await app.alice.ok<MaintenanceWindow>('POST', url('maintenance-windows'), {
      title: 'Upgrade',
      scheduled_start: start,
      scheduled_end: start + HOUR,
      monitors: monitors.map((monitor) => monitor.id),
    });
    return () => app.alice.ok('DELETE', url(`maintenance-windows/${id}`));
  }
  const s = {
    monitors,
    all: async (status: 'up' | 'down', some: readonly Monitor[] = monitors) => {
      for (let i = 0; i < 2; i++) {
        app.clock.advance(1000);
        await app.probe().post(some.map(({ id }) => resultOf(id, app.clock.ms(), status)));
      }
    },
    after: async (seconds: number) => {
      // What is under way keeps its lease: the clock must not run away from it.
      await app.runTask('deliver');
      app.clock.advance(seconds * 1000);
      await app.runTask('deliver');
    },
    /** Three attempts have failed, and the fourth comes within a minute. */
    waits: async () => {
      await s.all('down');
      await s.after(6);
      await s.after(19);
      assert.deepEqual(pager.got.splice(0), ['trigger', 'trigger', 'trigger']);
      pager.status = 202;
    },
    /** Begins it; returns what ends it. */
    quiet: async (how: Quiet) => {
      if (how === 'maintenance') return maintain();
      await hold(HOUR);
      return () => hold(0);
    },
    ack: async () => {
      for (const { id } of await incidents()) await app.alice.ok('POST', url(`incidents/${id}/ack`));
    },
    deliveries: () => app.alice.ok<Delivery[]>('GET', url(`webhooks/${target.id}/deliveries`)),
  };
  return s;
}

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
