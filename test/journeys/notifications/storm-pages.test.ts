// The page of a storm at PagerDuty and Opsgenie, from its trigger to its end, whatever becomes of monitors and targets meanwhile
// (docs/rules/notifications.md#storms).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
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
async function scene({ count = 3, onCall = false, severityOf = (_: number): string => 'default' } = {}) {
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
        severity: severityOf(i),
      }),
    );
  const incidentOf = async ({ id }: Monitor) => {
    const [newest] = await app.alice.ok<IncidentSummary[]>('GET', `/monitors/${id}/incidents`);
    return newest?.id ?? '';
  };
  if (onCall) {
    await app.alice.ok('PUT', url('on-call/settings'), { enabled: true, timezone: 'UTC' });
    await app.alice.ok('PUT', url('on-call/members'), {
      members: [{ position: 0, user_id: app.alice.userId }],
    });
  }
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
    /** Begins maintenance; returns what ends it. */
    maintain: async (some: readonly Monitor[]) => {
      const start = Math.floor(app.clock.ms() / 1000);
      const { id } = await app.alice.ok<MaintenanceWindow>('POST', url('maintenance-windows'), {
        title: 'Upgrade',
        scheduled_start: start,
        scheduled_end: start + 3600,
        monitors: some.map(({ id }) => id),
      });
      return () => app.alice.ok('DELETE', url(`maintenance-windows/${id}`));
    },
    hold: async (monitor: Monitor, seconds: number) =>
      app.alice.ok('POST', url(`incidents/${await incidentOf(monitor)}/hold`), { seconds }),
    /** The next stage of the alarm of a monitor is due. */
    escalate: async (monitor: Monitor) => {
      const row = await app.db
        .selectFrom('incidents')
        .select('alarm_no')
        .where('id', '=', await incidentOf(monitor))
        .executeTakeFirstOrThrow();
      await app.runTask('alarm', { alarm_no: row.alarm_no });
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

const NOT_OPENED = ['escalated', 'acknowledged', 'resolved'];

test('a target without `opened` is not paged by what happens to a storm, but at once when it escalates', async () => {
  const s = await scene({ onCall: true });
  await s.addTarget('pagerduty', NOT_OPENED);
  await s.addTarget('opsgenie', NOT_OPENED);
  await s.all('down', s.monitors);
  await s.after(9 * 60 + 30);
  await s.all('up', s.monitors.slice(0, 1));
  await s.after(20);
  assert.deepEqual(s.toPagerduty(), []);
  assert.deepEqual(s.toOpsgenie(), []);
  await s.after(10);
  await s.escalate(s.monitors[1]!);
  assert.deepEqual(s.toPagerduty(), ['trigger storm error']);
  assert.deepEqual(s.toOpsgenie(), ['create storm P2']);
  await s.all('up', s.monitors.slice(1, 2));
  await s.after(60);
  await s.all('up', s.monitors.slice(2));
  await s.after(60);
  assert.deepEqual(s.toPagerduty().slice(1), ['trigger storm error', 'resolve storm']);
  assert.deepEqual(s.toOpsgenie().slice(1), ['create storm P2', 'close storm']);
});

test('a target without `opened` is not paged in place of the first two of a storm', async () => {
  const s = await scene();
  await s.addTarget('pagerduty', NOT_OPENED);
  for (const monitor of s.monitors) await s.all('down', [monitor]);
  await s.after(60);
  await s.all('up', s.monitors.slice(0, 1));
  await s.after(60);
  assert.ok(!s.toPagerduty().includes('trigger storm error'));
  await s.all('up', s.monitors.slice(1));
  await s.after(60);
  assert.equal(s.toPagerduty()[0], 'resolve own');
  assert.ok(s.toPagerduty().includes('resolve storm'));
});

test('a target that is created while the alarm of a storm pauses is paged by what opens or escalates later, not by a recovery', async () => {
  const s = await scene({ count: 4, onCall: true });
  await s.all('down', s.monitors.slice(0, 3));
  const end = await s.maintain(s.monitors);
  await s.addTarget('pagerduty');
  await s.all('up', s.monitors.slice(0, 1));
  await s.after(60);
  assert.deepEqual(s.toPagerduty(), []);
  await end();
  await s.after(20 * 60);
  await s.escalate(s.monitors[1]!);
  assert.deepEqual(s.toPagerduty(), ['trigger storm error']);
});

test('a storm whose third incident wakes nobody replaces the pages of the first two once anything changes', async () => {
  const s = await scene({ severityOf: (i) => (i === 2 ? 'degraded' : 'default') });
  await s.addTarget('pagerduty');
  for (const monitor of s.monitors) await s.all('down', [monitor]);
  await s.after(60);
  assert.deepEqual(s.toPagerduty(), ['trigger own error', 'trigger own error']);
  await s.acknowledge(s.monitors[0]!);
  await s.after(60);
  assert.deepEqual(s.toPagerduty().slice(2), ['trigger storm error', 'resolve own', 'resolve own']);
});

test('no page of a storm replaces those of the first two while its alarm pauses, and they are closed at their end', async () => {
  const s = await scene({ severityOf: (i) => (i === 2 ? 'degraded' : 'default') });
  await s.addTarget('pagerduty');
  for (const monitor of s.monitors) await s.all('down', [monitor]);
  for (const monitor of s.monitors) await s.hold(monitor, 3600);
  await s.all('up', s.monitors.slice(0, 1));
  await s.after(60);
  assert.deepEqual(s.toPagerduty(), ['trigger own error', 'trigger own error', 'resolve own']);
  await s.after(3000);
  await forgetOldGroupKeys(app.db, app.clock.now());
  await s.all('up', s.monitors.slice(1));
  await s.after(60);
  assert.deepEqual(s.toPagerduty().slice(3), ['resolve storm', 'resolve own']);
});

test('a page of a storm that the provider refused for good is sent with the next message about it', async () => {
  const s = await scene();
  await s.addTarget('pagerduty');
  for (let i = 0; i < 7; i++) pagerduty.once({ status: 403, body: '{}' });
  await s.all('down', s.monitors);
  for (let i = 0; i < 7; i++) await s.after(20 * 60);
  assert.deepEqual(s.toPagerduty(), Array(7).fill('trigger storm error'));
  await s.all('up', s.monitors.slice(0, 1));
  await s.after(60);
  assert.deepEqual(s.toPagerduty().slice(7), ['trigger storm error']);
});

test('a page of a storm that the provider refused for good opens no more while its alarm pauses', async () => {
  const s = await scene();
  await s.addTarget('pagerduty');
  for (let i = 0; i < 7; i++) pagerduty.once({ status: 403, body: '{}' });
  await s.all('down', s.monitors);
  for (let i = 0; i < 7; i++) await s.after(20 * 60);
  await s.maintain(s.monitors);
  await s.all('up', s.monitors.slice(0, 1));
  await s.after(60);
  assert.deepEqual(s.toPagerduty(), Array(7).fill('trigger storm error'));
});

test('a message that pages nobody says nothing about the health of its target', async () => {
  const s = await scene();
  const { id } = await s.addTarget('pagerduty', NOT_OPENED);
  await s.all('down', s.monitors);
  await s.all('up', s.monitors.slice(0, 1));
  await s.after(60);
  const targets = await app.alice.ok<WebhookTarget[]>('GET', s.url('webhooks'));
  assert.equal(targets.find((target) => target.id === id)?.last_delivery_ok, null);
});

test('the page of a storm is as severe as the worst of its open incidents, whichever the message is about', async () => {
  const s = await scene({ severityOf: (i) => (i < 2 ? 'critical' : 'default') });
  await s.addTarget('pagerduty');
  await s.addTarget('opsgenie');
  for (const monitor of s.monitors) await s.all('down', [monitor]);
  await s.after(10);
  assert.equal(s.toPagerduty()[2], 'trigger storm critical');
  assert.equal(s.toOpsgenie()[2], 'create storm P1');
  await s.all('up', s.monitors.slice(0, 2));
  await s.after(60);
  assert.equal(s.toPagerduty().at(-1), 'trigger storm error');
  assert.equal(s.toOpsgenie().at(-1), 'create storm P2');
});
