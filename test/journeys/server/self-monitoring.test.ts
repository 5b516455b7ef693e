// What the installation itself cannot see is told (docs/rules/regions-and-probes.md#troubles), and so is its end.
import assert from 'node:assert/strict';
import { afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Monitor } from '#src/monitors/contract.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { ONLINE_MS } from '#src/regions/liveness.ts';
import type { BlindSpots, Trouble } from '#src/self-monitoring/contract.ts';
import { knownReports } from '#src/self-monitoring/known-reports.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { enqueueEach, idsOf } from '#test/harness/enqueued-events.ts';
import { type Mailbox, startMailbox } from '#test/harness/mailbox.ts';
import type { Probe } from '#test/harness/probe.ts';
import { until } from '#test/harness/until.ts';

const MINUTE_MS = 60_000;
const TURN_MS = 5_000;

let app: TestApp;
let mailbox: Mailbox;
before(async () => {
  mailbox = await startMailbox();
  closeAfterTests(() => mailbox.stop());
  app = await startAppOfFile({ env: { SMTP_URL: mailbox.url, MAIL_FROM: 'tocsin@example.com' } });
});

/** No trouble of one test is left to the next. */
afterEach(async () => {
  await sql`DELETE FROM probes`.execute(app.db);
  await sql`DELETE FROM edges`.execute(app.db);
  await sql`DELETE FROM troubles`.execute(app.db);
  await sql`DELETE FROM monitors`.execute(app.db);
  mailbox.received.length = 0;
  meanwhile = async () => undefined;
});

async function turn() {
  // Nobody works jobs here but the test.
  await sql`DELETE FROM graphile_worker._private_jobs`.execute(app.db);
  await app.runTask('self_monitoring');
  await app.runTask('notices');
  // The server's own sender may have taken them: time goes on when they have arrived.
  const pending = sql`SELECT FROM notices WHERE state = 'pending' LIMIT 1`;
  await until(async () => (await pending.execute(app.db)).rows.length === 0, 'no notice is pending');
}

/** What goes on beside a test, each time that some time has passed. */
let meanwhile: () => Promise<unknown> = async () => undefined;

/** Time passes and the watch looks on; these probes are heard from meanwhile. */
async function passes(ms: number, ...probes: Probe[]) {
  for (let left = ms; left > 0; left -= TURN_MS) {
    app.clock.advance(Math.min(left, TURN_MS));
    await Promise.all(probes.map((probe) => probe.assignments()));
    await meanwhile();
    await turn();
  }
}

let made = 0;
const region = () => app.region(`watched-${made++}`);
const slugOf = () => `watched-${made - 1}`;
const troubles = async () =>
  (await app.alice.ok<Trouble[]>('GET', '/admin/troubles')).map(({ kind, subject }) => `${kind} ${subject}`);
const subjects = () => mailbox.received.map(({ mail }) => mail.subject);
/** Waits until so many mails have been parsed. */
const arrived = (howMany: number) => until(() => subjects().length >= howMany, `${howMany} mails`);

async function monitorIn({ projectId }: Place, name: string, given: Record<string, unknown> = {}) {
  return app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
    name,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    interval_seconds: 60,
    regions: [slugOf()],
    ...given,
  });
}

test('an offline region is reported within a minute, and so is its return', async () => {
  const probe = await region();
  const slug = slugOf();
  await probe.assignments();
  await passes(2 * MINUTE_MS, probe);
  await passes(25_000);
  assert.deepEqual([await troubles(), subjects()], [[], []]);
  await passes(10_000);
  assert.deepEqual(await troubles(), [`region_offline ${slug}`]);
  await arrived(1);
  assert.deepEqual(subjects(), [`[Tocsin] Region ${slug} is offline`]);
  assert.deepEqual(mailbox.received[0]?.recipients, [app.alice.email]);
  await passes(MINUTE_MS);
  await arrived(1);
  assert.equal(subjects().length, 1, 'once');
  await passes(TURN_MS, probe);
  assert.deepEqual(await troubles(), []);
  await arrived(2);
  assert.equal(subjects()[1], `[Tocsin] Region ${slug} is online again`);
});

