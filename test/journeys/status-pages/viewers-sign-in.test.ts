// Viewers: invited by mail, signed in on their page alone, and out again.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { recordLookup } from '#src/status-pages/domains/record-lookup.ts';
import { findDomain } from '#src/status-pages/domains/row.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { askByName } from '#test/harness/by-name.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { type Mailbox, startMailbox } from '#test/harness/mailbox.ts';
import { newPage, settings, verifiedDomain } from '#test/harness/status-page.ts';
import { until } from '#test/harness/until.ts';

const PASSWORD = 'correct horse battery';

let app: TestApp;
let mailbox: Mailbox;
before(async () => {
  mailbox = await startMailbox();
  closeAfterTests(() => mailbox.stop());
  app = await startAppOfFile({ env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Tocsin <tocsin@example.com>' } });
});

async function viewersPage(): Promise<StatusPage> {
  const page = await newPage(app.alice, app.home);
  return app.alice.ok('PATCH', `/status-pages/${page.id}`, settings(page, { access_mode: 'viewer_login' }));
}
const add = ({ id }: StatusPage, username: string, password?: string) =>
  app.alice.ok<{ id: string }>('POST', `/status-pages/${id}/viewers`, {
    username,
    email: `${username.toLowerCase()}@example.org`,
    ...(password ? { password } : {}),
  });
const see = async ({ slug }: StatusPage, cookie = '') =>
  (await fetch(`${app.url}/status/${slug}`, { headers: { cookie } })).status;
const send = (path: string, fields: Record<string, string>) =>
  fetch(app.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
const cookieOf = (answer: Response) => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
const logIn = ({ slug }: StatusPage, username: string, password = PASSWORD) =>
  fetch(`${app.url}/public/status-pages/${slug}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
async function linkTo(recipient: string): Promise<string> {
  const { mail } = await mailbox.next(({ recipients }) => recipients.includes(recipient));
  const [url = ''] = /https?:\/\/\S+\/password\/\S+/.exec(mail.text ?? '') ?? [];
  return new URL(url).pathname;
}

test('a viewer signs in by name or address, in any case, and sees only this page', async () => {
  const [page, other] = [await viewersPage(), await viewersPage()];
  await add(page, 'Vera', PASSWORD);
  assert.equal((await logIn(page, 'Vera', 'not the password')).status, 401);
  assert.equal((await logIn(page, 'nobody')).status, 401);
  assert.equal((await logIn(other, 'Vera')).status, 401);
  for (const username of ['vera', ' VERA@example.org ']) {
    const answer = await logIn(page, username);
    assert.equal(answer.status, 204, username);
    assert.equal(await see(page, cookieOf(answer)), 200);
    assert.equal(await see(other, cookieOf(answer)), 401);
  }
});

test('a deleted viewer is locked out with the next request', async () => {
  const page = await viewersPage();
  const { id } = await add(page, 'Bob', PASSWORD);
  const cookie = cookieOf(await logIn(page, 'bob'));
  assert.equal(await see(page, cookie), 200);
  await app.alice.ok('DELETE', `/status-pages/${page.id}/viewers/${id}`);
  assert.equal(await see(page, cookie), 401);
  assert.equal((await logIn(page, 'bob')).status, 401);
});

test('a viewer who signs out is out on every server, even with the cookie', async () => {
  await using another = await app.another();
  const page = await viewersPage();
  await add(page, 'Frank', PASSWORD);
  const cookie = cookieOf(await logIn(page, 'frank'));
  const seeThere = async () =>
    (await fetch(`${another.url}/status/${page.slug}`, { headers: { cookie } })).status;
  await until(async () => (await seeThere()) === 200, 'the other server knows the page');
  const left = await fetch(`${app.url}/public/status-pages/${page.slug}/logout`, {
    method: 'POST',
    headers: { cookie },
  });
  assert.equal(left.status, 204);
  assert.match(left.headers.getSetCookie()[0] ?? '', /Max-Age=0/);
  assert.equal(await see(page, cookie), 401);
  await until(async () => (await seeThere()) === 401, 'the other server has forgotten it too');
});

test('an invited viewer sets a password through the mailed link, once, and is signed in', async () => {
  const page = await viewersPage();
  await add(page, 'Carol');
  const link = await linkTo('carol@example.org');
  assert.equal((await fetch(app.url + link)).status, 200);
  assert.equal((await send(link, { password: 'short' })).status, 400);
  const chosen = await send(link, { password: PASSWORD });
  assert.deepEqual([chosen.status, chosen.headers.get('location')], [303, `/status/${page.slug}`]);
  assert.equal(await see(page, cookieOf(chosen)), 200);
  assert.equal((await send(link, { password: 'another one of mine' })).status, 404);
  assert.equal((await logIn(page, 'carol')).status, 204);
});

test('a forgotten password is reset by mail, which ends the existing sessions', async () => {
  const page = await viewersPage();
  await add(page, 'Dave', PASSWORD);
  const before = cookieOf(await logIn(page, 'dave'));
  assert.equal(await see(page, before), 200);
  const ask = (email: string) => send(`/status/${page.slug}/forgot-password`, { email });
  const [known, unknown] = [await ask('dave@example.org'), await ask('nobody@example.org')];
  assert.deepEqual([known.status, unknown.status], [200, 200]);
  assert.equal(await known.text(), await unknown.text(), 'nobody learns who has an account');
  const link = await linkTo('dave@example.org');
  const chosen = await send(link, { password: 'a new one of mine' });
  assert.equal(chosen.status, 303);
  assert.equal(await see(page, before), 401);
  assert.equal(await see(page, cookieOf(chosen)), 200);
  assert.equal((await logIn(page, 'dave')).status, 401);
});

test('a link is valid for 30 minutes, only on its page, and at most three at a time', async () => {
  const [page, other] = [await viewersPage(), await viewersPage()];
  await add(page, 'Erin', PASSWORD);
  mailbox.received.length = 0;
  for (let i = 0; i < 5; i++)
    await send(`/status/${page.slug}/forgot-password`, { email: 'erin@example.org' });
  const link = await linkTo('erin@example.org');
  assert.equal((await fetch(app.url + link.replace(page.slug, other.slug))).status, 404);
  assert.equal((await fetch(app.url + link)).status, 200);
  app.clock.advance(30 * 60_000 + 1_000);
  assert.equal((await fetch(app.url + link)).status, 404);
  assert.ok(mailbox.received.length <= 3);
});

test('the link leads to the requested domain, but never to one whose record points elsewhere by now', async () => {
  const page = await viewersPage();
  await add(page, 'Fay', PASSWORD);
  const id = await verifiedDomain(app, page, 'status.fay.example', 'issued');
  const isServed = async () => (await askByName(app.url, 'status.fay.example', '/')).status === 401;
  await until(isServed, 'the domain is served');
  const askForLink = async (): Promise<string> => {
    mailbox.received.length = 0;
    const asked = await askByName(app.url, 'status.fay.example', '/forgot-password', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'email=fay%40example.org',
    });
    assert.equal(asked.status, 200);
    const { mail } = await mailbox.next(({ recipients }) => recipients.includes('fay@example.org'));
    return /https?:\/\/[^/]+/.exec(mail.text ?? '')?.[0] ?? '';
  };
  assert.equal(await askForLink(), 'https://status.fay.example');
  const targetDomain = 'edge.example.net';
  const row = await findDomain(app.db, page.id, id);
  await runWork(app.db, app.clock.now(), SYSTEM, (work) =>
    recordLookup(work, row, { kind: 'no_record' }, { targetDomain, edge: 'none', asked: false }),
  );
  await until(async () => !(await askForLink()).includes('fay'), 'BASE_URL is named');
});

test('pages without viewers have no such forms', async () => {
  const page = await newPage(app.alice, app.home);
  await app.alice.ok('PATCH', `/status-pages/${page.id}`, settings(page, { access_mode: 'public' }));
  for (const path of ['forgot-password', 'password/abc'])
    assert.equal((await fetch(`${app.url}/status/${page.slug}/${path}`)).status, 404);
});

test('expired sessions and links are deleted, and others stay', async () => {
  const page = await viewersPage();
  await add(page, 'Grace', PASSWORD);
  await add(page, 'Heidi');
  await logIn(page, 'grace');
  const left = async () => {
    const viewers = app.db
      .selectFrom('status_page_viewers')
      .select('id')
      .where('status_page_id', '=', page.id);
    const of = (table: 'status_page_viewer_sessions' | 'status_page_viewer_links') =>
      app.db.selectFrom(table).selectAll().where('viewer_id', 'in', viewers).execute();
    return [(await of('status_page_viewer_sessions')).length, (await of('status_page_viewer_links')).length];
  };
  await app.runTask('sweep');
  assert.deepEqual(await left(), [1, 1]);
  app.clock.advance(8 * 86_400_000);
  await app.runTask('sweep');
  assert.deepEqual(await left(), [1, 0], 'a link of an invitation works for 7 days');
  app.clock.advance(30 * 86_400_000);
  await app.runTask('sweep');
  assert.deepEqual(await left(), [0, 0]);
});
