// Mails to people who subscribed to a status page, from the form to the way out.
import assert from 'node:assert/strict';
import { before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { Monitor } from '#src/monitors/contract.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import type { Subscriber } from '#src/status-pages/subscriptions/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { goesAway } from '#test/harness/away.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { type Mailbox, type Received, startMailbox } from '#test/harness/mailbox.ts';
import { resultOf } from '#test/harness/probe.ts';
import { newPage, settings, verifiedDomain } from '#test/harness/status-page.ts';

let app: TestApp;
let mailbox: Mailbox;
before(async () => {
  mailbox = await startMailbox();
  closeAfterTests(() => mailbox.stop());
  app = await startAppOfFile({ env: { SMTP_URL: mailbox.url, MAIL_FROM: 'Tocsin <tocsin@example.com>' } });
});
beforeEach(() => {
  mailbox.received.length = 0;
  mailbox.refuse(null);
});

async function monitorOf(name: string): Promise<Monitor> {
  const body = { name, type: 'http', config: { url: 'https://shop.example.com/' } };
  return app.alice.ok<Monitor>('POST', `/projects/${app.home.projectId}/monitors`, body);
}

async function publicPage(monitors: readonly Monitor[], name = 'Shop status'): Promise<StatusPage> {
  const page = await newPage(app.alice, app.home, name);
  await app.alice.ok('PATCH', `/status-pages/${page.id}`, settings(page, { access_mode: 'public' }));
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, {
    monitors: monitors.map(({ id, name }) => ({ monitor_id: id, display_name: `Public ${name}` })),
  });
  return page;
}

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(app.url + path, { method: 'POST', body, headers, redirect: 'manual' });
const subscribe = ({ slug }: StatusPage, email: string, headers: Record<string, string> = {}) =>
  post(`/public/status-pages/${slug}/subscriptions`, JSON.stringify({ email }), {
    'content-type': 'application/json',
    ...headers,
  });
const submit = (path: string, fields: Record<string, string> = {}) =>
  post(path, new URLSearchParams(fields).toString(), { 'content-type': 'application/x-www-form-urlencoded' });

/** Sends what is due; answers what came, to whom. */
async function mails(): Promise<Received[]> {
  mailbox.received.length = 0;
  await app.runTask('page_mails');
  // The owner is alarmed meanwhile, which is another matter.
  return mailbox.received.filter(({ recipients }) => !recipients.includes('alice@example.com'));
}

/** The path of the first link in a mail whose address contains this. */
function linkIn(received: Received, part: string): string {
  const found = [...(received.mail.text ?? '').matchAll(/https?:\/\/\S+/g)].map(([url]) => new URL(url));
  return found.find(({ pathname }) => pathname.includes(part))?.pathname ?? assert.fail(`no link to ${part}`);
}

/** A confirmed subscriber; answers the path where the choice is changed. */
async function subscriberOf(page: StatusPage, email: string): Promise<string> {
  await subscribe(page, email);
  const [asked] = await mails();
  assert.ok(asked);
  assert.equal((await submit(linkIn(asked, '/subscriptions/confirm/'))).status, 200);
  await subscribe(page, email);
  const [known] = await mails();
  return linkIn(known ?? assert.fail('no mail'), '/subscriptions/');
}

const subscribers = ({ id }: StatusPage) =>
  app.alice.ok<Subscriber[]>('GET', `/status-pages/${id}/subscribers`);

async function fail(monitor: Monitor): Promise<string> {
  for (let i = 0; i < 2; i++) {
    await app.probe().post([resultOf(monitor.id, app.clock.ms(), 'down')]);
    app.clock.advance(15_000);
  }
  const [open] = await app.alice.ok<{ id: string }[]>('GET', `/monitors/${monitor.id}/incidents`);
  return open?.id ?? assert.fail('no incident opened');
}

async function mailings({ id }: StatusPage): Promise<Received[]> {
  app.clock.advance(2_000);
  await app.runTask('mail_subscribers', { page_id: id });
  return mails();
}

