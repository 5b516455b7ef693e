// Viewers of a status page (docs/rules/status-pages.md#viewers): made with a password, or invited by mail; unique on their page; gone
// with everything they had.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { passwordMatches } from '#src/accounts/password-hashing.ts';
import type { ActivityEntry } from '#src/activity/contract.ts';
import { createLog } from '#src/platform/log.ts';
import { hashToken } from '#src/platform/secrets.ts';
import type { Viewer } from '#src/status-pages/access-contract.ts';
import { type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { type Mailbox, startMailbox } from '#test/harness/mailbox.ts';
import { hashOnce } from '#test/harness/people.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { newPage } from '#test/harness/status-page.ts';

const BASE_URL = 'https://tocsin.example.com';
const DAY_MS = 86_400_000;
const INVALID = { status: 400, error: 'invalid_request' };
const NOT_FOUND = { status: 404, error: 'not_found' };
const PASSWORD = 'a password of a viewer';

/** Without mail: passwords come back. */
let app: TestApp;
let place: Place;
/** With a mail server. */
let mailed: TestApp;
let mailbox: Mailbox;
let logged = '';
before(async () => {
  mailbox = await startMailbox();
  app = await startAppOfFile();
  place = await app.place();
  mailed = await startAppOfFile({
    log: createLog('trace', false, (line) => {
      logged += line;
    }),
    env: { BASE_URL, SMTP_URL: mailbox.url, MAIL_FROM: 'Tocsin <tocsin@example.com>' },
  });
});
after(() => mailbox.stop());

let made = 0;
function someone(): { username: string; email: string } {
  made += 1;
  return { username: `viewer ${made}`, email: `viewer-${made}@example.org` };
}
type Created = Viewer & { password?: string };
const path = ({ id }: { id: string }) => `/status-pages/${id}/viewers`;
const create = (page: { id: string }, body: object, on = app) =>
  on.alice.send<Created>('POST', path(page), body);
const hashOf = async ({ id }: { id: string }, on = app) =>
  (
    await on.db
      .selectFrom('status_page_viewers')
      .select('password_hash')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).password_hash;
const linksOf = ({ id }: { id: string }, on = app) =>
  on.db.selectFrom('status_page_viewer_links').selectAll().where('viewer_id', '=', id).execute();

test('a viewer with a given password is created without a mail, and listed', async () => {
  const page = await newPage(app.alice, place);
  const answer = await create(page, { username: ' Véra ', email: ' Vera@Example.ORG ', password: PASSWORD });
  assert.equal(answer.status, 201);
  const viewer = answer.body;
  assert.match(viewer.id, /^spv_[0-9a-z]{26}$/);
  assert.deepEqual(viewer, {
    id: viewer.id,
    username: 'Véra',
    email: 'vera@example.org',
    created_at_unix: app.clock.ms() / 1000,
    last_login_at_unix: null,
  });
  assert.ok(await passwordMatches({ hash: (await hashOf(viewer)) ?? '', password: PASSWORD }));
  app.clock.advance(1000);
  const second = await create(page, { ...someone(), password: PASSWORD });
  assert.deepEqual(await app.alice.ok<Viewer[]>('GET', path(page)), [viewer, second.body]);
});

test('without mail the answer contains a generated password, once, and only its hash is stored', async () => {
  const page = await newPage(app.alice, place);
  const { password, ...viewer } = (await create(page, { ...someone(), password: null })).body;
  assert.match(password ?? '', /^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/);
  const hash = (await hashOf(viewer)) ?? '';
  assert.ok(await passwordMatches({ hash, password: password ?? '' }));
  assert.deepEqual(await app.alice.ok('GET', path(page)), [viewer]);
  const log = await app.alice.ok<ActivityEntry[]>(
    'GET',
    `/organizations/${place.orgId}/activity?action=status_page.create_viewer`,
  );
  assert.deepEqual(log[0]?.after, viewer);
  for (const secret of [password ?? '', hash]) assert.ok(!JSON.stringify(log).includes(secret));
});

test('with mail the viewer gets a link valid for seven days, and only its hash is stored', async () => {
  const place = await mailed.place();
  const page = await newPage(mailed.alice, place, 'Fish & <b>Chips</b>');
  const given = someone();
  const { body: viewer, status } = await create(page, given, mailed);
  assert.deepEqual([status, 'password' in viewer], [201, false]);
  assert.equal(await hashOf(viewer, mailed), null);
  const { mail, recipients } = await mailbox.next(({ recipients }) => recipients.includes(given.email));
  assert.deepEqual(recipients, [given.email]);
  assert.equal(mail.subject, 'Admin gave you access to Fish & <b>Chips</b>');
  assert.ok(mail.html?.includes('Fish &amp; &lt;b&gt;Chips&lt;/b&gt;') && !mail.html.includes('<b>'));
  const link = new RegExp(`${BASE_URL}/status/${page.slug}/password/([\\w-]{32})`);
  const [, token = ''] = link.exec(mail.text ?? '') ?? [];
  assert.deepEqual(
    (await linksOf(viewer, mailed)).map(({ token_hash, expires_at }) => [token_hash, expires_at.getTime()]),
    [[hashToken(token), mailed.clock.ms() + 7 * DAY_MS]],
  );
  const { rows } = await sql<{ row: string }>`SELECT a::text AS row FROM activity a`.execute(mailed.db);
  assert.ok(!JSON.stringify(rows).includes(token) && !logged.includes(token), 'the token is kept elsewhere');
});

test('a viewer with a given password is mailed nothing', async () => {
  const page = await newPage(mailed.alice, await mailed.place());
  const given = someone();
  const before = mailbox.received.length;
  assert.equal((await create(page, { ...given, password: PASSWORD }, mailed)).status, 201);
  assert.equal(mailbox.received.length, before);
});

test('if the mail server refuses the mail, the answer contains a password, and the link is invalid', async () => {
  const page = await newPage(mailed.alice, await mailed.place());
  mailbox.refuse('550 5.1.1 no such user');
  try {
    const { password, ...viewer } = (await create(page, someone(), mailed)).body;
    const hash = (await hashOf(viewer, mailed)) ?? '';
    assert.ok(await passwordMatches({ hash, password: password ?? '' }));
    assert.deepEqual(await linksOf(viewer, mailed), []);
  } finally {
    mailbox.refuse(null);
  }
});

test('a mail that the mail server refused because of us does not count towards the limit of an address', async () => {
  const place = await mailed.place();
  const given = someone();
  const answered = async () => {
    const { status, body } = await create(await newPage(mailed.alice, place), given, mailed);
    return [status, 'password' in body];
  };
  mailbox.refuse('550 5.7.1 this sender is not yours', undefined, 'sender');
  try {
    for (let i = 0; i < 6; i++) assert.deepEqual(await answered(), [201, true]);
  } finally {
    mailbox.refuse(null);
  }
  for (let i = 0; i < 5; i++) assert.deepEqual(await answered(), [201, false]);
  assert.equal((await answered())[0], 429);
});

test('the mails count towards the 20 invitations a day, and beyond them nobody is created', async () => {
  const place = await mailed.place();
  const page = await newPage(mailed.alice, place);
  const invite = () =>
    mailed.alice.send('POST', `/organizations/${place.orgId}/invitations`, {
      email: someone().email,
      role: 'member',
    });
  mailed.clock.advance(DAY_MS);
  await mailed.runTask('partitions');
  for (let i = 0; i < 10; i++) assert.equal((await invite()).status, 201);
  for (let i = 0; i < 10; i++) assert.equal((await create(page, someone(), mailed)).status, 201);
  const refused = await create(page, someone(), mailed);
  assertRefused(refused, { status: 429, error: 'rate_limited', reason: 'invitation_mails' });
  assert.equal(refused.headers.get('retry-after'), String(DAY_MS / 1000));
  assert.equal((await invite()).status, 429);
  assert.equal((await mailed.alice.ok<Viewer[]>('GET', path(page))).length, 10);
  assert.equal((await create(page, { ...someone(), password: PASSWORD }, mailed)).status, 201);
});

test('names and addresses are unique on a page, whatever their case, and free on another', async () => {
  const [page, other] = [await newPage(app.alice, place), await newPage(app.alice, place)];
  const viewer = { username: 'Émile', email: 'emile@example.org', password: PASSWORD };
  await create(page, viewer);
  const named = { status: 409, error: 'name_taken', field: 'username' };
  const addressed = { status: 409, error: 'already_member', field: 'email' };
  assertRefused(await create(page, { ...viewer, username: 'éMILE', email: someone().email }), named);
  assertRefused(await create(page, { ...viewer, username: 'Émile\u200b', email: someone().email }), named);
  assertRefused(await create(page, { ...viewer, username: 'E', email: 'Emile@EXAMPLE.org' }), addressed);
  assert.equal((await create(other, viewer)).status, 201);
  const same = await Promise.all(
    Array.from({ length: 4 }, () => create(page, { ...viewer, username: 'Twin', email: 'twin@example.org' })),
  );
  assert.deepEqual(same.map(({ status }) => status).sort(), [201, 409, 409, 409]);
});

test('a page has at most 1,000 viewers', async () => {
  const page = await newPage(app.alice, place);
  const hash = await hashOnce(PASSWORD);
  await sql`
    INSERT INTO status_page_viewers (id, status_page_id, username, email, password_hash, created_at)
    SELECT 'spv_' || ${page.id} || n, ${page.id}, 'many ' || n, 'many' || n || '@example.org', ${hash}, ${app.clock.now()}
    FROM generate_series(1, 999) n`.execute(app.db);
  assert.equal((await create(page, { ...someone(), password: PASSWORD })).status, 201);
  assertRefused(await create(page, { ...someone(), password: PASSWORD }), {
    status: 409,
    error: 'limit_reached',
    limit: 1000,
  });
  assert.equal((await app.alice.ok<Viewer[]>('GET', path(page))).length, 1000);
});

test('invalid viewers are refused with the field', async () => {
  const page = await newPage(app.alice, place);
  const good = { ...someone(), password: PASSWORD };
  for (const [body, field] of [
    [{ username: ' \u200b ' }, 'username'],
    [{ username: 'two\nlines' }, 'username'],
    [{ username: 'x'.repeat(201) }, 'username'],
    [{ email: 'nobody' }, 'email'],
    [{ email: 'a@example.org\r\nBcc: b@example.org' }, 'email'],
    [{ email: 'a@example.org, b@example.org' }, 'email'],
    [{ email: `${'x'.repeat(250)}@example.org` }, 'email'],
    [{ password: 'short' }, 'password'],
    [{ password: 'x'.repeat(129) }, 'password'],
    [{ role: 'admin' }, 'role'],
    [{ last_login_at_unix: 1 }, 'last_login_at_unix'],
  ] as const)
    assertRefused(await create(page, { ...good, ...body }), { ...INVALID, field }, JSON.stringify(body));
  assert.deepEqual(await app.alice.ok('GET', path(page)), []);
});

test('a deleted viewer leaves no session and no link', async () => {
  const page = await newPage(app.alice, place);
  const other = await newPage(app.alice, place);
  const { body: viewer } = await create(page, { ...someone(), password: PASSWORD });
  const token = {
    viewer_id: viewer.id,
    created_at: app.clock.now(),
    expires_at: new Date(app.clock.ms() + 1000),
  };
  for (const table of ['status_page_viewer_sessions', 'status_page_viewer_links'] as const)
    await app.db
      .insertInto(table)
      .values({ ...token, token_hash: hashToken(viewer.id) })
      .execute();
  assertRefused(await app.alice.send('DELETE', `${path(other)}/${viewer.id}`), NOT_FOUND);
  assert.equal((await app.alice.send('DELETE', `${path(page)}/${viewer.id}`)).status, 204);
  for (const table of ['status_page_viewer_sessions', 'status_page_viewer_links'] as const)
    assert.deepEqual(
      await app.db.selectFrom(table).selectAll().where('viewer_id', '=', viewer.id).execute(),
      [],
    );
  assertRefused(await app.alice.send('DELETE', `${path(page)}/${viewer.id}`), NOT_FOUND);
  assertRefused(await app.alice.send('DELETE', `${path(page)}/spv_nobody`), NOT_FOUND);
});

test('only project management sees viewers', async () => {
  const page = await newPage(app.alice, place);
  const member = await app.person('member', { [place.orgId]: 'member' });
  const forbidden = { status: 403, error: 'forbidden' };
  assertRefused(await member.send('GET', path(page)), forbidden);
  assertRefused(await member.send('POST', path(page), { ...someone(), password: PASSWORD }), forbidden);
  const manager = await app.person('manager', { [place.orgId]: 'manager' });
  assert.equal((await manager.send('POST', path(page), { ...someone(), password: PASSWORD })).status, 201);
});
