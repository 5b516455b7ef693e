// `tocsin doctor` on an installation that is ill: every fault is a real one, and every line says what is to be done.
import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { SECRET_KEY, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { tocsin } from '#test/harness/command.ts';
import { closedPort, httpServer, tcpServer } from '#test/harness/listeners.ts';
import { startMailbox } from '#test/harness/mailbox.ts';
import { smallDisk } from '#test/harness/small-disk.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
  // Something that is sealed.
  const url = 'https://hook.example.com/';
  const hook = { name: 'Hook', kind: 'webhook', url, events: ['opened'], active: false };
  await app.alice.ok('POST', `/organizations/${app.home.orgId}/webhooks`, hook);
});

/** Runs it; a line that is not OK and what follows below it are joined. */
async function doctor(env: Record<string, string>, dataDir: string, options: readonly string[] = []) {
  const given = { DATABASE_URL: app.databaseUrl, SECRET_KEY, LOG_LEVEL: 'silent', ...env };
  const { code, out } = await tocsin(dataDir, ['doctor', ...options], undefined, given);
  return { code, said: out.replaceAll(/\n {17}/g, ' TO DO: ') };
}

const seen = (said: string, lines: readonly RegExp[]) => {
  for (const line of lines) assert.match(said, line);
};

/** The database's clock is off: whoever asks it for the time is told another one. */
async function shiftClock(t: TestContext, seconds: number): Promise<void> {
  const name = sql.id(new URL(app.databaseUrl).pathname.slice(1));
  await sql`CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
    ${sql.lit(`SELECT pg_catalog.clock_timestamp() + interval '${seconds} s'`)}`.execute(app.db);
  await sql`ALTER DATABASE ${name} SET search_path = public, pg_catalog`.execute(app.db);
  t.after(async () => {
    await sql`ALTER DATABASE ${name} RESET search_path`.execute(app.db);
    await sql`DROP FUNCTION public.clock_timestamp()`.execute(app.db);
  });
}

/** A disk of so many MiB; the directory of the machine where none can be mounted here, and then false. */
async function disk(t: TestContext, sizeMib: number): Promise<{ dir: string; small: boolean }> {
  const small = await smallDisk(sizeMib);
  if (small) t.after(() => small[Symbol.asyncDispose]());
  return small ? { dir: small.dir, small: true } : { dir: tmpdir(), small: false };
}

test('a failure is printed with its remedy, and the command ends with 1', async (t) => {
  await shiftClock(t, 60);
  const { dir, small } = await disk(t, 64);
  const { code, said } = await doctor(
    {
      SECRET_KEY: 'another key than the one it was started with',
      SMTP_URL: `smtp://127.0.0.1:${await closedPort()}`,
      MAIL_FROM: 'ops@example.com',
      BASE_URL: 'https://tocsin.nowhere.invalid',
      PORT: String(await httpServer(t, (_, response) => response.writeHead(503).end('{"jobs":false}'))),
    },
    dir,
  );
  seen(said, [
    /^OK +database +The database answers/m,
    /^FAIL +clock +The clocks of this machine and the database differ by \d\d\.\d s\. TO DO: Synchronize both by NTP/m,
    /^FAIL +secret key .+ TO DO: Use the key/m,
    /^FAIL +mail +127\.0\.0\.1:\d+ refused the connection\. TO DO: Check SMTP_URL/m,
    /^WARN +dns +tocsin\.nowhere\.invalid, the host in BASE_URL, does not resolve on this machine: .+ TO DO: Links in mails/m,
    /^FAIL +port +The server at 127\.0\.0\.1:\d+ is not ready: \{"jobs":false\} TO DO: Its log/m,
  ]);
  if (small) assert.match(said, /^FAIL +disk +0\.1 GiB \(100 %\) free at .+ TO DO: Free some space now/m);
  assert.equal(code, 1);
});

test('a possible problem is a warning, and the command ends with 0', async (t) => {
  await shiftClock(t, -10);
  const { dir, small } = await disk(t, 1_536);
  const box = await startMailbox();
  t.after(() => box.stop());
  const mail = { SMTP_URL: box.url.replace('//', '//ops:secret@'), MAIL_FROM: 'ops@example.com' };
  const { code, said } = await doctor({ ...mail, PORT: String(await closedPort()) }, dir);
  seen(said, [
    /^WARN +clock +The clocks of this machine and the database differ by \d+\.\d s\. TO DO: Synchronize both by NTP/m,
    /^OK +secret key/m,
    /^OK +mail/m,
    /^WARN +port +No server answers at 127\.0\.0\.1:\d+: .+ TO DO: Start it/m,
  ]);
  assert.deepEqual(box.signedIn, ['ops:secret']);
  if (small)
    assert.match(said, /^WARN +disk +1\.5 GiB \(100 %\) free at .+ TO DO: Free some space, or keep less/m);
  if (small) assert.equal(code, 0, said);
});

