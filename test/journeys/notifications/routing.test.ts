// Targets that ask for some incidents only: who is concerned is settled at the beginning, so that whatever received it receives its end.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { IncidentDetail, IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import type { AlarmPlan } from '#src/on-call/alarm-plan-contract.ts';
import type { Overview } from '#src/overview/contract.ts';
import type { Project } from '#src/projects/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { resultOf } from '#test/harness/probe.ts';
import { mattermostRules } from '#test/harness/providers/mattermost.ts';
import { pagerdutyRules } from '#test/harness/providers/pagerduty.ts';
import { type Provider, startProvider } from '#test/harness/providers/provider.ts';
import { type Receiver, startReceiver } from '#test/harness/receiver.ts';

let app: TestApp;
let chat: Provider;
let pagerduty: Provider;
before(async () => {
  chat = await startProvider({ after: closeAfterTests }, mattermostRules);
  pagerduty = await startProvider({ after: closeAfterTests }, pagerdutyRules);
  app = await startAppOfFile({ env: { CHAT_WEBHOOK_HOSTS: chat.host, PAGERDUTY_URL: pagerduty.url } });
});

const EVENTS = [
  'opened',
  'acknowledged',
  'resolved',
  'updated',
  'discarded',
  'maintenance_started',
  'maintenance_ended',
];

async function scene() {
  const place = await app.place(app.alice, 'business');
  const hooks = `/organizations/${place.orgId}/webhooks`;
  const receivers = new Map<string, Receiver>();
  const targets = new Map<string, WebhookTarget>();
  async function add(name: string, fields: object = {}) {
    const receiver = await startReceiver();
    closeAfterTests(() => receiver.stop());
    receivers.set(name, receiver);
    const body = { name, kind: 'webhook', url: receiver.url, events: EVENTS, ...fields };
    targets.set(name, await app.alice.ok<WebhookTarget>('POST', hooks, body));
  }
  return {
    ...place,
    hooks,
    add,
    route: (name: string, fields: object) =>
      app.alice.ok<WebhookTarget>('PATCH', `${hooks}/${targets.get(name)?.id}`, fields),
    monitor: (name: string, fields: object = {}, projectId = place.projectId) =>
      app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
        name,
        type: 'http',
        config: { url: 'https://shop.example.com/' },
        interval_seconds: 10,
        ...fields,
      }),
    project: (name: string) =>
      app.alice.ok<Project>('POST', `/organizations/${place.orgId}/projects`, { name }),
    all: async (status: 'up' | 'down', monitors: readonly Monitor[]) => {
      for (let i = 0; i < 2; i++) {
        app.clock.advance(1000);
        await app.probe().post(monitors.map(({ id }) => resultOf(id, app.clock.ms(), status)));
      }
      await app.runTask('deliver');
    },
    open: () => app.alice.ok<IncidentSummary[]>('GET', `/organizations/${place.orgId}/incidents`),
    closed: () =>
      app.alice.ok<IncidentSummary[]>('GET', `/organizations/${place.orgId}/incidents?status=closed`),
    /** What has arrived since the last look, by target; those that received nothing are left out. */
    received: async () => {
      await app.runTask('deliver');
      return Object.fromEntries(
        [...receivers].flatMap(([name, { received }]) => {
          const events = received.splice(0).map(({ event }) => event);
          return events.length === 0 ? [] : [[name, events]];
        }),
      );
    },
  };
}

