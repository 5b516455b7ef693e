// Invitations: sent, revoked, run out and accepted; what a full plan and many at once do (docs/rules/access.md#invitations).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { Invitation, Member } from '#src/members/contract.ts';
import { forgetOldMails } from '#src/members/mail-invitation.ts';
import { createLog } from '#src/platform/log.ts';
import { hashToken } from '#src/platform/secrets.ts';
import {
  PASSWORD,
  type Person,
  type Place,
  startAppOfFile,
  startTestApp,
  type TestApp,
} from '#test/harness/app.ts';
import { type Mailbox, startMailbox } from '#test/harness/mailbox.ts';
import { assertRefused } from '#test/harness/refused.ts';

const BASE_URL = 'https://tocsin.example.com';
const DAY_MS = 86_400_000;
const NOT_FOUND = { status: 404, error: 'not_found' };
const FORBIDDEN = { status: 403, error: 'forbidden' };
const INVALID = { status: 400, error: 'invalid_request' };

type Created = { invitation: Invitation; invite_token: string | null };
type Accepted = { organization: { id: string; name: string; slug: string }; role: string };

/** Without mail: tokens come back. */
let app: TestApp;
/** With a mail server. */
let mailed: TestApp;
let mailbox: Mailbox;
let logged = '';
before(async () => {
  mailbox = await startMailbox();
  const env = { RATE_LIMITS: 'off' };
  app = await startAppOfFile({ env });
  mailed = await startAppOfFile({
    log: createLog('trace', false, (line) => {
      logged += line;
    }),
    env: { ...env, BASE_URL, SMTP_URL: mailbox.url, MAIL_FROM: 'Tocsin <tocsin@example.com>' },
  });
});
after(() => mailbox.stop());

let made = 0;
function someone(): string {
  made += 1;
  return `new-${made}@example.org`;
}
const invitationsOf = ({ orgId }: Place) => `/organizations/${orgId}/invitations`;
const listed = (place: Place, on = app) => on.alice.ok<Invitation[]>('GET', invitationsOf(place));

async function invite(place: Place, given: { email?: string; role?: string; by?: Person } = {}) {
  const { email = someone(), role = 'member', by = app.alice } = given;
  const { invitation, invite_token } = await by.ok<Created>('POST', invitationsOf(place), { email, role });
  assert.ok(invite_token);
  return { ...invitation, token: invite_token };
}

const accept = (token: string, more: object = {}, on = app, by = on.visitor()) =>
  by.send<Accepted>('POST', '/auth/invitations/accept', { token, ...more });
const NEW = { name: 'Nia New', password: PASSWORD };

test('without mail the token is returned once, and only its hash is stored', async () => {
  const place = await app.place();
  const answer = await app.alice.send<Created>('POST', invitationsOf(place), {
    email: ' Nia@Example.ORG ',
    role: 'manager',
  });
  assert.equal(answer.status, 201);
  const { invitation, invite_token: token } = answer.body;
  assert.match(invitation.id, /^inv_[0-9a-z]{26}$/);
  assert.deepEqual(invitation, {
    id: invitation.id,
    email: 'nia@example.org',
    role: 'manager',
    expires_at_unix: (app.clock.ms() + 7 * DAY_MS) / 1000,
  });
  assert.ok(token && Buffer.from(token, 'base64url').length * 8 >= 128);
  assert.deepEqual(await listed(place), [invitation]);
  const [stored] = await app.db
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', invitation.id)
    .execute();
  assert.deepEqual(stored?.token_hash, hashToken(token));
  const log = await app.db.selectFrom('activity').selectAll().where('org_id', '=', place.orgId).execute();
  assert.ok(!JSON.stringify([stored, log]).includes(token));
});

test('with mail the link goes to the address, and no token is returned', async () => {
  const place = await mailed.place();
  await mailed.db
    .updateTable('organizations')
    .set({ name: 'Fish & <b>Chips</b>' })
    .where('id', '=', place.orgId)
    .execute();
  const email = someone();
  const { invitation, invite_token } = await mailed.alice.ok<Created>('POST', invitationsOf(place), {
    email,
    role: 'admin',
  });
  assert.equal(invite_token, null);
  const { mail, recipients } = await mailbox.next(({ recipients }) => recipients.includes(email));
  assert.deepEqual(recipients, [email]);
  assert.equal(mail.subject, 'Admin invites you to Fish & <b>Chips</b> on Tocsin');
  const [, token = ''] =
    /https:\/\/tocsin\.example\.com\/app\/invitation#token=([\w-]+)/.exec(mail.text ?? '') ?? [];
  assert.ok(mail.html?.includes(`href="${BASE_URL}/app/invitation#token=${token}"`));
  assert.ok(mail.html?.includes('Fish &amp; &lt;b&gt;Chips&lt;/b&gt;') && !mail.html.includes('<b>'));
  for (const words of ['Admin (alice@example.com)', 'admin', 'until', 'UTC', email])
    assert.ok(mail.text?.replaceAll('\u200b', '').includes(words), words);

  const accepted = await accept(token, NEW, mailed);
  assert.equal(accepted.status, 200);
  const user = await mailed.db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', invitation.email)
    .executeTakeFirstOrThrow();
  assert.equal(user.email_verified, true, 'the link proves the address');
});

