// The failure capsule: what the failing regions look up when an incident opens, beside the evidence. The server's side.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { AskedCapsule } from '#probe/capsules.ts';
import { CAPSULES_A_MINUTE } from '#src/capsules/ask.ts';
import type { Capsule } from '#src/capsules/contract.ts';
import { capsuleContext } from '#src/capsules/hand-out.ts';
import type { IncidentSummary, IncidentWithCapsule } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { type Client, makeClient } from '#test/harness/client.ts';
import { makeKeyHolder } from '#test/harness/keys.ts';
import type { Probe } from '#test/harness/probe.ts';
import { startReceiver } from '#test/harness/receiver.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
  await app.region('far');
});

const CAPSULE: Capsule = {
  took_ms: 120,
  private: false,
  withheld: false,
  host: 'shop.example.com',
  dns: null,
  connections: [{ address: '192.0.2.7', took_ms: 12, error: 'It refused the connection' }],
  tls: null,
  route: null,
  response: null,
  left_out: [{ part: 'dns', why: 'failed' }],
};

let made = 0;
async function failing(place: Place, regions = ['local'], settle = true): Promise<Monitor> {
  made += 1;
  const monitor = await app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, {
    ...{ name: `Monitor ${made}`, type: 'http', regions },
    config: { url: 'https://shop.example.com/' },
    policy: { alarm_consecutive: 1, alarm_quorum_mode: 'all' },
  });
  await Promise.all(regions.map((region) => app.probe(region).assignments({ wait: 0 })));
  for (const region of regions) await app.probe(region).says(monitor.id, 'down');
  if (settle) await app.runTask('audit');
  return monitor;
}
async function incidentOf(place: Place, by: Client = app.alice): Promise<IncidentWithCapsule> {
  const [newest] = await app.alice.ok<IncidentSummary[]>('GET', `/organizations/${place.orgId}/incidents`);
  return by.ok('GET', `/organizations/${place.orgId}/incidents/${newest?.id}`);
}
/** What a probe is asked for, as one that has its assignments already. */
async function asked(probe: Probe): Promise<AskedCapsule[]> {
  const { revision } = await probe.assignments({ wait: 0 });
  return (await probe.assignments({ since: revision, wait: 0 })).capsules ?? [];
}
async function answer(
  probe: Probe,
  capsule_id: string,
  capsule: unknown = CAPSULE,
  probe_id = 'probe-1',
): Promise<{ status: number; accepted?: boolean }> {
  const { status, body } = await makeClient(app.url).send<{ accepted?: boolean }>(
    'POST',
    '/probe/capsules',
    { probe_id, capsule_id, capsule },
    { authorization: `Bearer ${probe.token}` },
  );
  return { status, ...(status === 200 ? { accepted: body.accepted === true } : {}) };
}

test('each failing region is asked once, and its answer supplements the evidence without changing it', async () => {
  const place = await app.place();
  const monitor = await failing(place, ['local', 'far']);
  const opened = await incidentOf(place);
  assert.equal(opened.capsule, null);
  assert.deepEqual(opened.capsule_regions, [
    { region: 'far', state: 'gathering', why: null },
    { region: 'local', state: 'gathering', why: null },
  ]);
  const [mine, ...more] = await asked(app.probe());
  assert.deepEqual([mine?.monitor_id, more], [monitor.id, []]);
  assert.deepEqual(await asked(app.probe()), [], 'nobody is asked twice');
  assert.deepEqual(await answer(app.probe(), mine?.capsule_id ?? ''), { status: 200, accepted: true });
  const added = await incidentOf(place);
  assert.deepEqual(added.evidence, opened.evidence);
  assert.deepEqual(
    added.capsule?.regions.map(({ region }) => region),
    ['local'],
  );
  assert.deepEqual(added.capsule?.regions[0]?.connections, CAPSULE.connections);
  assert.deepEqual(
    added.capsule_regions.map(({ state }) => state),
    ['gathering', 'arrived'],
  );
  app.clock.advance(121_000);
  assert.deepEqual((await incidentOf(place)).capsule_regions[0], {
    region: 'far',
    state: 'none',
    why: 'no_answer',
  });
  assert.deepEqual(await asked(app.probe('far')), [], 'it is too late to ask');
});

