// An organization as a file, over HTTP: downloaded by its admins, and its configuration brought into another organization
// (docs/rules/access.md#an-organization-as-a-file). What nobody honest sends is in organization-file-hostile.test.ts.
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { startDownload } from '#src/organization-export/download.ts';
import { exportOrganization } from '#src/organization-export/export.ts';
import { LINES_FILE } from '#src/organization-export/format.ts';
import { newId } from '#src/platform/ids.ts';
import type { StatusPage, StatusPageDetail } from '#src/status-pages/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { fingerprint } from '#test/harness/fingerprint.ts';
import { type LivedIn, SECRETS } from '#test/harness/lived-in.ts';
import {
  at,
  bring,
  brought,
  configurationOf,
  download,
  fileOf,
  type Line,
  linesOf,
  makeExported,
  monitorsOf,
} from '#test/harness/organization-file.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { grantKey } from '#test/harness/scene.ts';
import { newPage } from '#test/harness/status-page.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
let ours: LivedIn;
let text: string;
let lines: Line[];

before(async () => {
  app = await startAppOfFile();
  ({ ours, text, lines } = await makeExported(app));
});

const HEADER = () => lines[0] as Line;
const found = (kind: string) => structuredClone(lines.find((line) => line.kind === kind) as Line);

test('a download equals the command line’s output, streamed, named and logged', async () => {
  const answer = await ours.owner.send<string>('POST', at(ours, '/export?checks_days=2'));
  assert.match(
    answer.headers.get('content-disposition') ?? '',
    /^attachment; filename="place-[0-9a-f]+-\d{4}-\d\d-\d\d\.jsonl"$/,
  );
  assert.match(answer.headers.get('content-type') ?? '', /^application\/x-ndjson/);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const kinds = new Set(linesOf(answer.body).map(({ kind }) => kind));
  for (const kind of ['tocsin_organization_export', 'organization', 'monitor', 'check', 'activity'])
    assert.ok(kinds.has(kind), kind);
  assert.ok(text.includes(SECRETS.headers.Authorization), 'secrets are in clear, as the page says');
  const written: string[] = [];
  await exportOrganization({
    ...{
      url: app.databaseUrl,
      vault: app.vault,
      version: '0',
      now: app.clock.now(),
      organizationId: ours.orgId,
    },
    file: async (name, write) => {
      if (name !== LINES_FILE) return;
      await write(new Writable({ write: (chunk, _, done) => done(void written.push(String(chunk))) }));
    },
  });
  // The download itself is the last entry of the log.
  const lasting = (file: string) =>
    linesOf(file).filter(({ kind }) => !/^(tocsin_.*|organization|activity)$/.test(kind));
  assert.deepEqual(lasting(text), lasting(written.join('')));
  const log = await ours.owner.ok<ActivityEntry[]>('GET', at(ours, '/activity?action=organization.export'));
  assert.deepEqual(log[0]?.after, { checks_days: 2 });
});

test('only owners and admins with a fresh sign-in can download it, and no key', async () => {
  const forbidden = { status: 403, error: 'forbidden' };
  for (const role of ['manager', 'member', 'viewer'] as const) {
    const person = await app.person(role, { [ours.orgId]: role });
    assertRefused(await person.send('POST', at(ours, '/export')), forbidden, role);
    assertRefused(await bring(person, ours, text), forbidden, role);
  }
  const stranger = await app.person('mallory');
  assertRefused(await stranger.send('POST', at(ours, '/export')), forbidden);
  assertRefused(await bring(stranger, ours, text), forbidden);
  const { key } = await grantKey(app, ours.orgId);
  for (const path of ['/export', '/import'])
    assertRefused(await app.visitor().send('POST', at(ours, path), 'x', { authorization: `Bearer ${key}` }), {
      status: 401,
      error: 'key_not_accepted',
    });
  const admin = await app.person('ada', { [ours.orgId]: 'admin' });
  assert.equal(linesOf(await download(admin, ours.orgId))[1]?.data.id, ours.orgId);
});

test('of two simultaneous downloads by one owner the second waits', async () => {
  const [one, two] = await Promise.all([1, 2].map(() => ours.owner.send('POST', at(ours, '/export'))));
  const statuses = [one?.status, two?.status].sort();
  assert.ok(statuses[0] === 200 && (statuses[1] === 200 || statuses[1] === 429), String(statuses));
  assert.equal((await ours.owner.send('POST', at(ours, '/export'))).status, 200, 'the slot is free again');
});