test('an address is mailed only once it has confirmed, and opening the link is no confirmation', async () => {
  const monitor = await monitorOf('Orders');
  const page = await publicPage([monitor]);
  const answer = await subscribe(page, 'Carol@Example.com', { 'accept-language': 'de' });
  assert.deepEqual([answer.status, await answer.json()], [202, {}]);
  const [asked, ...more] = await mails();
  assert.deepEqual([asked?.recipients, more.length], [['carol@example.com'], 0]);
  assert.equal(asked?.mail.subject, 'Bestätigen Sie Ihr Abonnement von Shop status');
  const confirm = linkIn(asked ?? assert.fail(), '/subscriptions/confirm/');
  assert.equal((await fetch(app.url + confirm)).status, 200);
  await fail(monitor);
  assert.equal((await mailings(page)).length, 0, 'nobody has confirmed');
  assert.equal((await subscribers(page))[0]?.confirmed_at_unix, null);
  assert.equal((await submit(confirm)).status, 200);
  assert.equal((await subscribers(page))[0]?.confirmed_at_unix, Math.floor(app.clock.ms() / 1000));
});

test('subscribers are told about an incident, its public updates and its end, and nothing internal', async () => {
  const monitor = await monitorOf('Payments');
  const page = await publicPage([monitor]);
  await subscriberOf(page, 'dave@example.com');
  const incidentId = await fail(monitor);
  const path = `/organizations/${app.home.orgId}/incidents/${incidentId}`;
  const note = (body: string, visibility: string) =>
    app.alice.ok('POST', `${path}/notes`, { body, kind: 'status_update', visibility });
  const subjects = async () => (await mailings(page)).map(({ mail }) => mail.subject);
  assert.deepEqual(await subjects(), ['Shop status: New incident: Public Payments']);
  await note('It was Bob.', 'internal');
  assert.deepEqual(await subjects(), []);
  await note('We found the fault.', 'public');
  const [update] = await mailings(page);
  assert.match(update?.mail.text ?? '', /We found the fault/);
  assert.doesNotMatch(update?.raw ?? '', /Bob|shop\.example\.com/);
  app.clock.advance(60_000);
  await app.alice.ok('POST', `${path}/resolve`);
  assert.deepEqual(await subjects(), ['Shop status: Incident resolved: Public Payments']);
});

test('simultaneous events are one mail, and a storm is not one mail per incident', async () => {
  const monitors = await Promise.all(['A', 'B', 'C'].map(monitorOf));
  const page = await publicPage(monitors);
  await subscriberOf(page, 'erin@example.com');
  for (const monitor of monitors) await fail(monitor);
  const [one, ...more] = await mailings(page);
  assert.deepEqual([one?.mail.subject, more.length], ['3 updates from Shop status', 0]);
  const organization = `/organizations/${app.home.orgId}`;
  const open = await app.alice.ok<{ id: string; monitor_id: string }[]>('GET', `${organization}/incidents`);
  const own = open.filter(({ monitor_id }) => monitors.some(({ id }) => id === monitor_id));
  const say = (i: number) =>
    app.alice.ok('POST', `${organization}/incidents/${own[i]?.id}/notes`, {
      body: `Word ${i}`,
      kind: 'note',
      visibility: 'public',
    });
  const counts: number[] = [];
  for (let i = 0; i < 3; i++) {
    await say(i);
    counts.push((await mailings(page)).length);
  }
  assert.deepEqual(counts, [1, 1, 0], 'after the third in five minutes it waits');
  app.clock.advance(60_000);
  assert.equal((await mailings(page)).length, 1);
});

test('a subscriber of some monitors is mailed only about those, and after unsubscribing with one click about nothing', async () => {
  const [one, other] = [await monitorOf('One'), await monitorOf('Other')];
  const page = await publicPage([one, other]);
  const manage = await subscriberOf(page, 'frank@example.com');
  const shown = await (await fetch(app.url + manage)).text();
  assert.match(shown, /Public One/);
  assert.equal((await submit(manage, { what: 'some' })).status, 400, 'a choice of nothing');
  assert.equal((await submit(manage, { what: 'some', monitor: 'mon_of_others' })).status, 400);
  assert.equal((await submit(manage, { what: 'some', monitor: other.id })).status, 200);
  assert.deepEqual((await subscribers(page))[0]?.monitors, [other.id]);
  await fail(one);
  assert.equal((await mailings(page)).length, 0);
  app.clock.advance(120_000);
  await fail(other);
  const [mail] = await mailings(page);
  assert.match(mail?.mail.subject ?? '', /Public Other/);
  const header = (name: string) => mail?.mail.headers.find(({ key }) => key === name)?.value ?? '';
  assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  const way = new URL(/^<(.+)>$/.exec(header('list-unsubscribe'))?.[1] ?? '').pathname;
  assert.equal((await fetch(app.url + way)).status, 200);
  assert.equal((await subscribers(page)).length, 1, 'a scanner that opens it ends nothing');
  assert.equal((await submit(way, { 'List-Unsubscribe': 'One-Click' })).status, 200);
  assert.deepEqual(await subscribers(page), []);
  assert.equal((await submit(way)).status, 404);
});

