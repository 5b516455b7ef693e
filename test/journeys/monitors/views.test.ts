// Saved views of the list of monitors over HTTP (docs/rules/monitor-types.md#saved-views).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { MonitorView } from '#src/monitors/views/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Answer } from '#test/harness/client.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { join } from '#test/harness/scene.ts';
import { until } from '#test/harness/until.ts';
import { waitingStatements } from '#test/harness/waiting.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

test('a view is private until it is shared, and is deleted when its owner leaves', async () => {
  const { orgId } = await app.place();
  const path = `/organizations/${orgId}/monitor-views`;
  const bob = await app.person('bob');
  await join(app, orgId, bob.userId, 'member');
  const search = { state: 'failed', tag: 'prod', group: 'project', sort: 'name' };
  const mine = await app.alice.ok<MonitorView>('POST', path, { name: ' Down in prod ', search });
  assert.deepEqual([mine.name, mine.search, mine.shared], ['Down in prod', search, false]);
  const names = async (person: typeof bob) =>
    (await person.ok<MonitorView[]>('GET', path)).map(
      ({ name, shared }) => `${name}${shared ? ' shared' : ''}`,
    );
  assert.deepEqual([await names(app.alice), await names(bob)], [['Down in prod'], []]);
  const notHis = await bob.send('PATCH', `${path}/${mine.id}`, { name: 'His' });
  assertRefused(notHis, { status: 404, error: 'not_found' });
  assertRefused(await bob.send('DELETE', `${path}/${mine.id}`), { status: 404, error: 'not_found' });

  await app.alice.ok('PATCH', `${path}/${mine.id}`, { shared: true });
  assert.deepEqual(await names(bob), ['Down in prod shared']);
  const renamed = await bob.ok<MonitorView>('PATCH', `${path}/${mine.id}`, { name: 'Down' });
  assert.deepEqual([renamed.name, renamed.search, renamed.shared], ['Down', search, true]);
  await bob.ok('POST', path, { name: 'Mail', search: { type: 'mail' } });
  assert.deepEqual([await names(app.alice), await names(bob)], [['Down shared'], ['Down shared', 'Mail']]);

  await app.alice.ok('DELETE', `/organizations/${orgId}/members/${bob.userId}`);
  const left = await app.db.selectFrom('monitor_views').select('name').where('org_id', '=', orgId).execute();
  assert.deepEqual(left, [{ name: 'Down' }]);
  await app.alice.ok('DELETE', `${path}/${mine.id}`);
  assert.deepEqual(await names(app.alice), []);
});

test('of two who delete a view at once one is told that it is gone, and the log has it once', async () => {
  const { orgId } = await app.place();
  const path = `/organizations/${orgId}/monitor-views`;
  const { id } = await app.alice.ok<MonitorView>('POST', path, { name: 'Down', search: {}, shared: true });
  const deleting: Promise<Answer>[] = [];
  await app.db.transaction().execute(async (holder) => {
    await sql`SELECT FROM monitor_views WHERE id = ${id} FOR UPDATE`.execute(holder);
    for (let i = 0; i < 2; i++) deleting.push(app.alice.send('DELETE', `${path}/${id}`));
    await until(async () => (await waitingStatements(app.db, 'monitor_views')) === 2, 'both wait');
  });
  const answers = await Promise.all(deleting);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404]);
  const log = await app.alice.ok<{ action: string }[]>('GET', `/organizations/${orgId}/activity`);
  assert.equal(log.filter(({ action }) => action === 'monitor_view.delete').length, 1);
});

test('filters that no list supports are refused', async () => {
  const { orgId } = await app.place();
  const path = `/organizations/${orgId}/monitor-views`;
  for (const [body, field] of [
    [{ name: 'Odd', search: { state: 'odd' } }, 'search.state'],
    [{ name: 'Odd', search: { colour: 'red' } }, 'search.colour'],
    [{ name: 'Odd' }, 'search'],
  ] as const)
    assertRefused(await app.alice.send('POST', path, body), { status: 400, error: 'invalid_request', field });
  assertRefused(await app.alice.send('POST', path, { name: ' ', search: {} }), {
    status: 400,
    error: 'empty_name',
    field: 'name',
  });
});