test('a preview shows the effect of an import, and writes nothing', async () => {
  const owner = await app.person('petra');
  const place = await app.place(owner);
  const before = await fingerprint(app.db);
  const preview = await brought(owner, place, text, true);
  assert.deepEqual(await fingerprint(app.db), before);
  const report = await brought(owner, place, text);
  assert.deepEqual({ ...preview, preview: false }, report);
  assert.equal(preview.preview, true);
});

test('the import equals the export, under ids of its own', async () => {
  const owner = await app.person('quentin');
  const place = await app.place(owner);
  const report = await brought(owner, place, text);
  assert.deepEqual(
    report.things
      .filter(({ outcome }) => outcome === 'refused')
      .map(({ kind, refusal }) => [kind, refusal?.error]),
    // Its member is no member here.
    [['on_call_roster', 'no_resolvable_member']],
  );
  assert.deepEqual(await configurationOf(app, owner, place), await configurationOf(app, ours.owner, ours));

  const ids = new Set(lines.flatMap(({ data }) => (typeof data.id === 'string' ? [data.id] : [])));
  const own = await monitorsOf(owner, place);
  assert.ok(own.length >= 5 && own.every(({ id }) => !ids.has(id)));
  const row = await app.db
    .selectFrom('monitors')
    .select(['config', 'id'])
    .where('id', '=', own.find(({ name }) => name.startsWith('=Shop'))?.id ?? '')
    .executeTakeFirstOrThrow();
  assert.ok(!JSON.stringify(row.config).includes('a secret'), 'secrets are sealed again');

  const targets = await owner.ok<{ active: boolean }[]>('GET', at(place, '/webhooks'));
  assert.deepEqual(
    targets.map(({ active }) => active),
    [false, false, false],
  );
  const [page] = await owner.ok<StatusPage[]>('GET', at(place, '/status-pages'));
  const detail = await owner.ok<StatusPageDetail>('GET', `/status-pages/${page?.id}`);
  assert.deepEqual(
    [page?.public_viewable, page?.password_protected, page?.shared_password_set, detail.monitors.length],
    [false, false, false, 1],
  );
  assert.ok(report.things.find(({ kind }) => kind === 'status_page')?.notes.includes('slug_changed'));
  assert.equal((await app.visitor().send('GET', `/status/${page?.slug}`)).status, 404);

  for (const table of ['incidents', 'api_keys', 'invitations', 'deliveries'] as const) {
    const rows = await app.db.selectFrom(table).selectAll().where('org_id', '=', place.orgId).execute();
    assert.deepEqual(rows, [], table);
  }
  const members = await owner.ok<unknown[]>('GET', at(place, '/members'));
  assert.equal(members.length, 1);
  const left = new Map(report.left_out.map(({ kind, count }) => [kind, count]));
  for (const kind of [
    'member',
    'invitation',
    'check',
    'incident',
    'api_key',
    'activity',
    'status_page_viewer',
  ])
    assert.ok((left.get(kind) ?? 0) > 0, kind);
  const [entry] = await owner.ok<ActivityEntry[]>(
    'GET',
    at(place, '/activity?action=organization.import_configuration'),
  );
  const logged = entry?.after as { made?: Record<string, number> } | undefined;
  assert.equal(logged?.made?.monitor, 5);
});

test('importing again finds everything existing, and changes nothing but the log', async () => {
  const owner = await app.person('rosa');
  const place = await app.place(owner);
  await brought(owner, place, text);
  const before = await configurationOf(app, owner, place);
  const again = await brought(owner, place, text);
  assert.deepEqual(new Set(again.things.map(({ outcome }) => outcome)), new Set(['exists', 'refused']));
  assert.deepEqual(await configurationOf(app, owner, place), before);
});

