// SECRET_KEY is replaced while the installation runs: with the old one beside it everything opens, afterwards without.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { type TOTP, URI } from 'otpauth';
import { librarySecrets } from '#src/accounts/library-secrets.ts';
import { openConfig, resealConfig, sealConfig } from '#src/monitors/sealing.ts';
import { rulesOf } from '#src/monitors/types.ts';
import { secretContext } from '#src/notifications/delivery/send.ts';
import type { Log } from '#src/platform/log.ts';
import { openVault, SecretUnreadable, type Vault } from '#src/platform/secrets.ts';
import { type Database, SYSTEM } from '#src/platform/work.ts';
import { storeCheckRequest } from '#src/probe-protocol/check-now.ts';
import { bundledToken } from '#src/regions/bundled-token.ts';
import { serversWithAnotherKey } from '#src/secret-key/keys-in-force.ts';
import { countSeals, resealAll } from '#src/secret-key/reseal.ts';
import { startResealing } from '#src/secret-key/reseal-at-start.ts';
import { SEALED_COLUMNS } from '#src/secret-key/sealed-columns.ts';
import { PASSWORD, SECRET_KEY, startAppOfFile, startNode, type TestApp } from '#test/harness/app.ts';
import { type Client, makeClient, signIn } from '#test/harness/client.ts';
import { silent } from '#test/harness/cluster.ts';
import { type LivedIn, liveIn, SECRETS } from '#test/harness/lived-in.ts';
import { until } from '#test/harness/until.ts';

const NEW_KEY = 'the secret key after it, long enough to be one';
const old = openVault(SECRET_KEY);
const both = openVault(NEW_KEY, [SECRET_KEY]);
const fresh = openVault(NEW_KEY);

let app: TestApp;
let lived: LivedIn;
let authenticator: TOTP;

before(async () => {
  app = await startAppOfFile({ env: { LOCAL_PROBE: 'on' } });
  lived = await liveIn(app);
  await signIn(lived.owner, lived.owner.email, PASSWORD);
  const { totpURI } = await lived.owner.ok<{ totpURI: string }>('POST', '/auth/two-factor/enable', {
    password: PASSWORD,
  });
  authenticator = URI.parse(totpURI) as TOTP;
  const { no } = await app.db
    .selectFrom('regions')
    .select('no')
    .where('slug', '=', 'local')
    .executeTakeFirstOrThrow();
  const waiting = { orgId: lived.orgId, regionNo: no, type: 'http', config: SECRETS, now: app.clock.now() };
  await storeCheckRequest(app.db, app.vault, waiting);
  await lived.owner.ok('POST', `/projects/${lived.projectId}/monitors`, {
    name: 'Nightly backup',
    type: 'heartbeat',
    config: { schedule: { kind: 'period', period_seconds: 86_400 } },
  });
});

/** Every text, JSON or array column of the schema that has a seal in it somewhere. */
async function sealedAnywhere(db: Database): Promise<string[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    SELECT c.relname AS table, a.attname AS column FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND a.attnum > 0 AND NOT a.attisdropped
      AND a.atttypid IN ('text'::regtype, 'jsonb'::regtype, 'json'::regtype, 'text[]'::regtype, 'varchar'::regtype)`.execute(
    db,
  );
  const found: string[] = [];
  for (const { table, column } of rows) {
    const { rows: hits } = await sql`SELECT FROM ${sql.table(table)}
      WHERE ${sql.ref(column)}::text ~ 'sealed:[0-9]+:|[$]ba[$][0-9]+[$]' LIMIT 1`.execute(db);
    if (hits.length > 0) found.push(`${table}.${column}`);
  }
  return found.sort();
}

test('encrypted values are in every listed column and nowhere else', async () => {
  const listed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`).sort();
  assert.deepEqual(await sealedAnywhere(app.db), listed);
  const counts = await countSeals(app.db, app.vault);
  for (const { table, column, ...count } of counts) {
    assert.ok(count.current > 0, `${table}.${column}`);
    assert.deepEqual([count.left, count.unreadable], [0, 0], `${table}.${column}`);
  }
});

const total = async (vault: Vault) => {
  const counts = await countSeals(app.db, vault);
  const sum = (name: 'current' | 'left' | 'unreadable') =>
    counts.reduce((all, count) => all + count[name], 0);
  return { current: sum('current'), left: sum('left'), unreadable: sum('unreadable') };
};

