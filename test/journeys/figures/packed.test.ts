// Packed checks: whoever asks gets the same answers, byte for byte, from blocks as from rows; and what comes late, is
// discarded or removed counts as before.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { packChecks } from '#src/checks/packed/pack.ts';
import { OPERATOR } from '#src/cli/open-installation.ts';
import { DAY_MS, MINUTE_MS } from '#src/domain/durations.ts';
import { SERIES_RANGES } from '#src/domain/names.ts';
import { restoreBackup } from '#src/installation-backup/restore.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { exportOrganization } from '#src/organization-export/export.ts';
import { LINES_FILE } from '#src/organization-export/format.ts';
import { importOrganization } from '#src/organization-export/import.ts';
import { openPool } from '#src/platform/db/pool.ts';
import { writePrivateFile } from '#src/platform/private-file.ts';
import type { PolicyReplay } from '#src/policy-replay/contract.ts';
import { PARTITIONED } from '#src/retention.ts';
import type { Series } from '#src/series/contract.ts';
import { rollUp } from '#src/series/rollup.ts';
import { SECRET_KEY, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { bytesOf } from '#test/harness/backup.ts';
import { silent } from '#test/harness/cluster.ts';
import { emptyDatabase } from '#test/harness/database.ts';
import { putIncident } from '#test/harness/incident-row.ts';
import { readSeries } from '#test/harness/naive-series.ts';
import { type Probe, resultOf } from '#test/harness/probe.ts';

const DAYS = 4;
const EVERY_MS = 10 * MINUTE_MS;
const dir = mkdtempSync(join(tmpdir(), 'tocsin-packed-'));
after(() => rmSync(dir, { recursive: true, force: true }));

let app: TestApp;
let far: Probe;
let monitor: Monitor;
let start: number;

before(async () => {
  app = await startAppOfFile();
  far = await app.region('far');
  await sql`UPDATE packing_state SET begins_at = '-infinity'`.execute(app.db);
  // Results of earlier times are those of a probe that was cut off.
  start = Math.floor(app.clock.ms() / DAY_MS - DAYS) * DAY_MS;
  monitor = await create('Shop', ['local', 'far']);
  for (let day = 0; day < DAYS; day++) await report(day);
  const fromMs = start + DAY_MS + 61 * EVERY_MS;
  await putIncident(app, monitor, { fromMs, toMs: fromMs + 7 * EVERY_MS, origin: 'automatic' });
  await rollUpAll();
});

function create(name: string, regions: string[]): Promise<Monitor> {
  const config = { url: 'https://shop.example.com/' };
  const body = { name, type: 'http', config, regions, interval_seconds: EVERY_MS / 1000 };
  return app.alice.ok('POST', `/projects/${app.home.projectId}/monitors`, body);
}

/** A day of results of both regions: most pass, an hour of them fails. */
async function report(day: number): Promise<void> {
  for (const [i, probe] of [app.probe(), far].entries()) {
    const results = Array.from({ length: DAY_MS / EVERY_MS }, (_, n) => resultAt(day, n, i));
    const answer = await probe.post(results);
    assert.deepEqual([answer.status, answer.body.accepted], [200, results.length]);
  }
}

function resultAt(day: number, n: number, region: number) {
  const fails = n > 60 && n < 68;
  const phases = { dns: n % 3, connect: 8 + (n % 5), tls: 20, first_byte: 40 + ((n * 31) % 50) };
  return resultOf(monitor.id, start + day * DAY_MS + n * EVERY_MS + region * 7 + ((n * 7919) % 400), {
    status: fails ? 'down' : n % 50 === 0 ? 'degraded' : 'up',
    latency_ms: 90 + ((n * 31) % 50),
    timings_ms: phases,
    ...(fails && n % 2 === 0 ? { detail: `no answer after ${n} ms` } : {}),
  });
}

/** Until nothing is left to be rolled up. */
async function rollUpAll(): Promise<void> {
  for (;;) {
    await rollUp(app.db, app.clock.now(), silent);
    const { rows } = await sql<{ done: boolean }>`
      SELECT rolled_until = closed_until AND NOT EXISTS (SELECT FROM rollup_dirty) AS done FROM rollup_state`.execute(
      app.db,
    );
    if (rows[0]?.done) return;
  }
}

/** What everybody sees: all checks, some of them alone, every range, the regions, the incidents, and the files of an export. */
async function everything(): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  const see = async <T>(path: string): Promise<T> => {
    const answer = await app.alice.ok<T>('GET', path);
    seen[path] = JSON.stringify(answer);
    return answer;
  };
  const list = `/monitors/${monitor.id}/checks?limit=700`;
  type Checks = { id: string; checked_at_unix: number }[];
  for (let before = ''; ; ) {
    const checks = await see<Checks>(`${list}${before}`);
    const last = checks.at(-1);
    if (!last) break;
    before = `&before=${last.id}`;
    await see(`/monitors/${monitor.id}/checks/${last.id}`);
    await see(`${list}&region=far&before=${last.checked_at_unix}`);
  }
  for (const range of SERIES_RANGES) await see(`/monitors/${monitor.id}/series?range=${range}`);
  const replay = `/monitors/${monitor.id}/policy-replay`;
  seen[replay] = JSON.stringify(await app.alice.ok('POST', replay, { policy: { alarm_consecutive: 5 } }));
  await see(`/monitors/${monitor.id}/regions`);
  await see(`/monitors/${monitor.id}`);
  const incidents = await see<{ id: string }[]>(`/organizations/${app.home.orgId}/incidents?status=all`);
  for (const { id } of incidents) await see(`/organizations/${app.home.orgId}/incidents/${id}`);
  await exportOrganization({
    url: app.databaseUrl,
    organizationId: app.home.orgId,
    vault: app.vault,
    version: '0.0.0',
    now: app.clock.now(),
    file: async (name, write) => {
      await writePrivateFile(join(dir, name), write);
      seen[name] = readFileSync(join(dir, name), 'utf8');
    },
  });
  return seen;
}