for (const [how, take] of [
  ['refused', (path: string) => app.alice.ok('PATCH', path, { admission: 'refused' })],
  ['removed', (path: string) => app.alice.ok('DELETE', path)],
] as const)
  test(`a region whose only probe is ${how} is offline while monitors are assigned to it`, async () => {
    const place = await app.place(app.alice);
    const probe = await region();
    const slug = slugOf();
    const monitor = await monitorIn(place, 'Shop');
    await probe.assignments();
    await passes(2 * MINUTE_MS, probe);
    await take(`/admin/regions/${slug}/probes/probe-1`);
    await passes(35_000);
    assert.deepEqual(await troubles(), [`region_offline ${slug}`]);
    await arrived(1);
    assert.deepEqual(subjects(), [`[Tocsin] Region ${slug} is offline`]);
    await app.alice.ok('DELETE', `/monitors/${monitor.id}`);
    await passes(TURN_MS);
    // Nothing is online again, and so no mail says so.
    await passes(11 * MINUTE_MS);
    assert.deepEqual([await troubles(), subjects().length], [[], 1]);
  });

test('a region that comes and goes causes one pair of mails in ten minutes', async () => {
  const probe = await region();
  await probe.assignments();
  await passes(2 * MINUTE_MS, probe);
  for (let i = 0; i < 5; i++) {
    await passes(40_000);
    await passes(20_000, probe);
  }
  await arrived(2);
  assert.equal(subjects().length, 2);
  await passes(6 * MINUTE_MS, probe);
  await passes(40_000);
  await arrived(3);
  assert.equal(subjects().length, 3);
});

test('after an outage of the server itself nobody is notified about regions or monitors', async () => {
  const probe = await region();
  const place = await app.place();
  const monitor = await monitorIn(place, 'Shop');
  await probe.assignments();
  await passes(2 * MINUTE_MS, probe);
  await probe.says(monitor.id, 'up');
  await turn();
  app.clock.advance(60 * MINUTE_MS);
  await turn();
  await passes(20_000);
  await probe.says(monitor.id, 'up');
  await passes(TURN_MS, probe);
  assert.deepEqual([await troubles(), subjects()], [[], []]);
});

test('a problem from before an outage of the server does not end because the server returns', async () => {
  const probe = await region();
  await probe.assignments();
  await passes(2 * MINUTE_MS, probe);
  await passes(MINUTE_MS);
  await arrived(1);
  assert.equal(subjects().length, 1);
  app.clock.advance(60 * MINUTE_MS);
  await passes(MINUTE_MS);
  await arrived(1);
  assert.equal(subjects().length, 1);
});

test('monitors without data for five minutes cause one mail to owners and admins, and one when they report', async () => {
  const probe = await region();
  const place = await app.place();
  const ben = await app.person('ben', { [place.orgId]: 'admin' });
  await app.person('cora', { [place.orgId]: 'member' });
  const monitors = [await monitorIn(place, 'Shop'), await monitorIn(place, 'Till')];
  const other = await monitorIn(await app.place(), 'Other');
  // The probe is well: it delivers, of somebody else's monitor.
  meanwhile = () => probe.says(other.id, 'up');
  await probe.assignments();
  await passes(2 * MINUTE_MS, probe);
  for (const { id } of monitors) await probe.says(id, 'up');
  await passes(5 * MINUTE_MS - TURN_MS, probe);
  assert.deepEqual(subjects(), []);
  await passes(2 * TURN_MS, probe);
  await arrived(2);
  const recipients = mailbox.received.map((each) => each.recipients[0]).sort();
  assert.deepEqual(recipients, [app.alice.email, ben.email].sort());
  await arrived(1);
  assert.match(subjects()[0] ?? '', /No data from 2 monitors$/);
  assert.match(mailbox.received[0]?.mail.text ?? '', /Shop[\s\S]*Till/);
  const spots = await app.alice.ok<BlindSpots>('GET', `/organizations/${place.orgId}/blind-spots`);
  assert.deepEqual([spots.total, spots.monitors.length], [2, 2]);
  await probe.says(monitors[0]!.id, 'up');
  await passes(TURN_MS, probe);
  await arrived(2);
  assert.equal(subjects().length, 2, 'the other one is still silent');
  for (const { id } of monitors) await probe.says(id, 'up');
  await passes(TURN_MS, probe);
  await arrived(4);
  assert.equal(subjects().length, 4);
  assert.match(subjects()[3] ?? '', /2 monitors report again$/);
  const after = await app.alice.ok<BlindSpots>('GET', `/organizations/${place.orgId}/blind-spots`);
  assert.equal(after.total, 0);
});