test('a target that received an opening receives the end, and no other does, whatever is changed in between', async () => {
  const s = await scene();
  const other = await s.project('Blog');
  await s.add('payments', { tags: ['Payments', 'batch'] });
  await s.add('blog', { project_ids: [other.id] });
  await s.add('shop', { project_ids: [s.projectId] });
  await s.add('everything');
  await s.add('off', { tags: ['payments'], active: false });
  const monitor = await s.monitor('Card', { tags: ['payments'] });

  await s.all('down', [monitor]);
  assert.deepEqual(await s.received(), { payments: ['opened'], shop: ['opened'], everything: ['opened'] });

  await app.alice.ok('PATCH', `/monitors/${monitor.id}`, { tags: ['legacy'], severity: 'degraded' });
  await s.route('payments', { tags: ['batch'] });
  await s.route('everything', { min_severity: 'critical', project_ids: [other.id] });
  await s.route('blog', { project_ids: [] });
  await s.route('off', { tags: ['legacy'], active: true });
  await s.add('late', { project_ids: [s.projectId] });
  const [incident] = await s.open();
  const path = `/organizations/${s.orgId}/incidents/${incident?.id}`;
  await app.alice.ok('POST', `${path}/ack`);
  await app.alice.ok('POST', `${path}/notes`, { body: 'On it', kind: 'note', visibility: 'internal' });
  await s.all('up', [monitor]);
  await app.alice.ok('POST', `${path}/discard`, {});
  const rest = ['acknowledged', 'updated', 'resolved', 'discarded'];
  assert.deepEqual(await s.received(), { payments: rest, shop: rest, everything: rest });

  await s.all('down', [monitor]);
  assert.deepEqual(
    await s.received(),
    { shop: ['opened'], blog: ['opened'], off: ['opened'], late: ['opened'] },
    'the next one is judged as things stand now',
  );
});

test('who heard of an incident hears that it was a false alarm, and nobody else, whatever was changed after its end', async () => {
  const s = await scene();
  const tags = ['payments'];
  await s.add('everything');
  await s.add('payments', { tags });
  await s.add('blog', { tags: ['blog'] });
  await s.add('off', { tags, active: false });
  const monitor = await s.monitor('Card', { tags });
  await s.all('down', [monitor]);
  await s.all('up', [monitor]);
  const beginning = ['opened', 'resolved'];
  assert.deepEqual(await s.received(), { everything: beginning, payments: beginning });

  app.clock.advance(60_000);
  await s.route('everything', { tags: ['blog'] });
  await s.route('everything', { active: false });
  app.clock.advance(60_000);
  await s.route('everything', { active: true });
  await s.route('payments', { min_severity: 'critical', tags: ['blog'] });
  await s.route('blog', { tags });
  await s.route('off', { active: true });
  await s.add('late', { tags });
  await s.add('late everything');
  const [incident] = await s.closed();
  const path = `/organizations/${s.orgId}/incidents/${incident?.id}`;
  await app.alice.ok('POST', `${path}/notes`, { body: 'A cable', kind: 'note', visibility: 'internal' });
  await app.alice.ok('POST', `${path}/discard`, {});
  const rest = ['updated', 'discarded'];
  assert.deepEqual(await s.received(), { everything: rest, payments: rest, 'late everything': rest });

  // Decided once, also after the end: a filter that is removed brings nothing back.
  await s.route('late', { tags: [] });
  await s.route('everything', { tags: [], min_severity: 'critical' });
  await app.alice.ok('POST', `${path}/restore`, {});
  await app.alice.ok('POST', `${path}/discard`, {});
  assert.deepEqual(await s.received(), {
    everything: ['discarded'],
    payments: ['discarded'],
    'late everything': ['discarded'],
  });
});

test('a filter that is set or removed while a target is off takes away nothing that it has heard the beginning of, and adds nothing that it has missed', async () => {
  const s = await scene();
  await s.add('set', { tags: [] });
  await s.add('removed', { tags: ['payments'] });
  const before = await s.monitor('Before', { tags: ['payments'] });
  const over = await s.monitor('Over', { tags: ['payments'] });
  const meanwhile = await s.monitor('Meanwhile', { tags: ['payments'] });
  await s.all('down', [before, over]);
  const opened = ['opened', 'opened'];
  assert.deepEqual(await s.received(), { set: opened, removed: opened });
  for (const name of ['set', 'removed']) await s.route(name, { active: false });
  await s.all('up', [over]);
  await s.all('down', [meanwhile]);
  await s.route('set', { tags: ['payments'] });
  await s.route('removed', { tags: [] });
  for (const name of ['set', 'removed']) await s.route(name, { active: true });
  assert.deepEqual(await s.received(), {});
  await s.all('up', [before, meanwhile]);
  assert.deepEqual(await s.received(), { set: ['resolved'], removed: ['resolved'] });
  for (const { id } of await s.closed())
    await app.alice.ok('POST', `/organizations/${s.orgId}/incidents/${id}/discard`, {});
  const discarded = ['discarded', 'discarded'];
  assert.deepEqual(await s.received(), { set: discarded, removed: discarded });
});

