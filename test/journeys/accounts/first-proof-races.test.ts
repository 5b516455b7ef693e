// What an account for somebody else's address makes in the moment in which its owner proves it (docs/rules/access.md).
import assert from 'node:assert/strict';
import { createECDH, randomBytes } from 'node:crypto';
import { before, test } from 'node:test';
import { proveAddress } from '#src/accounts/first-proof.ts';
import { advisoryLock } from '#src/platform/db/advisory-lock.ts';
import { inTransaction } from '#src/platform/db/transaction.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { type Person, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import type { Answer } from '#test/harness/client.ts';
import { until } from '#test/harness/until.ts';
import { waitingStatements } from '#test/harness/waiting.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

test('a link to the wall that is being made while the address is proven is not left behind', async () => {
  const place = await app.place();
  const ada = await app.person('ada', { [place.orgId]: 'admin' });
  await app.db.updateTable('users').set({ email_verified: false }).where('id', '=', ada.userId).execute();
  await racing(
    `wall links ${place.orgId}`,
    () => ada.send('POST', `/organizations/${place.orgId}/wall-links`, { name: 'Late' }),
    ada,
  );
  assert.deepEqual(await app.alice.ok('GET', `/organizations/${place.orgId}/wall-links`), []);
});

test('a browser that is being added while the address is proven is not left behind', async () => {
  const ada = await app.person('ada');
  await app.db.updateTable('users').set({ email_verified: false }).where('id', '=', ada.userId).execute();
  const keys = {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
  await racing(
    `push subscriptions ${ada.userId}`,
    () => ada.send('POST', '/me/push/subscriptions', { endpoint: 'https://push.example.com/1', keys }),
    ada,
  );
  const left = app.db.selectFrom('push_subscriptions').select('id').where('user_id', '=', ada.userId);
  assert.deepEqual(await left.execute(), []);
});

/** The request waits for this lock while the person's address is proven; it is refused then. */
async function racing(lock: string, send: () => Promise<Answer>, { userId }: Person): Promise<void> {
  let making: Promise<Answer> | undefined;
  await inTransaction(app.db, async (holder) => {
    await advisoryLock(holder, lock);
    making = send();
    await until(async () => (await waitingStatements(app.db)) > 0, 'it waits');
    await runWork(app.db, app.clock.now(), SYSTEM, (work) =>
      proveAddress(work, userId, { keepPassword: false }),
    );
  });
  assert.equal((await making)?.status, 401);
}
