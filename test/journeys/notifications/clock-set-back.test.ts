// A clock that was ahead and is set right: what was to be sent, tried again or repeated meanwhile goes on as if it had been dated
// now, and waits for no future (docs/rules/confirmation.md#a-clock-that-was-set-back).
import assert from 'node:assert/strict';
import { before, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#src/domain/durations.ts';
import { enqueueDrill } from '#src/notifications/outbox.ts';
import { newId } from '#src/platform/ids.ts';
import { hashToken } from '#src/platform/secrets.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { onlineRegions } from '#src/regions/liveness.ts';
import type { ReportSubscription } from '#src/reports/mailed/contract.ts';
import { enqueueNotices } from '#src/user-notifications/enqueue.ts';
import { makeAlarmScene } from '#test/harness/alarm-scene.ts';
import { makeAlarm } from '#test/harness/alarms.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { type Mailbox, startMailbox } from '#test/harness/mailbox.ts';
import { type Receiver, startReceiver } from '#test/harness/receiver.ts';
import { newMonitor, newPage, settings } from '#test/harness/status-page.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
let box: Mailbox;
before(async () => {
  box = await startMailbox();
  closeAfterTests(box.stop);
  app = await startAppOfFile({ env: { SMTP_URL: box.url, MAIL_FROM: 'Tocsin <tocsin@example.com>' } });
});

/** The clock is ahead by this much while `act` runs, and is then set right. */
async function aheadDuring<T>(act: () => Promise<T>, byMs = DAY_MS): Promise<T> {
  app.clock.advance(byMs);
  await app.runTask('heartbeats_turn');
  const result = await act();
  await app.runTask('heartbeats_turn');
  app.clock.advance(-byMs);
  await app.runTask('heartbeats_turn');
  return result;
}

async function makeReceiver(t: TestContext): Promise<{ receiver: Receiver; targetId: string }> {
  const receiver = await startReceiver();
  t.after(() => receiver.stop());
  const { id, secret } = await app.alice.ok<{ id: string; secret: string }>(
    'POST',
    `/organizations/${app.home.orgId}/webhooks`,
    { name: 'Hook', kind: 'webhook', url: receiver.url, events: ['test'] },
  );
  receiver.trust(secret);
  t.after(async () => {
    await app.alice.ok('DELETE', `/organizations/${app.home.orgId}/webhooks/${id}`);
    await app.db.deleteFrom('delivery_queue').where('target_id', '=', id).execute();
  });
  return { receiver, targetId: id };
}

/** A message to the target alone, which is tried once. */
async function send(targetId: string): Promise<void> {
  const drill = { id: newId('drl'), state: 'open', text: 'A drill.' } as const;
  await runWork(app.db, app.clock.now(), SYSTEM, (work) =>
    enqueueDrill(work, app.home.orgId, drill, [targetId]),
  );
  await app.runTask('deliver');
}

const queueOf = async (targetId: string) => {
  const { rows } = await sql<{ next_attempt_at: Date; leased_until: Date | null; shown: Date | null }>`
    SELECT q.next_attempt_at, q.leased_until, d.next_attempt_at AS shown FROM delivery_queue q
    JOIN deliveries d ON d.id = q.delivery_id WHERE q.target_id = ${targetId}`.execute(app.db);
  return rows;
};

test('a delivery that failed while the clock was ahead is tried again after its pause', async (t) => {
  const { receiver, targetId } = await makeReceiver(t);
  receiver.answer(500);
  await aheadDuring(async () => {
    await send(targetId);
    const [waiting] = await queueOf(targetId);
    assert.ok(waiting && waiting.next_attempt_at > app.clock.now());
  });
  const [waiting] = await queueOf(targetId);
  assert.deepEqual(waiting?.shown, waiting?.next_attempt_at);
  receiver.answer(200);
  app.clock.advance(2 * MINUTE_MS);
  await app.runTask('deliver');
  assert.deepEqual(await queueOf(targetId), []);
  assert.equal(receiver.received.length, 2);
});

test('a delivery whose worker died while the clock was ahead is taken over; one that is held stays so', async (t) => {
  const { receiver, targetId } = await makeReceiver(t);
  receiver.answer(500);
  await send(targetId);
  const dieAt = (lease: Date) =>
    sql`UPDATE delivery_queue SET leased_until = ${lease}, next_attempt_at = ${lease} WHERE target_id = ${targetId}`.execute(
      app.db,
    );
  await aheadDuring(() => dieAt(new Date(app.clock.ms() + 30_000)));
  const [left] = await queueOf(targetId);
  assert.ok(left?.leased_until && left.leased_until.getTime() <= app.clock.ms() + 30_000);
  receiver.answer(200);
  app.clock.advance(MINUTE_MS);
  await app.runTask('deliver');
  assert.deepEqual(await queueOf(targetId), []);

  receiver.answer(500);
  await send(targetId);
  await sql`UPDATE delivery_queue SET next_attempt_at = 'infinity' WHERE target_id = ${targetId}`.execute(
    app.db,
  );
  await aheadDuring(async () => undefined);
  const { rows } =
    await sql`SELECT FROM delivery_queue WHERE target_id = ${targetId} AND next_attempt_at = 'infinity'`.execute(
      app.db,
    );
  assert.equal(rows.length, 1);
});

test('a retry that was due in an hour before the clock was a minute ahead is not put forward by more than that', async (t) => {
  const { receiver, targetId } = await makeReceiver(t);
  receiver.answer(500);
  await send(targetId);
  const due = new Date(app.clock.ms() + HOUR_MS);
  await sql`UPDATE delivery_queue SET next_attempt_at = ${due} WHERE target_id = ${targetId}`.execute(app.db);
  await aheadDuring(async () => undefined, MINUTE_MS);
  const [waiting] = await queueOf(targetId);
  assert.equal(waiting?.next_attempt_at.getTime(), due.getTime() - MINUTE_MS);
});

test('a message about a storm waits for no future, and a target that failed then is judged from now on', async (t) => {
  const { targetId } = await makeReceiver(t);
  const lane = `${targetId}:group:1`;
  await aheadDuring(async () => {
    const now = app.clock.now();
    await sql`INSERT INTO grouped_lanes (lane, org_id, not_before, tried_at)
      VALUES (${lane}, ${app.home.orgId}, ${new Date(now.getTime() + 10_000)}, ${now})`.execute(app.db);
    await sql`UPDATE webhook_targets SET failing_since = ${now}, warned_at = ${now}, recent_failures = ARRAY[${now}::timestamptz]
      WHERE id = ${targetId}`.execute(app.db);
  });
  const now = app.clock.now();
  const { rows } = await sql`
    SELECT g.not_before, g.tried_at, t.failing_since, t.warned_at, t.recent_failures
    FROM grouped_lanes g, webhook_targets t WHERE g.lane = ${lane} AND t.id = ${targetId}`.execute(app.db);
  assert.deepEqual(rows, [
    {
      ...{ not_before: new Date(now.getTime() + 10_000), tried_at: now },
      ...{ failing_since: now, warned_at: now, recent_failures: [now] },
    },
  ]);
});

test('an alarm that began while the clock was ahead goes on to the next stage in time', async () => {
  const scene = await makeAlarmScene(app);
  const { incident } = await aheadDuring(() => scene.outage());
  const escalations = async () =>
    (await scene.timeline(incident.id)).filter(({ kind }) => kind === 'escalated').length;
  const before = await escalations();
  await scene.later(incident.id, 60);
  assert.ok((await escalations()) > before);
});

test('a commander is reminded a day after the clock was set back', async () => {
  const scene = await makeAlarmScene(app);
  const { incident } = await aheadDuring(async () => {
    const made = await scene.outage();
    await scene.anna.ok('POST', scene.url(`incidents/${made.incident.id}/ack`));
    return made;
  });
  const { due_at } = await app.db
    .selectFrom('commander_reminders')
    .select('due_at')
    .where('incident_id', '=', incident.id)
    .executeTakeFirstOrThrow();
  assert.ok(due_at.getTime() <= app.clock.ms() + DAY_MS);
});

test('a hold that began while the clock was ahead lasts as long as was said, and one from before keeps its end', async () => {
  const scene = await makeAlarmScene(app);
  const hold = (id: string) => scene.anna.ok('POST', scene.url(`incidents/${id}/hold`), { seconds: 3_600 });
  const heldUntil = async (id: string) => {
    const { alarm_held_until } = await app.db
      .selectFrom('incidents')
      .select('alarm_held_until')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return alarm_held_until?.getTime();
  };
  const before = await scene.outage();
  await hold(before.incident.id);
  const promised = await heldUntil(before.incident.id);
  const { incident } = await aheadDuring(async () => {
    const made = await scene.outage();
    await hold(made.incident.id);
    return made;
  }, 10 * MINUTE_MS);
  assert.equal(await heldUntil(before.incident.id), promised);
  const untilMs = (await heldUntil(incident.id)) ?? Number.NaN;
  assert.ok(untilMs <= app.clock.ms() + 3_600_000 && untilMs > app.clock.ms() + 3_500_000);
});

test('a mail to a person that failed, or whose sender died, while the clock was ahead is sent soon', async (t) => {
  const { orgId } = await app.place();
  const anna = await app.person('nora', { [orgId]: 'member' });
  const { alarmNo, incidentIds } = await makeAlarm(app, orgId);
  const incidents = [
    { id: incidentIds[0] ?? '', monitor_name: 'Shop', cause: 'slow', started_at_unix: 1_800_000_000 },
  ];
  const notice = { orgId, userId: anna.userId, channel: 'mail', kind: 'alarm', alarmNo } as const;
  box.refuse('451 4.7.1 later');
  t.after(() => box.refuse(null));
  const stateOf = () =>
    app.db
      .selectFrom('notices')
      .select(['state', 'attempts', 'leased_until', 'next_attempt_at'])
      .where('user_id', '=', anna.userId)
      .executeTakeFirst();
  await aheadDuring(async () => {
    await runWork(app.db, app.clock.now(), SYSTEM, (work) =>
      enqueueNotices(work, [{ ...notice, data: { incidents, total: 1, stage: 'mail' } }]),
    );
    await until(async () => {
      const row = await stateOf();
      return row !== undefined && row.attempts >= 1 && row.leased_until === null;
    }, 'the first try');
  });
  const pause = ((await stateOf())?.next_attempt_at?.getTime() ?? Number.NaN) - app.clock.ms();
  assert.ok(pause > 0 && pause < 20_000, `${pause} ms`);

  // Not due while the clock is ahead either: the sender of the app does not take it.
  const later = new Date(app.clock.ms() + DAY_MS + 10_000);
  await sql`UPDATE notices SET next_attempt_at = ${later} WHERE user_id = ${anna.userId}`.execute(app.db);
  await aheadDuring(async () => {
    await sql`UPDATE notices SET leased_until = ${new Date(app.clock.ms() + 25_000)} WHERE user_id = ${anna.userId}`.execute(
      app.db,
    );
  });
  const lease = ((await stateOf())?.leased_until?.getTime() ?? Number.NaN) - app.clock.ms();
  assert.ok(lease > 0 && lease <= 25_000, `${lease} ms`);
});

/** A public page with a monitor and one subscriber. */
async function makePage(name: string) {
  const monitor = await newMonitor(app.alice, app.home, name);
  const page = await newPage(app.alice, app.home, name);
  await app.alice.ok('PATCH', `/status-pages/${page.id}`, settings(page, { access_mode: 'public' }));
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, { monitors: [{ monitor_id: monitor.id }] });
  const email = `${page.slug}@example.org`;
  await sql`INSERT INTO status_page_subscribers (id, status_page_id, email, language, created_at, confirmed_at)
    VALUES (${`sub_${page.slug}`}, ${page.id}, ${email}, 'en', ${app.clock.now()}, ${app.clock.now()})`.execute(
    app.db,
  );
  const plan = async () => {
    const now = Math.floor(app.clock.ms() / 1000);
    await app.alice.ok('POST', `/organizations/${app.home.orgId}/maintenance-windows`, {
      ...{ title: 'Disks', scheduled_start: now + 3_600, scheduled_end: now + 7_200, monitors: [monitor.id] },
    });
    await app.runTask('mail_subscribers', { page_id: page.id });
  };
  const got = () => box.received.filter(({ recipients }) => recipients.includes(email)).length;
  return { page, plan, got };
}