test('a target gets incidents of its minimum severity and above; one with a project or tag gets none without a monitor', async () => {
  const s = await scene();
  await s.add('critical', { min_severity: 'critical' });
  await s.add('default', { min_severity: 'default' });
  await s.add('shop', { project_ids: [s.projectId] });
  const declare = async (fields: object) => {
    const body = { cause: 'Somebody called', ...fields };
    await app.alice.ok<IncidentDetail>('POST', `/organizations/${s.orgId}/incidents`, body);
    return Object.keys(await s.received());
  };
  assert.deepEqual(await declare({ severity: 'critical' }), ['critical', 'default']);
  assert.deepEqual(await declare({ severity: 'default' }), ['default']);
  assert.deepEqual(await declare({ severity: 'degraded' }), []);
  assert.deepEqual(await declare({ severity: 'degraded', severity_level: 'sev1' }), ['critical', 'default']);
  const { id } = await s.monitor('Page', { severity: 'degraded' });
  assert.deepEqual(await declare({ severity: 'degraded', monitor_id: id }), ['shop']);
});

test('a storm reaches a target only through the incidents that match its filter', async () => {
  const s = await scene();
  const events = ['opened', 'acknowledged', 'resolved'];
  const tags = ['payments'];
  const add = (fields: object) => app.alice.ok('POST', s.hooks, { events, tags, ...fields });
  await add({ name: 'Chat', kind: 'mattermost', url: `${chat.url}/hooks/secret` });
  await add({ name: 'Pager', kind: 'pagerduty', credential: '0123456789abcdef0123456789abcdef' });
  await s.add('hook', { tags });
  const monitors: Monitor[] = [];
  for (let i = 0; i < 8; i++) monitors.push(await s.monitor(`Page ${i}`, i % 2 ? { tags } : {}));
  const later = async (seconds: number) => {
    await app.runTask('deliver');
    app.clock.advance(seconds * 1000);
    await app.runTask('deliver');
  };
  const texts = () => chat.received.splice(0).map(({ raw }) => raw);

  // Two on their own, of which it receives one; then the storm.
  await s.all('down', monitors.slice(0, 1));
  await s.all('down', monitors.slice(1, 2));
  assert.equal(texts().length, 1);
  await s.all('down', monitors.slice(2));
  await later(6);
  const [begins = '', ...more] = texts();
  assert.deepEqual(more, []);
  assert.match(begins, /4 incidents, 4 open/);
  assert.match(begins, /Page 7/);
  assert.doesNotMatch(begins, /Page [0246]/);

  // Over for this target, though not for everybody.
  await s.all(
    'up',
    monitors.filter((_, i) => i % 2 === 1),
  );
  await later(0);
  const [ends = ''] = texts();
  assert.match(ends, /4 incidents, all resolved/);
  await s.all(
    'up',
    monitors.filter((_, i) => i % 2 === 0),
  );
  await later(120);
  assert.deepEqual(texts(), []);
  const alerts = new Map(
    pagerduty.received.map(({ raw }) => JSON.parse(raw)).map((body) => [body.dedup_key, body.event_action]),
  );
  assert.equal(alerts.size, 2, 'the first one on its own, and the storm');
  assert.deepEqual([...alerts.values()], ['resolve', 'resolve']);
  assert.deepEqual((await s.received()).hook, [...Array(4).fill('opened'), ...Array(4).fill('resolved')]);
});

test('a target that is created during a storm counts only the incidents that it receives', async () => {
  const s = await scene();
  const tags = ['payments'];
  const monitors: Monitor[] = [];
  for (let i = 0; i < 6; i++) monitors.push(await s.monitor(`Shop ${i}`, i % 2 ? { tags } : {}));
  await s.all('down', monitors.slice(0, 5));
  await s.all('up', monitors.slice(0, 4));
  await app.alice.ok('POST', s.hooks, {
    name: 'Chat',
    kind: 'mattermost',
    url: `${chat.url}/hooks/secret`,
    events: ['opened', 'resolved'],
    tags,
  });
  await s.all('down', monitors.slice(5));
  app.clock.advance(6000);
  await app.runTask('deliver');
  const [text = ''] = chat.received.splice(0).map(({ raw }) => raw);
  assert.match(text, /Shop 5/);
  assert.doesNotMatch(text, /Shop [0-4]|[2-6] incidents/);
});

