// A server whose DATABASE_URL leads through a real PgBouncer in transaction mode (docs/self-hosting.md#behind-pgbouncer).
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { hashToken } from '#src/platform/secrets.ts';
import { realClock, SECRET_KEY } from '#test/harness/app.ts';
import { tocsin } from '#test/harness/command.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { startInstallation } from '#test/harness/installation.ts';
import { noPgBouncer, startPgBouncer } from '#test/harness/pgbouncer.ts';
import { makeProbe } from '#test/harness/probe.ts';
import { startReceiver } from '#test/harness/receiver.ts';
import { until } from '#test/harness/until.ts';

test('through PgBouncer results are accepted, incidents announced and commands run', {
  skip: noPgBouncer(),
}, async (t) => {
  await using database = await freshDatabase();
  await using pgBouncer = await startPgBouncer(database.url, 4);
  const dataDir = await mkdtemp(join(tmpdir(), 'tocsin-pooler-'));
  const given = { DATABASE_URL: pgBouncer.url, DATABASE_DIRECT_URL: database.url, SECRET_KEY };
  const server = await startInstallation({
    dataDir,
    env: { ...given, RATE_LIMITS: 'off', LOCAL_PROBE: 'off' },
  });
  t.after(() => server.remove());
  const receiver = await startReceiver();
  t.after(() => receiver.stop());
  const alice = await server.admin();
  const [{ id: orgId = '' } = {}] = await alice.ok<{ id?: string }[]>('GET', '/me/organizations');
  const projects = await alice.ok<{ id: string }[]>('GET', `/organizations/${orgId}/projects`);
  const hook = { name: 'Hook', kind: 'webhook', url: receiver.url, events: ['opened', 'resolved'] };
  const { secret } = await alice.ok<{ secret: string }>('POST', `/organizations/${orgId}/webhooks`, hook);
  receiver.trust(secret);
  const token = `tcp_${randomBytes(32).toString('base64url')}`;
  const { no } = await database.db
    .insertInto('regions')
    .values({ slug: 'eu', name: 'EU', allow_private_targets: true, created_at: new Date() })
    .returning('no')
    .executeTakeFirstOrThrow();
  await database.db
    .insertInto('probe_tokens')
    .values({ hash: hashToken(token), region_no: no, created_at: new Date() })
    .execute();
  const probe = makeProbe(server.url, token, realClock);
  const monitors = await Promise.all(
    Array.from({ length: 12 }, (_, i) =>
      alice.ok<{ id: string }>('POST', `/projects/${projects[0]?.id}/monitors`, {
        ...{ name: `Shop ${i}`, type: 'http', config: { url: 'https://shop.example.com/' }, regions: ['eu'] },
      }),
    ),
  );
  const allSay = (status: 'up' | 'down') => Promise.all(monitors.map(({ id }) => probe.says(id, status)));
  const incidents = () => alice.ok<{ id: string }[]>('GET', `/organizations/${orgId}/incidents`);

  await until(async () => {
    await allSay('down');
    return (await incidents()).length === monitors.length;
  }, 'every monitor has its incident');
  for (const { id } of await incidents())
    assert.ok((await receiver.next(({ body }) => body.incident?.id === id, 60_000)).genuine);
  await until(async () => {
    await allSay('up');
    return (await incidents()).length === 0;
  }, 'every incident is over');

  const command = await tocsin(dataDir, ['plan'], undefined, given);
  assert.equal(command.code, 0, command.err);
});
