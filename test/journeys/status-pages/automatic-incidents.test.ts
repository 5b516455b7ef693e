// Automatic incidents reach the pages that show their monitor (docs/rules/status-pages.md#automatic-incidents).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { resultOf } from '#test/harness/probe.ts';
import { newPage, settings } from '#test/harness/status-page.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

let made = 0;
function newMonitor({ projectId }: Place): Promise<Monitor> {
  made += 1;
  return app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
    name: `Shop ${made}`,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    policy: { alarm_consecutive: 1 },
  });
}
const show = (page: StatusPage, ...monitors: Monitor[]) =>
  app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, {
    monitors: monitors.map(({ id }) => ({ monitor_id: id })),
  });
async function say(status: 'up' | 'down', ...monitors: Monitor[]): Promise<void> {
  app.clock.advance(60_000);
  for (const { id } of monitors) await app.probe().says(id, status);
}
async function openIncident({ orgId }: Place, monitor: Monitor): Promise<string> {
  const open = await app.alice.ok<IncidentSummary[]>('GET', `/organizations/${orgId}/incidents`);
  const incident = open.find(({ monitor_id }) => monitor_id === monitor.id);
  assert.ok(incident, 'no incident is open');
  return incident.id;
}
const incidentPath = ({ orgId }: Place, id: string) => `/organizations/${orgId}/incidents/${id}`;
async function linkedTo(place: Place, incidentId: string): Promise<string[]> {
  const links = await app.alice.ok<{ status_page_id: string }[]>(
    'GET',
    `${incidentPath(place, incidentId)}/status-pages`,
  );
  return links.map(({ status_page_id }) => status_page_id).sort();
}

test('an opening incident is linked to every page that shows its monitor, and its timeline says so', async () => {
  const place = await app.place();
  const [shop, other] = [await newMonitor(place), await newMonitor(place)];
  const pages = [
    await newPage(app.alice, place, 'Public'),
    await newPage(app.alice, place, 'For customers'),
    await newPage(app.alice, place, 'Turned off'),
    await newPage(app.alice, place, 'Archived'),
    await newPage(app.alice, place, 'Of another monitor'),
  ];
  const [one, two, off, archived, elsewhere] = pages as [
    StatusPage,
    StatusPage,
    StatusPage,
    StatusPage,
    StatusPage,
  ];
  for (const page of [one, two, off, archived]) await show(page, shop);
  await show(elsewhere, other);
  await app.alice.ok('PATCH', `/status-pages/${off.id}`, settings(off, { auto_link_incidents: false }));
  await app.alice.ok('DELETE', `/status-pages/${archived.id}`);
  await say('up', shop, other);
  await say('down', shop);
  const id = await openIncident(place, shop);
  assert.deepEqual(await linkedTo(place, id), [one.id, two.id].sort());
  const timeline = await app.alice.ok<{ kind: string; detail: string | null; actor_name: string | null }[]>(
    'GET',
    `${incidentPath(place, id)}/timeline`,
  );
  assert.equal(timeline[0]?.kind, 'opened');
  assert.deepEqual(
    timeline
      .flatMap(({ kind, detail, actor_name }) => (kind === 'linked' ? [[detail, actor_name]] : []))
      .sort(),
    [
      ['For customers', null],
      ['Public', null],
    ],
  );
});

test('an incident unlinked by hand stays unlinked, and the next one is linked again', async () => {
  const place = await app.place();
  const shop = await newMonitor(place);
  const page = await newPage(app.alice, place);
  await show(page, shop);
  await say('up', shop);
  await say('down', shop);
  const first = await openIncident(place, shop);
  await app.alice.ok('DELETE', `${incidentPath(place, first)}/status-pages/${page.id}`);
  await say('down', shop);
  await app.alice.ok('POST', `${incidentPath(place, first)}/ack`);
  assert.deepEqual(await linkedTo(place, first), []);
  for (let i = 0; i < 3; i++) await say('up', shop);
  await say('down', shop);
  const second = await openIncident(place, shop);
  assert.notEqual(second, first);
  assert.deepEqual(await linkedTo(place, second), [page.id]);
});

test('declared incidents, and earlier ones, are linked only by hand', async () => {
  const place = await app.place();
  const shop = await newMonitor(place);
  const page = await newPage(app.alice, place);
  await say('up', shop);
  await say('down', shop);
  const before = await openIncident(place, shop);
  await show(page, shop);
  await say('down', shop);
  assert.deepEqual(await linkedTo(place, before), []);
  const manual = await app.alice.ok<{ id: string }>('POST', `/organizations/${place.orgId}/incidents`, {
    monitor_id: shop.id,
    severity: 'critical',
    cause: 'Nobody can pay',
  });
  assert.deepEqual(await linkedTo(place, manual.id), []);
});

test('incidents that open in one batch are all linked', async () => {
  const place = await app.place();
  const page = await newPage(app.alice, place);
  const monitors: Monitor[] = [];
  for (let i = 0; i < 40; i++) monitors.push(await newMonitor(place));
  await show(page, ...monitors);
  await say('up', ...monitors);
  app.clock.advance(60_000);
  const answer = await app.probe().post(monitors.map(({ id }) => resultOf(id, app.clock.ms(), 'down')));
  assert.equal(answer.status, 200);
  const { rows } = await sql<{ linked: number; entries: number }>`
    SELECT (SELECT count(*)::int FROM incident_status_pages WHERE status_page_id = ${page.id}) AS linked,
      (SELECT count(*)::int FROM incident_timeline t JOIN incidents i ON i.id = t.incident_id
       WHERE i.org_id = ${place.orgId} AND t.kind = 'linked') AS entries`.execute(app.db);
  assert.deepEqual(rows[0], { linked: 40, entries: 40 });
});