test('a missing database and folder do not prevent the other checks', async (t) => {
  const missing = join(tmpdir(), 'tocsin-no-such-folder');
  const { code, said } = await doctor(
    {
      DATABASE_URL: `postgres://tocsin@127.0.0.1:${await closedPort()}/tocsin`,
      PORT: String(await httpServer(t, (_, response) => response.writeHead(404).end())),
    },
    missing,
  );
  seen(said, [
    /^FAIL +database .+ TO DO: Nothing works without the database/m,
    /^FAIL +disk +The free space of \S+tocsin-no-such-folder cannot be read \(ENOENT\)\. TO DO: Set DATA_DIR/m,
    /^WARN +mail +No mail can be sent: SMTP_URL is not set/m,
    /^FAIL +port +Something other than Tocsin answers at 127\.0\.0\.1:\d+ \(HTTP 404\)\./m,
  ]);
  assert.equal(code, 1);
});

test('a missing folder is no failure where nothing is written to it', async () => {
  const missing = join(tmpdir(), 'tocsin-no-such-folder');
  const { said } = await doctor({ LOCAL_PROBE: 'off', PORT: String(await closedPort()) }, missing);
  assert.doesNotMatch(said, /tocsin-no-such-folder/);
  assert.match(said, /^OK +secret key/m);
  const kept = await doctor(
    { LOCAL_PROBE: 'off', BACKUP_BEFORE_MIGRATION: 'on', PORT: String(await closedPort()) },
    missing,
  );
  assert.match(kept.said, /^FAIL +disk .+tocsin-no-such-folder/m);
});

test('a port used by a program without HTTP is a failure', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-doctor-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const port = await tcpServer(t, (socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
  const { code, said } = await doctor({ PORT: String(port) }, dir);
  assert.match(said, /^FAIL +port +Something answers at 127\.0\.0\.1:\d+, but not as Tocsin does/m);
  assert.equal(code, 1);
});

test('invalid settings are named, and nothing else is checked', async () => {
  const { code, said } = await doctor({ PORT: 'eighty' }, tmpdir());
  assert.match(
    said,
    /^FAIL +settings +The configuration has a problem:\n +- PORT is "eighty".+ TO DO: See docs\/self-hosting\.md/m,
  );
  assert.doesNotMatch(said, /database/);
  assert.equal(code, 1);
});

test('a probe whose clock is wrong is a warning, by name', async (t) => {
  const { dir } = await disk(t, 8_192);
  const probe = app.probe('local');
  await probe.ask({ clock_ms: app.clock.ms() + 90_000 });
  // The command goes by the real time, and the app by the one of its start.
  await app.db
    .updateTable('probes')
    .set({ last_seen_at: new Date() })
    .where('clock_off_ms', '<>', 0)
    .execute();
  t.after(() => app.db.updateTable('probes').set({ clock_off_ms: 0 }).execute());
  const { said } = await doctor({}, dir);
  assert.match(
    said,
    /^WARN +clock +The clock of probe \S+ in region local is 90\.0 s off\. TO DO: Synchronize it by NTP/m,
  );
});

test('an unreachable notification target is named by its address, without its path', async (t) => {
  const { dir } = await disk(t, 8_192);
  const fine = await httpServer(t, (_, response) => response.writeHead(500).end());
  const gone = await closedPort();
  for (const [name, port] of [
    ['Fine', fine],
    ['Gone', gone],
  ] as const)
    await app.alice.ok('POST', `/organizations/${app.home.orgId}/webhooks`, {
      name,
      kind: 'webhook',
      url: `http://127.0.0.1:${port}/a-secret-path`,
      events: ['opened'],
    });
  const { code, said } = await doctor({}, dir);
  assert.match(
    said,
    new RegExp(`^FAIL +channels +127\\.0\\.0\\.1:${gone} \\(targets: 1, webhook\\) cannot be reached`, 'm'),
  );
  assert.doesNotMatch(said, new RegExp(`:${fine} |a-secret-path`));
  assert.equal(code, 1);
});

test('with --mail-to one real message is sent, and without it none', async (t) => {
  const { dir } = await disk(t, 8_192);
  const box = await startMailbox();
  t.after(() => box.stop());
  const env = { SMTP_URL: box.url, MAIL_FROM: 'ops@example.com' };
  await doctor(env, dir);
  assert.equal(box.received.length, 0);
  const { said } = await doctor(env, dir, ['--mail-to', 'somebody@example.com']);
  assert.match(said, /^OK +mail +The mail server accepted a message to somebody@example\.com/m);
  assert.deepEqual(
    box.received.map(({ recipients, mail }) => [recipients, mail.subject]),
    [[['somebody@example.com'], 'Tocsin can send mail']],
  );
});

test('a recipient that the mail server refuses is a failure, and an invalid address is a wrong command line', async (t) => {
  const { dir } = await disk(t, 8_192);
  const box = await startMailbox();
  t.after(() => box.stop());
  box.refuse('550 5.1.1 no such user');
  const env = { SMTP_URL: box.url, MAIL_FROM: 'ops@example.com' };
  const refused = await doctor(env, dir, ['--mail-to', 'nobody@example.com']);
  assert.match(
    refused.said,
    /^FAIL +mail +No message could be sent to nobody@example\.com: .+\(550 5\.1\.1\)\. TO DO/m,
  );
  assert.equal(refused.code, 1);
  assert.equal((await doctor(env, dir, ['--mail-to', 'nobody'])).code, 2);
});

test('a silent name server, a key that others can read and a world-readable directory are failures', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-doctor-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, 'secret-key'), SECRET_KEY, { mode: 0o600 });
  await chmod(join(dir, 'secret-key'), 0o644);
  await chmod(dir, 0o777);
  const { code, said } = await doctor({ DNS_SERVERS: `127.0.0.1:${await closedPort()}` }, dir);
  seen(said, [
    /^FAIL +dns +The name server 127\.0\.0\.1:\d+ does not answer: .+ TO DO: Check DNS_SERVERS/m,
    /^FAIL +folder +Every user of this machine can write to \S+ \(mode 0777\)\. TO DO: chmod o-w/m,
    /^FAIL +folder +Other users can read \S+secret-key \(mode 0644\)\. TO DO: chmod 600/m,
  ]);
  assert.equal(code, 1);
});