const stored = async () => {
  const { rows } = await sql<{ rows: number; late: number; blocks: number; packed: number }>`
    SELECT (SELECT count(*) FROM checks WHERE checked_at < (SELECT packed_until FROM packing_state))::int AS rows,
      (SELECT count(*) FROM late_checks)::int AS late, (SELECT count(*) FROM packed_checks)::int AS blocks,
      (SELECT coalesce(sum(checks), 0) FROM packed_checks)::int AS packed`.execute(app.db);
  return rows[0]!;
};

/** What the partitions of packed days take. */
async function bytesLeft(): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT coalesce(sum(pg_relation_size(i.inhrelid)), 0)::int AS bytes FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'checks'::regclass AND right(c.relname, 8) < (
      SELECT to_char(packed_until AT TIME ZONE 'UTC', 'YYYYMMDD') FROM packing_state)`.execute(app.db);
  return rows[0]?.bytes ?? -1;
}

/** Every range says what the checks say one by one. */
async function assertTrue(when: string): Promise<void> {
  const seriesIn = await readSeries(app, monitor.id);
  for (const range of SERIES_RANGES) {
    const series = await app.alice.ok<Series>('GET', `/monitors/${monitor.id}/series?range=${range}`);
    const { points, stats } = seriesIn(range);
    const { checks, uptime_pct, avg_ms } = series.stats;
    assert.deepEqual(
      { points: series.points, checks, uptime_pct, avg_ms },
      { points, ...stats },
      `${range} ${when}`,
    );
  }
}

test('answers are the same before and after packing, whichever server packs or dies meanwhile', async () => {
  const rows = await everything();
  assert.ok(Object.keys(rows).length > 20);
  for (let moment = 0; moment < 12; moment++) {
    const other = openPool({ url: app.databaseUrl, log: silent, size: 2, name: 'packer' });
    const dying = packChecks(other.db, new Date()).catch(() => undefined);
    await sql`SELECT pg_sleep(${moment * 0.004}::float8)`.execute(app.db);
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'packer' AND datname = current_database()`.execute(app.db);
    await dying;
    await other.close();
  }
  await Promise.all([1, 2, 3].map(() => packChecks(app.db, new Date())));
  // A day is left for the next run while a process that dies still locks it, and a partition while somebody reads it.
  const left = async () => (await stored()).blocks < (DAYS - 2) * 2 || (await bytesLeft()) > 0;
  for (let runs = 0; runs < 100 && (await left()); runs++) {
    await sql`UPDATE packing_state SET settled_at = now() - interval '2 minutes'`.execute(app.db);
    await packChecks(app.db, new Date());
  }
  const now = await stored();
  assert.deepEqual([now.rows, now.late], [0, 0], 'the partitions are empty');
  assert.ok(
    now.blocks >= (DAYS - 2) * 2 && now.packed === now.blocks * (DAY_MS / EVERY_MS),
    JSON.stringify(now),
  );
  assert.equal(await bytesLeft(), 0, 'and the disk has the room back');
  assert.deepEqual(await everything(), rows);
});