test('if the mail server refuses or is down the token is returned instead, and the address is not verified', async () => {
  const place = await mailed.place();
  mailbox.refuse('550 5.1.1 no such user');
  const email = someone();
  try {
    const body = { email, role: 'member' };
    const { invite_token } = await mailed.alice.ok<Created>('POST', invitationsOf(place), body);
    assert.ok(invite_token);
    assert.equal((await accept(invite_token, NEW, mailed)).status, 200);
    assert.match(logged, /"failure_class":"smtp_envelope".*an invitation could not be mailed/);
    assert.ok(!logged.includes(invite_token) && !logged.includes(PASSWORD));
  } finally {
    mailbox.refuse(null);
  }
  const user = await mailed.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
  assert.equal(user?.email_verified, false);
});

test('an invitation that the mail server did not take because of us counts towards no limit', async () => {
  const place = await mailed.place();
  const email = someone();
  const invite = async () => {
    const made = await mailed.alice.send<Created>('POST', invitationsOf(place), { email, role: 'member' });
    if (made.status === 201)
      await mailed.alice.ok('DELETE', `${invitationsOf(place)}/${made.body.invitation.id}`);
    return [made.status, made.body.invite_token === null];
  };
  mailbox.refuse('535 5.7.8 the password has expired', undefined, 'sender');
  try {
    for (let i = 0; i < 6; i++) assert.deepEqual(await invite(), [201, false]);
  } finally {
    mailbox.refuse(null);
  }
  for (let i = 0; i < 5; i++) assert.deepEqual(await invite(), [201, true]);
  assert.equal((await invite())[0], 429);
});

test('an organization mails 20 invitations a day, whoever sends them; then 429 without a token', async () => {
  const place = await mailed.place();
  const admins = [await mailed.person('a', { [place.orgId]: 'admin' }), mailed.alice];
  const post = (by: Person) =>
    by.send<Created>('POST', invitationsOf(place), { email: someone(), role: 'member' });
  const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => post(admins[n % 2]!)));
  const made = answers.filter(({ status }) => status === 201);
  assert.deepEqual([made.length, made.every(({ body }) => body.invite_token === null)], [20, true]);
  const refused = answers.filter(({ status }) => status !== 201);
  for (const answer of refused)
    assertRefused(answer, { status: 429, error: 'rate_limited', reason: 'invitation_mails' });
  assert.equal(refused[0]?.headers.get('retry-after'), String(DAY_MS / 1000));
  assert.equal((await listed(place, mailed)).length, 20, 'what cannot be mailed is not made');
  // Revoking does not give a mail back.
  await mailed.alice.ok('DELETE', `${invitationsOf(place)}/${made[0]?.body.invitation.id}`);
  assert.equal((await post(mailed.alice)).status, 429);
  mailed.clock.advance(DAY_MS - 1000);
  const last = await post(mailed.alice);
  assert.deepEqual([last.status, last.headers.get('retry-after')], [429, '1']);
  mailed.clock.advance(1000);
  await forgetOldMails(mailed.db, mailed.clock.now());
  const kept = await sql`SELECT 1 FROM invitation_mails WHERE org_id = ${place.orgId}`.execute(mailed.db);
  assert.equal(kept.rows.length, 0);
  assert.equal((await post(mailed.alice)).status, 201);
});

test('an address gets 5 invitations a day, whoever sends them', async () => {
  const victim = someone();
  const sent: number[] = [];
  for (let i = 0; i < 7; i++) {
    const bob = await mailed.person(`bob-${i}`);
    const { orgId } = await mailed.place(bob);
    const email = i % 2 === 0 ? victim : victim.toUpperCase();
    const body = { email, role: 'member' };
    sent.push((await bob.send('POST', `/organizations/${orgId}/invitations`, body)).status);
  }
  assert.deepEqual(sent, [201, 201, 201, 201, 201, 429, 429]);
  const other = await mailed.place();
  await mailed.alice.ok('POST', invitationsOf(other), { email: someone(), role: 'member' });
});

