// The shared password of a status page (docs/rules/status-pages.md#access): set, rotated and removed, and never returned or logged.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { passwordMatches } from '#src/accounts/password-hashing.ts';
import type { ActivityEntry } from '#src/activity/contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { newPage, readPage, settings } from '#test/harness/status-page.ts';

const SECRET = 'correct horse battery';

let app: TestApp;
let place: Place;
before(async () => {
  app = await startAppOfFile();
  place = await app.place();
});

const path = ({ id }: { id: string }) => `/status-pages/${id}/shared-password`;
const stored = ({ id }: { id: string }) =>
  app.db
    .selectFrom('status_pages')
    .select(['shared_password_hash as hash', 'unlock_version as version', 'access_mode as mode'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
const set = (page: { id: string }, password: unknown) => app.alice.send('PUT', path(page), { password });

test('a password is set, stored as a hash, and each change locks out earlier visitors', async () => {
  const page = await newPage(app.alice, place);
  const answer = await set(page, SECRET);
  assert.deepEqual([answer.status, answer.body], [204, '']);
  const first = await stored(page);
  assert.ok(first.hash && !first.hash.includes(SECRET));
  assert.ok(await passwordMatches({ hash: first.hash, password: SECRET }));
  const { page: read } = await readPage(app.alice, page);
  assert.deepEqual([read.shared_password_set, read.shared_password_protected], [true, false]);
  const mode = { access_mode: 'shared_password' };
  const locked = await app.alice.send('PATCH', `/status-pages/${page.id}`, settings(page, mode));
  assert.equal((locked.body as typeof read).shared_password_protected, true);
  assert.equal((await set(page, SECRET)).status, 204);
  const second = await stored(page);
  assert.ok(second.version > first.version && second.hash !== first.hash);
});

test('rotation returns a readable password, once, which is effective at once', async () => {
  const page = await newPage(app.alice, place);
  await set(page, SECRET);
  const before = await stored(page);
  const made = new Set<string>();
  for (let i = 0; i < 3; i++) {
    const { password } = await app.alice.ok<{ password: string }>('POST', `${path(page)}/rotate`);
    assert.match(password, /^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
    made.add(password);
  }
  assert.equal(made.size, 3);
  const after = await stored(page);
  assert.equal(after.version, before.version + 3);
  assert.ok(await passwordMatches({ hash: after.hash ?? '', password: [...made].at(-1) ?? '' }));
  assert.ok(!(await passwordMatches({ hash: after.hash ?? '', password: SECRET })));
});

test('without its password a page returns to draft, and one in another mode is unchanged', async () => {
  const page = await newPage(app.alice, place);
  await set(page, SECRET);
  await app.alice.ok('PATCH', `/status-pages/${page.id}`, settings(page, { access_mode: 'shared_password' }));
  const { version } = await stored(page);
  for (let i = 0; i < 2; i++) assert.equal((await app.alice.send('DELETE', path(page))).status, 204);
  assert.deepEqual(await stored(page), { hash: null, version: version + 1, mode: 'draft' });
  await set(page, SECRET);
  await app.alice.ok('PATCH', `/status-pages/${page.id}`, settings(page, { access_mode: 'public' }));
  await app.alice.ok('DELETE', path(page));
  assert.equal((await stored(page)).mode, 'public');
});

test('the log records every change and never a password', async () => {
  const page = await newPage(app.alice, place);
  await set(page, SECRET);
  const { password } = await app.alice.ok<{ password: string }>('POST', `${path(page)}/rotate`);
  await app.alice.ok('DELETE', path(page));
  const log = await app.alice.ok<ActivityEntry[]>(
    'GET',
    `/organizations/${place.orgId}/activity?resource_id=${page.id}`,
  );
  assert.deepEqual(
    log.map(({ action }) => action),
    [
      'status_page.remove_password',
      'status_page.rotate_password',
      'status_page.set_password',
      'status_page.create',
    ],
  );
  const hash = (await stored(page)).hash;
  for (const secret of [SECRET, password, hash ?? 'salt:'])
    assert.ok(!JSON.stringify(log).includes(secret), 'a secret is in the log');
});

test('a password has 8 to 128 characters, and only project management changes it', async () => {
  const page = await newPage(app.alice, place);
  for (const password of ['', 'short', 'x'.repeat(129), 12345678, null])
    assertRefused(await set(page, password), { status: 400, error: 'invalid_request', field: 'password' });
  assertRefused(await app.alice.send('PUT', path(page)), { status: 400, error: 'invalid_request' });
  assert.equal((await set(page, '🔔'.repeat(128))).status, 204);
  const member = await app.person('member', { [place.orgId]: 'member' });
  for (const [method, suffix] of [
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/rotate'],
  ] as const)
    assertRefused(await member.send(method, path(page) + suffix), { status: 403, error: 'forbidden' });
});
