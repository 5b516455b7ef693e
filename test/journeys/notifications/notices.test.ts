// Personal notices by mail: after the commit, once, retried, and never to somebody who need not or may not know any more.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { type Claimed, claimNotices, countOverdueNotices } from '#src/user-notifications/claim.ts';
import { noticeEnded } from '#src/user-notifications/ended.ts';
import {
  cancelNotices,
  enqueueNotices,
  type NewNotice,
  recipientsOf,
} from '#src/user-notifications/enqueue.ts';
import { recordNoticeOutcome } from '#src/user-notifications/record-outcome.ts';
import { makeAlarm } from '#test/harness/alarms.ts';
import { type Person, startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { tcpServer } from '#test/harness/listeners.ts';
import { type Mailbox, startMailbox } from '#test/harness/mailbox.ts';
import { startPushService } from '#test/harness/push-service.ts';
import { until } from '#test/harness/until.ts';

const MAIL_FROM = 'Tocsin <tocsin@example.com>';

let box: Mailbox;
let app: TestApp;
const ended: { userId: string; ok: boolean; error: string | null; channel: string; kind: string }[] = [];
before(async () => {
  box = await startMailbox();
  closeAfterTests(box.stop);
  app = await startAppOfFile({ env: { SMTP_URL: box.url, MAIL_FROM } });
  noticeEnded.on(async (_work, { userId, ok, error, channel, kind }) => {
    ended.push({ userId, ok, error, channel, kind });
  });
});

type Scene = { orgId: string; anna: Person; alarmNo: number; incidentIds: string[] };

async function scene(on: TestApp = app, causes?: string[]): Promise<Scene> {
  const { orgId } = await on.place();
  const anna = await on.person('anna', { [orgId]: 'member' });
  return { orgId, anna, ...(await makeAlarm(on, orgId, causes)) };
}

function alarmMail({ orgId, anna, alarmNo, incidentIds }: Scene, cause = 'Shop is slow'): NewNotice {
  const incidents = [
    { id: incidentIds[0] ?? '', monitor_name: 'Shop', cause, started_at_unix: 1_800_000_000 },
  ];
  return {
    orgId,
    userId: anna.userId,
    channel: 'mail',
    kind: 'alarm',
    data: { incidents, total: 1, stage: 'mail' },
    alarmNo,
  };
}

const enqueue = (notices: NewNotice[], on: TestApp = app) =>
  runWork(on.db, on.clock.now(), SYSTEM, (work) => enqueueNotices(work, notices));

const noticesOf = ({ anna }: Scene, on: TestApp = app) =>
  on.db
    .selectFrom('notices')
    .select(['state', 'attempts', 'error', 'leased_until', 'kind', 'channel'])
    .where('user_id', '=', anna.userId)
    .orderBy('no')
    .execute();

/** Waits until the one notice of somebody was tried so often, and that is written down. */
async function tried(s: Scene, attempts: number, on: TestApp = app) {
  await until(async () => {
    const [notice] = await noticesOf(s, on);
    return notice !== undefined && notice.attempts >= attempts && notice.leased_until === null;
  }, `try number ${attempts}`);
  return (await noticesOf(s, on))[0];
}

const to = (person: Person) => (mail: Mailbox['received'][number]) => mail.recipients[0] === person.email;
const got = (person: Person, mailbox = box) => mailbox.received.filter(to(person));

test('a notice that was sent, but whose outcome cannot be stored, is not sent again when its lease expires', async () => {
  const s = await scene();
  noticeEnded.on(async (_work, { userId }) => {
    if (userId === s.anna.userId) throw new Error('poisoned');
  });
  await enqueue([alarmMail(s)]);
  const notice = await tried(s, 1);
  assert.equal(notice?.state, 'sent');
  app.clock.advance(60_000);
  await app.runTask('notices');
  assert.equal(got(s.anna).length, 1);
});

test('a mail that was accepted while the database went away is not sent again', async () => {
  const s = await scene();
  let away = 3;
  noticeEnded.on(async (_work, { userId }) => {
    if (userId === s.anna.userId && away-- > 0)
      throw Object.assign(new Error('the database went away'), { code: '57P01' });
  });
  await enqueue([alarmMail(s)]);
  const isSent = async () => (await noticesOf(s)).every(({ state }) => state === 'sent');
  await until(isSent, 'its outcome is recorded once the database is back', 10_000);
  app.clock.advance(60_000);
  await app.runTask('notices');
  assert.equal(got(s.anna).length, 1);
});

/** A mail that a sender has claimed before anybody else could see it. */
async function claimedMail(s: Scene): Promise<Claimed> {
  const [claimed] = await runWork(app.db, app.clock.now(), SYSTEM, async (work) => {
    await enqueueNotices(work, [alarmMail(s)]);
    const all = await claimNotices(work.tx, work.now, 'mail', { free: 100, reserved: 0 });
    return all.filter(({ userId }) => userId === s.anna.userId);
  });
  assert.ok(claimed);
  return claimed;
}

const ARRIVED = { done: true, error: null, reached: true };

test('an outcome is recorded once, although the sender has not learnt that it was committed', async () => {
  const s = await scene();
  const claimed = await claimedMail(s);
  const record = () =>
    runWork(app.db, app.clock.now(), SYSTEM, (work) => recordNoticeOutcome(work, claimed, ARRIVED, 0.5));
  await record();
  await record();
  assert.equal(ended.filter(({ userId }) => userId === s.anna.userId).length, 1);
});

test('an alarm is mailed once it is committed: cause, start, and a link to acknowledge it; in one thread', async () => {
  const s = await scene();
  await enqueue([alarmMail(s)]);
  const { mail } = await box.next(to(s.anna));
  assert.match(mail.subject ?? '', /^\[Place [0-9a-f]+\] Alarm: Shop$/);
  assert.match(mail.text ?? '', /Acknowledge:\nhttp:\/\/[^/]+\/ack\/[0-9A-Za-z]{43}\n/);
  assert.match(mail.html ?? '', new RegExp(`/app/o/${s.orgId}/incidents/${s.incidentIds[0]}`));
  assert.match(mail.messageId ?? '', /^<notice\.[0-9a-f]{32}@example\.com>$/);
  assert.equal((await tried(s, 1))?.state, 'sent');

  const { kind: _, ...rest } = alarmMail(s);
  await enqueue([{ ...rest, kind: 'alarm_acknowledged' } as NewNotice]);
  const over = await box.next((each) => to(s.anna)(each) && /Acknowledged/.test(each.mail.subject ?? ''));
  assert.equal(over.mail.references, mail.references);
  assert.match(mail.references ?? '', /^<alarm\.[0-9a-f]{32}@example\.com>$/);
  assert.notEqual(over.mail.messageId, mail.messageId);
  assert.doesNotMatch(over.mail.text ?? '', /\/ack\//);
  await until(async () => (await noticesOf(s)).every(({ state }) => state === 'sent'), 'both are sent');
  assert.deepEqual(
    ended.filter(({ userId }) => userId === s.anna.userId).map(({ ok, kind }) => [ok, kind]),
    [
      [true, 'alarm'],
      [true, 'alarm_acknowledged'],
    ],
  );
});

test('a notice that is rolled back is never sent', async () => {
  const s = await scene();
  const rolledBack = runWork(app.db, app.clock.now(), SYSTEM, async (work) => {
    await enqueueNotices(work, [alarmMail(s)]);
    throw new Error('after all not');
  });
  await assert.rejects(rolledBack);
  await app.runTask('notices');
  assert.deepEqual([await noticesOf(s), got(s.anna)], [[], []]);
});

test('notices claimed by a killed server are sent 25 s later, and count as overdue until then', async () => {
  const s = await scene();
  await claimedMail(s);
  app.clock.advance(24_000);
  await app.runTask('notices');
  assert.deepEqual(got(s.anna), []);
  assert.equal(await countOverdueNotices(app.db, app.clock.now()), 0);
  assert.ok((await countOverdueNotices(app.db, new Date(app.clock.ms() + 2_000))) > 0);
  app.clock.advance(1_000);
  await app.runTask('notices');
  await box.next(to(s.anna));
});

test('a server that asks to wait (451) is retried after 5 s, and the person gets one mail', async (t) => {
  t.after(() => box.refuse(null));
  const s = await scene();
  box.refuse('451 4.7.1 come back later');
  await enqueue([alarmMail(s)]);
  const first = await tried(s, 1);
  assert.deepEqual([first?.state, first?.error], ['pending', 'smtp_envelope 451']);
  box.refuse(null);
  app.clock.advance(3_000);
  await app.runTask('notices');
  assert.equal((await noticesOf(s))[0]?.attempts, 1, 'not before its time');
  app.clock.advance(3_100);
  await app.runTask('notices');
  await box.next(to(s.anna));
  assert.equal((await tried(s, 2))?.state, 'sent');
  assert.deepEqual(
    ended.filter(({ userId }) => userId === s.anna.userId).map(({ ok }) => ok),
    [true],
  );
});

test('a server that is down is retried for about an hour, then the failure is announced', async (t) => {
  t.after(() => box.refuse(null));
  const s = await scene();
  box.refuse('451 4.3.0 out of order');
  await enqueue([alarmMail(s)]);
  await tried(s, 1);
  for (let attempt = 2; attempt <= 10; attempt++) {
    app.clock.advance(15 * 60_000 * 1.2 + 1000);
    await app.runTask('notices');
    await tried(s, attempt);
  }
  assert.equal((await noticesOf(s))[0]?.state, 'failed');
  const endedForAnna = ended.filter(({ userId }) => userId === s.anna.userId);
  assert.deepEqual(
    endedForAnna.map(({ ok, error }) => [ok, error]),
    [[false, 'smtp_envelope 451']],
  );
});

test('a mail is in its recipient’s language, or else in the organization’s', async () => {
  const s = await scene();
  await app.alice.ok('PATCH', `/organizations/${s.orgId}`, { language: 'de' });
  const { kind: _, data, ...addressed } = alarmMail(s, 'Connection refused (2 of 3 regions)');
  // Each step of an alarm is told once.
  const said = async (kind: 'alarm' | 'alarm_escalated' | 'alarm_reminder') => {
    const before = got(s.anna).length;
    await enqueue([{ ...addressed, kind, data } as NewNotice]);
    await until(() => got(s.anna).length > before, 'the mail');
    const { mail } = got(s.anna).at(-1)!;
    return { text: mail.text ?? '', html: mail.html ?? '' };
  };
  const { text, html } = await said('alarm');
  assert.match(text, /Noch hat niemand den Alarm übernommen\./);
  assert.match(text, /\* Shop: Verbindung abgelehnt \(2 von 3 Regionen\) \(seit /);
  assert.match(html, /<html lang="de">/);
  await s.anna.ok('PATCH', '/me', { language: 'en' });
  assert.match((await said('alarm_escalated')).text, /Shop: Connection refused \(2 of 3 regions\) \(since /);
  await app.alice.ok('PATCH', `/organizations/${s.orgId}`, { language: 'en' });
  await s.anna.ok('PATCH', '/me', { language: 'de' });
  assert.match((await said('alarm_reminder')).text, /^Noch offen: Shop/);
});

test('a mailbox that does not exist (550) is not retried', async (t) => {
  t.after(() => box.refuse(null));
  const s = await scene();
  box.refuse('550 5.1.1 no such user');
  await enqueue([alarmMail(s)]);
  const notice = await tried(s, 1);
  assert.deepEqual([notice?.state, notice?.error], ['failed', 'smtp_envelope 550']);
});

test('acknowledging an alarm cancels its waiting mail', async (t) => {
  t.after(() => box.refuse(null));
  const s = await scene();
  box.refuse('451 4.7.1 later');
  await enqueue([alarmMail(s)]);
  await tried(s, 1);
  await runWork(app.db, app.clock.now(), SYSTEM, async (work) => {
    await sql`UPDATE alarms SET ended_at = ${work.now} WHERE no = ${s.alarmNo}`.execute(work.tx);
    await cancelNotices(work, s.alarmNo);
    assert.deepEqual(await recipientsOf(work, s.alarmNo), [], 'nobody has been told yet');
  });
  box.refuse(null);
  app.clock.advance(3_600_000);
  await app.runTask('notices');
  await until(async () => (await noticesOf(s))[0]?.state === 'cancelled', 'it is cancelled');
  assert.deepEqual(got(s.anna), []);
});

/** Leaves behind what a sender does that dies before it records that the mail has arrived, until its lease is over. */
async function mailedByDying(s: Scene): Promise<void> {
  await enqueue([alarmMail(s)]);
  await tried(s, 1);
  const leased_until = new Date(app.clock.ms() + 25_000);
  await app.db
    .updateTable('notices')
    .set({ state: 'pending', leased_until, next_attempt_at: app.clock.now(), finished_at: null })
    .where('alarm_no', '=', s.alarmNo)
    .execute();
  app.clock.advance(26_000);
}

const endIsMailedTo = (s: Scene) =>
  runWork(app.db, app.clock.now(), SYSTEM, async (work) => {
    const anna = [{ userId: s.anna.userId, channel: 'mail' }];
    assert.deepEqual(await recipientsOf(work, s.alarmNo), anna, 'before');
    await cancelNotices(work, s.alarmNo);
    assert.deepEqual(await recipientsOf(work, s.alarmNo), anna, 'and after the cancellation');
  });

test('the end of an alarm reaches whoever a server was mailing when it died, also once its lease has run out', async () => {
  const s = await scene();
  await mailedByDying(s);
  await endIsMailedTo(s);
});

test('so it does if the mail server has refused the tries of other servers since', async (t) => {
  t.after(() => box.refuse(null));
  const s = await scene();
  await mailedByDying(s);
  box.refuse('451 4.7.1 come back later');
  for (const attempts of [2, 3]) {
    await app.runTask('notices');
    await until(async () => {
      const [notice] = await noticesOf(s);
      return notice?.attempts === attempts && notice.error !== null;
    }, `try number ${attempts} has failed`);
    app.clock.advance(30_000);
  }
  await endIsMailedTo(s);
});

test('the end of an alarm reaches whoever a server begins to mail while the alarm ends', async () => {
  const s = await scene();
  const later = new Date(app.clock.ms() + 3_600_000);
  await runWork(app.db, app.clock.now(), SYSTEM, async (work) => {
    await enqueueNotices(work, [alarmMail(s)]);
    await sql`UPDATE notices SET next_attempt_at = ${later} WHERE alarm_no = ${s.alarmNo}`.execute(work.tx);
  });
  const claimed = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const claiming = runWork(app.db, later, SYSTEM, async (work) => {
    await claimNotices(work.tx, later, 'mail', { free: 100, reserved: 0 });
    claimed.resolve();
    await commit.promise;
  });
  await claimed.promise;
  const path = `/organizations/${s.orgId}/incidents/${s.incidentIds[0]}/ack`;
  const acknowledging = app.alice.ok('POST', path);
  try {
    await until(async () => {
      const { rows } = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(app.db);
      return rows.length > 0;
    }, 'the acknowledgement waits for the claim');
  } finally {
    commit.resolve();
    await Promise.all([claiming, acknowledging]);
  }
  assert.deepEqual(
    (await noticesOf(s)).map(({ kind }) => kind),
    ['alarm', 'alarm_acknowledged'],
  );
});

test('a due mail checks again whether its alarm has ended, even if nobody cancelled it', async () => {
  const s = await scene();
  await sql`UPDATE alarms SET ended_at = ${app.clock.now()} WHERE no = ${s.alarmNo}`.execute(app.db);
  await enqueue([alarmMail(s)]);
  await app.runTask('notices');
  await until(async () => (await noticesOf(s))[0]?.state === 'cancelled', 'it is cancelled');
  assert.deepEqual(got(s.anna), []);
});

test('a mail that arrives after its lease counts as sent, although its alarm is over and another sender has cancelled it', async () => {
  const s = await scene();
  const claimed = await claimedMail(s);
  await app.db.updateTable('alarms').set({ ended_at: app.clock.now() }).where('no', '=', s.alarmNo).execute();
  app.clock.advance(26_000);
  await app.runTask('notices');
  await until(async () => (await noticesOf(s))[0]?.state === 'cancelled', 'another sender cancels it');
  await runWork(app.db, app.clock.now(), SYSTEM, (work) => recordNoticeOutcome(work, claimed, ARRIVED, 0.5));
  assert.equal((await noticesOf(s))[0]?.state, 'sent');
});

test('while an alarm is paused its mails wait, and are sent when it continues', async () => {
  const s = await scene();
  await sql`UPDATE alarms SET paused_at = ${app.clock.now()} WHERE no = ${s.alarmNo}`.execute(app.db);
  await enqueue([alarmMail(s)]);
  await app.runTask('notices');
  assert.deepEqual([(await noticesOf(s))[0]?.attempts, got(s.anna)], [0, []]);
  await sql`UPDATE alarms SET paused_at = NULL WHERE no = ${s.alarmNo}`.execute(app.db);
  await app.runTask('notices');
  await box.next(to(s.anna));
});

test('a person who has left the organization gets nothing', async (t) => {
  t.after(() => box.refuse(null));
  const s = await scene();
  box.refuse('451 4.7.1 later');
  await enqueue([alarmMail(s)]);
  await tried(s, 1);
  box.refuse(null);
  await app.alice.ok('DELETE', `/organizations/${s.orgId}/members/${s.anna.userId}`);
  app.clock.advance(60_000);
  await app.runTask('notices');
  await until(async () => (await noticesOf(s))[0]?.state === 'cancelled', 'it is cancelled');
  assert.deepEqual(got(s.anna), []);
});

test('a person gets one mail for one step of an alarm, however often it is requested', async () => {
  const s = await scene();
  await enqueue([alarmMail(s), alarmMail(s)]);
  await enqueue([alarmMail(s)]);
  await tried(s, 1);
  assert.deepEqual([(await noticesOf(s)).length, got(s.anna).length], [1, 1]);
});

test('a person without a subscribed browser gets no push', async () => {
  const s = await scene();
  await enqueue([{ ...alarmMail(s), channel: 'push' }]);
  assert.deepEqual(await noticesOf(s), []);
});

test('several senders on one database send every mail once', async () => {
  await using other = await app.another();
  assert.ok(other.url);
  const s = await scene();
  const many = await Promise.all(
    Array.from({ length: 20 }, async () => ({ ...s, ...(await makeAlarm(app, s.orgId)) })),
  );
  await enqueue(many.map((each) => alarmMail(each)));
  await Promise.all([app.runTask('notices'), app.runTask('notices')]);
  await until(async () => (await noticesOf(s)).every(({ state }) => state === 'sent'), 'all are sent');
  const ids = got(s.anna).map(({ mail }) => mail.messageId);
  assert.deepEqual([ids.length, new Set(ids).size], [20, 20]);
});

test('a name cannot add a header, a recipient or markup', async () => {
  const s = await scene();
  const name = 'Shop\r\nBcc: eve@example.org\r\n\r\n<img src=x onerror=alert(1)>';
  const { data, ...rest } = alarmMail(s, name) as NewNotice & { kind: 'alarm' };
  const incidents = data.incidents.map((incident) => ({ ...incident, monitor_name: name }));
  await enqueue([{ ...rest, data: { ...data, incidents } }]);
  const { mail, recipients } = await box.next(to(s.anna));
  assert.deepEqual([recipients, mail.bcc], [[s.anna.email], undefined]);
  assert.match(mail.subject ?? '', /Alarm: Shop Bcc:\u200b eve@\u200bexample\.\u200borg <img/);
  assert.doesNotMatch(mail.html ?? '', /<img/);
});

test('a notice that cannot be rendered fails, and delays nothing', async () => {
  const s = await scene();
  await enqueue([{ ...alarmMail(s), data: { broken: true } } as unknown as NewNotice]);
  for (let attempt = 1; attempt <= 10; attempt++) {
    await tried(s, attempt);
    app.clock.advance(20 * 60_000);
    await app.runTask('notices');
  }
  const [notice] = await noticesOf(s);
  assert.deepEqual([notice?.state, notice?.error], ['failed', 'internal']);
});

test('finished notices are deleted after 30 days', async () => {
  const s = await scene();
  await enqueue([alarmMail(s)]);
  await tried(s, 1);
  await app.runTask('sweep');
  assert.equal((await noticesOf(s)).length, 1);
  app.clock.advance(31 * 86_400_000);
  await app.runTask('sweep');
  assert.deepEqual(await noticesOf(s), []);
});

test('without SMTP it is announced at once that mail is not configured', async () => {
  await using bare = await startTestApp();
  const s = await scene(bare);
  await enqueue([alarmMail(s)], bare);
  const notice = await tried(s, 1, bare);
  assert.deepEqual([notice?.state, notice?.error], ['failed', 'mail_not_configured']);
  assert.equal(ended.find(({ userId }) => userId === s.anna.userId)?.error, 'mail_not_configured');
});

test('a notice stored before a restart is sent after it', async () => {
  await using own = await startTestApp({ env: { SMTP_URL: box.url, MAIL_FROM } });
  const s = await scene(own);
  await own.app.stop();
  await enqueue([alarmMail(s)], own);
  assert.deepEqual(got(s.anna), []);
  await using restarted = await own.another();
  assert.ok(restarted.url);
  await box.next(to(s.anna));
});

test('a hanging mail server delays no push', async (t) => {
  const open: { destroy: () => void }[] = [];
  const port = await tcpServer(t, (socket) => void open.push(socket));
  const service = await startPushService();
  t.after(service.stop);
  await using own = await startTestApp({ env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM } });
  const s = await scene(own);
  const { key } = await s.anna.ok<{ key: string }>('GET', '/me/push/key');
  await s.anna.ok('POST', '/me/push/subscriptions', service.browser(key).subscription);
  const mails = await Promise.all(
    Array.from({ length: 10 }, async () => alarmMail({ ...s, ...(await makeAlarm(own, s.orgId)) })),
  );
  await enqueue(mails, own);
  await until(() => open.length >= 5, 'the places of mail are taken');
  await enqueue([{ ...alarmMail(s), channel: 'push' }], own);
  await service.next(({ payload }) => payload.title === 'Alarm: Shop');
  // Ends the conversations that hang, so that the server need not wait for them to stop.
  for (const socket of open) socket.destroy();
});