test('inconsistent proxy settings are warnings', async (t) => {
  const { dir } = await disk(t, 8_192);
  const https = await doctor({ BASE_URL: 'https://localhost', PORT: '3300' }, dir);
  assert.match(
    https.said,
    /^WARN +proxy +BASE_URL is https:\/\/localhost and the server listens on port 3300, so .+ TO DO: Set TRUST_PROXY/m,
  );
  const direct = await doctor({ PORT: '3300', TRUST_PROXY: '2', HOST: '0.0.0.0' }, dir);
  assert.match(
    direct.said,
    /^WARN +proxy +TRUST_PROXY is 2, but BASE_URL is the address of the server itself\. TO DO/m,
  );
});

test('--json prints every finding, and the exit code stays', async (t) => {
  const { dir } = await disk(t, 8_192);
  const { code, said } = await doctor({ PORT: 'eighty' }, dir, ['--json']);
  const report = JSON.parse(said) as { ok: boolean; findings: { state: string; code: string }[] };
  assert.deepEqual([report.ok, report.findings.map(({ code }) => code)], [false, ['settings_wrong']]);
  assert.equal(code, 1);
});

test('missing migrations are a failure that names the first, and no other database check runs', async (t) => {
  const { dir } = await disk(t, 8_192);
  const { rows } = await sql<{ version: number; name: string; checksum: string }>`
    DELETE FROM schema_migrations WHERE version = (SELECT max(version) FROM schema_migrations)
    RETURNING version, name, checksum`.execute(app.db);
  const [row = assert.fail()] = rows;
  t.after(() =>
    sql`INSERT INTO schema_migrations (version, name, checksum)
      VALUES (${row.version}, ${row.name}, ${row.checksum})`.execute(app.db),
  );
  const { code, said } = await doctor({}, dir);
  assert.match(
    said,
    new RegExp(
      `^FAIL +migrations +The database lacks 1 of the migrations of this version; the first is ${row.name}\\. TO DO: Stop`,
      'm',
    ),
  );
  assert.doesNotMatch(said, /secret key/);
  assert.equal(code, 1);
});

test('a database that a newer version migrated is a failure of the migrations, not of the database', async (t) => {
  await sql`INSERT INTO schema_migrations (version, name, checksum) VALUES (9999, '9999_later.sql', 'x')`.execute(
    app.db,
  );
  t.after(() => sql`DELETE FROM schema_migrations WHERE version = 9999`.execute(app.db));
  const { code, said } = await doctor({}, tmpdir());
  assert.match(said, /^FAIL +migrations +.+ newer version of Tocsin \(it has 9999_later\.sql.+ TO DO: Run/m);
  assert.doesNotMatch(said, /^FAIL +database/m);
  assert.equal(code, 1);
});

test('the operator gets the same findings from the API, including those about the request itself', async () => {
  type Report = { ok: boolean; findings: { code: string }[] };
  const path = '/admin/doctor';
  const plain = await app.alice.ok<Report>('POST', path);
  const codes = ({ findings }: Report) => findings.map(({ code }) => code);
  for (const code of [
    'database_answers',
    'migrations_applied',
    'clock_near',
    'key_fits',
    'mail_absent',
    'port_any',
  ])
    assert.ok(codes(plain).includes(code), `${code} in ${codes(plain)}`);
  const proxied = await app.alice.send<Report>('POST', path, undefined, { 'x-forwarded-for': '192.0.2.7' });
  assert.ok(codes(proxied.body).includes('proxy_forwards'));
  const bob = await app.person('bob', { [app.home.orgId]: 'owner' });
  assert.equal((await bob.send('POST', path)).status, 403);
});
