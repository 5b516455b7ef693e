// The page of a storm at PagerDuty and Opsgenie, from its trigger to its end, whatever becomes of monitors and targets meanwhile
// (docs/rules/notifications.md#storms).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import { forgetOldGroupKeys } from '#src/notifications/purge.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { resultOf } from '#test/harness/probe.ts';
import { opsgenieRules } from '#test/harness/providers/opsgenie.ts';
import { pagerdutyRules } from '#test/harness/providers/pagerduty.ts';
import { type Provider, type Received, startProvider } from '#test/harness/providers/provider.ts';

const KEY = '0123456789abcdef0123456789abcdef';
const EVENTS = ['opened', 'escalated', 'acknowledged', 'resolved'];

let app: TestApp;
let pagerduty: Provider;
let opsgenie: Provider;
before(async () => {
  pagerduty = await startProvider({ after: closeAfterTests }, pagerdutyRules);
  opsgenie = await startProvider({ after: closeAfterTests }, opsgenieRules);
  app = await startAppOfFile({ env: { PAGERDUTY_URL: pagerduty.url, OPSGENIE_URL: opsgenie.url } });
});

/** An organization with monitors that are about to fail together. */
async function scene({ count = 3 } = {}) {
  const place = await app.place(app.alice, 'business');
  const url = (path: string) => `/organizations/${place.orgId}/${path}`;
  const monitors: Monitor[] = [];
  for (let i = 0; i < count; i++)
    monitors.push(
      await app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, {
        name: `Page ${i}`,
        type: 'http',
        config: { url: `https://shop.example.com/${i}` },
        interval_seconds: 10,
        severity: 'default',
      }),
    );
  const incidentOf = async ({ id }: Monitor) => {
    const [newest] = await app.alice.ok<IncidentSummary[]>('GET', `/monitors/${id}/incidents`);
    return newest?.id ?? '';
  };
  const from = { pagerduty: pagerduty.received.length, opsgenie: opsgenie.received.length };
  /** The group's key without its organization and number: a storm of these tests has one alarm. */
  const short = (key: string) => (key.startsWith('group:') ? 'storm' : 'own');
  const judged = (received: readonly Received[]) =>
    received.map((one) => {
      assert.deepEqual(one.problems, [], one.raw);
      return one;
    });
  return {
    monitors,
    url,
    incidentOf,
    addTarget: (kind: 'pagerduty' | 'opsgenie', events = EVENTS) =>
      app.alice.ok<WebhookTarget>('POST', url('webhooks'), { name: kind, kind, events, credential: KEY }),
    /** What PagerDuty got: the action, the page, and the severity of a trigger. */
    toPagerduty: () =>
      judged(pagerduty.received.slice(from.pagerduty)).map(({ body }) =>
        [body.event_action, short(body.dedup_key), body.payload?.severity].filter(Boolean).join(' '),
      ),
    /** What Opsgenie got: the action, the page, and the priority of an alert. */
    toOpsgenie: () =>
      judged(opsgenie.received.slice(from.opsgenie)).map(({ path, body }) => {
        const [, key, action] = /alerts\/([^/]+)\/([a-z]+)/.exec(path) ?? [];
        return key
          ? `${action} ${short(decodeURIComponent(key))}`
          : `create ${short(body.alias)} ${body.priority}`;
      }),
    all: async (status: 'up' | 'down', some: readonly Monitor[]) => {
      for (let i = 0; i < 2; i++) {
        app.clock.advance(1000);
        await app.probe().post(some.map(({ id }) => resultOf(id, app.clock.ms(), status)));
      }
      await app.runTask('deliver');
    },
    after: async (seconds: number) => {
      // What is under way keeps its lease: the clock must not run away from it.
      await app.runTask('deliver');
      app.clock.advance(seconds * 1000);
      await app.runTask('deliver');
    },
    acknowledge: async (monitor: Monitor) =>
      app.alice.ok('POST', url(`incidents/${await incidentOf(monitor)}/ack`)),
    deleteMonitor: ({ id }: Monitor) => app.alice.ok('DELETE', `/monitors/${id}`),
  };
}

test('the page of a storm is closed when the monitor of its last open incident is deleted', async () => {
  const s = await scene();
  await s.addTarget('pagerduty');
  await s.addTarget('opsgenie');
  await s.all('down', s.monitors);
  await s.after(60);
  await s.all('up', s.monitors.slice(0, 2));
  await s.after(60);
  await s.deleteMonitor(s.monitors[2]!);
  await s.after(60);
  assert.deepEqual(s.toPagerduty(), ['trigger storm error', 'trigger storm error', 'resolve storm']);
  assert.deepEqual(s.toOpsgenie(), ['create storm P2', 'create storm P2', 'close storm']);
});

test('the page of a storm is closed when all of its monitors are deleted, and once only', async () => {
  const s = await scene();
  await s.addTarget('pagerduty');
  await s.all('down', s.monitors);
  await s.after(60);
  for (const monitor of s.monitors) await s.deleteMonitor(monitor);
  await s.after(60);
  await s.after(3600);
  assert.deepEqual(s.toPagerduty(), ['trigger storm error', 'resolve storm']);
});

test('the page of a storm is acknowledged when the monitor of its last unacknowledged incident is deleted', async () => {
  const s = await scene();
  await s.addTarget('pagerduty');
  await s.all('down', s.monitors);
  await s.after(60);
  for (const monitor of s.monitors.slice(0, 2)) await s.acknowledge(monitor);
  await s.after(60);
  await s.deleteMonitor(s.monitors[2]!);
  await s.after(60);
  assert.equal(s.toPagerduty().at(-1), 'acknowledge storm');
  await s.all('up', s.monitors.slice(0, 2));
  await s.after(60);
  assert.equal(s.toPagerduty().at(-1), 'resolve storm');
});

test('the page of a storm that was quiet for long is closed when its monitors are deleted', async () => {
  const s = await scene();
  await s.addTarget('pagerduty');
  await s.all('down', s.monitors);
  await s.after(3600);
  await forgetOldGroupKeys(app.db, app.clock.now());
  for (const monitor of s.monitors) await s.deleteMonitor(monitor);
  await s.after(60);
  assert.equal(s.toPagerduty().at(-1), 'resolve storm');
});

test('the page of a storm replaces the first two also at a target that was switched off while the storm formed', async () => {
  const s = await scene({ count: 4 });
  const { id } = await s.addTarget('pagerduty');
  const switchTo = (active: boolean) => app.alice.ok('PATCH', s.url(`webhooks/${id}`), { active });
  for (const monitor of s.monitors.slice(0, 2)) await s.all('down', [monitor]);
  await switchTo(false);
  await s.all('down', s.monitors.slice(2, 3));
  await switchTo(true);
  await s.after(10);
  await s.all('down', s.monitors.slice(3));
  await s.after(60);
  assert.deepEqual(s.toPagerduty(), [
    'trigger own error',
    'trigger own error',
    'trigger storm error',
    'resolve own',
    'resolve own',
  ]);
});
