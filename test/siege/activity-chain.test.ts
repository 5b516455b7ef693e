// An attacker with access to SQL falsifies the activity log: verification finds it, and finds where.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { verifyActivity } from '#src/activity/verify.ts';
import { exportOrganization } from '#src/organization-export/export.ts';
import { importOrganization } from '#src/organization-export/import.ts';
import {
  PASSWORD,
  type Place,
  SECRET_KEY,
  startAppOfFile,
  startTestApp,
  type TestApp,
} from '../harness/app.ts';

let app: TestApp;
let dir: string;
before(async () => {
  app = await startAppOfFile();
  dir = await mkdtemp(join(tmpdir(), 'tocsin-chain-'));
});
after(() => rm(dir, { recursive: true, force: true }));

/** An organization with a log of some entries, and people in it. */
async function lived(): Promise<Place> {
  const place = await app.place();
  const bob = await app.person('bob');
  await app.db
    .insertInto('members')
    .values({ org_id: place.orgId, user_id: bob.userId, role: 'member', joined_at: app.clock.now() })
    .execute();
  const path = `/organizations/${place.orgId}`;
  for (const name of ['One', 'Two', 'Three']) await app.alice.ok('POST', `${path}/projects`, { name });
  await app.alice.ok('PATCH', `${path}/members/${bob.userId}`, { role: 'manager' });
  // Concurrent entries still link to each other.
  await Promise.all(['Four', 'Five', 'Six'].map((name) => bob.ok('POST', `${path}/projects`, { name })));
  return place;
}

async function breaksOf({ orgId }: Place, on = app): Promise<string[]> {
  for await (const verified of verifyActivity(on.db))
    if (verified.org_id === orgId) return verified.breaks.map(({ kind, said }) => `${kind}: ${said}`);
  throw new Error('not there');
}

async function entriesOf({ orgId }: Place): Promise<{ id: string; chain_no: number }[]> {
  const { rows } = await sql<{ id: string; chain_no: string }>`
    SELECT id, chain_no FROM activity WHERE org_id = ${orgId} ORDER BY chain_no`.execute(app.db);
  return rows.map(({ id, chain_no }) => ({ id, chain_no: Number(chain_no) }));
}

function exported({ orgId }: Place, name: string) {
  return exportOrganization({
    url: app.databaseUrl,
    organizationId: orgId,
    vault: app.vault,
    version: '0.0.0',
    now: app.clock.now(),
    file: async (file, write) => write(createWriteStream(join(dir, `${name}-${file}`))),
  });
}

test('an untouched log is intact, even after many simultaneous writes', async () => {
  const place = await lived();
  assert.deepEqual(await breaksOf(place), []);
  const numbers = (await entriesOf(place)).map(({ chain_no }) => chain_no);
  assert.deepEqual(
    numbers,
    numbers.map((_, n) => n + 1),
  );
});

for (const [what, change] of [
  ['what was done', `action = 'project.delete'`],
  ['to what', `resource_name = 'Another'`],
  ['the state after', `after = after || '{"name": "Another"}'`],
  ['when', `at = at + interval '1 second'`],
  ['who it was', `actor_id = 'usr_somebody'`],
  ['the name of who it was', `actor_name = 'Mallory'`],
  ['from where', `address = '203.0.113.9'`],
  ['a name, and the salt is taken away', `actor_name = 'Mallory', actor_salt = NULL`],
] as const)
  test(`an entry in which was changed ${what} is found`, async () => {
    const place = await lived();
    const third = (await entriesOf(place))[2]!;
    await sql`UPDATE activity SET ${sql.raw(change)} WHERE id = ${third.id}`.execute(app.db);
    const breaks = await breaksOf(place);
    assert.equal(breaks.length, 1, breaks.join('\n'));
    assert.match(breaks[0]!, new RegExp(`^changed: entry ${third.id} \\(number 3,`));
  });

test('the role in an entry about a member cannot be changed by pretending that they were forgotten', async () => {
  const place = await lived();
  const { rows } = await sql<{ id: string }>`
    UPDATE activity SET resource_name = 'Deleted user', subject_salt = NULL, after = after || '{"role": "owner"}'
    WHERE org_id = ${place.orgId} AND action = 'member.update' RETURNING id`.execute(app.db);
  assert.match((await breaksOf(place)).join(), new RegExp(`changed: entry ${rows[0]?.id}`));
});

test('a removed entry is found, in the middle and at the end', async () => {
  const place = await lived();
  const entries = await entriesOf(place);
  const [middle, last] = [entries[3]!, entries.at(-1)!];
  await sql`DELETE FROM activity WHERE id = ANY(${[middle.id, last.id]}::text[])`.execute(app.db);
  assert.deepEqual(await breaksOf(place), [
    'missing: entry number 4 is missing',
    `missing: entry number ${last.chain_no} is missing`,
  ]);
  await sql`DELETE FROM activity WHERE id = ${entries[0]!.id}`.execute(app.db);
  assert.equal((await breaksOf(place))[0], 'missing: entry number 1 is missing');
});

test('an inserted entry is found, without a position, with a used one and at the end', async () => {
  const place = await lived();
  const entries = await entriesOf(place);
  const copy = (id: string, more: string) =>
    sql`INSERT INTO activity SELECT (jsonb_populate_record(a, ${more}::jsonb || jsonb_build_object('id', ${id}::text))).*
        FROM activity a WHERE id = ${entries[1]!.id}`.execute(app.db);
  await copy('act_loose', '{"chain_no": null}');
  await copy('act_taken', '{"chain_no": 5}');
  const head = entries.length + 1;
  await copy('act_last', JSON.stringify({ chain_no: head }));
  const breaks = (await breaksOf(place)).join('\n');
  assert.match(breaks, /inserted: entry act_loose .* no place/);
  assert.match(breaks, /inserted: entry act_\w+ .*number 5, which is taken/);
  assert.match(breaks, new RegExp(`inserted: entries ${head} to ${head}|changed: entry act_last`));
});