test('two targets, or two status pages, of the same name in a file are both imported, and found the next time', async () => {
  const from = await app.place();
  for (const url of ['https://one.example.com/', 'https://two.example.com/'])
    await app.alice.ok('POST', at(from, '/webhooks'), {
      name: 'Operations',
      kind: 'webhook',
      url,
      events: ['opened'],
    });
  for (let i = 0; i < 2; i++) await newPage(app.alice, from, 'Shop');
  const file = await download(app.alice, from.orgId);
  const place = await app.place();
  const outcomes = async () => {
    const { things } = await brought(app.alice, place, file);
    const asked = things.filter(({ kind }) => kind === 'webhook_target' || kind === 'status_page');
    return asked.map(({ kind, outcome }) => `${kind} ${outcome}`).toSorted();
  };
  const each = (outcome: string) =>
    ['status_page', 'webhook_target'].flatMap((kind) => [`${kind} ${outcome}`, `${kind} ${outcome}`]);
  assert.deepEqual(await outcomes(), each('made'));
  assert.deepEqual(await outcomes(), each('exists'));
  const targets = await app.alice.ok<{ url: string }[]>('GET', at(place, '/webhooks'));
  assert.deepEqual(targets.map(({ url }) => url).toSorted(), [
    'https://one.example.com/',
    'https://two.example.com/',
  ]);
});

test('existing data of an organization stays: standard, on-call, a monitor of the same name', async () => {
  const owner = await app.person('sven');
  const place = await app.place(owner);
  await owner.ok('PUT', at(place, '/alarm-standard'), { min_regions: 1, alarm_consecutive: 7 });
  await owner.ok('PUT', at(place, '/on-call/settings'), { escalation_stage1_minutes: 3 });
  await app.db
    .insertInto('members')
    .values({ org_id: place.orgId, user_id: ours.member.userId, role: 'member', joined_at: app.clock.now() })
    .execute();
  const mine = await owner.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, {
    name: 'Last',
    tags: ['jobs'],
    type: 'ping',
    config: { host: 'mine.example.com' },
  });
  const report = await brought(owner, place, text);
  const outcomeOf = (kind: string, name: string | null) =>
    report.things.find((thing) => thing.kind === kind && thing.name === name)?.outcome;
  assert.deepEqual(
    [outcomeOf('alarm_standard', null), outcomeOf('on_call_settings', null), outcomeOf('monitor', 'Last')],
    ['exists', 'exists', 'exists'],
  );
  const windows = await owner.ok<{ monitors: { name: string }[] }[]>(
    'GET',
    at(place, '/maintenance-windows'),
  );
  assert.deepEqual(
    [...new Set(windows.flatMap(({ monitors }) => monitors.map(({ name }) => name)))],
    ['Nightly job'],
    'what was here is in no maintenance of a file, neither by its name nor by its tag',
  );
  const roster = await owner.ok<{ members: unknown[] }>('GET', at(place, '/on-call/members'));
  assert.deepEqual(
    roster.members,
    [{ position: 0, user_id: ours.member.userId }],
    'who is a member has a place',
  );
  const standard = await owner.ok<{ alarm_consecutive: number }>('GET', at(place, '/alarm-standard'));
  assert.equal(standard.alarm_consecutive, 7);
  const after = await owner.ok<Monitor>('GET', `/monitors/${mine.id}`);
  assert.deepEqual([after.type, after.config], [mine.type, mine.config]);
  const group = (await monitorsOf(owner, place)).find(({ name }) => name === 'All of it');
  const whole = await owner.ok<Monitor>('GET', `/monitors/${group?.id}`);
  assert.ok(
    (whole.config as { members: string[] }).members.includes(mine.id),
    'it takes the place of its namesake',
  );
});

test('a roster that somebody has emptied comes in as an empty one', async () => {
  const [from, to] = [await app.place(), await app.place()];
  await app.alice.ok('PUT', at(from, '/on-call/members'), { members: [] });
  const { things } = await brought(app.alice, to, await download(app.alice, from.orgId));
  assert.deepEqual(
    things.filter(({ kind }) => kind === 'on_call_roster').map(({ outcome, notes }) => [outcome, notes]),
    [['made', []]],
  );
  assert.deepEqual(await app.alice.ok('GET', at(to, '/on-call/members')), { members: [] });
});

