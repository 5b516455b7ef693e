// The server has no free descriptor when an alarm must be sent: that uses up no attempt, and everything arrives once.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { sql } from 'kysely';
import { enqueueEvents } from '#src/notifications/outbox.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { enqueueNotices, NOTICES_CHANNEL } from '#src/user-notifications/enqueue.ts';
import { makeAlarm } from '../harness/alarms.ts';
import { realClock } from '../harness/app.ts';
import { freshDatabase } from '../harness/database.ts';
import { idsOf, incidentPayload } from '../harness/enqueued-events.ts';
import { startInstallation } from '../harness/installation.ts';
import { startMailbox } from '../harness/mailbox.ts';
import { startPushService } from '../harness/push-service.ts';
import { startReceiver } from '../harness/receiver.ts';
import { until } from '../harness/until.ts';
import { scaled } from './scale.ts';

const FILES = 256;
const EVENTS = scaled(3, 200);

test('webhooks, mails and pushes without a free descriptor lose no attempt, and arrive once when there is one', {
  skip: process.platform === 'linux' ? false : 'the limit of a running process is set on Linux only',
}, async () => {
  await using stack = new AsyncDisposableStack();
  const { db, url } = stack.use(await freshDatabase());
  const receiver = await startReceiver();
  stack.defer(() => receiver.stop());
  const box = await startMailbox();
  stack.defer(() => box.stop());
  const service = await startPushService();
  stack.defer(() => service.stop());
  const env = {
    DATABASE_URL: url,
    SECRET_KEY: 'k'.repeat(32),
    LOCAL_PROBE: 'off',
    SMTP_URL: box.url,
    MAIL_FROM: 'Tocsin <tocsin@example.com>',
  };
  const server = await startInstallation({ openFiles: FILES, env });
  stack.defer(() => server.remove());
  const alice = await server.admin();
  const [home] = await alice.ok<{ id: string }[]>('GET', '/me/organizations');
  const orgId = home?.id ?? '';
  const { id: userId } = await db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const hook = { name: 'Hook', kind: 'webhook', url: receiver.url, events: ['opened'] };
  await alice.ok('POST', `/organizations/${orgId}/webhooks`, hook);
  const { key } = await alice.ok<{ key: string }>('GET', '/me/push/key');
  const browser = service.browser(key);
  await alice.ok('POST', '/me/push/subscriptions', browser.subscription);
  const { alarmNo, incidentIds } = await makeAlarm({ db, clock: realClock }, orgId);

  const allow = (openFiles: number) =>
    execFileSync('prlimit', [`--pid=${server.serverPid()}`, `--nofile=${openFiles}:${FILES}`]);
  // Open files stay open; nothing can be opened any more.
  allow(1);
  const ids = idsOf(EVENTS);
  const incidents = [
    { id: incidentIds[0] ?? '', monitor_name: 'Shop', cause: 'It is slow', started_at_unix: 1_800_000_000 },
  ];
  const about = {
    kind: 'alarm',
    data: { incidents, total: 1, stage: 'start' },
    orgId,
    userId,
    alarmNo,
  } as const;
  await runWork(db, new Date(), SYSTEM, async (work) => {
    const none = { projectId: null, monitorNo: null, groupNo: null };
    const events = ids.map((id) => ({ ...none, event: 'opened' as const, incident: incidentPayload(id) }));
    await enqueueEvents(work, orgId, events, ['webhook']);
    await enqueueNotices(work, [
      { ...about, channel: 'mail' },
      { ...about, channel: 'push' },
    ]);
  });

  const states = async () => {
    const deliveries = await db.selectFrom('deliveries').select(['state', 'attempts', 'error']).execute();
    const notices = await db.selectFrom('notices').select(['state', 'attempts', 'error']).execute();
    return [...deliveries, ...notices];
  };
  const untilAll = (state: string, error: string | null, attempts: number) =>
    until(
      async () => {
        const all = await states();
        return all.every((one) => one.state === state && one.error === error && one.attempts === attempts);
      },
      `all is ${state}`,
      30_000,
    ).catch(async (late: Error) =>
      assert.fail(`${late.message}: ${JSON.stringify(await states())}\n${server.output()}`),
    );
  const dueNow = async () => {
    await sql`UPDATE delivery_queue SET next_attempt_at = now()`.execute(db);
    await sql`UPDATE notices SET next_attempt_at = now() WHERE state = 'pending'`.execute(db);
    await sql`SELECT pg_notify(${NOTICES_CHANNEL}, '')`.execute(db);
  };
  await untilAll('pending', 'probe_exhausted', 0);
  allow(FILES);
  await dueNow();
  await receiver.next(({ body }) => body.incident?.id === ids.at(-1));
  await box.next(({ mail }) => /Shop/.test(mail.subject ?? ''));
  await service.next(({ browser: no }) => no === browser.no);
  await until(
    async () =>
      (await states()).every(({ state, attempts }) => /delivered|sent/.test(state) && attempts === 1),
    'all of it arrived with its first try',
  );
  assert.deepEqual(receiver.received.map(({ body }) => body.incident?.id).toSorted(), ids.toSorted());
  assert.deepEqual([box.received.length, service.received.length], [1, 1]);
});
