// Mails about the installation to several operators (docs/rules/regions-and-probes.md#troubles): each of them gets each, and once.
import assert from 'node:assert/strict';
import { afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { type Person, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { type Mailbox, startMailbox } from '#test/harness/mailbox.ts';
import type { Probe } from '#test/harness/probe.ts';
import { until } from '#test/harness/until.ts';

const MINUTE_MS = 60_000;
const TURN_MS = 5_000;

let app: TestApp;
let mailbox: Mailbox;
let ben: Person;
before(async () => {
  mailbox = await startMailbox();
  closeAfterTests(() => mailbox.stop());
  app = await startAppOfFile({ env: { SMTP_URL: mailbox.url, MAIL_FROM: 'tocsin@example.com' } });
  ben = await app.person('ben');
  await app.db.updateTable('users').set({ operator: true }).where('id', '=', ben.userId).execute();
});

afterEach(async () => {
  await sql`DELETE FROM probes`.execute(app.db);
  await sql`DELETE FROM troubles`.execute(app.db);
  mailbox.received.length = 0;
  mailbox.refuse(null);
});

async function passes(ms: number, ...probes: Probe[]) {
  for (let left = ms; left > 0; left -= TURN_MS) {
    app.clock.advance(Math.min(left, TURN_MS));
    await Promise.all(probes.map((probe) => probe.assignments()));
    await app.runTask('self_monitoring');
  }
}

let made = 0;
/** A region that has been online for a while. */
async function online(): Promise<Probe> {
  const probe = await app.region(`operated-${made++}`);
  await passes(2 * MINUTE_MS, probe);
  return probe;
}

/** What a person got: whether a region went offline or came back. */
const got = ({ email }: Person) =>
  mailbox.received
    .filter(({ recipients }) => recipients.includes(email))
    .map(({ mail }) => /is (offline|online again)$/.exec(mail.subject ?? '')?.[1]);
const arrived = (person: Person, howMany: number) =>
  until(() => got(person).length === howMany, `${howMany} mails to ${person.email}`);

test('the mail of one of two operators that is refused is sent again to that one alone, until it is accepted', async () => {
  const probe = await online();
  mailbox.refuse('451 4.3.0 later', ben.email);
  await passes(2 * MINUTE_MS);
  await arrived(app.alice, 1);
  assert.deepEqual(got(ben), []);
  mailbox.refuse(null);
  await passes(35_000);
  await arrived(ben, 1);
  mailbox.refuse('451 4.3.0 later', ben.email);
  await passes(MINUTE_MS, probe);
  await arrived(app.alice, 2);
  mailbox.refuse(null);
  await passes(35_000, probe);
  await arrived(ben, 2);
  await passes(2 * MINUTE_MS, probe);
  for (const person of [app.alice, ben]) assert.deepEqual(got(person), ['offline', 'online again']);
});

test('an operator whose mail about a trouble was refused to its end is not mailed the end', async () => {
  const probe = await online();
  mailbox.refuse('550 5.1.1 no such user', ben.email);
  await passes(MINUTE_MS);
  await arrived(app.alice, 1);
  await passes(35_000, probe);
  await arrived(app.alice, 2);
  mailbox.refuse(null);
  await passes(2 * MINUTE_MS, probe);
  assert.deepEqual([got(app.alice), got(ben)], [['offline', 'online again'], []]);
});

test('an address that refuses every mail is left alone after a day', async () => {
  await online();
  mailbox.refuse('550 5.1.1 no such user', ben.email);
  await passes(MINUTE_MS);
  await arrived(app.alice, 1);
  await sql`UPDATE troubles SET notified_at = notified_at - interval '1 day'`.execute(app.db);
  mailbox.refuse(null);
  await passes(MINUTE_MS);
  assert.deepEqual(got(ben), []);
});