test('a capsule that was not requested, comes twice, from another probe or region, too late or too large is refused', async () => {
  const place = await app.place();
  await failing(place, ['local', 'far']);
  const probe = app.probe();
  const [mine] = await asked(probe);
  const [fars] = await asked(app.probe('far'));
  const [id, other] = [mine?.capsule_id ?? '', fars?.capsule_id ?? ''];
  assert.deepEqual(await answer(probe, 'inc_00000000000000000000000000-1'), { status: 200, accepted: false });
  assert.deepEqual(await answer(probe, other), { status: 200, accepted: false }, 'of another region');
  assert.deepEqual(await answer(probe, id, CAPSULE, 'probe-2'), { status: 200, accepted: false });
  assert.equal((await answer(probe, id, { ...CAPSULE, more: 1 })).status, 400);
  assert.equal((await answer(probe, id, { ...CAPSULE, host: 'x'.repeat(400) })).status, 400);
  assert.equal((await answer(probe, id, { ...CAPSULE, host: 'x'.repeat(70_000) })).status, 413);
  assert.deepEqual(await answer(probe, id), { status: 200, accepted: true });
  assert.deepEqual(await answer(probe, id, { ...CAPSULE, host: 'again' }), { status: 200, accepted: false });
  assert.equal((await incidentOf(place)).capsule?.regions[0]?.host, CAPSULE.host);
  app.clock.advance(121_000);
  assert.deepEqual(await answer(app.probe('far'), other), { status: 200, accepted: false }, 'too late');
});

test('members see it, keys only with monitors:write, and strangers not at all', async () => {
  const place = await app.place();
  await failing(place);
  const [mine] = await asked(app.probe());
  await answer(app.probe(), mine?.capsule_id ?? '');
  const member = await app.person('mara', { [place.orgId]: 'member' });
  assert.ok((await incidentOf(place, member)).capsule);
  const of = (scopes: string[]) => makeKeyHolder(app, app.alice, place.orgId, { scopes: scopes as never });
  const reads = await incidentOf(place, await of(['incidents:write', 'monitors:read']));
  assert.deepEqual([reads.capsule, reads.capsule_regions[0]?.state], [null, 'arrived']);
  assert.ok((await incidentOf(place, await of(['incidents:read', 'monitors:write']))).capsule);
  const stranger = await app.person('berta');
  const path = `/organizations/${place.orgId}/incidents/${reads.id}`;
  assert.equal((await stranger.send('GET', path)).status, 403);
});

test('it is encrypted, and in no webhook, list, acknowledgement or live event', async () => {
  const place = await app.place();
  const receiver = await startReceiver();
  try {
    await app.alice.ok('POST', `/organizations/${place.orgId}/webhooks`, {
      ...{
        name: 'Hook',
        kind: 'webhook',
        url: `${receiver.url}/x`,
        events: ['opened', 'acknowledged', 'resolved'],
      },
    });
    const monitor = await failing(place);
    const [mine] = await asked(app.probe());
    await answer(app.probe(), mine?.capsule_id ?? '');
    const { rows } = await sql<{ capsule_sealed: string }>`
      SELECT capsule_sealed FROM incident_capsules WHERE capsule_id = ${mine?.capsule_id}`.execute(app.db);
    const sealed = rows[0]?.capsule_sealed ?? '';
    assert.doesNotMatch(sealed, /192\.0\.2/);
    assert.match(app.vault.open(sealed, capsuleContext(mine?.capsule_id ?? '')), /192\.0\.2/);
    const { id } = await incidentOf(place);
    const said = [
      await app.alice.ok('POST', `/organizations/${place.orgId}/incidents/${id}/ack`),
      await app.alice.ok('GET', `/organizations/${place.orgId}/incidents`),
      await app.alice.ok('GET', `/organizations/${place.orgId}/incidents/${id}/timeline`),
      await app.db.selectFrom('live_events').select('payload').execute(),
      await app.db.selectFrom('outbox').selectAll().execute(),
      await app.db.selectFrom('incident_timeline').selectAll().execute(),
    ];
    await app.probe().says(monitor.id, 'up');
    await app.runTask('deliver');
    assert.doesNotMatch(JSON.stringify([said, receiver.received]), /192\.0\.2\.7|capsule/);
    const events = await app.db.selectFrom('live_events').select('payload').execute();
    assert.ok(JSON.stringify(events).includes('looked_up'), 'dashboards learn that it is there');
  } finally {
    await receiver.stop();
  }
});