test('maintenance reaches the targets of its projects and tags, also at its end', async () => {
  const s = await scene();
  const other = await s.project('Blog');
  await s.add('payments', { tags: ['payments'], min_severity: 'critical' });
  await s.add('blog', { project_ids: [other.id] });
  const monitor = await s.monitor('Card', { tags: ['payments'] });
  const now = Math.floor(app.clock.ms() / 1000);
  const { id } = await app.alice.ok<{ id: string }>('POST', `/organizations/${s.orgId}/maintenance-windows`, {
    title: 'Disks',
    monitors: [monitor.id],
    scheduled_start: now,
    scheduled_end: now + 3600,
  });
  assert.deepEqual(await s.received(), { payments: ['maintenance_started'] });
  await s.route('payments', { tags: ['other'] });
  await s.route('blog', { project_ids: [s.projectId] });
  await app.alice.ok('POST', `/organizations/${s.orgId}/maintenance-windows/${id}/cancel`);
  assert.deepEqual(await s.received(), { payments: ['maintenance_ended'] });
});

test('the alarm plan, and the list of unnotified monitors, respect each target’s filter', async () => {
  const s = await scene();
  await s.add('payments', { tags: ['payments'] });
  await s.add('blog', { project_ids: [(await s.project('Blog')).id] });
  const [card, page] = [await s.monitor('Card', { tags: ['payments'] }), await s.monitor('Page')];
  const notified = async ({ id }: Monitor) => {
    const { steps, warnings } = await app.alice.ok<AlarmPlan>('GET', `/monitors/${id}/alarm-plan`);
    return { targets: steps.flatMap(({ targets }) => targets.map(({ name }) => name)), warnings };
  };
  assert.deepEqual((await notified(card)).targets, ['payments']);
  assert.deepEqual((await notified(page)).targets, []);
  assert.ok((await notified(page)).warnings.includes('nobody'));
  const { unnotified } = await app.alice.ok<Overview>('GET', `/organizations/${s.orgId}/overview`);
  assert.deepEqual(
    [unnotified?.all, unnotified?.total, unnotified?.monitors.map(({ name }) => name)],
    [false, 1, ['Page']],
  );
});

test('a filter is validated, kept if omitted, and can be sent back as read', async () => {
  const s = await scene();
  const foreign = await app.place();
  const body = { name: 'Hook', kind: 'webhook', url: 'https://hooks.example.com/in', events: ['opened'] };
  for (const [field, value] of [
    ['project_ids', [foreign.projectId]],
    ['project_ids', ['prj_nothing']],
    ['tags', ['a,b']],
    ['min_severity', 'urgent'],
  ] as const) {
    const { status, body: refusal } = await app.alice.send<{ field?: string }>('POST', s.hooks, {
      ...body,
      [field]: value,
    });
    assert.deepEqual([status, refusal.field?.startsWith(field)], [400, true], `${field}: ${value}`);
  }
  const made = await app.alice.ok<WebhookTarget>('POST', s.hooks, {
    ...body,
    project_ids: [s.projectId, s.projectId],
    tags: ['Payments', 'payments '],
    min_severity: 'default',
  });
  const routing = ({ project_ids, tags, min_severity }: WebhookTarget) => [project_ids, tags, min_severity];
  const asked = [[s.projectId], ['payments'], 'default'];
  assert.deepEqual(routing(made), asked);
  const one = `${s.hooks}/${made.id}`;
  assert.deepEqual(routing(await app.alice.ok('PATCH', one, { name: 'Other', tags: null })), asked);
  const [{ ...listed } = made] = await app.alice.ok<WebhookTarget[]>('GET', s.hooks);
  assert.deepEqual(routing(await app.alice.ok('PATCH', one, listed)), asked);
  const all = { project_ids: [], tags: [], min_severity: 'degraded' };
  assert.deepEqual(routing(await app.alice.ok('PATCH', one, all)), [[], [], 'degraded']);
});
