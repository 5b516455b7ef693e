// What one organization owns leaves an installation, and comes into another (docs/rules/command-line.md#export,
// docs/rules/command-line.md#import).
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { OPERATOR } from '#src/cli/open-installation.ts';
import { readTables } from '#src/installation-backup/catalog.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { exportOrganization } from '#src/organization-export/export.ts';
import { LINES_FILE } from '#src/organization-export/format.ts';
import { importOrganization } from '#src/organization-export/import.ts';
import { EXPORTED_TABLES, NOT_EXPORTED_TABLES } from '#src/organization-export/tables.ts';
import { deleteOrganization, isBeingPurged } from '#src/organizations/delete.ts';
import { writePrivateFile } from '#src/platform/private-file.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import { audit } from '#src/server/job-auditor.ts';
import { startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { makeClient } from '#test/harness/client.ts';
import { silent } from '#test/harness/cluster.ts';
import { png, SVG } from '#test/harness/images.ts';
import { type LivedIn, liveIn, SECRETS } from '#test/harness/lived-in.ts';
import { until } from '#test/harness/until.ts';

type Line = { kind: string; data: Record<string, unknown> };

const dir = mkdtempSync(join(tmpdir(), 'tocsin-export-'));
after(() => rmSync(dir, { recursive: true }));

let source: TestApp;
let target: TestApp;
let ours: LivedIn;
let theirs: LivedIn;
let exported: Line[];

before(async () => {
  source = await startAppOfFile();
  ours = await liveIn(source);
  theirs = await liveIn(source);
  exported = await exportFrom(source, ours.orgId, 'ours');
  target = await startAppOfFile({
    clock: source.clock,
    env: { SECRET_KEY: 'quite another key, long enough as well' },
  });
});

async function exportFrom(app: TestApp, organizationId: string, name: string): Promise<Line[]> {
  await exportOrganization({
    url: app.databaseUrl,
    organizationId,
    vault: app.vault,
    version: '0.0.0',
    now: app.clock.now(),
    file: (file, write) => writePrivateFile(join(dir, `${name}-${file}`), write),
  });
  return read(`${name}-${LINES_FILE}`)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

const read = (name: string) => readFileSync(join(dir, name), 'utf8');
const of = (lines: readonly Line[], kind: string) =>
  lines.filter((line) => line.kind === kind).map(({ data }) => data);

function importInto(
  app: TestApp,
  options: { lines?: readonly (Line | string)[]; slug?: string; path?: string; file?: string } = {},
) {
  const path = options.path ?? join(dir, options.file ?? 'given.jsonl');
  if (!options.path) {
    const lines = options.lines ?? exported;
    writeFileSync(
      path,
      lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
    );
  }
  return importOrganization({
    db: app.db,
    vault: app.vault,
    path,
    slug: options.slug ?? null,
    plan: 'pro',
    now: app.clock.now(),
    actor: OPERATOR,
  });
}

test('every table is exported, or listed as left out', async () => {
  const client = new pg.Client({ connectionString: source.databaseUrl });
  await client.connect();
  const tables = await readTables(client).finally(() => client.end());
  const listed = [...EXPORTED_TABLES, ...Object.keys(NOT_EXPORTED_TABLES)];
  assert.deepEqual(tables.map(({ name }) => name).sort(), listed.sort());
});

test('an export has all data of the organization, decrypted, and nothing of others', () => {
  for (const kind of ['member', 'invitation', 'project', 'monitor', 'check', 'incident', 'incident_timeline'])
    assert.ok(of(exported, kind).length > 0, `no ${kind}`);
  for (const kind of [
    'alert_profile',
    'alarm_standard',
    'on_call_settings',
    'on_call_roster',
    'on_call_override',
    'status_page',
    'status_page_monitor',
    'status_page_viewer',
    'status_page_subscriber',
    'incident_status_page',
  ])
    assert.equal(of(exported, kind).length, 1, `not one ${kind}`);
  assert.deepEqual(
    of(exported, 'status_page_logo').map(({ ground, media_type, bytes }) => [ground, media_type, bytes]),
    [
      ['dark', 'image/png', png().toString('base64')],
      ['light', 'image/svg+xml', SVG.toString('base64')],
    ],
  );
  for (const kind of ['webhook_target', 'webhook_event', 'delivery', 'api_key', 'activity'])
    assert.ok(of(exported, kind).length > 0, `no ${kind}`);
  const monitor = of(exported, 'monitor').find(({ id }) => id === ours.monitorId);
  assert.deepEqual((monitor?.config as typeof SECRETS | undefined)?.auth, SECRETS.auth);
  assert.deepEqual(
    of(exported, 'webhook_target').map(({ kind, secret }) => [kind, secret]),
    [
      ['webhook', ours.webhookSecret],
      ['slack', null],
      ['pagerduty', '0123456789abcdef0123456789abcdef'],
    ],
  );

  for (const file of [LINES_FILE, 'uptime.csv', 'incidents.csv']) {
    const text = read(`ours-${file}`);
    for (const foreign of [
      theirs.orgId,
      theirs.projectId,
      theirs.monitorId,
      theirs.owner.email,
      theirs.openIncidentId,
    ])
      assert.ok(!text.includes(foreign), `${file} tells ${foreign}`);
    for (const secret of ['$argon', 'scrypt', 'sealed:1:', ours.key])
      assert.ok(!text.includes(secret), secret);
  }
});

test('the CSV files have the same figures as the API, and no cell is a formula', async () => {
  const days = read('ours-uptime.csv').trimEnd().split('\r\n');
  assert.equal(
    days[0],
    'date,monitor_id,monitor,project,checks,up,degraded,down,checks_passed_pct,uptime_time_pct',
  );
  const shop = days.filter((line) => line.includes(ours.monitorId));
  assert.equal(shop.length, 3);
  const cells = shop.map((line) => line.split(',').slice(-6).map(Number));
  const checks = cells.reduce((sum, [count = 0]) => sum + count, 0);
  const bad = cells.reduce((sum, [, , , down = 0]) => sum + down, 0);
  const { stats } = await ours.owner.ok<{ stats: { checks: number; uptime_pct: number } }>(
    'GET',
    `/monitors/${ours.monitorId}/series?range=7d`,
  );
  assert.deepEqual([checks, ((checks - bad) / checks) * 100], [stats.checks, stats.uptime_pct]);
  assert.ok(
    cells.every(([, , , , passed = -1, uptime = -1]) => passed >= 0 && uptime > 0 && uptime <= 100),
    shop.join('\n'),
  );
  assert.ok(
    shop.every((line) => line.includes(`"'=Shop, ""the"" äöü"`)),
    shop.join('\n'),
  );
  const incidents = read('ours-incidents.csv').trimEnd().split('\r\n');
  assert.equal(incidents.length, 3);
});

/** Who wrote it, where the name stands beside it. */
const UNKNOWN_WRITERS = { actor_email: null, author_email: null, alarm_held_by_email: null };

test('an import into another installation gives the same organization, and its monitors are checked', async () => {
  const member = await target.person('emil');
  await target.db
    .updateTable('users')
    .set({ email: ours.member.email, email_verified: true })
    .where('id', '=', member.userId)
    .execute();
  const imported = await importInto(target);
  assert.equal(imported.organization.id, ours.orgId);
  assert.equal(imported.members, 1);
  assert.equal(imported.ownedBy, target.alice.email);
  assert.deepEqual(imported.invited.map(({ role }) => role).sort(), ['manager', 'owner']);

  const again = await exportFrom(target, ours.orgId, 'again');
  const differing = ['tocsin_organization_export', 'member', 'invitation', 'activity', 'organization'];
  const same = (lines: readonly Line[]) =>
    lines
      .filter(({ kind }) => !differing.includes(kind))
      .map(({ kind, data }) => ({
        kind,
        data: { ...data, secret_hint: '', created_by_email: null, ...UNKNOWN_WRITERS },
      }));
  // Everybody but the member is somebody who has no account here.
  assert.deepEqual(same(again), same(exported));
  assert.deepEqual(
    of(again, 'activity').filter(({ action }) => action !== 'organization.import'),
    of(exported, 'activity'),
  );
  // The entry about the import is linked to what was taken over.
  const [organization] = of(exported, 'organization');
  const [exportedAgain] = of(again, 'organization');
  const { activity_no, activity_hash } = exportedAgain ?? {};
  assert.deepEqual(exportedAgain, { ...organization, plan: 'pro', activity_no, activity_hash });
  assert.equal(activity_no, Number(organization?.activity_no) + 1);
  assert.equal(read('again-uptime.csv'), read('ours-uptime.csv'));

  const { monitors } = await target.probe().assignments();
  const assigned = monitors.find(({ monitor_id }) => monitor_id === ours.monitorId);
  assert.deepEqual((assigned?.config as typeof SECRETS | undefined)?.auth, SECRETS.auth);
  assert.equal(assigned?.interval_seconds, 15, 'it is failing, and checked faster');

  // The outage goes on where it was: the next passing result resolves its incident.
  target.clock.advance(60_000);
  await target.probe().says(ours.monitorId, 'up');
  const key = { authorization: `Bearer ${ours.key}` };
  const monitor = await makeClient(target.url).send<Monitor>(
    'GET',
    `/monitors/${ours.monitorId}`,
    undefined,
    key,
  );
  assert.deepEqual([monitor.status, monitor.body.last_status], [200, 'passed']);
  const incident = await target.db
    .selectFrom('incidents')
    .select(['status', 'auto_resolved'])
    .where('id', '=', ours.openIncidentId)
    .executeTakeFirst();
  assert.deepEqual(incident, { status: 'closed', auto_resolved: true });

  target.clock.advance(3_600_000);
  assert.ok((await audit({ db: target.db, clock: target.clock.now, log: silent })) > 0);
});

test('a person with an unproven account gets a link like people without an account', async () => {
  await using other = await startTestApp({ clock: target.clock });
  const squatter = await other.person('emil');
  await other.db
    .updateTable('users')
    .set({ email: ours.member.email })
    .where('id', '=', squatter.userId)
    .execute();
  const imported = await importInto(other);
  assert.equal(imported.members, 0);
  assert.ok(imported.invited.some(({ email }) => email === ours.member.email));
});

test('an override of a file of before it had an id gets a new one', async () => {
  const app = await startAppOfFile({ clock: source.clock });
  const member = await app.person('emil');
  const proven = { email: ours.member.email, email_verified: true };
  await app.db.updateTable('users').set(proven).where('id', '=', member.userId).execute();
  const lines = exported.map(({ kind, data: { id, ...rest } }) =>
    kind === 'on_call_override'
      ? { kind, data: rest }
      : { kind, data: { ...rest, ...(id === undefined ? {} : { id }) } },
  );
  await importInto(app, { lines });
  const [made, ...more] = await app.db.selectFrom('on_call_overrides').select(['id', 'user_id']).execute();
  assert.deepEqual([made?.user_id, more], [member.userId, []]);
  const [before] = of(exported, 'on_call_override');
  assert.match(String(before?.id), /^ovr_/);
  assert.notEqual(made?.id, before?.id);
});

test('what was deleted here is imported once its logs are removed, not before: they would go with the old ones', async () => {
  await using app = await startTestApp({ clock: source.clock });
  await importInto(app);
  const log = () => app.db.selectFrom('activity').select('id').where('org_id', '=', ours.orgId).execute();
  const before = await log();
  assert.ok(before.length > 0);
  await app.db.transaction().execute(async (tx) => {
    // Holds up the removal, as one of many events would.
    await sql`LOCK TABLE live_events IN SHARE MODE`.execute(tx);
    await runWork(app.db, app.clock.now(), SYSTEM, (work) => deleteOrganization(work, ours.orgId));
    await assert.rejects(importInto(app), /was deleted here, and its logs are still being removed/);
  });
  await until(async () => !(await isBeingPurged(app.db, ours.orgId)), 'the logs are removed');
  assert.deepEqual(await log(), []);
  await importInto(app);
  assert.equal((await log()).length, before.length);
});

test('existing data is not imported again', async () => {
  await assert.rejects(importInto(target), /already exists here/);
  const other = exported.map((line) =>
    line.kind === 'organization' ? { ...line, data: { ...line.data, id: theirs.orgId } } : line,
  );
  await assert.rejects(importInto(target, { lines: other }), /--slug NEW/);
  await assert.rejects(importInto(target, { lines: other, slug: 'Not A Slug' }), /cannot be a slug/);
  await assert.rejects(
    importInto(target, { lines: other, slug: 'a-free-slug' }),
    /with the same name or id already exists here/,
  );
  const left = await target.db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', theirs.orgId)
    .execute();
  assert.deepEqual(left, []);
});

test('a file that refers to data outside it, or is broken, is refused with the line', async () => {
  const lines = (await exportFrom(source, theirs.orgId, 'theirs')) as Line[];
  const changed = (kind: string, change: Record<string, unknown>) => {
    const at = lines.findIndex((line) => line.kind === kind);
    return [...lines.slice(0, at), { kind, data: { ...lines[at]?.data, ...change } }, ...lines.slice(at + 1)];
  };
  const twice = (kind: string, spelt: (email: string) => string) => {
    const at = lines.findIndex((line) => line.kind === kind);
    const { data } = lines[at] as Line;
    const again = { kind, data: { ...data, email: spelt(String(data.email)) } };
    return [...lines.slice(0, at), again, ...lines.slice(at)];
  };
  const long = '9'.repeat(20);
  const wrong: [string, (Line | string)[], RegExp][] = [
    [
      'a monitor in a project of others',
      changed('monitor', { project_id: ours.projectId }),
      /project_id prj_.* is not in/,
    ],
    [
      'an incident of another monitor',
      changed('incident', { monitor_id: ours.monitorId }),
      /monitor_id mon_/,
    ],
    ['checks of another monitor', changed('check', { monitor_id: ours.monitorId }), /monitor_id mon_/],
    [
      'a delivery of another event',
      changed('delivery', { event_id: of(exported, 'webhook_event')[0]?.id }),
      /event_id evt_/,
    ],
    [
      'an event of others',
      changed('webhook_event', { id: of(exported, 'webhook_event')[0]?.id }),
      /already exists here/,
    ],
    [
      'a key of others',
      changed('api_key', { hash: of(exported, 'api_key')[0]?.hash }),
      /already exists here/,
    ],
    [
      'a state that is none',
      changed('monitor', { state: { regions: {}, outage: null } }),
      /phase is required/,
    ],
    ['a target that is none', changed('monitor', { config: { url: 'ftp://x.example.com' } }), /config\.url/],
    [
      'a sealed value',
      changed('monitor', {
        config: { url: 'https://x.example.com', headers: { Authorization: 'sealed:1:AAAA' } },
      }),
      /looks like a sealed value/,
    ],
    ['a check of tomorrow', changed('check', { checked_at: '2999-01-01T00:00:00+00:00' }), /in the future/],
    ['a number too long', changed('check', { latency_ms: 99_999_999_999 }), /cannot be imported/],
    [
      'a time that is none',
      changed('check', { checked_at: '2026-13-45T25:61:61+00:00' }),
      /its time is none/,
    ],
    ['evidence that is none', changed('incident', { evidence: { reason: 'x' } }), /evidence/],
    [
      'a profile of others',
      changed('monitor', { policy: { alert_profile_id: of(exported, 'alert_profile')[0]?.id } }),
      /policy\.alert_profile_id alp_.* is not in/,
    ],
    [
      'a profile out of range',
      changed('alert_profile', { policy: { alarm_consecutive: 0 } }),
      /alarm_consecutive/,
    ],
    [
      'a status page with a link that runs script',
      changed('status_page', { header_nav: [{ label: 'Help', href: 'javascript:alert(1)' }] }),
      /href in its header_nav must be/,
    ],
    ['a status page on Mars', changed('status_page', { timezone: 'Mars/Olympus' }), /its timezone is none/],
    [
      'a monitor of others on a status page',
      changed('status_page_monitor', { monitor_id: ours.monitorId }),
      /monitor_id mon_.* is not in/,
    ],
    [
      'a monitor on a status page of others',
      changed('status_page_monitor', { status_page_id: of(exported, 'status_page')[0]?.id }),
      /status_page_id stp_.* is not in/,
    ],
    [
      'a logo that is a page',
      changed('status_page_logo', { bytes: Buffer.from('<html></html>').toString('base64') }),
      /root of an SVG image/,
    ],
    [
      'a viewer with a password in the clear',
      changed('status_page_viewer', { password_hash: 'secret' }),
      /password_hash/,
    ],
    [
      'a viewer without an address',
      changed('status_page_viewer', { email: 'vera' }),
      /must be an e-mail address/,
    ],
    ['a floor of nothing', changed('alarm_standard', { standard: { min_regions: 0 } }), /min_regions/],
    [
      'a gate that holds for years',
      changed('monitor', { alarm_gate: { grace_seconds: 1e9, origins: [] } }),
      /grace_seconds/,
    ],
    ['no name', changed('project', { name: '' }), /project: name/],
    ['a monitor that is checked from nowhere', changed('monitor', { regions: [] }), /at least one region/],
    ['a region twice', changed('monitor', { regions: ['local', 'local'] }), /a region twice/],
    ['an event that is none', changed('webhook_target', { events: ['opend'] }), /webhook_target: events/],
    [
      'a webhook without its secret',
      changed('webhook_target', { secret: null }),
      /webhook target needs its secret/,
    ],
    ['a target of no kind', changed('webhook_target', { kind: 'fax' }), /webhook_target: kind/],
    ['a scope that is none', changed('api_key', { scopes: ['all:write'] }), /api_key: scopes/],
    ['an address that is none', changed('member', { email: 'x\nBcc: y' }), /Line \d+ .*e-mail address/],
    ['a member twice', twice('member', (email) => email.toUpperCase()), /Line \d+ .* is in it twice/],
    [
      'an unknown kind',
      [...lines, { kind: 'chekc', data: {} }],
      /Line \d+ .*"chekc" is not a known kind.*check/,
    ],
    ['an unknown field', changed('project', { colour: long }), /colour is not a field/],
    ['no JSON', [...lines, '{"kind":'], new RegExp(`Line ${lines.length + 1} .*no JSON`)],
    ['no header', lines.slice(1), /Line 1 .*header/],
    [
      'a newer format',
      [{ kind: 'tocsin_organization_export', data: { format: 2 } }, ...lines.slice(1)],
      /newer Tocsin/,
    ],
    ['no organization', [lines[0] as Line, ...lines.slice(2)], /organization is the second line/],
  ];
  for (const [what, given, sentence] of wrong) {
    await assert.rejects(importInto(target, { lines: given }), sentence, what);
    const left = await target.db
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', theirs.orgId)
      .execute();
    assert.deepEqual(left, [], what);
  }
});

test('missing regions are created, without probes and without private targets', async () => {
  const lines = await exportFrom(source, theirs.orgId, 'theirs');
  const region = { kind: 'region', data: { slug: 'far-away', name: 'Far away', internal: false } };
  const at = lines.findIndex(({ kind }) => kind === 'monitor');
  const given = [...lines.slice(0, at), region, ...lines.slice(at)];
  const twice = await Promise.allSettled(
    [1, 2].map(() => importInto(target, { lines: given, slug: 'theirs' })),
  );
  const [imported, ...more] = twice.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const [refused] = twice.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
  assert.ok(imported && more.length === 0, 'of two imports at once, one is made');
  assert.match(refused ?? '', /The organization already exists here, as theirs/);
  assert.deepEqual(imported.madeRegions, ['far-away']);
  const made = await target.db
    .selectFrom('regions')
    .selectAll()
    .where('slug', '=', 'far-away')
    .executeTakeFirst();
  assert.deepEqual([made?.allow_private_targets, made?.name], [false, 'Far away']);
});

test('two organizations that are imported at once share the region that both bring', async () => {
  const region = { kind: 'region', data: { slug: 'farther-away', name: 'Farther away', internal: false } };
  const imports = [];
  for (const name of ['first', 'second']) {
    const lines = await exportFrom(source, (await liveIn(source)).orgId, name);
    const at = lines.findIndex(({ kind }) => kind === 'monitor');
    const given = [...lines.slice(0, at), region, ...lines.slice(at)];
    imports.push(() => importInto(target, { lines: given, slug: name, file: `${name}.jsonl` }));
  }
  const made = await Promise.all(imports.map((each) => each()));
  assert.deepEqual(
    made.flatMap(({ madeRegions }) => madeRegions),
    ['farther-away'],
  );
});