test('entries that changed places are found', async () => {
  const place = await lived();
  const [, , third, fourth] = await entriesOf(place);
  await sql`UPDATE activity SET chain_no = 7 - chain_no WHERE id = ANY(${[third!.id, fourth!.id]}::text[])`.execute(
    app.db,
  );
  const breaks = await breaksOf(place);
  assert.equal(breaks.length, 2, breaks.join('\n'));
  for (const { id } of [third!, fourth!]) assert.ok(breaks.some((each) => each.includes(id)));
});

test('forgetting a person leaves an intact log without their name', async () => {
  const place = await lived();
  const { rows } = await sql<{ email: string; id: string }>`
    SELECT u.email, u.id FROM members m JOIN users u ON u.id = m.user_id
    WHERE m.org_id = ${place.orgId} AND m.role = 'manager'`.execute(app.db);
  const { email, id } = rows[0]!;
  const client = app.visitor();
  await client.ok('POST', '/auth/sign-in/email', { email, password: PASSWORD });
  await client.ok('DELETE', '/me', { password: PASSWORD });
  const log = await sql`SELECT * FROM activity WHERE org_id = ${place.orgId}`.execute(app.db);
  assert.ok(JSON.stringify(log.rows).includes(id) && !JSON.stringify(log.rows).includes(email));
  assert.deepEqual(await breaksOf(place), []);
});

test('entries dropped with their partition are not missed, prematurely deleted ones are', async () => {
  await using other = await startTestApp();
  const path = `/organizations/${other.home.orgId}/projects`;
  await other.alice.ok('POST', path, { name: 'Old' });
  other.clock.advance(200 * 86_400_000);
  await other.runTask('partitions');
  await other.alice.ok('POST', path, { name: 'Middle' });
  other.clock.advance(250 * 86_400_000);
  await other.runTask('partitions');
  await other.alice.ok('POST', path, { name: 'New' });
  const kept = await sql<{ name: string }>`
    SELECT resource_name AS name FROM activity WHERE org_id = ${other.home.orgId} ORDER BY chain_no`.execute(
    other.db,
  );
  assert.deepEqual(
    kept.rows.map(({ name }) => name),
    ['Middle', 'New'],
  );
  assert.deepEqual(await breaksOf(other.home, other), []);
  await sql`DELETE FROM activity WHERE resource_name = 'Middle'`.execute(other.db);
  assert.match((await breaksOf(other.home, other)).join(), /missing: entry number \d+ is missing/);
});

test('an export reports faults of the log, and an import refuses it', async () => {
  const place = await lived();
  assert.deepEqual((await exported(place, 'whole')).breaks, []);
  const third = (await entriesOf(place))[2]!;
  await sql`UPDATE activity SET action = 'project.delete' WHERE id = ${third.id}`.execute(app.db);
  const { breaks } = await exported(place, 'changed');
  assert.deepEqual(
    breaks.map(({ kind, said }) => [kind, said.includes(third.id)]),
    [['changed', true]],
  );

  await using other = await startTestApp({ clock: app.clock });
  const take = (name: string) =>
    importOrganization({
      db: other.db,
      vault: other.vault,
      path: join(dir, `${name}-organization.jsonl`),
      slug: null,
      plan: 'unlimited',
      now: other.clock.now(),
      actor: { kind: 'operator', id: null, name: 'command line', address: null },
    });
  await assert.rejects(take('changed'), new RegExp(`entry ${third.id} .* was changed.*Nothing was imported`));
  const lines = readFileSync(join(dir, 'whole-organization.jsonl'), 'utf8').trimEnd().split('\n');
  const at = lines.findIndex((line) => line.startsWith('{"kind":"activity"'));
  writeFileSync(join(dir, 'shorter-organization.jsonl'), `${lines.toSpliced(at + 1, 1).join('\n')}\n`);
  await assert.rejects(take('shorter'), /entry number 2 is missing/);
  await take('whole');
  assert.deepEqual(await breaksOf(place, other), [], 'with the entry about the import at its end');
});

test('tocsin doctor names the entry and its organization, and exits with 1', async () => {
  await using other = await startTestApp();
  const doctor = async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts'), 'doctor'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: other.databaseUrl,
        SECRET_KEY,
        DATA_DIR: dir,
        PORT: '1',
        LOG_LEVEL: 'silent',
        CANARIES: 'none',
      },
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
    });
    const [code] = await once(child, 'close');
    return { code, said };
  };
  const well = await doctor();
  for (const line of [
    /^OK +database/m,
    /^OK +clock/m,
    /^OK +secret key/m,
    /^OK +activity +The logs of 1 organizations/m,
    /^(OK|WARN|FAIL) +disk/m,
    /^WARN +mail/m,
    /^OK +dns/m,
    /^WARN +port/m,
  ])
    assert.match(well.said, line);
  assert.equal(well.code, /^FAIL/m.test(well.said) ? 1 : 0, well.said);
  const { rows } = await sql<{ id: string }>`
    UPDATE activity SET action = 'project.delete' WHERE org_id = ${other.home.orgId} AND chain_no = 1 RETURNING id`.execute(
    other.db,
  );
  const ill = await doctor();
  assert.equal(ill.code, 1);
  assert.match(
    ill.said,
    new RegExp(`^FAIL +activity .*\\(${other.home.orgId}\\): changed: entry ${rows[0]?.id}`, 'm'),
  );
});
