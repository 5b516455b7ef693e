// A page that waits for a retry when its incident is acknowledged or over calls nobody, although its target has accepted others
// since (docs/rules/notifications.md#overtaken-pages).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Delivery, WebhookTarget } from '#src/notifications/contract.ts';
import type { TestApp } from '#test/harness/app.ts';
import { makePagerScene, type Pager, startPagedApp } from '#test/harness/pager-scene.ts';
import { resultOf } from '#test/harness/probe.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
let pager: Pager;
before(async () => {
  ({ app, pager } = await startPagedApp());
});

type Scene = Awaited<ReturnType<typeof makePagerScene>>;

/** An organization with a pager and two monitors: the pager refused the page of the first for now, and has accepted that of the second. */
async function scene() {
  const place = await app.place(app.alice, 'business');
  const url = (path: string) => `/organizations/${place.orgId}/${path}`;
  const target = await app.alice.ok<WebhookTarget>('POST', url('webhooks'), {
    name: 'Pager',
    kind: 'pagerduty',
    credential: '0123456789abcdef0123456789abcdef',
    events: ['opened', 'acknowledged', 'resolved'],
  });
  const monitors: Monitor[] = [];
  for (const name of ['First', 'Second'])
    monitors.push(
      await app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, {
        name,
        type: 'http',
        config: { url: `https://${name.toLowerCase()}.example.com/` },
        interval_seconds: 10,
      }),
    );
  const say = async (status: 'up' | 'down', { id }: Monitor) => {
    for (let i = 0; i < 2; i++) {
      app.clock.advance(1000);
      await app.probe().post([resultOf(id, app.clock.ms(), status)]);
    }
  };
  const down = async (status: number, monitor: Monitor) => {
    pager.status = status;
    await say('down', monitor);
    await app.runTask('deliver');
    const [incident] = await app.alice.ok<IncidentSummary[]>('GET', `/monitors/${monitor.id}/incidents`);
    return incident?.id ?? '';
  };
  Object.assign(pager, { answers: Promise.resolve(), retryAfter: '0' });
  pager.pages.length = 0;
  const first = await down(503, monitors[0]!);
  const second = await down(202, monitors[1]!);
  assert.deepEqual(pager.pages.splice(0), [`trigger ${first}`, `trigger ${second}`]);
  const s = {
    first,
    acknowledge: () => app.alice.ok('POST', url(`incidents/${first}/ack`)),
    /** The page of the first is sent, and waits for its answer; the returned function gives it. */
    beingSent: async () => {
      const answer = Promise.withResolvers<void>();
      pager.answers = answer.promise;
      app.clock.advance(20_000);
      const sending = app.runTask('deliver');
      await until(async () => pager.pages.length === 1, 'the page is being sent');
      return () => {
        answer.resolve();
        return sending;
      };
    },
    recover: () => say('up', monitors[0]!),
    remove: () => app.alice.ok('DELETE', `/monitors/${monitors[0]!.id}`),
    after: async (seconds: number) => {
      // What is under way keeps its lease: the clock must not run away from it.
      await app.runTask('deliver');
      app.clock.advance(seconds * 1000);
      await app.runTask('deliver');
    },
    /** The deliveries about the first incident, newest first. */
    deliveries: async () => {
      const all = await app.alice.ok<Delivery[]>('GET', url(`webhooks/${target.id}/deliveries`));
      return all.filter(({ about }) => about.incident_id === first);
    },
  };
  return s;
}

test('a page that waits while its incident is acknowledged is dropped, although its pager has accepted others since', async () => {
  const s = await scene();
  await s.acknowledge();
  await s.after(60);
  assert.deepEqual(pager.pages, [`acknowledge ${s.first}`]);
  const [acknowledged, opened] = await s.deliveries();
  assert.equal(acknowledged?.ok, true);
  assert.match(opened?.error ?? '', /^overtaken/);
});

test('a page that waits while its incident ends is dropped, although its pager has accepted others since', async () => {
  const s = await scene();
  await s.recover();
  await s.after(60);
  assert.deepEqual(pager.pages, [`resolve ${s.first}`]);
});

test('an acknowledgement that waits while its incident ends is dropped, too', async () => {
  const s = await scene();
  pager.status = 503;
  await s.acknowledge();
  await app.runTask('deliver');
  pager.status = 202;
  await s.recover();
  await s.after(60);
  assert.deepEqual(pager.pages, [`acknowledge ${s.first}`, `resolve ${s.first}`]);
});

test('an acknowledgement does not wait for the lease of a page that is being sent', async () => {
  const s = await scene();
  pager.status = 503;
  await s.after(7);
  assert.deepEqual(pager.pages.splice(0), [`trigger ${s.first}`]);
  pager.status = 202;
  const answered = await s.beingSent();
  await s.acknowledge();
  await answered();
  await app.runTask('deliver');
  assert.deepEqual(pager.pages, [`trigger ${s.first}`, `acknowledge ${s.first}`]);
});