test('a mail of a status page that failed while the clock was ahead is tried again after its pause', async (t) => {
  const { plan, got } = await makePage('Failing');
  box.refuse('451 4.7.1 later');
  t.after(() => box.refuse(null));
  await aheadDuring(async () => {
    await plan();
    await app.runTask('page_mails');
  });
  box.refuse(null);
  await app.runTask('page_mails');
  assert.equal(got(), 0, 'a minute later at the earliest');
  app.clock.advance(MINUTE_MS);
  await app.runTask('page_mails');
  assert.equal(got(), 1);
});

test('a page that mailed much while the clock was ahead mails what is announced now', async () => {
  const { page, plan, got } = await makePage('Busy');
  await aheadDuring(async () => {
    for (let i = 0; i < 4; i++)
      await sql`INSERT INTO status_page_mailings (status_page_id, announcements, created_at)
        VALUES (${page.id}, '[]', ${app.clock.now()})`.execute(app.db);
  });
  app.clock.advance(2 * MINUTE_MS);
  await plan();
  await app.runTask('page_mails');
  assert.equal(got(), 1);
});

test('the report of a month that was mailed while the clock was ahead is mailed again when that month is over', async () => {
  const reader = await app.person('reader', { [app.home.orgId]: 'member' });
  const path = `/organizations/${app.home.orgId}/report-subscriptions`;
  const made = await reader.ok<ReportSubscription>('POST', path, { timezone: 'UTC' });
  const got = () => box.received.filter(({ recipients }) => recipients[0] === reader.email).length;
  await aheadDuring(() => app.runTask('report_mails'), made.next_at_unix * 1000 + 1000 - app.clock.ms());
  assert.equal(got(), 1);
  const [now] = await reader.ok<ReportSubscription[]>('GET', path);
  assert.deepEqual([now?.next_period, now?.next_at_unix], [made.next_period, made.next_at_unix]);
});

