// The wall display: read with the token of a link and nothing else, and shown nothing that is not for a wall
// (docs/rules/overview.md#wall-display).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { hashToken } from '#src/platform/secrets.ts';
import { MAX_WALL_LINKS, type Wall, type WallLink } from '#src/walls/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

type Made = WallLink & { url: string };

const make = (orgId: string, name = 'Hall') =>
  app.alice.ok<Made>('POST', `/organizations/${orgId}/wall-links`, { name });
const tokenOf = ({ url }: Made) => url.slice(url.indexOf('#') + 1);
const look = (token: string, headers: Record<string, string> = {}) =>
  app.visitor().send<Wall>('GET', '/wall', undefined, { authorization: `Bearer ${token}`, ...headers });

async function scene() {
  const { orgId, projectId } = await app.place();
  const monitor = await app.alice.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
    ...{ name: 'Shop', type: 'http' },
    config: {
      url: 'https://shop.example.com/private?token=sesame',
      auth: { kind: 'basic', username: 'user', password: 'hunter2' },
    },
    policy: { alarm_consecutive: 1, recovery_consecutive: 1 },
  });
  await app.probe().says(monitor.id, { status: 'down', detail: 'secret detail of shop.example.com' });
  app.clock.advance(1000);
  return { orgId, monitor };
}

test('a link is shown once, only its hash is stored, and it opens the wall of its organization', async () => {
  const { orgId } = await scene();
  const made = await make(orgId);
  assert.match(made.url, /\/app\/wall#tcw_\w{43}$/);
  const stored = await app.db
    .selectFrom('wall_links')
    .selectAll()
    .where('id', '=', made.id)
    .executeTakeFirstOrThrow();
  assert.deepEqual(stored.hash, hashToken(tokenOf(made)));
  assert.ok(!JSON.stringify(stored).includes(tokenOf(made)));
  const { status, body, headers } = await look(tokenOf(made));
  assert.equal(status, 200);
  assert.equal(headers.get('cache-control'), 'private, no-cache');
  assert.deepEqual([body.link_name, body.counts.failed, body.open.unacknowledged], ['Hall', 1, 1]);
  assert.deepEqual(body.tiles, [{ name: 'Shop', state: 'failed' }]);
  assert.deepEqual(
    body.wrong.map(({ name }) => name),
    ['Shop'],
  );
  const [listed] = await app.alice.ok<WallLink[]>('GET', `/organizations/${orgId}/wall-links`);
  assert.deepEqual([listed?.name, 'url' in listed!], ['Hall', false]);
  assert.equal(listed?.last_seen_at_unix, Math.floor(app.clock.ms() / 1000));
});

test('it contains only names and times: no ids, no addresses, no causes, no evidence', async () => {
  const { orgId } = await scene();
  await app.alice.ok('POST', `/organizations/${orgId}/incidents`, {
    cause: 'Payments are slow',
    severity: 'critical',
  });
  const { body } = await look(tokenOf(await make(orgId)));
  const said = JSON.stringify(body);
  for (const hidden of ['hunter2', 'sesame', 'shop.example.com', 'secret detail', '503', '@'])
    assert.ok(!said.includes(hidden), `${hidden} in ${said}`);
  assert.doesNotMatch(said, /\b(mon|inc|usr|org|prj|mwn)_/);
  assert.deepEqual(
    body.declared.map(({ cause }) => cause),
    ['Payments are slow'],
  );
});

test('a wall with current data gets 304 until something happens', async () => {
  const { orgId, monitor } = await scene();
  const token = tokenOf(await make(orgId));
  const etag = (await look(token)).headers.get('etag')!;
  assert.equal((await look(token, { 'if-none-match': etag })).status, 304);
  app.clock.advance(60_000);
  await app.probe().says(monitor.id, 'up');
  app.clock.advance(3000);
  const { status, body } = await look(token, { 'if-none-match': etag });
  assert.deepEqual([status, body.counts.passed, body.open.total], [200, 1, 0]);
});

test('a revoked link is invalid at once, on another server too', async () => {
  const { orgId } = await scene();
  await using other = await app.another();
  const made = await make(orgId);
  const elsewhere = () =>
    fetch(`${other.url}/wall`, { headers: { authorization: `Bearer ${tokenOf(made)}` } });
  assert.equal((await elsewhere()).status, 200);
  await app.alice.ok('DELETE', `/organizations/${orgId}/wall-links/${made.id}`);
  assertRefused(await look(tokenOf(made)), { status: 401, error: 'unauthenticated' });
  assert.equal((await elsewhere()).status, 401);
  const activity = await app.alice.ok<ActivityEntry[]>('GET', `/organizations/${orgId}/activity`);
  assert.deepEqual(
    activity.slice(0, 2).map(({ action, resource }) => [action, resource.name]),
    [
      ['wall_link.revoke', 'Hall'],
      ['wall_link.create', 'Hall'],
    ],
  );
  assert.ok(!JSON.stringify(activity).includes(tokenOf(made)));
});

test('a link opens its wall and nothing else, and only people who manage projects create one', async () => {
  const { orgId } = await scene();
  const token = tokenOf(await make(orgId));
  const bearer = { authorization: `Bearer ${token}` };
  for (const path of ['overview', 'incidents', 'monitors'])
    assert.equal(
      (await app.visitor().send('GET', `/organizations/${orgId}/${path}`, undefined, bearer)).status,
      401,
    );
  for (const nobodys of ['', 'tcw_x', `tcw_${'0'.repeat(43)}`])
    assertRefused(await look(nobodys), { status: 401, error: 'unauthenticated' });
  assertRefused(await app.alice.send('GET', '/wall'), { status: 401, error: 'unauthenticated' });
  const member = await app.person('member', { [orgId]: 'member' });
  const path = `/organizations/${orgId}/wall-links`;
  assertRefused(await member.send('POST', path, { name: 'Mine' }), { status: 403, error: 'forbidden' });
  const other = await app.place();
  const foreign = await make(other.orgId);
  assertRefused(await app.alice.send('DELETE', `${path}/${foreign.id}`), { status: 404, error: 'not_found' });
  assert.equal((await look(tokenOf(foreign))).body.counts.monitors, 0);
});

test('an organization has a limited number of links, each with a name', async () => {
  const { orgId } = await app.place();
  for (let i = 0; i < MAX_WALL_LINKS; i++) await make(orgId, `Screen ${i}`);
  const path = `/organizations/${orgId}/wall-links`;
  assertRefused(await app.alice.send('POST', path, { name: 'One more' }), {
    status: 409,
    error: 'limit_reached',
    limit: MAX_WALL_LINKS,
  });
  assertRefused(await app.alice.send('POST', path, { name: ' ' }), {
    status: 400,
    error: 'empty_name',
    field: 'name',
  });
});

test('a person’s links are deleted with them, like their keys', async () => {
  const { orgId } = await app.place();
  const manager = await app.person('manager', { [orgId]: 'manager' });
  const made = await manager.ok<Made>('POST', `/organizations/${orgId}/wall-links`, { name: 'Theirs' });
  await app.alice.ok('DELETE', `/organizations/${orgId}/members/${manager.userId}?revoke_keys=true`);
  assert.equal((await look(tokenOf(made))).status, 401);
});