test('a page that is being sent while its incident is acknowledged is not tried again if that fails', async () => {
  const s = await scene();
  pager.status = 503;
  const answered = await s.beingSent();
  await s.acknowledge();
  pager.status = 202;
  await answered();
  await s.after(1);
  assert.deepEqual(pager.pages, [`trigger ${s.first}`, `acknowledge ${s.first}`]);
  await s.after(3600);
  assert.equal(pager.pages.length, 2);
});

test('a page that is being sent while its monitor is deleted is not tried again if that fails', async () => {
  const s = await scene();
  pager.status = 503;
  const answered = await s.beingSent();
  await s.remove();
  pager.status = 202;
  await answered();
  await s.after(3600);
  assert.deepEqual(pager.pages, [`trigger ${s.first}`, `resolve ${s.first}`]);
});

/** What a worker leaves behind that dies while it sends the page of this incident. */
async function dieSending(incidentId: string): Promise<void> {
  const leased_until = new Date(app.clock.ms() + 30_000);
  await app.db
    .updateTable('delivery_queue')
    .set({ leased_until, next_attempt_at: leased_until })
    .where('lane', 'like', `%:${incidentId}`)
    .execute();
}

test('a page that a server died with is not sent by another once its incident is acknowledged', async () => {
  const s = await scene();
  await dieSending(s.first);
  await s.acknowledge();
  app.clock.advance(31_000);
  await app.runTask('deliver');
  assert.deepEqual(pager.pages, [`acknowledge ${s.first}`]);
});

test('a page that a server died with is not sent by another once its monitor is deleted', async () => {
  const s = await scene();
  await dieSending(s.first);
  await s.remove();
  app.clock.advance(31_000);
  await app.runTask('deliver');
  assert.deepEqual(pager.pages, [`resolve ${s.first}`]);
});

test('acknowledging a storm whose page waits for a retry pages nobody, and is told at once', async () => {
  const s = await makePagerScene({ app, pager }, 3);
  await s.waits();
  await s.ack();
  await s.after(1);
  assert.deepEqual(pager.got, ['acknowledge']);
  await s.all('up');
  await s.after(3600);
  assert.deepEqual([...new Set(pager.got)], ['acknowledge', 'resolve']);
});

for (const [last, end, how] of [
  ['acknowledge', 'acknowledged again', (s: Scene) => s.ack()],
  ['resolve', 'over again', (s: Scene) => s.all('up')],
] as const)
  test(`a pager learns at once that a storm is ${end}, although the page in between failed`, async () => {
    const s = await makePagerScene({ app, pager }, 4);
    const [late, ...first] = s.monitors;
    pager.status = 202;
    await s.all('down', first);
    await s.after(5);
    await how(s);
    await s.after(5);
    assert.equal(pager.got.at(-1), last);
    Object.assign(pager, { status: 503, retryAfter: '3600' });
    await s.all('down', [late!]);
    await s.after(1);
    assert.equal(pager.got.at(-1), 'trigger');
    pager.got.length = 0;
    pager.status = 202;
    await how(s);
    await s.after(1);
    assert.ok(pager.got.includes(last), pager.got.join(', '));
  });

test('the page of a storm that waits for a retry is still sent when only some of its incidents are acknowledged', async () => {
  const s = await makePagerScene({ app, pager }, 3);
  await s.waits();
  await s.ack(1);
  await s.after(60);
  assert.deepEqual(pager.got, ['trigger']);
});

for (const [count, what] of [
  [1, 'an incident'],
  [3, 'a storm'],
] as const)
  for (const [change, act] of [
    ['acknowledgement', (s: Scene) => s.ack()],
    ['end', (s: Scene) => s.all('up')],
  ] as const)
    test(`the ${change} of ${what} drops the waiting page at once also at a pager that is not notified of it`, async () => {
      const s = await makePagerScene({ app, pager }, count, ['opened', 'escalated']);
      await s.waits();
      await act(s);
      assert.deepEqual(
        (await s.deliveries()).map(({ error, next_attempt_at_unix: next }) => [error?.split(':')[0], next]),
        Array(count).fill(['overtaken', null]),
      );
    });

for (const [what, count, received] of [
  ['an incident', 1, 'acknowledge'],
  // A message about a storm says how it is by now.
  ['a storm', 3, 'resolve'],
] as const)
  test(`the acknowledgement of ${what} still reaches a pager that is not notified of its end`, async () => {
    const s = await makePagerScene({ app, pager }, count, ['opened', 'acknowledged']);
    pager.status = 202;
    await s.all('down');
    await s.after(6);
    Object.assign(pager, { status: 503, got: [] });
    await s.ack();
    await s.after(1);
    await s.all('up');
    Object.assign(pager, { status: 202, got: [] });
    await s.after(61);
    assert.deepEqual(pager.got, [received]);
    assert.equal((await s.deliveries())[0]?.ok, true);
  });