const clientOf = (url: string, person: Client) => makeClient(url, { cookie: person.cookie() });

const pushKeyOf = (client: Client) => client.ok<{ public_key: string }>('GET', '/me/push/key');

/** What the secrets of the lived-in organization open as. */
async function openedSecrets(vault: Vault) {
  const hook = await app.db
    .selectFrom('webhook_targets')
    .selectAll()
    .where('kind', '=', 'webhook')
    .executeTakeFirstOrThrow();
  const { type, config } = await app.db
    .selectFrom('monitors')
    .select(['type', 'config'])
    .where('id', '=', lived.monitorId)
    .executeTakeFirstOrThrow();
  return {
    hook: vault.open(hook.secret_sealed ?? '', secretContext(hook.id)),
    monitor: openConfig(rulesOf(type), config as Record<string, unknown>, lived.monitorId, vault),
  };
}

test('throughout a rotation nobody is signed out early and nothing is lost', async () => {
  const before = await total(old);
  const secrets = await openedSecrets(old);
  const pushKey = await pushKeyOf(lived.owner);
  const accounts = await app.db.selectFrom('known_addresses').selectAll().execute();
  assert.equal(accounts.length, 1);
  await app.app.stop();

  await using rotating = new AsyncDisposableStack();
  const env = { SECRET_KEY: NEW_KEY, LOCAL_PROBE: 'on' };
  const node = await startNode(rotating, app.databaseUrl, app.clock, {
    ...env,
    SECRET_KEY_PREVIOUS: SECRET_KEY,
  });
  const owner = clientOf(node.app.address, lived.owner);
  assert.equal((await owner.send('GET', '/me')).status, 200, 'a session from before');
  const forged = lived.owner.cookie().replace(/%3D$|=$/, 'A');
  assert.equal((await makeClient(node.app.address, { cookie: forged }).send('GET', '/me')).status, 401);
  await until(async () => (await total(both)).left === 0, 'everything is sealed again');
  assert.deepEqual(await total(both), { ...before, current: before.current });
  assert.deepEqual(await openedSecrets(fresh), secrets);
  assert.throws(() => old.open(both.seal('x', 'y'), 'y'));
  assert.deepEqual(await pushKeyOf(owner), pushKey, 'browsers stay subscribed');
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const asked = (token: string) =>
    makeClient(node.app.address).send('GET', '/probe/assignments', undefined, bearer(token));
  assert.equal((await asked(bundledToken(SECRET_KEY, 0))).status, 401, 'the token of the old key');
  assert.notEqual((await asked(bundledToken(NEW_KEY, 0))).status, 401);

  // The second factor was set up under the old key, and is used under the new one.
  await owner.ok('POST', '/auth/two-factor/verify-totp', { code: authenticator.generate() });
  await rotating.disposeAsync();

  await using rotated = new AsyncDisposableStack();
  const after = await startNode(rotated, app.databaseUrl, app.clock, env);
  assert.equal((await clientOf(after.app.address, lived.owner).send('GET', '/me')).status, 401);
  const person = makeClient(after.app.address);
  const account = { email: lived.owner.email, password: PASSWORD };
  const first = await person.ok<{ twoFactorRedirect: boolean }>('POST', '/auth/sign-in/email', account);
  assert.equal(first.twoFactorRedirect, true);
  const code = authenticator.generate({ timestamp: Date.now() + 30_000 });
  await person.ok('POST', '/auth/two-factor/verify-totp', { code });
  assert.deepEqual(await pushKeyOf(person), pushKey);
  const known = await app.db.selectFrom('known_addresses').select('account_hash').execute();
  assert.equal(known.length, accounts.length, 'accounts are hashed as before: nobody is a stranger');
  assert.deepEqual(await total(fresh), before);
});