test('a late result of a packed day counts once, before and after it is merged', async () => {
  const at = start + DAY_MS + 5 * EVERY_MS + 123_456;
  const late = resultOf(monitor.id, at, { status: 'down', detail: 'late' });
  const known = resultOf(monitor.id, start + DAY_MS, 'down');
  assert.equal((await far.post([late, known])).body.accepted, 2, 'nothing was checked at midnight');
  const again = (await far.post([late, known, resultOf(monitor.id, start + 7, 'up')])).body;
  assert.deepEqual([again.accepted, again.duplicates], [0, 3], 'a block is looked into');
  assert.equal((await stored()).late, 2);
  await assertTrue('while it is late');
  await rollUpAll();
  await assertTrue('when it is rolled up');
  const rows = await everything();
  assert.ok(Object.values(rows).some((body) => body.includes('"detail":"late"')));
  await Promise.all([packChecks(app.db, new Date()), packChecks(app.db, new Date())]);
  assert.equal((await stored()).late, 0);
  assert.deepEqual(await everything(), rows);
  assert.equal((await far.post([late, known])).body.duplicates, 2);
});

test('discarding an incident and planning maintenance over packed days change the figures at once', async () => {
  const [incident] = await app.alice.ok<{ id: string; status: string }[]>(
    'GET',
    `/organizations/${app.home.orgId}/incidents?status=all`,
  );
  assert.ok(incident);
  await app.db.updateTable('incidents').set({ discarded: true }).where('id', '=', incident.id).execute();
  await assertTrue('when an incident is discarded');
  await app.alice.ok('POST', `/organizations/${app.home.orgId}/maintenance-windows`, {
    ...{ title: 'Moved', body: 'To another rack' },
    scheduled_start: (start + DAY_MS) / 1000,
    scheduled_end: (start + 2 * DAY_MS + 5 * 3_600_000) / 1000,
    monitors: [monitor.id],
  });
  await assertTrue('before maintenance is rolled up');
  await rollUpAll();
  await assertTrue('when maintenance is rolled up');
  const planned = readFileSync(join(dir, 'uptime.csv'), 'utf8');
  await everything();
  assert.notEqual(readFileSync(join(dir, 'uptime.csv'), 'utf8'), planned);
});

/** All checks of the monitor, as they are stored, whatever its number is there. */
async function checksIn(url: string): Promise<{ n: number; hash: string }> {
  const { db, close } = openPool({ url, log: silent, size: 1 });
  const { rows } = await sql<{ n: number; hash: string }>`
    SELECT count(*)::int AS n, sum(hashtextextended(to_jsonb(s)::text, 0))::text AS hash FROM (
      SELECT r.slug, to_jsonb(c) - 'monitor_no' - 'region_no' AS data FROM monitors m CROSS JOIN regions r
      CROSS JOIN LATERAL stored_checks(m.no, r.no, '-infinity', 'infinity') c WHERE m.id = ${monitor.id}
    ) s`.execute(db);
  await close();
  return rows[0]!;
}