test('a report that failed while the clock was ahead is tried again after its pause', async (t) => {
  const reader = await app.person('patient', { [app.home.orgId]: 'member' });
  const path = `/organizations/${app.home.orgId}/report-subscriptions`;
  const made = await reader.ok<ReportSubscription>('POST', path, { timezone: 'UTC' });
  // The month is over; the clock is then half an hour ahead.
  app.clock.advance(made.next_at_unix * 1000 + 1000 - app.clock.ms());
  await app.runTask('partitions');
  box.refuse('451 4.7.1 later');
  t.after(() => box.refuse(null));
  await aheadDuring(() => app.runTask('report_mails'), 30 * MINUTE_MS);
  const [now] = await reader.ok<ReportSubscription[]>('GET', path);
  const inSeconds = (now?.next_at_unix ?? Number.NaN) - Math.floor(app.clock.ms() / 1000);
  assert.ok(now?.next_period === made.next_period && inSeconds > 0 && inSeconds <= 5 * 60, `${inSeconds} s`);
});

test('a probe that died while the clock was ahead is not online for ever', async () => {
  const probe = await app.region('ahead');
  await aheadDuring(() => probe.assignments());
  app.clock.advance(31_000);
  assert.equal((await onlineRegions(app.db, app.clock.now())).has('ahead'), false);
});