test('one-click unsubscribing works in every form in which mail programs send it', async () => {
  const page = await publicPage([await monitorOf('Clicks')]);
  const boundary = 'x-mail-program';
  const part = 'Content-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click';
  const forms: [type: string | null, body: string][] = [
    [`multipart/form-data; boundary=${boundary}`, `--${boundary}\r\n${part}\r\n--${boundary}--\r\n`],
    ['application/x-www-form-urlencoded; charset=utf-8', 'List-Unsubscribe=One-Click'],
    ['text/plain', 'List-Unsubscribe=One-Click'],
    [null, ''],
  ];
  for (const [at, [type, body]] of forms.entries()) {
    const manage = await subscriberOf(page, `clicks-${at}@example.com`);
    const headers: Record<string, string> = type === null ? {} : { 'content-type': type };
    assert.equal((await post(`${manage}/unsubscribe`, body, headers)).status, 200, String(type));
    assert.deepEqual(await subscribers(page), []);
  }
  // What these asked for is not counted with the requests of the tests below.
  app.clock.advance(3_600_000);
});

test('a mailed link reveals nothing of a draft page, and still ends the subscription', async () => {
  const page = await publicPage([await monitorOf('Ledger')]);
  const manage = await subscriberOf(page, 'oscar@example.com');
  assert.match(await (await fetch(app.url + manage)).text(), /Public Ledger/);
  await app.alice.ok('PATCH', `/status-pages/${page.id}`, settings(page, { access_mode: 'draft' }));
  assert.doesNotMatch(await (await fetch(app.url + manage)).text(), /Ledger/);
  assert.equal((await submit(`${manage}/unsubscribe`)).status, 200);
  assert.deepEqual(await subscribers(page), []);
});

test('maintenance is announced, changed and cancelled; internal text is not sent', async () => {
  const monitor = await monitorOf('Search');
  const page = await publicPage([monitor]);
  await subscriberOf(page, 'grace@example.com');
  const now = Math.floor(app.clock.ms() / 1000);
  const body = {
    title: 'New disks',
    body: 'Search is slow.',
    scheduled_start: now + 3_600,
    scheduled_end: now + 7_200,
    monitors: [monitor.id],
  };
  const windows = `/organizations/${app.home.orgId}/maintenance-windows`;
  const window = await app.alice.ok<{ id: string }>('POST', windows, body);
  await app.alice.ok('POST', windows, { ...body, title: 'Secret work', public_visible: false });
  const subjects = async () => (await mailings(page)).map(({ mail }) => mail.subject);
  assert.deepEqual(await subjects(), ['Shop status: Maintenance planned: New disks']);
  await app.alice.ok('PATCH', `${windows}/${window.id}`, { title: 'Newer disks' });
  assert.deepEqual(await subjects(), ['Shop status: Maintenance changed: Newer disks']);
  await app.alice.ok('POST', `${windows}/${window.id}/cancel`);
  assert.deepEqual(await subjects(), ['Shop status: Maintenance cancelled: Newer disks']);
});