test('a monitor that was switched off or deleted after the mail is not said to report again', async () => {
  const probe = await region();
  const place = await app.place();
  const [shop, till, bank] = [
    await monitorIn(place, 'Shop'),
    await monitorIn(place, 'Till'),
    await monitorIn(place, 'Bank'),
  ];
  const other = await monitorIn(await app.place(), 'Other');
  meanwhile = () => probe.says(other.id, 'up');
  await passes(5 * MINUTE_MS + 2 * TURN_MS, probe);
  await arrived(1);
  assert.match(subjects()[0] ?? '', /No data from 3 monitors$/);
  await app.alice.ok('PATCH', `/monitors/${till.id}`, { enabled: false });
  await app.alice.ok('DELETE', `/monitors/${bank.id}`);
  await probe.says(shop.id, 'up');
  await passes(TURN_MS, probe);
  await arrived(2);
  assert.match(subjects()[1] ?? '', /Shop reports again$/);
});

test('a monitor that falls silent soon after a mail is a blind spot before the next mail', async () => {
  const probe = await region();
  const place = await app.place();
  const [shop, till] = [await monitorIn(place, 'Shop'), await monitorIn(place, 'Till')];
  meanwhile = () => probe.says(till.id, 'up');
  await passes(5 * MINUTE_MS + 2 * TURN_MS, probe);
  await arrived(1);
  const other = await monitorIn(await app.place(), 'Other');
  meanwhile = () => probe.says(other.id, 'up');
  await passes(5 * MINUTE_MS + 2 * TURN_MS, probe);
  assert.equal(subjects().length, 1, 'mails are ten minutes apart');
  const { monitors } = await app.alice.ok<BlindSpots>('GET', `/organizations/${place.orgId}/blind-spots`);
  assert.deepEqual(
    monitors.map(({ monitor_id }) => monitor_id),
    [shop.id, till.id],
  );
});

test('a monitor that is checked every two minutes is reported after three intervals', async () => {
  const probe = await region();
  const place = await app.place();
  const { id } = await monitorIn(place, 'Slow', { interval_seconds: 120 });
  await passes(TURN_MS, probe);
  await probe.says(id, 'up');
  await passes(6 * MINUTE_MS, probe);
  assert.deepEqual(subjects(), []);
  await passes(20_000, probe);
  await arrived(1);
  assert.match(subjects()[0] ?? '', /No data from Slow$/);
});

test('a check that cannot be made is reported with its remedy', async () => {
  const probe = await region();
  const place = await app.place();
  const { id } = await monitorIn(place, 'Router', { type: 'ping', config: { host: 'router.example.com' } });
  const unable = { status: 'down', failure_class: 'ping_unavailable', cause_layer: 'probe' } as const;
  for (let i = 0; i < 6; i++) {
    await probe.says(id, unable);
    await passes(MINUTE_MS, probe);
  }
  await arrived(1);
  assert.equal(subjects().length, 1);
  assert.match(mailbox.received[0]?.mail.text ?? '', /iputils-ping/);
});

test('a monitor of which a server saw nothing but faults of its probe since the last result is reported', async () => {
  const probe = await region();
  const { id } = await monitorIn(await app.place(), 'Shop');
  await passes(TURN_MS, probe);
  await probe.says(id, 'up');
  const fault = { status: 'down', failure_class: 'probe_network', cause_layer: 'probe' } as const;
  meanwhile = () => probe.says(id, fault);
  app.clock.advance(TURN_MS);
  await meanwhile();
  // The watch reads it now, while the result before the faults still counts.
  await app.alice.ok('PATCH', `/monitors/${id}`, { name: 'Till' });
  await passes(5 * MINUTE_MS + 2 * TURN_MS, probe);
  await arrived(1);
  assert.match(subjects()[0] ?? '', /No data from Till$/);
});

test('a monitor that was switched on again gets its full time before anybody is notified', async () => {
  const probe = await region();
  const place = await app.place();
  const { id } = await monitorIn(place, 'Shop', { enabled: false });
  await passes(6 * MINUTE_MS, probe);
  await app.alice.ok('PATCH', `/monitors/${id}`, { enabled: true });
  await passes(3 * MINUTE_MS, probe);
  assert.deepEqual(subjects(), []);
});

