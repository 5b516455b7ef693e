// Refusals by role, scope or credential leave a trace: a count for the operator, and a line in the log.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { makeKey } from '#src/api-keys/format.ts';
import { createLog } from '#src/platform/log.ts';
import { startTestApp } from '#test/harness/app.ts';
import { clientWithKey, makeKeyHolder } from '#test/harness/keys.ts';

test('refusals by role or scope are counted per operation and logged with their caller, a few times a minute', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('warn', false, (line) => lines.push(JSON.parse(line) as Record<string, unknown>));
  await using app = await startTestApp({ log });
  const { orgId, projectId } = app.home;
  const countOf = async (operation: string, code: string) => {
    const text = await app.visitor().ok<string>('GET', '/metrics');
    const found = new RegExp(
      `^tocsin_refusals_total\\{operation="${operation}",code="${code}"\\} (\\d+)$`,
      'm',
    ).exec(text);
    assert.doesNotMatch(text, new RegExp(orgId));
    return Number(found?.[1] ?? 0);
  };
  const bob = await app.person('bob', { [orgId]: 'member' });
  const reader = await makeKeyHolder(app, app.alice, orgId, { scopes: ['monitors:read'] });
  const stranger = makeKey();
  const before = await countOf('createMonitor', 'forbidden');
  const body = { name: 'Shop', type: 'http', config: { url: 'https://shop.example.com/' } };
  const path = `/projects/${projectId}/monitors`;
  for (let i = 0; i < 20; i++) assert.equal((await bob.send('POST', path, body)).status, 403);
  assert.equal((await reader.send('POST', path, body)).status, 403);
  assert.equal((await clientWithKey(app.url, stranger).send('GET', `/monitors/mon_x`)).status, 401);
  assert.equal((await app.visitor().send('GET', path)).status, 401);

  assert.equal((await countOf('createMonitor', 'forbidden')) - before, 21);
  assert.equal(await countOf('getMonitor', 'unauthenticated'), 1);
  const logged = lines.filter(({ msg }) => msg === 'request refused');
  assert.deepEqual(
    logged.map(({ operation, code, actor_kind, actor, org_id }) => [
      operation,
      code,
      actor_kind,
      actor,
      org_id,
    ]),
    [
      ...Array.from({ length: 5 }, () => ['createMonitor', 'forbidden', 'user', bob.userId, orgId]),
      ['createMonitor', 'forbidden', 'key', reader.id, orgId],
      ['getMonitor', 'unauthenticated', null, null, null],
    ],
  );
  assert.ok(!JSON.stringify(lines).includes(stranger) && !JSON.stringify(lines).includes(reader.key));
});

test('why a session could not be read is logged, and signs nobody out', async () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLog('warn', false, (line) => lines.push(JSON.parse(line) as Record<string, unknown>));
  await using app = await startTestApp({ log });
  await sql`ALTER TABLE sessions RENAME TO sessions_elsewhere`.execute(app.db);
  const answer = await app.alice.send('GET', '/me/organizations');
  assert.equal(answer.status, 503);
  assert.ok(
    lines.some(
      ({ msg }) => /could not be read/.test(String(msg)) && /"sessions" does not exist/.test(String(msg)),
    ),
    JSON.stringify(lines),
  );
  await sql`ALTER TABLE sessions_elsewhere RENAME TO sessions`.execute(app.db);
  assert.equal((await app.alice.send('GET', '/me/organizations')).status, 200);
});