test('maintenance that moves to other monitors, or is put off while it runs, is mailed to whoever was to be affected', async () => {
  const [one, other] = [await monitorOf('First'), await monitorOf('Second')];
  const [pageOfOne, pageOfOther] = [await publicPage([one]), await publicPage([other])];
  const ofOne = await subscriberOf(pageOfOne, 'nina@example.com');
  await submit(ofOne, { what: 'some', monitor: one.id });
  await subscriberOf(pageOfOther, 'otto@example.com');
  const start = Math.floor(app.clock.ms() / 1000) + 3_600;
  const windows = `/organizations/${app.home.orgId}/maintenance-windows`;
  const { id } = await app.alice.ok<{ id: string }>('POST', windows, {
    ...{ title: 'Moved', scheduled_start: start, scheduled_end: start + 3_600, monitors: [one.id] },
  });
  const texts = async () => {
    const all = [...(await mailings(pageOfOne)), ...(await mailings(pageOfOther))];
    return all.map(({ recipients, mail }) => {
      const lines = (mail.text ?? '').split('\n').filter((line) => /ffects/.test(line));
      return [recipients[0], mail.subject?.replace('Shop status: ', ''), ...lines].join(' | ');
    });
  };
  assert.deepEqual(await texts(), ['nina@example.com | Maintenance planned: Moved | Affects: Public First']);
  await app.alice.ok('PATCH', `${windows}/${id}`, { monitors: [other.id] });
  assert.deepEqual(await texts(), [
    'nina@example.com | Maintenance changed: Moved | No longer affects: Public First',
    'otto@example.com | Maintenance changed: Moved | Affects: Public Second',
  ]);
  app.clock.advance(3_600_000);
  await app.runTask('maintenance', { window_id: id });
  assert.deepEqual(await texts(), ['otto@example.com | Maintenance started: Moved | Affects: Public Second']);
  await app.alice.ok('PATCH', `${windows}/${id}`, {
    ...{ scheduled_start: start + 86_400, scheduled_end: start + 90_000 },
  });
  assert.deepEqual(await texts(), ['otto@example.com | Maintenance changed: Moved | Affects: Public Second']);
});

test('nothing is mailed of an incident that was discarded, which no page shows', async () => {
  const monitor = await monitorOf('Flapping');
  const page = await publicPage([monitor]);
  await subscriberOf(page, 'paula@example.com');
  const path = `/organizations/${app.home.orgId}/incidents/${await fail(monitor)}`;
  await app.alice.ok('POST', `${path}/resolve`);
  assert.equal((await mailings(page)).length, 1);
  await app.alice.ok('POST', `${path}/discard`);
  const note = { body: 'It was the probe.', kind: 'note', visibility: 'public' };
  await app.alice.ok('POST', `${path}/notes`, note);
  const further = await publicPage([monitor]);
  await subscriberOf(further, 'quinn@example.com');
  await app.alice.ok('PUT', `${path}/status-pages/${further.id}`);
  assert.deepEqual([await mailings(page), await mailings(further)], [[], []]);
});

test('nothing is mailed of what no longer shows on the page when the mail is made', async () => {
  const monitor = await monitorOf('Hasty');
  const page = await publicPage([monitor]);
  await subscriberOf(page, 'rita@example.com');
  const path = `/organizations/${app.home.orgId}`;
  const discarded = `${path}/incidents/${await fail(monitor)}`;
  await app.alice.ok('POST', `${discarded}/resolve`);
  await app.alice.ok('POST', `${discarded}/discard`);
  assert.deepEqual(await mailings(page), [], 'discarded');
  const linked = `${path}/incidents/${await fail(monitor)}`;
  await app.alice.ok('DELETE', `${linked}/status-pages/${page.id}`);
  assert.deepEqual(await mailings(page), [], 'unlinked');
  const now = Math.floor(app.clock.ms() / 1000);
  const times = { scheduled_start: now + 3_600, scheduled_end: now + 7_200 };
  const body = { title: 'Secret work', body: '', ...times, monitors: [monitor.id] };
  const window = await app.alice.ok<{ id: string }>('POST', `${path}/maintenance-windows`, body);
  await app.alice.ok('PATCH', `${path}/maintenance-windows/${window.id}`, { public_visible: false });
  assert.deepEqual(await mailings(page), [], 'internal');
});

test('events without a pause do not put off the mail about the first', async () => {
  const monitor = await monitorOf('Chatty');
  const page = await publicPage([monitor]);
  await subscriberOf(page, 'rosa@example.com');
  const path = `/organizations/${app.home.orgId}/incidents/${await fail(monitor)}`;
  const dueAt = async () =>
    (
      await sql<{ run_at: Date }>`
        SELECT run_at FROM graphile_worker.jobs WHERE key = ${`mail_subscribers:${page.id}`}`.execute(app.db)
    ).rows.map(({ run_at }) => run_at);
  const first = await dueAt();
  assert.equal(first.length, 1);
  await app.alice.ok('POST', `${path}/notes`, { body: 'More', kind: 'note', visibility: 'public' });
  assert.deepEqual(await dueAt(), first);
  assert.equal((await mailings(page)).length, 1, 'with both in it');
});