test('a backup contains packed and late results', async () => {
  await far.post([resultOf(monitor.id, start + DAY_MS + 99, { status: 'down', detail: 'later' })]);
  assert.equal((await stored()).late, 1);
  await using copy = await emptyDatabase();
  const bytes = await bytesOf({
    ...{
      url: app.databaseUrl,
      secretKey: SECRET_KEY,
      earlierSecretKeys: [],
      includeKey: false,
      encryption: null,
    },
    ...{ version: '0.0.0', now: app.clock.now() },
  });
  await restoreBackup({
    url: copy.url,
    source: Readable.from([bytes]),
    opening: { passphrase: null, identities: [] },
    secretKeys: [SECRET_KEY],
    saveKeys: async () => assert.fail('there is a key already'),
    partitioned: PARTITIONED,
  });
  const ours = await checksIn(app.databaseUrl);
  assert.ok(ours.n >= DAYS * 2 * (DAY_MS / EVERY_MS));
  assert.deepEqual(await checksIn(copy.url), ours);
});

test('an import into an installation with packing has the same checks, and they are packed there', async () => {
  await everything();
  const target = await startAppOfFile({ clock: app.clock });
  await target.region('far');
  await sql`UPDATE packing_state SET begins_at = '-infinity', sealed_until = ${new Date(start + 2 * DAY_MS)},
    packed_until = ${new Date(start + 2 * DAY_MS)}`.execute(target.db);
  await importOrganization({
    ...{ db: target.db, vault: target.vault, path: join(dir, LINES_FILE), slug: 'moved', plan: 'unlimited' },
    ...{ now: app.clock.now(), actor: OPERATOR },
  });
  const ours = await checksIn(app.databaseUrl);
  assert.deepEqual(await checksIn(target.databaseUrl), ours);
  await packChecks(target.db, new Date());
  assert.deepEqual(await checksIn(target.databaseUrl), ours);
  const { rows } = await sql<{ late: number; packed: number }>`
    SELECT (SELECT count(*)::int FROM late_checks) AS late, sum(checks)::int AS packed FROM packed_checks`.execute(
    target.db,
  );
  assert.equal(rows[0]?.late, 0);
  assert.ok((rows[0]?.packed ?? 0) >= 2 * 2 * (DAY_MS / EVERY_MS));
});

test('a removed monitor leaves nothing, packed or late', async () => {
  const { no } = await app.db
    .selectFrom('monitors')
    .select('no')
    .where('id', '=', monitor.id)
    .executeTakeFirstOrThrow();
  await far.post([resultOf(monitor.id, start + DAY_MS + 1, 'up')]);
  await app.alice.ok('DELETE', `/monitors/${monitor.id}`);
  await app.runTask('purge_checks', { monitor_no: no });
  await packChecks(app.db, new Date());
  const { late, blocks } = await stored();
  assert.deepEqual([late, blocks], [0, 0]);
});

test('a packed day of which everything comes late is replayed at once', async () => {
  const { id } = await create('Cut off', ['far']);
  const results = Array.from({ length: 10 }, (_, n) => resultOf(id, start + DAY_MS + n * EVERY_MS, 'down'));
  assert.equal((await far.post(results)).body.accepted, results.length);
  const replayed = () =>
    app.alice.ok<PolicyReplay>('POST', `/monitors/${id}/policy-replay`, { policy: { alarm_consecutive: 3 } });
  const late = await replayed();
  assert.deepEqual([late.check_count, late.now.alarm_count, late.complete], [10, 1, true]);
  await packChecks(app.db, new Date());
  assert.equal((await stored()).late, 0);
  assert.deepEqual(await replayed(), late);
});