test('a lagging probe is reported, and so is the end of the lag', async () => {
  const probe = await region();
  const slug = slugOf();
  const place = await app.place();
  const { id } = await monitorIn(place, 'Shop');
  await passes(TURN_MS, probe);
  await probe.says(id, { status: 'down', failure_class: 'probe_busy', cause_layer: 'probe' });
  await passes(TURN_MS, probe);
  assert.deepEqual(await troubles(), [`probe_lagging ${slug}/probe-1`]);
  await arrived(1);
  assert.deepEqual(subjects(), [`[Tocsin] Probe probe-1 of region ${slug} is too busy`]);
  for (let i = 0; i < 6; i++) {
    await probe.says(id, 'up');
    await passes(MINUTE_MS, probe);
  }
  assert.deepEqual(await troubles(), []);
  await arrived(2);
  assert.equal(subjects()[1], `[Tocsin] Probe probe-1 of region ${slug} no longer lags`);
});

test('a lagging probe that goes offline is not said to keep up again', async () => {
  const probe = await region();
  const slug = slugOf();
  const { id } = await monitorIn(await app.place(), 'Shop');
  await passes(2 * MINUTE_MS, probe);
  await probe.says(id, { status: 'down', failure_class: 'probe_busy', cause_layer: 'probe' });
  await passes(TURN_MS, probe);
  await arrived(1);
  await passes(12 * MINUTE_MS);
  assert.deepEqual(await troubles(), [`region_offline ${slug}`]);
  await arrived(3);
  assert.deepEqual(
    subjects().filter((subject) => subject?.startsWith('[Tocsin]')),
    [`[Tocsin] Probe probe-1 of region ${slug} is too busy`, `[Tocsin] Region ${slug} is offline`],
  );
});

test('an edge that rejected its configuration and is no longer in use is not said to have it again', async () => {
  const now = app.clock.now();
  await app.db
    .insertInto('edges')
    .values({ address: 'http://127.0.0.1:2019', seen_at: now, failing_since: now, failure: 'refuses' })
    .execute();
  await passes(2 * MINUTE_MS);
  assert.deepEqual(await troubles(), ['edge_failing http://127.0.0.1:2019']);
  await arrived(1);
  await passes(11 * MINUTE_MS);
  assert.deepEqual([await troubles(), subjects().length], [[], 1]);
});

test('a stalled queue is reported', async () => {
  await passes(MINUTE_MS + 2 * TURN_MS);
  assert.deepEqual(await troubles(), []);
  await sql`SELECT graphile_worker.add_job('of_no_worker', '{}', run_at => now() - interval '2 minutes')`.execute(
    app.db,
  );
  app.clock.advance(TURN_MS);
  await app.runTask('self_monitoring');
  assert.deepEqual(await troubles(), ['queue_lagging jobs']);
  await passes(TURN_MS);
  assert.deepEqual(await troubles(), []);
});

test('a delivery that waits for a failing target is not a stalled queue; an unattempted one is', async () => {
  const { orgId } = await app.place();
  const target = { name: 'Hook', kind: 'webhook', url: 'http://127.0.0.1:9/', events: ['opened'] };
  const { id } = await app.alice.ok<{ id: string }>('POST', `/organizations/${orgId}/webhooks`, target);
  await passes(MINUTE_MS + 2 * TURN_MS);
  await enqueueEach(app, orgId, 'opened', idsOf(1, 'waiting'));
  const queued = app.db.selectFrom('delivery_queue').select('attempts').where('target_id', '=', id);
  const isTried = async () =>
    (await queued.where('leased_until', 'is', null).execute()).some(({ attempts }) => attempts > 0);
  await until(isTried, 'the first attempt has failed');
  const due = new Date(app.clock.ms() - 2 * MINUTE_MS);
  const waits = app.db
    .updateTable('delivery_queue')
    .set({ next_attempt_at: due })
    .where('target_id', '=', id);
  await waits.execute();
  await passes(TURN_MS);
  assert.deepEqual(await troubles(), []);
  await app.db.updateTable('webhook_targets').set({ failing_since: null }).where('id', '=', id).execute();
  await waits.execute();
  await passes(TURN_MS);
  assert.deepEqual(await troubles(), ['queue_lagging deliveries']);
  await app.db.deleteFrom('delivery_queue').where('target_id', '=', id).execute();
  await passes(TURN_MS);
  assert.deepEqual(await troubles(), []);
});

