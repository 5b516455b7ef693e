// What happens when several things happen at the same moment: nothing breaks, nothing is lost, nobody gets a 5xx.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { resultOf } from '#test/harness/probe.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

let made = 0;
const named = () => {
  made += 1;
  return {
    name: `Monitor ${made}`,
    type: 'http',
    config: { url: 'https://shop.example.com/' },
    interval_seconds: 10,
  };
};
const create = ({ projectId }: Place) =>
  app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, named());
const statuses = (answers: { status: number }[]) => answers.map((answer) => answer.status).sort();

test('a project deleted while a monitor is created in it: one of the two happens', async () => {
  for (let round = 0; round < 8; round++) {
    const { projectId } = await app.place();
    const [created, deleted] = await Promise.all([
      app.alice.send('POST', `/projects/${projectId}/monitors`, named()),
      app.alice.send('DELETE', `/projects/${projectId}`),
    ]);
    const outcome = `${created.status} ${deleted.status}`;
    assert.ok(['201 409', '404 204'].includes(outcome), outcome);
  }
});

test('of several creations with one name, one succeeds', async () => {
  const { projectId } = await app.place();
  const body = named();
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => app.alice.send('POST', `/projects/${projectId}/monitors`, body)),
  );
  assert.deepEqual(statuses(answers), [201, 400, 400, 400, 400]);
});

test('creations whose names give the same slug get different slugs', async () => {
  const { projectId } = await app.place();
  const names = ['a b', 'a-b', 'a.b', 'a/b', 'a_b'];
  const answers = await Promise.all(
    names.map((name) =>
      app.alice.send<Monitor>('POST', `/projects/${projectId}/monitors`, { ...named(), name }),
    ),
  );
  assert.deepEqual(statuses(answers), [201, 201, 201, 201, 201]);
  assert.equal(new Set(answers.map((answer) => answer.body.slug)).size, 5);
});

test('simultaneous edits, pauses, manual closes and results of the same monitors all succeed', async () => {
  const place = await app.place();
  const monitors = await Promise.all(Array.from({ length: 4 }, () => create(place)));
  const probe = app.probe();
  for (let round = 0; round < 10; round++) {
    app.clock.advance(1000);
    const at = app.clock.ms();
    const status = round % 4 < 2 ? 'down' : 'up';
    const open = await app.alice.ok<IncidentSummary[]>('GET', `/organizations/${place.orgId}/incidents`);
    const answers = await Promise.all([
      probe.post(monitors.map(({ id }) => resultOf(id, at, status))),
      probe.post(monitors.toReversed().map(({ id }) => resultOf(id, at - 1, status))),
      ...monitors.map(({ id }, i) =>
        app.alice.send('PATCH', `/monitors/${id}`, { enabled: (round + i) % 5 !== 0 }),
      ),
      ...monitors.map(({ id }) =>
        app.alice.send('PATCH', `/monitors/${id}`, { policy: { alarm_consecutive: 1 + (round % 2) } }),
      ),
      ...open.map(({ id }) =>
        app.alice.send('POST', `/organizations/${place.orgId}/incidents/${id}/resolve`),
      ),
      ...open.map(({ id }) => app.alice.send('POST', `/organizations/${place.orgId}/incidents/${id}/ack`)),
    ]);
    assert.deepEqual([...new Set(statuses(answers))], [200]);
  }
  const { rows } = await app.db
    .selectFrom('incidents')
    .select(({ fn }) => ['monitor_no', fn.countAll<number>().as('open')])
    .where('status', '=', 'open')
    .groupBy('monitor_no')
    .execute()
    .then((all) => ({ rows: all }));
  assert.ok(rows.every(({ open }) => Number(open) === 1));
});

test('deleting a monitor while results arrive and its incident is closed gives no 5xx and leaves nothing behind', async () => {
  const place = await app.place();
  for (let round = 0; round < 6; round++) {
    const monitor = await create(place);
    app.clock.advance(3000);
    const at = app.clock.ms();
    await app
      .probe()
      .post([resultOf(monitor.id, at - 2000, 'down'), resultOf(monitor.id, at - 1000, 'down')]);
    const [incident] = await app.alice.ok<IncidentSummary[]>('GET', `/monitors/${monitor.id}/incidents`);
    const answers = await Promise.all([
      app.alice.send('DELETE', `/monitors/${monitor.id}`),
      app.probe().post([resultOf(monitor.id, at, 'up'), resultOf(monitor.id, at + 1, 'up')]),
      app.alice.send('POST', `/organizations/${place.orgId}/incidents/${incident?.id}/resolve`),
      app.alice.send('PATCH', `/monitors/${monitor.id}`, { name: `Renamed ${round}` }),
    ]);
    const [deleted, said, resolved, patched] = answers.map((answer) => answer.status);
    assert.deepEqual([deleted, said], [204, 200]);
    assert.ok(
      [200, 404].includes(resolved ?? 0) && [200, 404].includes(patched ?? 0),
      `${resolved} ${patched}`,
    );
    assert.equal((await app.alice.send('GET', `/monitors/${monitor.id}`)).status, 404);
    assert.deepEqual(
      await app.db.selectFrom('incidents').select('id').where('monitor_id', '=', monitor.id).execute(),
      [],
    );
  }
});

test('two servers that change the same region give every probe all changes', async () => {
  await using other = await app.another();
  const place = await app.place();
  const { revision } = await app.probe().assignments();
  const bodies = Array.from({ length: 12 }, named);
  const cookie = app.alice.cookie();
  const answers = await Promise.all(
    bodies.map(async (body, i) => {
      const response = await fetch(`${i % 2 ? other.url : app.url}/projects/${place.projectId}/monitors`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify(body),
      });
      return (await response.json()) as Monitor;
    }),
  );
  const changes = await app.probe().assignments({ since: revision, wait: 0 });
  assert.deepEqual(changes.monitors.map((a) => a.monitor_id).sort(), answers.map(({ id }) => id).sort());
});

test('a probe whose waiting request broke off does not count as alive', async () => {
  const probe = await app.region('lonely');
  const place = await app.place();
  const { revision } = await probe.assignments();
  const abort = new AbortController();
  const headers = { authorization: `Bearer ${probe.token}` };
  const url = `${app.url}/probe/assignments?since=${revision}&wait=60&probe_id=probe-1`;
  const waiting = fetch(url, { headers, signal: abort.signal }).catch(() => null);
  const online = async () =>
    (await app.alice.ok<{ slug: string; online: boolean }[]>('GET', '/regions')).find(
      ({ slug }) => slug === 'lonely',
    )?.online;
  assert.equal(await online(), true);
  abort.abort();
  await waiting;
  // Answers that came after it: by then the server has heard of the hang-up too.
  for (let i = 0; i < 10; i++) await online();
  app.clock.advance(31_000);
  // The change that would have answered it.
  await app.alice.ok('POST', `/projects/${place.projectId}/monitors`, { ...named(), regions: ['lonely'] });
  // What was woken by it has had its turn when a second waiting request has been answered.
  const other = await app.region('company');
  const { revision: others } = await other.assignments();
  const answered = other.assignments({ since: others, wait: 60 });
  await app.alice.ok('POST', `/projects/${place.projectId}/monitors`, {
    ...named(),
    regions: ['lonely', 'company'],
  });
  await answered;
  assert.equal(await online(), false);
});
