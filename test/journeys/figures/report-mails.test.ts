// Reports by mail: to a real mail server, read back with a parser and a reader of PDFs (docs/rules/figures.md#reports-by-mail).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { extractText, getDocumentProxy } from 'unpdf';
import type { Monitor } from '#src/monitors/contract.ts';
import type { Report } from '#src/reports/contract.ts';
import type { ReportSubscription } from '#src/reports/mailed/contract.ts';
import { sendDueReports } from '#src/reports/mailed/send.ts';
import { formatsOf } from '#src/status-pages/public/formats.ts';
import { type Person, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { goesAway } from '#test/harness/away.ts';
import { silent } from '#test/harness/cluster.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { putIncident } from '#test/harness/incident-row.ts';
import { type Mailbox, startMailbox } from '#test/harness/mailbox.ts';
import { resultOf } from '#test/harness/probe.ts';
import { assertRefused } from '#test/harness/refused.ts';

const HOUR_MS = 3_600_000;

let app: TestApp;
let box: Mailbox;
before(async () => {
  box = await startMailbox();
  closeAfterTests(box.stop);
  app = await startAppOfFile({ env: { SMTP_URL: box.url, MAIL_FROM: 'Tocsin <tocsin@example.com>' } });
  await app.runTask('partitions');
});

const PATH = () => `/organizations/${app.home.orgId}/report-subscriptions`;
const subscribe = (person: Person, body: object) => person.ok<ReportSubscription>('POST', PATH(), body);
const got = (person: Person) => box.received.filter(({ recipients }) => recipients[0] === person.email);
async function goTo(unix: number): Promise<void> {
  app.clock.advance(unix * 1000 - app.clock.ms());
  await app.runTask('partitions');
}
let made = 0;
const member = () => app.person(`reader-${++made}`, { [app.home.orgId]: 'member' });

/** Several servers look at once. */
const lookTwice = () => Promise.all([app.runTask('report_mails'), app.runTask('report_mails')]);

/** To a day on which the last hours are of the same month, and not of the one before. */
async function goToMidMonth(): Promise<void> {
  const now = app.clock.now();
  await goTo(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 15) / 1000);
}