test('a mail that nobody accepts is sent again until somebody does', async () => {
  const probe = await region();
  await probe.assignments();
  await passes(2 * MINUTE_MS, probe);
  mailbox.refuse('451 4.3.0 later');
  await passes(MINUTE_MS);
  assert.deepEqual(subjects(), []);
  mailbox.refuse(null);
  await passes(35_000);
  await arrived(1);
  assert.equal(subjects().length, 1);
});

test('with two servers one does each run, and each mail is sent once', async () => {
  const probe = await region();
  await probe.assignments();
  await passes(2 * MINUTE_MS, probe);
  for (let i = 0; i < 12; i++) {
    app.clock.advance(TURN_MS);
    await Promise.all([turn(), turn(), turn()]);
  }
  await arrived(1);
  assert.equal(subjects().length, 1);
});

test('in the metrics a monitor without data is not counted under the status that it had', async () => {
  const probe = await region();
  const { id } = await monitorIn(await app.place(), 'Shop');
  const counts = async () => {
    const text = await app.visitor().ok<string>('GET', '/metrics');
    return text.split('\n').filter((line) => line.startsWith('tocsin_monitors{'));
  };
  await passes(TURN_MS, probe);
  assert.deepEqual(await counts(), ['tocsin_monitors{status="unknown"} 1']);
  await probe.says(id, 'up');
  await passes(TURN_MS, probe);
  assert.deepEqual(await counts(), ['tocsin_monitors{status="passed"} 1']);
  await passes(40_000);
  assert.deepEqual(await counts(), ['tocsin_monitors{status="no_data"} 1']);
});

test('dashboards are told when a monitor falls silent, and when it reports again', async () => {
  const probe = await region();
  const place = await app.place();
  const { id } = await monitorIn(place, 'Shop');
  await passes(TURN_MS, probe);
  await probe.says(id, 'up');
  await passes(TURN_MS, probe);
  const since = Math.floor(app.clock.ms() / 1000) - TURN_MS / 1000;
  await passes(40_000);
  await probe.says(id, 'up');
  await passes(TURN_MS, probe);
  const { rows } = await sql<{ payload: { change: string; no_data_since_unix?: number | null } }>`
    SELECT payload FROM live_events WHERE org_id = ${place.orgId} AND payload ->> 'monitor_id' = ${id}
    ORDER BY seq`.execute(app.db);
  const said = rows.flatMap(({ payload }) =>
    payload.change === 'data' ? [payload.no_data_since_unix ?? null] : [],
  );
  assert.deepEqual(said.slice(-2), [since, null]);
});

test('a run examines only monitors that may have fallen silent', async () => {
  const probe = await region();
  const place = await app.place();
  const [shop, bank] = [await monitorIn(place, 'Shop'), await monitorIn(place, 'Bank')];
  const due = async () => {
    const { nos } = await runWork(app.db, app.clock.now(), SYSTEM, (work) => knownReports(app.db).due(work));
    const { rows } = await sql<{ name: string }>`
      SELECT name FROM monitors WHERE no = ANY(${[...nos]}::int[]) ORDER BY 1`.execute(app.db);
    return rows.map(({ name }) => name);
  };
  await passes(TURN_MS, probe);
  for (const { id } of [shop, bank]) await probe.says(id, 'up');
  // One that began before a look may have changed something that the look did not see.
  await until(async () => {
    await passes(TURN_MS, probe);
    return (await due()).length === 0;
  }, 'no monitor is due');
  await app.alice.ok('PATCH', `/monitors/${bank.id}`, { interval_seconds: 30 });
  assert.deepEqual(await due(), ['Bank']);
  await passes(TURN_MS, probe);
  await probe.says(shop.id, 'up');
  // Three intervals and the timeout of 10 s after its last result.
  await passes(95_000, probe);
  assert.deepEqual(await due(), ['Bank']);
  await passes(ONLINE_MS);
  assert.deepEqual(await due(), ['Bank', 'Shop']);
});

test('only the operator sees the problems of the installation, and a member the blind spots of theirs', async () => {
  const place = await app.place();
  const dan = await app.person('dan', { [place.orgId]: 'member' });
  assert.equal((await dan.send('GET', '/admin/troubles')).status, 403);
  assert.equal((await dan.send('GET', `/organizations/${place.orgId}/blind-spots`)).status, 200);
});