test('a person mails 20 invitations a day over all organizations, including deleted ones', async () => {
  const bob = await mailed.person('bob');
  const sent: number[] = [];
  for (let i = 0; i < 3; i++) {
    const { orgId } = await mailed.place(bob);
    const path = `/organizations/${orgId}/invitations`;
    for (let n = 0; n < 8; n++)
      sent.push((await bob.send('POST', path, { email: someone(), role: 'member' })).status);
    await bob.ok('DELETE', `/organizations/${orgId}`);
  }
  assert.deepEqual(sent, [...Array(20).fill(201), ...Array(4).fill(429)]);
});

test('an invited person with a new account joins and is signed in, and the invitation is used up', async () => {
  const place = await app.place();
  const { token, email, id } = await invite(place, { role: 'manager' });
  const visitor = app.visitor();
  const seen = await visitor.send('POST', '/auth/invitations/look-up', { token });
  assert.equal(seen.status, 200);
  const { organization_name, ...rest } = seen.body as { organization_name: string };
  assert.match(organization_name, /^Place /);
  assert.deepEqual(rest, {
    invited_by: 'Admin',
    email,
    role: 'manager',
    expires_at_unix: (app.clock.ms() + 7 * DAY_MS) / 1000,
    has_account: false,
  });
  const { status, body } = await accept(token, NEW, app, visitor);
  assert.equal(status, 200);
  assert.equal(body.organization.id, place.orgId);
  assert.equal(body.role, 'manager');
  const members = await visitor.ok<Member[]>('GET', `/organizations/${place.orgId}/members`);
  assert.deepEqual(
    members.map((member) => [member.email, member.name, member.role]),
    [
      [app.alice.email, 'Admin', 'owner'],
      [email, 'Nia New', 'manager'],
    ],
  );
  assert.deepEqual(await listed(place), []);
  assertRefused(await accept(token, NEW), NOT_FOUND);
  assertRefused(await app.visitor().send('POST', '/auth/invitations/look-up', { token }), NOT_FOUND);
  const fresh = app.visitor();
  await fresh.ok('POST', '/auth/sign-in/email', { email, password: PASSWORD });

  const log = await app.alice.ok<ActivityEntry[]>(
    'GET',
    `/organizations/${place.orgId}/activity?resource_id=${id}`,
  );
  assert.deepEqual(
    log.map(({ action, actor }) => [action, actor.name]),
    [
      ['invitation.accept', 'Nia New'],
      ['invitation.create', 'Admin'],
    ],
  );
  assert.equal((log[0]?.after as Member | null)?.role, 'manager');
  assert.ok(!JSON.stringify(log).includes(token) && !JSON.stringify(log).includes(PASSWORD));
});

test('an invited person with an account signs in first, and joins with it', async () => {
  const place = await app.place();
  const bob = await app.person('bob');
  const { token } = await invite(place, { email: bob.email.toUpperCase() });
  const seen = await app
    .visitor()
    .ok<{ has_account: boolean }>('POST', '/auth/invitations/look-up', { token });
  assert.equal(seen.has_account, true);
  assertRefused(await accept(token, NEW), { status: 401, error: 'unauthenticated' });
  const accepted = await accept(token, {}, app, bob);
  assert.deepEqual([accepted.status, accepted.body.role], [200, 'member']);
  assert.equal((await bob.ok<unknown[]>('GET', '/me/organizations')).length, 1);
});

test('an invitation is bound to its address: nobody else can accept it, and no key', async () => {
  const place = await app.place();
  const eve = await app.person('eve');
  const { token, email } = await invite(place);
  const answer = await accept(token, NEW, app, eve);
  assertRefused(answer, FORBIDDEN);
  assert.ok((answer.body as unknown as { message: string }).message.includes(email));
  const headers = { authorization: 'Bearer tcn_x' };
  assertRefused(await eve.send('POST', '/auth/invitations/accept', { token, ...NEW }, headers), {
    status: 401,
    error: 'key_not_accepted',
  });
  // 401 before 404: also with a token that is none.
  assertRefused(await eve.send('POST', '/auth/invitations/accept', { token: 'none' }, headers), {
    status: 401,
    error: 'key_not_accepted',
  });
  assert.equal((await listed(place)).length, 1);
});