test('each month is mailed once, with the figures of the page to the digit, in the person’s language', async () => {
  await goToMidMonth();
  const monitor = await app.alice.ok<Monitor>('POST', `/projects/${app.home.projectId}/monitors`, {
    ...{ name: 'Läden', tags: ['mailed'], type: 'http', config: { url: 'https://shop.example.com/' } },
  });
  const paula = await member();
  await paula.ok('PATCH', '/me', { language: 'de' });
  const made = await subscribe(paula, { tag: 'Mailed', timezone: 'Europe/Berlin' });
  assert.deepEqual(made.subject, { kind: 'tag', id: 'mailed', name: 'mailed' });
  assert.deepEqual(await subscribe(paula, { tag: 'mailed', timezone: 'Europe/Berlin' }), made);
  const month = made.next_period;

  const now = app.clock.ms();
  await app.probe().post(Array.from({ length: 170 }, (_, i) => resultOf(monitor.id, now - i * 60_000, 'up')));
  const fromMs = now - 2 * HOUR_MS;
  await putIncident(app, monitor, { fromMs, toMs: fromMs + 754_000, origin: 'automatic' });
  await lookTwice();
  assert.equal(got(paula).length, 0, 'the month is not over');

  await goTo(made.next_at_unix + 1);
  await lookTwice();
  await lookTwice();
  assert.equal(got(paula).length, 1);
  const { mail, raw } = got(paula)[0]!;
  // The layout of mails writes every blank as a plain one.
  const plain = (value: string) => value.replace(/\s/g, ' ');
  const text = mail.text ?? '';
  const query = `tag=mailed&period=${month}&timezone=Europe/Berlin`;
  const report = await app.alice.ok<Report>('GET', `/organizations/${app.home.orgId}/report?${query}`);
  assert.equal(report.is_over, true);
  assert.ok(report.totals.uptime_time_pct !== null && report.totals.downtime_seconds === 754);
  const { percent, duration } = formatsOf('de', 'Europe/Berlin');
  const uptime = percent(report.totals.uptime_time_pct);
  assert.match(mail.subject ?? '', /^Tag mailed: Bericht für /);
  assert.ok(text.includes(`Die Verfügbarkeit betrug ${plain(uptime)}.`), text);
  assert.ok(text.includes(`* Ausfallzeit: ${plain(duration(754))}`), text);
  assert.ok(text.includes('* Störungen: 1'));
  assert.ok(
    text.includes(`/app/o/${app.home.orgId}/reports?period=${month}&zone=Europe%2FBerlin&tag=mailed`),
  );

  const [file] = mail.attachments;
  assert.deepEqual([file?.mimeType, file?.filename], ['application/pdf', `report-mailed-${month}.pdf`]);
  const { text: printed } = await extractText(
    await getDocumentProxy(new Uint8Array(file?.content as ArrayBuffer)),
    {
      mergePages: true,
    },
  );
  assert.ok(printed.replace(/\s/g, '').includes(uptime.replace(/\s/g, '')), 'the same figure in the PDF');

  // One click of a mail program; a look at the address changes nothing.
  assert.match(raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
  const [, url = ''] = /List-Unsubscribe:\s+<([^>]+)>/.exec(raw.replaceAll('\r\n ', ' ')) ?? [];
  const path = new URL(url).pathname;
  const visit = (method: string, body?: string) =>
    fetch(`${app.url}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    });
  assert.equal((await visit('GET')).status, 200);
  const [next] = await paula.ok<ReportSubscription[]>('GET', PATH());
  assert.ok(next && next.next_period > month && next.last_sent_at_unix !== null);
  assert.equal((await visit('POST', 'List-Unsubscribe=One-Click')).status, 200);
  assert.deepEqual(await paula.ok('GET', PATH()), []);
  assert.equal(
    (await visit('POST', 'List-Unsubscribe=One-Click')).status,
    200,
    'a second click is told the same',
  );
  assert.equal((await visit('GET')).status, 404);
  const forged = `${url.slice(0, url.lastIndexOf('/'))}/${made.id}.${'A'.repeat(43)}`;
  assert.equal(
    (await fetch(forged.replace(new URL(forged).origin, app.url), { method: 'POST' })).status,
    404,
  );
  await goTo(next.next_at_unix + 1);
  await lookTwice();
  assert.equal(got(paula).length, 1);
});

test('mails wait for a mail server that is down, and a missed month is sent later', async () => {
  const paul = await member();
  const { next_at_unix: at, next_period: month } = await subscribe(paul, {});
  await goTo(at + 1);
  box.refuse('451 4.3.0 not now');
  await lookTwice();
  box.refuse(null);
  const [waiting] = await paul.ok<ReportSubscription[]>('GET', PATH());
  assert.equal(waiting?.last_error, 'smtp_envelope');
  assert.equal(waiting.next_period, month);
  await lookTwice();
  assert.equal(got(paul).length, 0);
  await goTo(waiting.next_at_unix + 40 * 86_400);
  await lookTwice();
  const subjects = got(paul).map(({ mail }) => mail.subject);
  assert.equal(subjects.length, 2);
  assert.equal(new Set(subjects).size, 2, 'each month once');
});

test('a report that was accepted while the database went away is not sent again', async () => {
  await goToMidMonth();
  const paula = await member();
  const { next_at_unix } = await subscribe(paula, {});
  const when = 'NEW.last_sent_at IS DISTINCT FROM OLD.last_sent_at';
  await goesAway(app.db, { statement: 'UPDATE', table: 'report_subscriptions', when });
  await goTo(next_at_unix + 1);
  await lookTwice();
  await goTo(next_at_unix + 1200);
  await lookTwice();
  assert.equal(got(paula).length, 1);
});

test('a report that is late because no server ran is tried again when the mail server refuses it', async () => {
  const reader = await member();
  const { next_at_unix, next_period } = await subscribe(reader, {});
  await goTo(next_at_unix + 10 * 86_400);
  box.refuse('451 4.3.0 not now');
  await app.runTask('report_mails');
  box.refuse(null);
  const [waiting] = await reader.ok<ReportSubscription[]>('GET', PATH());
  assert.equal(waiting?.next_period, next_period);
  await goTo((waiting?.next_at_unix ?? 0) + 1);
  await app.runTask('report_mails');
  assert.equal(got(reader).length, 1);
});

test('a report is not mailed by a server that was held up until its lease may end: the next one mails it', async () => {
  await app.db.deleteFrom('report_subscriptions').execute();
  await goToMidMonth();
  const paula = await member();
  const { next_at_unix } = await subscribe(paula, {});
  await goTo(next_at_unix + 1);
  const [now, sent] = [app.clock.ms(), [] as string[]];
  let asked = 0;
  const server = (clock: () => Date) =>
    sendDueReports({
      ...{ db: app.db, clock, log: silent, key: Buffer.alloc(32), baseUrl: app.url },
      mail: { send: async ({ to }) => void sent.push(to), verify: async () => undefined },
    });
  await server(() => new Date(asked++ < 1 ? now : now + 10 * 60_000 - 14_000));
  assert.deepEqual(sent, []);
  await server(() => new Date(now + 10 * 60_000));
  assert.deepEqual(sent, [paula.email]);
});

test('a zone that is changed while a mail waits for its next try delays it until the month is over there', async () => {
  await app.db.deleteFrom('report_subscriptions').execute();
  await goToMidMonth();
  const reader = await member();
  const east = await subscribe(reader, { timezone: 'Pacific/Kiritimati' });
  await goTo(east.next_at_unix + 1);
  box.refuse('451 4.3.0 not now');
  await lookTwice();
  box.refuse(null);
  await subscribe(reader, { timezone: 'Pacific/Pago_Pago' });
  const [waiting] = await reader.ok<ReportSubscription[]>('GET', PATH());
  assert.equal(waiting?.next_period, east.next_period);
  assert.equal(waiting.next_at_unix, east.next_at_unix + 25 * 3600);
  await goTo(waiting.next_at_unix - 1);
  await lookTwice();
  assert.equal(got(reader).length, 0, 'the month is not over in the new zone');
  await goTo(waiting.next_at_unix + 1);
  await lookTwice();
  assert.equal(got(reader).length, 1);
  assert.doesNotMatch(got(reader)[0]?.mail.text ?? '', /so far/);
});

test('a zone that is changed while a mail is on its way counts for the next month', async () => {
  await app.db.deleteFrom('report_subscriptions').execute();
  await goToMidMonth();
  const reader = await member();
  const east = await subscribe(reader, { timezone: 'Pacific/Kiritimati' });
  await goTo(east.next_at_unix + 1);
  await sendDueReports({
    ...{ db: app.db, clock: () => app.clock.now(), log: silent, key: Buffer.alloc(32), baseUrl: app.url },
    mail: {
      send: async () => void (await subscribe(reader, { timezone: 'UTC' })),
      verify: async () => undefined,
    },
  });
  const [next] = await reader.ok<ReportSubscription[]>('GET', PATH());
  assert.ok(next && next.next_period > east.next_period);
  const overAt = Temporal.PlainYearMonth.from(next.next_period)
    .add({ months: 1 })
    .toPlainDate({ day: 1 })
    .toZonedDateTime('UTC');
  const afterMs = next.next_at_unix * 1000 - overAt.epochMilliseconds;
  assert.ok(afterMs >= HOUR_MS && afterMs <= 3 * HOUR_MS, `${afterMs}`);
});

test('a zone that this server does not know ends no subscription, and holds up no report of others', async () => {
  const [first, second] = [await member(), await member()];
  const made = await subscribe(first, {});
  await subscribe(second, {});
  const inUnknownZone = app.db.updateTable('report_subscriptions').where('id', '=', made.id);
  await inUnknownZone.set({ timezone: 'Mars/Olympus', next_try_at: app.clock.now() }).execute();
  await app.runTask('report_mails');
  const [waiting] = await first.ok<ReportSubscription[]>('GET', PATH());
  assert.deepEqual([waiting?.next_period, waiting?.last_error], [made.next_period, 'internal']);
  await inUnknownZone.set({ timezone: 'UTC' }).execute();
  await goTo(made.next_at_unix + 3 * 3600);
  await lookTwice();
  assert.deepEqual([got(first).length, got(second).length], [1, 1]);
});

test('it ends with the membership and with its subject', async () => {
  const [gone, stays] = [await member(), await member()];
  const project = await app.alice.ok<{ id: string }>('POST', `/organizations/${app.home.orgId}/projects`, {
    name: `Short-lived ${made}`,
  });
  const { next_at_unix: at } = await subscribe(gone, {});
  await subscribe(stays, { project_id: project.id });
  await app.alice.ok('DELETE', `/organizations/${app.home.orgId}/members/${gone.userId}`);
  await app.alice.ok('DELETE', `/projects/${project.id}`);
  assert.deepEqual(await stays.ok('GET', PATH()), []);
  await goTo(at + 3 * 3600);
  await lookTwice();
  assert.deepEqual([got(gone).length, got(stays).length], [0, 0]);
  const left = await app.db
    .selectFrom('report_subscriptions')
    .select('id')
    .where('user_id', 'in', [gone.userId, stays.userId])
    .execute();
  assert.deepEqual(left, []);
});

test('invalid subjects, zones and excess subscriptions are refused by name, and nobody ends another person’s', async () => {
  const [anna, bert] = [await member(), await member()];
  const refused = (body: object) => anna.send('POST', PATH(), body);
  assertRefused(await refused({ timezone: 'Mars' }), {
    status: 400,
    error: 'invalid_request',
    field: 'timezone',
  });
  assertRefused(await refused({ project_id: 'prj_none' }), {
    status: 400,
    error: 'invalid_request',
    field: 'project_id',
  });
  assertRefused(await refused({ tag: 'a', project_id: app.home.projectId }), {
    status: 400,
    error: 'invalid_request',
    field: 'tag',
  });
  const { id } = await subscribe(anna, { tag: 'tag-0' });
  assertRefused(await bert.send('DELETE', `${PATH()}/${id}`), { status: 404, error: 'not_found' });
  for (let i = 1; i < 20; i++) await subscribe(anna, { tag: `tag-${i}` });
  assertRefused(await refused({ tag: 'tag-20' }), { status: 409, error: 'limit_reached', limit: 20 });
  await anna.ok('DELETE', `${PATH()}/${id}`);
});