test('the operator is mailed about what begins now, whatever was mailed while the clock was ahead', async () => {
  await aheadDuring(async () => {
    const now = app.clock.now();
    await sql`INSERT INTO troubles (kind, subject, data, began_at, ended_at, notified_at, end_notified_at, sending_until)
      VALUES ('disk_full', 'database', '{}', ${now}, ${now}, ${now}, ${now}, ${new Date(now.getTime() + 30_000)})`.execute(
      app.db,
    );
  });
  const now = app.clock.now();
  const { rows } =
    await sql`SELECT began_at, ended_at, notified_at, end_notified_at, sending_until FROM troubles
    WHERE kind = 'disk_full'`.execute(app.db);
  const [same] = [{ began_at: now, ended_at: now, notified_at: now, end_notified_at: now }];
  assert.deepEqual(rows, [{ ...same, sending_until: new Date(now.getTime() + 30_000) }]);
});

test('what limits count has happened by now', async () => {
  const { page } = await makePage('Limited');
  const hash = hashToken('somebody');
  await aheadDuring(async () => {
    const now = app.clock.now();
    await sql`INSERT INTO invitation_mails (user_id, org_id, address_hash, at)
      VALUES (${app.alice.userId}, ${app.home.orgId}, ${hash}, ${now})`.execute(app.db);
    await sql`INSERT INTO sign_in_failures (account_hash, address, at) VALUES (${hash}, '203.0.113.9', ${now})`.execute(
      app.db,
    );
    await sql`INSERT INTO status_page_slug_changes (status_page_id, at) VALUES (${page.id}, ${now})`.execute(
      app.db,
    );
    await sql`INSERT INTO certificate_orders (org_id, domain, at) VALUES (${app.home.orgId}, 'status.example.org', ${now})`.execute(
      app.db,
    );
  });
  const { rows } = await sql<{ at: Date }>`
    SELECT at FROM invitation_mails WHERE address_hash = ${hash}
    UNION ALL SELECT at FROM sign_in_failures WHERE account_hash = ${hash}
    UNION ALL SELECT at FROM status_page_slug_changes WHERE status_page_id = ${page.id}
    UNION ALL SELECT at FROM certificate_orders WHERE domain = 'status.example.org'`.execute(app.db);
  const now = app.clock.now();
  assert.deepEqual(
    rows.map(({ at }) => at),
    [now, now, now, now],
  );
});