test('every invited address can accept, and sign in again; other addresses are refused at the invitation', async () => {
  const place = await app.place();
  for (const email of ["o'brien", 'a+b', 'a_b-c', 'first.last', '\u212a'].map(
    (name) => `${name}@Mail-1.Example`,
  )) {
    const { token } = await invite(place, { email });
    assert.equal((await accept(token, NEW)).status, 200, email);
    await app.visitor().ok('POST', '/auth/sign-in/email', { email: email.toLowerCase(), password: PASSWORD });
  }
  const outside = [
    'ünï@x.example',
    'a@münchen.example',
    'a\u200bb@x.example',
    'a\u0001@x.example',
    'ａ@x.example',
  ];
  const malformed = [
    '.a@x.example',
    'a..b@x.example',
    'a@x..example',
    'a@-x.example',
    'a@x_y.example',
    'a@x.e',
  ];
  for (const email of [...outside, ...malformed])
    assertRefused(
      await app.alice.send('POST', invitationsOf(place), { email, role: 'member' }),
      { ...INVALID, field: 'email' },
      JSON.stringify(email),
    );
});

test('a new account needs a name and a password, named in the refusal', async () => {
  const { token } = await invite(await app.place());
  const refused = async (more: object, field: string) =>
    assertRefused(await accept(token, more), { ...INVALID, field }, JSON.stringify(more));
  await refused({ password: PASSWORD }, 'name');
  await refused({ name: '  ', password: PASSWORD }, 'name');
  await refused({ name: null, password: PASSWORD }, 'name');
  await refused({ name: 'Nia' }, 'password');
  await refused({ name: 'Nia', password: 'short' }, 'password');
  await refused({ name: 'Nia', password: PASSWORD, email: 'x@example.org' }, 'email');
  assert.equal((await accept(token, NEW)).status, 200);
});

test('with sign-up closed nobody gets an account, and people with one can still join', async () => {
  await using closed = await startTestApp({ env: { SIGNUP: 'closed' } });
  const bob = await closed.person('bob');
  const path = invitationsOf(closed.home);
  const stranger = await closed.alice.ok<Created>('POST', path, { email: someone(), role: 'member' });
  assertRefused(await accept(stranger.invite_token ?? '', NEW, closed), FORBIDDEN);
  const known = await closed.alice.ok<Created>('POST', path, { email: bob.email, role: 'member' });
  assert.equal((await accept(known.invite_token ?? '', {}, closed, bob)).status, 200);
});

test('an unknown, revoked or expired token opens nothing, and says what to do', async () => {
  const place = await app.place();
  const revoked = await invite(place);
  const old = await invite(place);
  assert.equal((await app.alice.send('DELETE', `${invitationsOf(place)}/${revoked.id}`)).status, 204);
  assertRefused(await app.alice.send('DELETE', `${invitationsOf(place)}/${revoked.id}`), NOT_FOUND);
  app.clock.advance(7 * DAY_MS - 1000);
  assert.equal((await listed(place)).length, 1);
  app.clock.advance(1000);
  assert.deepEqual(await listed(place), []);
  assertRefused(await app.alice.send('DELETE', `${invitationsOf(place)}/${old.id}`), NOT_FOUND);
  for (const token of [revoked.token, old.token, 'unknown', `${old.token}x`]) {
    const answer = await accept(token, NEW);
    assertRefused(answer, NOT_FOUND);
    assert.match((answer.body as unknown as { message: string }).message, /Ask for a new one/);
    assertRefused(await app.visitor().send('POST', '/auth/invitations/look-up', { token }), NOT_FOUND);
  }
  const again = await invite(place, { email: old.email });
  assertRefused(await accept(old.token, NEW), NOT_FOUND, 'replaced');
  assert.equal((await accept(again.token, NEW)).status, 200);
});

test('revoking an invitation of another organization is 404', async () => {
  const [mine, theirs] = [await app.place(), await app.place()];
  const { id } = await invite(theirs);
  for (const wrong of [id, 'inv_01h455vb4pex5vsknk084sn02q', 'nothing'])
    assertRefused(await app.alice.send('DELETE', `${invitationsOf(mine)}/${wrong}`), NOT_FOUND, wrong);
  assert.equal((await listed(theirs)).length, 1);
});

test('an address is invited once, and not if it already belongs to a member', async () => {
  const place = await app.place();
  const bob = await app.person('bob', { [place.orgId]: 'member' });
  const { email } = await invite(place);
  const post = (given: string) =>
    app.alice.send('POST', invitationsOf(place), { email: given, role: 'member' });
  assertRefused(await post(email.toUpperCase()), { status: 409, error: 'already_invited', field: 'email' });
  assertRefused(await post(bob.email), { status: 409, error: 'already_member', field: 'email' });
  for (const bad of ['', 'nobody', 'a@b', 'a b@example.org', 'Ann <a@example.org>', 'a@b.org,c@d.org'])
    assertRefused(await post(bad), { ...INVALID, field: 'email' }, bad);
});

