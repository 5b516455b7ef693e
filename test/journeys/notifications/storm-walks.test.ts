// Some of the walks of `npm run simulate -- storms`: whatever fails, is held, acknowledged or deleted in whatever order, what needs
// somebody rings and has an open page, and nothing else does.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { claimNotices } from '#src/user-notifications/claim.ts';
import { enqueueNotices } from '#src/user-notifications/enqueue.ts';
import { makeAlarm } from '#test/harness/alarms.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { until } from '#test/harness/until.ts';
import { sendingMails } from '#test/storms/senders.ts';
import { type Stage, startStage, takeWalk } from '#test/storms/take-walk.ts';
import { wordsOf, writeWalk } from '#test/storms/walk.ts';

let stage: Stage;
before(async () => {
  stage = await startStage();
  closeAfterTests(() => Promise.resolve(stage[Symbol.asyncDispose]()));
});

// In both servers die and are late while they send, deliveries are replayed, and subscriptions and filters change. The first has
// people on call and servers that are late with mails, and in the second one dies with them.
for (const seed of [250, 828]) {
  const walk = writeWalk(seed, 25);
  test(`at every moment of walk ${seed}, what needs somebody rings and is paged, and nothing else`, async () => {
    assert.deepEqual(await takeWalk(stage, walk), [], wordsOf(walk));
  });
}

test('a walk waits until a server has committed which mails it sends: later, its lease might be over while it sends them', async () => {
  const { app } = stage;
  const { orgId } = await app.place();
  const { alarmNo } = await makeAlarm(app, orgId);
  const claimed = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const claiming = runWork(app.db, app.clock.now(), SYSTEM, async (work) => {
    const data = { incidents: [], total: 0, stage: 'mail' as const };
    const mail = { channel: 'mail' as const, kind: 'alarm' as const, userId: app.alice.userId };
    await enqueueNotices(work, [{ ...mail, orgId, alarmNo, data }]);
    await claimNotices(work.tx, work.now, 'mail', { free: 10, reserved: 0 });
    claimed.resolve();
    await commit.promise;
  });
  await claimed.promise;
  let isKnown = false;
  const leases = sendingMails(app, orgId)
    .leases()
    .finally(() => {
      isKnown = true;
    });
  try {
    await until(async () => {
      const waiting = sql`SELECT FROM pg_locks WHERE relation = 'notices'::regclass AND NOT granted`;
      return (await waiting.execute(app.db)).rows.length > 0 || isKnown;
    }, 'the walk waits');
    assert.equal(isKnown, false);
  } finally {
    commit.resolve();
    await claiming;
  }
  assert.equal((await leases).length, 1);
});