test('the plan applies: monitors beyond it are refused one by one, and on-call as a whole', async () => {
  const owner = await app.person('tove');
  const place = await app.place(owner, 'free');
  await app.db.updateTable('plans').set({ monitors: 2 }).where('name', '=', 'free').execute();
  const report = await brought(owner, place, text);
  const monitors = report.things.filter(({ kind }) => kind === 'monitor');
  assert.equal(monitors.filter(({ outcome }) => outcome === 'made').length, 2);
  assert.ok(monitors.some(({ refusal }) => refusal?.error === 'quota_reached' && refusal.limit === 2));
  assert.equal((await monitorsOf(owner, place)).length, 2);
  const onCall = report.things.filter(({ kind }) => kind.startsWith('on_call'));
  assert.deepEqual(
    onCall.map(({ refusal }) => refusal?.error),
    ['plan_capability', 'plan_capability'],
  );
});

test('values that the API refuses are refused in a file, one by one, and the rest is imported', async () => {
  const owner = await app.person('wim');
  const place = await app.place(owner);
  const project = found('project');
  const monitor = found('monitor');
  const make = (data: object) => ({
    ...monitor,
    data: { ...monitor.data, id: newId('mon'), depends_on: [], policy: {}, alarm_gate: null, ...data },
  });
  const target = found('webhook_target');
  const window = found('maintenance_window');
  const report = await brought(
    owner,
    place,
    fileOf([
      HEADER(),
      project,
      make({ name: 'Good' }),
      make({ name: 'No such type', type: 'telepathy' }),
      make({ name: 'x'.repeat(300) }),
      make({ name: ' \u200b' }),
      make({ name: 'Config', config: { url: 'file:///etc/passwd' } }),
      make({ name: 'Interval', interval_seconds: 1 }),
      make({ name: 'Elsewhere', regions: ['no-such-region'] }),
      { ...target, data: { ...target.data, name: 'Away', url: 'http://169.254.169.254/latest' } },
      { ...window, data: { ...window.data, title: 'Month 13', scheduled_end: '2999-13-45T00:00:00+00:00' } },
    ]),
  );
  const became = report.things.map(({ name, outcome, notes, refusal }) => [
    name,
    refusal?.error ?? outcome,
    notes,
  ]);
  assert.deepEqual(became.slice(1), [
    ['Good', 'made', []],
    ['No such type', 'unknown_type', []],
    ['x'.repeat(300), 'invalid_request', []],
    [' \u200b', 'empty_name', []],
    ['Config', 'invalid_target', []],
    ['Interval', 'made', []],
    ['Elsewhere', 'made', ['local_region']],
    ['Away', 'invalid_target', []],
    ['Month 13', 'invalid_request', []],
  ]);
});

test('two people who import the same file at once both succeed', async () => {
  const owner = await app.person('xena');
  const place = await app.place(owner);
  const other = await app.person('yuri', { [place.orgId]: 'admin' });
  const answers = await Promise.all([bring(owner, place, text), bring(other, place, text)]);
  assert.ok(
    answers.every(({ status }) => status === 200 || status === 429),
    JSON.stringify(answers),
  );
  const names = (await monitorsOf(owner, place)).map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
});

test('an export that nobody reads is aborted, and holds no snapshot', async () => {
  const given = { url: app.databaseUrl, vault: app.vault, version: '0', now: app.clock.now() };
  assert.ok(text.length > 64 * 1024, `${text.length}`);
  const unread = startDownload({ ...given, organizationId: ours.orgId }, { stallMs: 20 });
  await unread.begun;
  await assert.rejects(unread.done, /nobody/);
  const left = startDownload({ ...given, organizationId: ours.orgId });
  await left.begun;
  left.body.destroy();
  await assert.rejects(left.done, /nobody reads/);
  // A backend ends a moment after its client.
  const isOver = async () => {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'tocsin export'`.execute(app.db);
    return rows.length === 0;
  };
  await until(isOver, 'no export is connected to the database');
});

test('an export that breaks off is no complete file for the person who downloads it', async () => {
  const owner = await app.person('nora');
  const place = await app.place(owner);
  await brought(owner, place, text);
  const sealed = { secret_sealed: 'sealed under a key that is gone' };
  await app.db.updateTable('webhook_targets').set(sealed).where('org_id', '=', place.orgId).execute();
  await assert.rejects(owner.send('POST', at(place, '/export')), /terminated|fetch failed/);
  await app.db.deleteFrom('webhook_targets').where('org_id', '=', place.orgId).execute();
  await download(owner, place.orgId);
});