test('a secret that no key opens stays as it is and is counted; the others are re-encrypted', async () => {
  await using rotating = new AsyncDisposableStack();
  rotating.defer(
    async () => void (await resealAll({ db: app.db, vault: fresh, now: app.clock.now(), actor: SYSTEM })),
  );
  const lost = openVault('a key that somebody has lost, long enough').seal('x', secretContext('other'));
  const target = app.db.updateTable('webhook_targets').where('kind', '=', 'pagerduty');
  const { secret_sealed } = await app.db
    .selectFrom('webhook_targets')
    .select('secret_sealed')
    .where('kind', '=', 'pagerduty')
    .executeTakeFirstOrThrow();
  rotating.defer(async () => void (await target.set({ secret_sealed }).execute()));
  await target.set({ secret_sealed: lost }).execute();
  const third = openVault('the third secret key, long enough to be one', [NEW_KEY]);
  const { current } = await total(fresh);
  const done = await resealAll({ db: app.db, vault: third, now: app.clock.now(), actor: SYSTEM });
  assert.deepEqual([done.resealed, done.unreadable], [current, 1]);
  assert.deepEqual(await total(third), { current, left: 0, unreadable: 1 });
  // Back again, for what follows.
  const back = openVault(NEW_KEY, ['the third secret key, long enough to be one']);
  await resealAll({ db: app.db, vault: back, now: app.clock.now(), actor: SYSTEM });
});

test('beside a secret that no key opens, the other secrets of a monitor are re-encrypted, whatever its size', () => {
  const id = 'mon_1';
  const http = rulesOf('http');
  const config = { url: 'https://x.example.com/', body: 'x'.repeat(70_000), ...SECRETS };
  const sealedUnder = (vault: Vault) => {
    const { headers } = sealConfig(http, { ...config, body: null }, id, vault) as typeof config;
    return headers.Authorization;
  };
  const mixed = {
    ...config,
    headers: { Authorization: sealedUnder(old), 'X-Api-Key': openVault('k'.repeat(32)).seal('x', 'y') },
    auth: null,
    secret_headers: ['X-Api-Key'],
  };
  const resealed = resealConfig(http, mixed, id, both) as typeof mixed;
  assert.ok(both.isCurrent(resealed.headers.Authorization));
  assert.equal(resealed.headers['X-Api-Key'], mixed.headers['X-Api-Key']);
  const { headers } = openConfig(http, { ...resealed, secret_headers: [] }, id, fresh) as typeof mixed;
  assert.equal(headers.Authorization, SECRETS.headers.Authorization);
  assert.throws(() => resealConfig(http, resealed, id, both), SecretUnreadable);
});

test('nothing is re-encrypted while a server runs with another key', async () => {
  await using stack = new AsyncDisposableStack();
  await startNode(stack, app.databaseUrl, app.clock, { SECRET_KEY: NEW_KEY });
  const next = openVault('the fourth secret key, long enough to be one', [NEW_KEY]);
  assert.equal(await serversWithAnotherKey(app.db, next), 1);
  assert.equal(await serversWithAnotherKey(app.db, fresh), 0);
  const { promise: logged, resolve } = Promise.withResolvers<void>();
  const log = { ...silent, info: () => resolve(), warn: () => undefined } as unknown as Log;
  const before = await total(fresh);
  const resealing = startResealing({ db: app.db, vault: next, clock: app.clock.now, log });
  await logged;
  await resealing.stop();
  assert.deepEqual(await total(fresh), before);
});

test('a server that starts with another key altogether says so at once, and one with the right key does not', async () => {
  const said = async (vault: Vault) => {
    const lines: string[] = [];
    const note = (...given: unknown[]) => void lines.push(String(given.at(-1)));
    const log = { ...silent, info: note, warn: note } as unknown as Log;
    const resealing = startResealing({ db: app.db, vault, clock: app.clock.now, log });
    await until(() => lines.length > 0, 'it has said something');
    await resealing.stop();
    return lines[0] ?? '';
  };
  await using stack = new AsyncDisposableStack();
  await startNode(stack, app.databaseUrl, app.clock, { SECRET_KEY: NEW_KEY });
  const made = openVault('a key that a start has made, long enough');
  assert.match(
    await said(made),
    /^none of the stored secrets opens with SECRET_KEY: .* put the former key back/,
  );
  const next = openVault('the fourth secret key, long enough to be one', [NEW_KEY]);
  assert.match(await said(next), /^stored secrets are sealed again once every server has the new SECRET_KEY/);
});

test('the sign-in library gets every key, the current one first', () => {
  const { secrets, secret } = librarySecrets(both);
  assert.deepEqual(
    secrets.map(({ value }) => value),
    [fresh, old].map((vault) => vault.derive('sessions').toString('base64')),
  );
  assert.equal(secret, old.derive('sessions').toString('base64'));
});