test('in a storm an organization gets a limited number per minute, and the others say why they have none', async () => {
  const place = await app.place();
  const quiet = await app.place();
  app.clock.advance(61_000);
  for (let n = 0; n < CAPSULES_A_MINUTE + 3; n += 1) await failing(place, ['local'], false);
  await failing(quiet, ['local'], false);
  await app.runTask('audit');
  const { rows } = await sql<{ org_id: string; skipped: boolean; count: number }>`
    SELECT org_id, skipped, count(*)::int AS count FROM incident_capsules
    WHERE org_id IN (${place.orgId}, ${quiet.orgId}) GROUP BY 1, 2 ORDER BY 3`.execute(app.db);
  assert.deepEqual(
    rows.map(({ org_id, skipped, count }) => [org_id === place.orgId, skipped, count]),
    [
      [false, false, 1],
      [true, true, 3],
      [true, false, CAPSULES_A_MINUTE],
    ],
  );
  assert.deepEqual((await incidentOf(place)).capsule_regions, [
    { region: 'local', state: 'none', why: 'too_many' },
  ]);
  let handed = 0;
  for (let some = await asked(app.probe()); some.length > 0; some = await asked(app.probe())) {
    assert.ok(some.length <= 10);
    handed += some.length;
  }
  assert.equal(handed, CAPSULES_A_MINUTE + 1);
});

test('only the probe that checks the monitor is asked, and one without a name never is', async () => {
  const place = await app.place();
  const probe = app.probe('far');
  const second = probe.named('probe-2');
  await Promise.all([probe.assignments({ wait: 0 }), second.assignments({ wait: 0 })]);
  const monitor = await failing(place, ['far'], false);
  await second.says(monitor.id, 'down');
  await app.runTask('audit');
  const mineOf = async (each: Probe) =>
    (await each.assignments({ wait: 0 })).monitors.map((m) => m.monitor_id);
  const owner = (await mineOf(probe)).includes(monitor.id) ? probe : second;
  const other = owner === probe ? second : probe;
  assert.deepEqual(await asked(other), []);
  const client = makeClient(app.url, { authorization: `Bearer ${probe.token}` });
  const { revision } = await probe.assignments({ wait: 0 });
  const nameless = await client.ok<{ capsules?: unknown[] }>(
    'GET',
    `/probe/assignments?since=${revision}&wait=0`,
  );
  assert.deepEqual(nameless.capsules ?? [], []);
  assert.equal((await asked(owner))[0]?.monitor_id, monitor.id);
});

test('it is deleted with its incident, and responses of private targets are dropped if they may not be stored', async () => {
  const place = await app.place();
  const monitor = await failing(place);
  const [mine] = await asked(app.probe());
  await answer(app.probe(), mine?.capsule_id ?? '', { ...CAPSULE, private: true });
  const [region] = (await incidentOf(place)).capsule?.regions ?? [];
  assert.deepEqual([region?.withheld, region?.connections], [true, null]);
  await app.alice.ok('DELETE', `/monitors/${monitor.id}`);
  const { rows } = await sql`SELECT FROM incident_capsules WHERE capsule_id = ${mine?.capsule_id}`.execute(
    app.db,
  );
  assert.equal(rows.length, 0);
});
