// Pages stand for somebody being called: they follow what people do, at once, and nobody is called for what is over.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { Delivery, WebhookTarget } from '#src/notifications/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { openTogether } from '#test/harness/automatic-incidents.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { pagerdutyRules } from '#test/harness/providers/pagerduty.ts';
import { type Provider, startProvider } from '#test/harness/providers/provider.ts';
import { assertRefused } from '#test/harness/refused.ts';

const EVENTS = ['opened', 'acknowledged', 'resolved', 'escalated'];

let app: TestApp;
let pager: Provider;
before(async () => {
  pager = await startProvider({ after: closeAfterTests }, pagerdutyRules);
  app = await startAppOfFile({ env: { PAGERDUTY_URL: pager.url } });
});

async function makeScene() {
  const place = await app.place();
  const at = `/organizations/${place.orgId}`;
  const body = { name: 'Pager', kind: 'pagerduty', credential: 'k'.repeat(32), events: EVENTS };
  const target = await app.alice.ok<WebhookTarget>('POST', `${at}/webhooks`, body);
  const from = pager.received.length;
  return {
    place,
    target,
    hook: `${at}/webhooks/${target.id}`,
    /** What the provider was told to do, in order. */
    actions: () => pager.received.slice(from).map((message) => message.body.event_action as string),
    /** The same with the key of the page. */
    keys: () =>
      pager.received.slice(from).map(({ body }) => [body.event_action, body.dedup_key] as [string, string]),
    declare: async (severity = 'critical') =>
      (await app.alice.ok<{ id: string }>('POST', `${at}/incidents`, { severity, cause: 'Down' })).id,
    post: (id: string, what: string) => app.alice.ok('POST', `${at}/incidents/${id}/${what}`),
  };
}

async function later(ms: number): Promise<void> {
  await app.runTask('deliver');
  app.clock.advance(ms);
  await app.runTask('deliver');
}

async function deliveriesOf(place: Place, target: WebhookTarget): Promise<Delivery[]> {
  return app.alice.ok('GET', `/organizations/${place.orgId}/webhooks/${target.id}/deliveries`);
}

test('the page for a storm ends with the incidents that woke somebody, whatever was silent throughout', async () => {
  const scene = await makeScene();
  const loud = await openTogether(app, scene.place, 3);
  await openTogether(app, scene.place, 1, new Date(app.clock.ms() + 600_000));
  await app.runTask('deliver');
  for (const id of loud) await scene.post(id, 'ack');
  // At once: no message about a storm calls people off a minute late.
  await app.runTask('deliver');
  assert.deepEqual(scene.actions(), ['trigger', 'acknowledge']);
  for (const id of loud) await scene.post(id, 'resolve');
  await app.runTask('deliver');
  assert.deepEqual(scene.actions(), ['trigger', 'acknowledge', 'resolve']);
});

test('the page of a storm replaces earlier ones, and after an acknowledgement a new one is sent', async () => {
  const scene = await makeScene();
  const [first = ''] = await openTogether(app, scene.place, 1);
  await app.runTask('deliver');
  const [second = ''] = await openTogether(app, scene.place, 1);
  await app.runTask('deliver');
  const [third = ''] = await openTogether(app, scene.place, 1);
  await later(5_000);
  const page = scene.keys().at(2)?.[1] ?? '';
  assert.match(page, new RegExp(`^group:${scene.place.orgId}:[0-9]+$`));
  const begun = [
    ['trigger', first],
    ['trigger', second],
    ['trigger', page],
    ['resolve', first],
    ['resolve', second],
  ];
  assert.deepEqual(scene.keys(), begun);
  await scene.post(third, 'ack?group=true');
  await app.runTask('deliver');
  const before = [...begun, ['acknowledge', page]];
  assert.deepEqual(scene.keys(), before);
  // A page under a key that somebody has acknowledged would wake nobody; and it does not wait for a minute to pass.
  const [late = ''] = await openTogether(app, scene.place, 1);
  await app.runTask('deliver');
  const [action, another] = scene.keys().at(-1) ?? [];
  assert.equal(action, 'trigger');
  assert.notEqual(another, page);
  for (const id of [first, second, third, late]) await scene.post(id, 'resolve');
  await later(60_000);
  assert.deepEqual(
    scene
      .keys()
      .slice(before.length + 1)
      .toSorted(),
    [
      ['resolve', another],
      ['resolve', page],
    ].toSorted(),
  );
});

test('a provider that comes back pages nobody for acknowledged or resolved incidents', async () => {
  const scene = await makeScene();
  pager.once({ status: 500, body: '' });
  const id = await scene.declare();
  await app.runTask('deliver');
  pager.once({ status: 500, body: '' });
  await scene.post(id, 'ack');
  await app.runTask('deliver');
  await scene.post(id, 'resolve');
  await later(60_000);
  // No second trigger, and no second acknowledgement.
  assert.deepEqual(scene.actions(), ['trigger', 'acknowledge', 'resolve']);
  const deliveries = await deliveriesOf(scene.place, scene.target);
  assert.deepEqual(
    deliveries.map(({ event, ok, error }) => [event, ok, error?.split(':')[0] ?? null]),
    [
      ['resolved', true, null],
      ['acknowledged', false, 'overtaken'],
      ['opened', false, 'overtaken'],
    ],
  );
});

test('a page is not replayed for a resolved incident, and nothing is replayed to a target that is switched off', async () => {
  const scene = await makeScene();
  const id = await scene.declare();
  await app.runTask('deliver');
  const [opened] = await deliveriesOf(scene.place, scene.target);
  assert.equal((await app.alice.send('POST', `${scene.hook}/deliveries/${opened?.id}/replay`)).status, 202);
  await app.runTask('deliver');
  await scene.post(id, 'resolve');
  await app.runTask('deliver');
  assertRefused(await app.alice.send('POST', `${scene.hook}/deliveries/${opened?.id}/replay`), {
    status: 409,
    error: 'incident_closed',
  });
  const [resolved] = await deliveriesOf(scene.place, scene.target);
  await app.alice.ok('PATCH', scene.hook, { active: false });
  assertRefused(await app.alice.send('POST', `${scene.hook}/deliveries/${resolved?.id}/replay`), {
    status: 409,
    error: 'target_inactive',
  });
  assert.deepEqual(scene.actions(), ['trigger', 'trigger', 'resolve']);
});

test('messages about a storm can be replayed after their ordering key was deleted', async () => {
  const scene = await makeScene();
  await openTogether(app, scene.place, 3);
  await app.runTask('deliver');
  await sql`DELETE FROM grouped_lanes`.execute(app.db);
  const [opened] = await deliveriesOf(scene.place, scene.target);
  const before = scene.actions().length;
  await app.alice.ok('POST', `${scene.hook}/deliveries/${opened?.id}/replay`);
  await app.runTask('deliver');
  assert.deepEqual(scene.actions().slice(before), ['trigger']);
});
