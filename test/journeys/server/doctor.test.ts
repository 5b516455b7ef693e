// `tocsin doctor` on an installation that is ill: every fault is a real one, and every line says what is to be done.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
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
  const hook = { name: 'Hook', kind: 'webhook', url: 'https://hook.example.com/', events: ['opened'] };
  await app.alice.ok('POST', `/organizations/${app.home.orgId}/webhooks`, hook);
});

/** Runs it; a line that is not OK and what follows below it are joined. */
async function doctor(env: Record<string, string>, dataDir: string) {
  const given = { DATABASE_URL: app.databaseUrl, SECRET_KEY, LOG_LEVEL: 'silent', ...env };
  const { code, out } = await tocsin(dataDir, ['doctor'], undefined, given);
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
    /^OK +database +it answers/m,
    /^FAIL +clock +this machine and the database differ by \d\d\.\d s TO DO: Set both by NTP/m,
    /^FAIL +secret key .+ TO DO: Give the key/m,
    /^FAIL +mail +127\.0\.0\.1:\d+ refused the connection\. TO DO: Check SMTP_URL/m,
    /^WARN +dns +tocsin\.nowhere\.invalid, the host of BASE_URL, has no address here: .+ TO DO: Links in mails/m,
    /^FAIL +port +the server at 127\.0\.0\.1:\d+ is not ready: \{"jobs":false\} TO DO: Its log/m,
  ]);
  if (small) assert.match(said, /^FAIL +disk +0\.1 GiB \(100 %\) free at .+ TO DO: Make room now/m);
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
    /^WARN +clock +this machine and the database differ by \d+\.\d s TO DO: Set both by NTP/m,
    /^OK +secret key/m,
    /^OK +mail/m,
    /^WARN +port +no server answers at 127\.0\.0\.1:\d+: .+ TO DO: Start it/m,
  ]);
  assert.deepEqual(box.signedIn, ['ops:secret']);
  if (small) assert.match(said, /^WARN +disk +1\.5 GiB \(100 %\) free at .+ TO DO: Make room, or keep less/m);
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
    /^FAIL +database .+ TO DO: Nothing works without it/m,
    /^FAIL +disk +\S+tocsin-no-such-folder cannot be looked at \(ENOENT\) TO DO: Set DATA_DIR/m,
    /^WARN +mail +no mail can be sent: SMTP_URL is not set/m,
    /^FAIL +port +something other than Tocsin answers at 127\.0\.0\.1:\d+ \(HTTP 404\)/m,
  ]);
  assert.equal(code, 1);
});

test('a port used by a program without HTTP is a failure', async (t) => {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-doctor-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const port = await tcpServer(t, (socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
  const { code, said } = await doctor({ PORT: String(port) }, dir);
  assert.match(said, /^FAIL +port +something answers at 127\.0\.0\.1:\d+, and not as Tocsin does/m);
  assert.equal(code, 1);
});

test('wrong settings are named, and nothing else is checked', async () => {
  const { code, said } = await doctor({ PORT: 'eighty' }, tmpdir());
  assert.match(
    said,
    /^FAIL +settings +The configuration has a problem:\n +- PORT is "eighty".+ TO DO: See docs\/self-hosting\.md/m,
  );
  assert.doesNotMatch(said, /database/);
  assert.equal(code, 1);
});