/** Declares an incident and links it to the page, whose mailing is then ready to be sent. */
async function announceOn(page: StatusPage): Promise<void> {
  const organization = `/organizations/${page.organization_id}`;
  const declared = { cause: 'Declared', severity: 'default' };
  const { id } = await app.alice.ok<{ id: string }>('POST', `${organization}/incidents`, declared);
  await app.alice.ok('PUT', `${organization}/incidents/${id}/status-pages/${page.id}`);
  app.clock.advance(2_000);
  await app.runTask('mail_subscribers', { page_id: page.id });
}

async function pageElsewhere(): Promise<StatusPage> {
  const page = await newPage(app.alice, await app.place(), 'Elsewhere');
  await app.alice.ok('PATCH', `/status-pages/${page.id}`, settings(page, { access_mode: 'public' }));
  return page;
}

test('a mailing to many subscribers does not hold up the mail of another organization', async () => {
  const [large, small] = [await publicPage([]), await pageElsewhere()];
  await sql`INSERT INTO status_page_subscribers (id, status_page_id, email, language, created_at, confirmed_at, all_monitors)
    SELECT 'sub_many' || n, ${large.id}, 'many' || n || '@example.com', 'en', ${app.clock.now()}, ${app.clock.now()}, true
    FROM generate_series(1, 40) n`.execute(app.db);
  await subscriberOf(small, 'simon@example.com');
  await announceOn(large);
  await announceOn(small);
  const to = (await mails()).map(({ recipients }) => recipients[0]);
  assert.equal(to.length, 41);
  assert.ok(to.indexOf('simon@example.com') < 8, `it was number ${to.indexOf('simon@example.com')}`);
});

test('a mail that cannot be written holds up no other, and is tried again later', async () => {
  const [broken, whole] = [await publicPage([]), await pageElsewhere()];
  await subscriberOf(broken, 'tara@example.com');
  await subscriberOf(whole, 'ulf@example.com');
  await sql`UPDATE status_pages SET timezone = 'Nowhere/Nothing' WHERE id = ${broken.id}`.execute(app.db);
  await announceOn(broken);
  await announceOn(whole);
  const to = async () => (await mails()).map(({ recipients }) => recipients[0]);
  assert.deepEqual(await to(), ['ulf@example.com']);
  await sql`UPDATE status_pages SET timezone = 'UTC' WHERE id = ${broken.id}`.execute(app.db);
  app.clock.advance(60_000);
  assert.deepEqual(await to(), ['tara@example.com']);
});

test('a mail that was accepted while the database went away is not sent again', async () => {
  const monitor = await monitorOf('Away');
  const page = await publicPage([monitor]);
  await goesAway(app.db, { statement: 'DELETE', table: 'status_page_mails' });
  await subscribe(page, 'dana@example.com');
  const first = await mails();
  // Past the lease, and past the hour in which an address may ask for so many subscriptions.
  app.clock.advance(3_600_000);
  assert.deepEqual([first.length, (await mails()).length], [1, 0]);
});

test('an address whose server refuses it five times is removed, and one delivered mail in between saves it', async () => {
  const monitor = await monitorOf('Mailer');
  const page = await publicPage([monitor]);
  await subscriberOf(page, 'heidi@example.com');
  const incidentId = await fail(monitor);
  const say = async () => {
    app.clock.advance(300_000);
    const path = `/organizations/${app.home.orgId}/incidents/${incidentId}/notes`;
    await app.alice.ok('POST', path, { body: 'More', kind: 'note', visibility: 'public' });
    return mailings(page);
  };
  mailbox.refuse('550 5.1.1 no such user');
  for (let i = 0; i < 4; i++) await say();
  mailbox.refuse(null);
  assert.equal((await say()).length, 1);
  mailbox.refuse('550 5.1.1 no such user');
  for (let i = 0; i < 4; i++) await say();
  assert.equal((await subscribers(page)).length, 1);
  await say();
  assert.deepEqual(await subscribers(page), []);
});