test('an invited person who has joined meanwhile is refused with that reason', async () => {
  const place = await app.place();
  const bob = await app.person('bob');
  const { token } = await invite(place, { email: bob.email });
  await app.db
    .insertInto('members')
    .values({ org_id: place.orgId, user_id: bob.userId, role: 'member', joined_at: app.clock.now() })
    .execute();
  assertRefused(await accept(token, {}, app, bob), { status: 409, error: 'already_member' });
});

test('nobody invites above their own role, and a manager invites nobody', async () => {
  const place = await app.place();
  const admin = await app.person('admin', { [place.orgId]: 'admin' });
  const manager = await app.person('manager', { [place.orgId]: 'manager' });
  const path = invitationsOf(place);
  const owner = { email: someone(), role: 'owner' };
  assertRefused(await admin.send('POST', path, owner), { ...FORBIDDEN, field: 'role' });
  assertRefused(await manager.send('POST', path, { ...owner, role: 'member' }), FORBIDDEN);
  assertRefused(await manager.send('GET', path), FORBIDDEN);
  assert.equal((await invite(place, { by: admin, role: 'admin' })).role, 'admin');
  assert.equal((await invite(place, { role: 'owner' })).role, 'owner');
});

test('a full plan is 402 before the body is validated, and after the caller’s rights are checked', async () => {
  const place = await app.place(app.alice, 'free');
  const admin = await app.person('admin', { [place.orgId]: 'admin' });
  const manager = await app.person('manager');
  const { id, email } = await invite(place);
  const path = invitationsOf(place);
  const full = { status: 402, error: 'plan_limit', field: 'seats', limit: 3 };
  for (const body of [
    { email: someone(), role: 'member' },
    { email: 'no address', role: 'member' },
    { email, role: 'member' },
    { email: admin.email, role: 'member' },
    { email: someone(), role: 'king' },
    { role: 'member' },
    { nonsense: true },
    undefined,
  ])
    assertRefused(await admin.send('POST', path, body), full, JSON.stringify(body));
  const above = { email: 'no address', role: 'owner' };
  assertRefused(await admin.send('POST', path, above), { ...FORBIDDEN, field: 'role' });
  assertRefused(await manager.send('POST', path, {}), FORBIDDEN);

  await app.alice.ok('DELETE', `${path}/${id}`);
  await invite(place);
  assertRefused(await app.alice.send('POST', path, { email: someone(), role: 'member' }), full);
  app.clock.advance(7 * DAY_MS);
  await invite(place);
});

test('accepting uses the reserved seat, even after the plan has shrunk', async () => {
  const place = await app.place(app.alice, 'pro');
  const open = [await invite(place), await invite(place), await invite(place)];
  await app.db.updateTable('organizations').set({ plan: 'free' }).where('id', '=', place.orgId).execute();
  for (const { token } of open) assert.equal((await accept(token, NEW)).status, 200);
  const more = await app.alice.send('POST', invitationsOf(place), { email: someone(), role: 'member' });
  assertRefused(more, { status: 402, error: 'plan_limit', field: 'seats', limit: 3 });
});

test('of twenty invitations at once for the last seat exactly one succeeds', async () => {
  // Several rounds: one in which the twenty happen to follow each other would prove nothing.
  for (let round = 0; round < 4; round++) {
    const place = await app.place(app.alice, 'free');
    await invite(place);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        app.alice.send('POST', invitationsOf(place), { email: someone(), role: 'member' }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(19).fill(402)]);
    assert.equal((await listed(place)).length, 2);
  }
});

test('of several invitations of one address at once, one is created', async () => {
  const place = await app.place();
  const body = { email: someone(), role: 'member' };
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => app.alice.send('POST', invitationsOf(place), body)),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
});

test('of several acceptances at once exactly one joins, with an account or without', async () => {
  const place = await app.place();
  const bob = await app.person('bob');
  const known = await invite(place, { email: bob.email });
  const byBob = await Promise.all(Array.from({ length: 5 }, () => accept(known.token, {}, app, bob)));
  assert.deepEqual(byBob.map(({ status }) => status).sort(), [200, 404, 404, 404, 404]);
  const fresh = await invite(place);
  const byNew = await Promise.all(Array.from({ length: 4 }, () => accept(fresh.token, NEW)));
  assert.deepEqual(byNew.map(({ status }) => status).sort(), [200, 404, 404, 404]);
});