test('the end of a storm does not wait for the retry of a page that was dropped', async () => {
  const s = await makePagerScene({ app, pager }, 4, ['opened', 'resolved']);
  const [late, ...first] = s.monitors;
  pager.status = 202;
  await s.all('down', first);
  await s.after(5);
  await s.all('up', first);
  await s.after(5);
  Object.assign(pager, { status: 503, retryAfter: '3600' });
  await s.all('down', [late!]);
  await s.after(1);
  assert.equal(pager.got.at(-1), 'trigger');
  await s.ack();
  pager.got.length = 0;
  pager.status = 202;
  await s.all('up', [late!]);
  await s.after(61);
  assert.ok(pager.got.includes('resolve'), pager.got.join(', '));
});

test('the end of a storm that began again is sent at once although its page failed, and was dropped by an acknowledgement that the pager does not get', async () => {
  const s = await makePagerScene({ app, pager }, 4, ['opened', 'resolved']);
  const [late, ...first] = s.monitors;
  pager.status = 202;
  await s.all('down', first);
  await s.after(5);
  await s.all('up', first);
  await s.after(5);
  pager.status = 503;
  await s.all('down', [late!]);
  await s.after(1);
  assert.equal(pager.got.at(-1), 'trigger');
  await s.ack();
  pager.got.length = 0;
  pager.status = 202;
  await s.all('up', [late!]);
  await s.after(1);
  assert.deepEqual(pager.got, ['resolve']);
  await s.after(120);
  assert.deepEqual(pager.got, ['resolve']);
});

test('an incident that opens after a storm was acknowledged does not wait behind the acknowledgement, which the pager refused', async () => {
  const s = await makePagerScene({ app, pager }, 4);
  const [late, ...first] = s.monitors;
  pager.status = 202;
  await s.all('down', first);
  await s.after(5);
  pager.status = 503;
  await s.ack();
  // The next retry is minutes away, and the storm not over yet.
  for (let i = 0; i < 12; i++) await s.after(19);
  pager.got.length = 0;
  pager.status = 202;
  await s.all('down', [late!]);
  await s.after(60);
  assert.deepEqual(pager.got, ['acknowledge', 'trigger']);
});

test('an incident that joins a storm while its message is being sent does not wait for the retry if that fails', async () => {
  const s = await makePagerScene({ app, pager }, 4);
  const [late, ...first] = s.monitors;
  await s.all('down', first);
  await app.runTask('deliver');
  const answer = Promise.withResolvers<void>();
  Object.assign(pager, { answers: answer.promise, retryAfter: '3600' });
  pager.got.length = 0;
  app.clock.advance(7_000);
  const sending = app.runTask('deliver');
  await until(async () => pager.got.length === 1, 'the page is being sent');
  await s.all('down', [late!]);
  answer.resolve();
  await sending;
  pager.got.length = 0;
  pager.status = 202;
  await s.after(60);
  assert.deepEqual(pager.got, ['trigger']);
});

test('incidents that join a storm neither use up the tries of a pager that is down, nor lengthen its pauses', async () => {
  const s = await makePagerScene({ app, pager }, 12);
  const [a, b, c, ...others] = s.monitors;
  await s.all('down', [a!, b!, c!]);
  for (let i = 0; i < 4; i++) await s.after(19);
  for (const one of others) {
    await s.all('down', [one]);
    await s.after(60);
  }
  const waits = (await s.deliveries()).map(
    ({ next_attempt_at_unix: next }) => (next ?? 0) - app.clock.ms() / 1000,
  );
  assert.ok(Math.max(...waits) < 10 * 60, `the next try is in ${Math.max(...waits)} s`);
});

test('a pager that is down is tried for further incidents of a storm at most once a minute', async () => {
  const s = await makePagerScene({ app, pager }, 9);
  const [a, b, c, ...others] = s.monitors;
  await s.all('down', [a!, b!, c!]);
  for (let i = 0; i < 12; i++) await s.after(19);
  pager.got.length = 0;
  for (const one of others) {
    await s.all('down', [one]);
    await s.after(10);
  }
  assert.ok(pager.got.length === 1 || pager.got.length === 2, pager.got.join(', '));
});

test('a server that learns late that its message about a storm arrived does not forget what another has sent since', async () => {
  const s = await makePagerScene({ app, pager }, 4);
  const [late, ...first] = s.monitors;
  pager.status = 202;
  const answer = Promise.withResolvers<void>();
  await s.all('down', first.slice(0, 2));
  await app.runTask('deliver');
  await s.all('down', first.slice(2));
  pager.got.length = 0;
  pager.answers = answer.promise;
  app.clock.advance(7_000);
  const sending = app.runTask('deliver');
  await until(async () => pager.got.length === 1, 'the page is being sent');
  // Its lease runs out, and the worker of the other server goes on.
  pager.answers = Promise.resolve();
  app.clock.advance(31_000);
  await s.ack();
  await until(async () => pager.got.includes('acknowledge'), 'the other server has sent the acknowledgement');
  answer.resolve();
  await sending;
  pager.got.length = 0;
  await s.all('down', [late!]);
  await app.runTask('deliver');
  assert.deepEqual(pager.got, ['trigger']);
});