test('a mail server that refuses our sender or relays nothing for us costs no subscription, and the mail is tried again', async () => {
  const monitor = await monitorOf('Relayed');
  const page = await publicPage([monitor]);
  await subscriberOf(page, 'ines@example.com');
  const incidentId = await fail(monitor);
  const path = `/organizations/${app.home.orgId}/incidents/${incidentId}/notes`;
  const say = async (body: string) => {
    app.clock.advance(300_000);
    await app.alice.ok('POST', path, { body, kind: 'note', visibility: 'public' });
    return mailings(page);
  };
  mailbox.refuse('550 5.7.1 this sender is not yours', undefined, 'sender');
  for (let i = 0; i < 4; i++) await say(`Sender ${i}`);
  mailbox.refuse('554 5.7.1 relay access denied');
  for (let i = 0; i < 4; i++) await say(`Relay ${i}`);
  assert.equal((await subscribers(page)).length, 1);
  mailbox.refuse(null);
  app.clock.advance(7_200_000);
  const texts = (await mails()).map(({ mail }) => mail.text ?? '').join('\n');
  for (const body of ['Sender 3', 'Relay 3']) assert.ok(texts.includes(body), `${body} never came: ${texts}`);
});

test('a mail server that is down only delays', async () => {
  const page = await publicPage([]);
  mailbox.refuse('451 4.3.0 try again');
  await subscribe(page, 'ivan@example.com');
  assert.equal((await mails()).length, 0);
  mailbox.refuse(null);
  assert.equal((await mails()).length, 0, 'not before its pause');
  app.clock.advance(60_000);
  assert.equal((await mails()).length, 1);
});

test('strangers cannot be flooded: an address gets three mails a day, and nobody learns who subscribed', async () => {
  const page = await publicPage([]);
  for (let i = 0; i < 5; i++) {
    const answer = await subscribe(page, 'judy@example.com');
    assert.deepEqual([answer.status, await answer.text()], [202, '{}']);
  }
  assert.equal((await mails()).length, 3);
  const statuses: number[] = [];
  for (let i = 0; i < 20; i++) statuses.push((await subscribe(page, `mass${i}@example.com`)).status);
  assert.ok(statuses.includes(429), 'one client asks for so many');
});

test('invalid addresses are 400, other pages’ tokens 404, and a deleted subscriber leaves nothing', async () => {
  const page = await publicPage([]);
  app.clock.advance(3_600_000);
  for (const email of [
    '',
    'no',
    'a@b',
    'x@example.com\r\nBcc: y@example.com',
    `${'a'.repeat(300)}@example.com`,
  ])
    assert.equal((await subscribe(page, email)).status, 400, email);
  for (const path of [
    '/subscriptions/x',
    '/subscriptions/sub_01h455vb4pex5vsknk084sn02q.x',
    '/subscriptions/confirm/x',
  ])
    assert.equal((await fetch(app.url + path)).status, 404, path);
  const manage = await subscriberOf(page, 'mallory@example.com');
  const [own] = await subscribers(page);
  await app.alice.ok('DELETE', `/status-pages/${page.id}/subscribers/${own?.id}`);
  assert.deepEqual(await subscribers(page), []);
  assert.equal((await fetch(app.url + manage)).status, 404);
  assert.equal(
    (await app.alice.send('DELETE', `/status-pages/${page.id}/subscribers/${own?.id}`)).status,
    404,
  );
});

test('mails link to the page’s own domain once that has a certificate', async () => {
  const page = await publicPage([await monitorOf('Own domain')], 'Own domain');
  await subscribe(page, 'own-domain@example.org');
  const [confirmation] = await mails();
  assert.ok(confirmation);
  await submit(linkIn(confirmation, '/confirm/'));
  const incident = await app.alice.ok<{ id: string }>('POST', `/organizations/${app.home.orgId}/incidents`, {
    ...{ cause: 'For the link', severity: 'default' },
  });
  const link = `/organizations/${app.home.orgId}/incidents/${incident.id}/status-pages/${page.id}`;
  await verifiedDomain(app, page, 'status.own.example');
  await app.alice.ok('PUT', link);
  app.clock.advance(60_000);
  await app.runTask('mail_subscribers', { page_id: page.id });
  const [before] = await mails();
  assert.match(before?.mail.text ?? '', new RegExp(`/status/${page.slug}`));
  await app.db
    .updateTable('status_page_domains')
    .set({ cert_status: 'issued' })
    .where('status_page_id', '=', page.id)
    .execute();
  await app.alice.ok('POST', `/organizations/${app.home.orgId}/incidents/${incident.id}/resolve`);
  app.clock.advance(60_000);
  await app.runTask('mail_subscribers', { page_id: page.id });
  const [after] = await mails();
  assert.match(after?.mail.text ?? '', /https:\/\/status\.own\.example\//);
});
