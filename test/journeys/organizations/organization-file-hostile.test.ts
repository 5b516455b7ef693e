// Files that are brought into an organization by somebody who wants what is not theirs, or that are none
// (docs/rules/access.md#an-organization-as-a-file).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { sql } from 'kysely';
import { IMPORT_BYTES, MAX_MONITORS } from '#src/configuration-import/contract.ts';
import { inTransaction } from '#src/platform/db/transaction.ts';
import { newId } from '#src/platform/ids.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { fingerprint } from '#test/harness/fingerprint.ts';
import type { LivedIn } from '#test/harness/lived-in.ts';
import {
  at,
  bring,
  brought,
  configurationOf,
  fileOf,
  type Line,
  makeExported,
} from '#test/harness/organization-file.ts';
import { assertRefused } from '#test/harness/refused.ts';
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

test('ids of another organization give no access to it', async () => {
  const owner = await app.person('mallory');
  const place = await app.place(owner);
  const [project, monitor] = [found('project'), found('monitor')];
  const victim = { ...monitor, data: { ...monitor.data, name: 'Mine', depends_on: [] as string[] } };
  const before = await configurationOf(app, ours.owner, ours);
  const group = found('monitor');
  const hostile = {
    ...group,
    data: {
      ...group.data,
      id: newId('mon'),
      name: 'Group of theirs',
      type: 'group',
      regions: [],
      config: { members: [ours.monitorId], rule: 'any_failed' },
      depends_on: [ours.monitorId],
      policy: { alert_profile_id: found('alert_profile').data.id },
    },
  };
  // The project that the file names is theirs by its id, and made anew here.
  const report = await brought(owner, place, fileOf([HEADER(), project, hostile]));
  assert.deepEqual(
    report.things.map(({ kind, outcome }) => [kind, outcome]),
    [
      ['project', 'exists'],
      ['monitor', 'refused'],
    ],
  );
  const alone = await brought(owner, place, fileOf([HEADER(), victim]));
  assert.equal(
    alone.things[0]?.refusal?.field,
    'project_id',
    'a project that is not in the file is nobody’s',
  );
  const agent = await app.db
    .selectFrom('agents')
    .select('id')
    .where('org_id', '=', ours.orgId)
    .executeTakeFirstOrThrow();
  const watching = structuredClone(hostile);
  Object.assign(watching.data, {
    name: 'Their host',
    type: 'agent',
    depends_on: [],
    config: { agent_id: agent.id, metric: 'online' },
  });
  const host = await brought(owner, place, fileOf([HEADER(), project, watching]));
  assert.equal(host.things[1]?.outcome, 'refused');
  const page = found('status_page');
  const shown = found('status_page_monitor');
  const pages = await brought(owner, place, fileOf([HEADER(), page, shown]));
  assert.deepEqual(pages.things[0]?.notes.toSorted(), ['monitors_left_out', 'slug_changed']);
  const window = found('maintenance_window');
  const windows = await brought(owner, place, fileOf([HEADER(), window]));
  assert.ok(windows.things.every(({ outcome }) => outcome === 'refused'));
  assert.deepEqual(await configurationOf(app, ours.owner, ours), before);
});

test('a file cannot bring in a public page, a page with a password, or a link that runs a script', async () => {
  const owner = await app.person('uma');
  const place = await app.place(owner);
  const page = found('status_page');
  Object.assign(page.data, {
    access_mode: 'shared_password',
    shared_password_hash: `${'a'.repeat(32)}:${'b'.repeat(128)}`,
    hide_platform_brand: true,
  });
  const report = await brought(owner, place, fileOf([HEADER(), page]));
  assert.equal(report.things[0]?.outcome, 'made');
  const [made] = await owner.ok<StatusPage[]>('GET', at(place, '/status-pages'));
  assert.deepEqual(
    [made?.public_viewable, made?.shared_password_set, made?.hide_platform_brand],
    [false, false, false],
  );
  const script = structuredClone(page);
  Object.assign(script.data, { name: 'Other', header_nav: [{ label: 'x', href: 'javascript:alert(1)' }] });
  const second = await brought(owner, place, fileOf([HEADER(), script]));
  assert.equal(second.things[0]?.refusal?.error, 'invalid_request');
  assert.equal((await owner.ok<StatusPage[]>('GET', at(place, '/status-pages'))).length, 1);
});

test('a file that is invalid or damaged is refused with the line, and nothing is written', async () => {
  const owner = await app.person('vera');
  const place = await app.place(owner);
  const before = await fingerprint(app.db);
  const project = found('project');
  const monitor = found('monitor');
  const changed = (line: Line, data: object) => ({ ...line, data: { ...line.data, ...data } });
  for (const [name, file, status, said] of [
    ['empty', '', 400, /Send an export/],
    ['blank', ' \n', 400, /empty/],
    ['no JSON', 'hello', 400, /Line 1 is no JSON/],
    ['cut off', text.slice(0, 3000), 400, /Line \d+ is no JSON/],
    ['an array', '[]', 400, /Line 1 is not of the form/],
    ['null', 'null', 400, /Line 1 is not of the form/],
    [
      'data that is a list',
      fileOf([HEADER(), '{"kind":"project","data":[]}']),
      400,
      /Line 2 is not of the form/,
    ],
    ['no header', fileOf([project]), 400, /first line/],
    ['two headers', fileOf([HEADER(), HEADER()]), 400, /first line/],
    ['newer', fileOf([changed(HEADER(), { format: 99 })]), 400, /newer Tocsin/],
    [
      'an unknown kind',
      fileOf([HEADER(), '{"kind":"constructor","data":{}}']),
      400,
      /"constructor" is no kind/,
    ],
    ['a field too many', fileOf([HEADER(), changed(project, { org_id: ours.orgId })]), 400, /org_id/],
    ['a NUL', fileOf([HEADER(), changed(project, { name: 'a\0b' })]), 400, /NUL/],
    ['half a character', fileOf([HEADER(), changed(project, { name: '\ud800' })]), 400, /surrogate/],
    ['__proto__', fileOf([HEADER(), '{"kind":"project","data":{"__proto__":{}}}']), 400, /__proto__/],
    ['one id twice', fileOf([HEADER(), project, project]), 400, /twice/],
    [
      'two standards',
      fileOf([HEADER(), found('alarm_standard'), found('alarm_standard')]),
      400,
      /more than one/,
    ],
    [
      'deep',
      fileOf([HEADER(), changed(monitor, { config: JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) })]),
      400,
      /nested/,
    ],
    [
      'too many monitors',
      fileOf([
        HEADER(),
        ...Array.from({ length: MAX_MONITORS + 1 }, () => changed(monitor, { id: newId('mon') })),
      ]),
      413,
      /more than 1000/,
    ],
    ['too large', 'x'.repeat(IMPORT_BYTES + 1), 413, /larger/],
  ] as const) {
    const answer = await bring(owner, place, file);
    const body = answer.body as unknown as { error: string; message: string };
    assert.deepEqual(
      [answer.status, said.test(body.message)],
      [status, true],
      `${name}: ${JSON.stringify(body)}`,
    );
  }
  assert.deepEqual(await fingerprint(app.db), before);
});

test('cyclic or dangling references, and rules that match no day, end as refusals or notes', async () => {
  const owner = await app.person('zoe');
  const place = await app.place(owner);
  const monitor = found('monitor');
  const series = found('maintenance_series');
  const make = (name: string, data: object = {}) => ({
    ...monitor,
    data: { ...monitor.data, id: newId('mon'), name, policy: {}, depends_on: [] as string[], ...data },
  });
  const group = (name: string, members: unknown) =>
    make(name, { type: 'group', regions: [], config: { members } });
  const [base, one, two] = [make('Base'), make('One'), make('Two')];
  one.data.depends_on = [two.data.id];
  two.data.depends_on = [one.data.id];
  const [ringed, other] = [group('Ringed', []), group('Other', [])];
  Object.assign(ringed.data, { config: { members: [other.data.id] } });
  Object.assign(other.data, { config: { members: [ringed.data.id, base.data.id] } });
  const repeated = (title: string, data: object) => ({
    ...series,
    data: { ...series.data, id: newId('mws'), title, tags: [], monitor_ids: [base.data.id], ...data },
  });
  const never = { rrule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' };
  const report = await brought(
    owner,
    place,
    fileOf([
      ...[
        HEADER(),
        found('project'),
        one,
        two,
        ringed,
        other,
        group('Odd', [1, null, {}, '__proto__']),
        base,
      ],
      repeated('Long ago', {
        first_start: '0001-01-01T00:00:00+00:00',
        first_end: '0001-01-01T01:00:00+00:00',
      }),
      ...['a', 'b', 'c', 'd', 'e'].map((title) => repeated(title, never)),
      repeated('No zone', { timezone: 'Mars/Olympus' }),
    ]),
  );
  const became = Object.fromEntries(
    report.things.map(({ name, outcome, notes }) => [name, [outcome, ...notes]]),
  );
  const left = ['made', 'references_left_out'];
  assert.deepEqual(
    [became.One, became.Two, became.Ringed, became.Other, became.Odd, became.Base],
    [left, ['made'], ['made'], left, ['refused'], ['made']],
  );
  assert.ok(['Long ago', 'a', 'e', 'No zone'].every((title) => became[title]?.[0] === 'refused'));
});

test('a name that is created at the same moment is a conflict: nothing is imported, and a second attempt succeeds', async () => {
  const owner = await app.person('ines');
  const place = await app.place(owner);
  const { promise: committing, resolve: commit } = Promise.withResolvers<void>();
  const { promise: written, resolve: wrote } = Promise.withResolvers<void>();
  const rival = inTransaction(app.db, async (tx) => {
    await tx
      .insertInto('alert_profiles')
      .values({
        id: newId('alp'),
        org_id: place.orgId,
        name: 'Patient',
        policy: '{}',
        created_at: app.clock.now(),
      })
      .execute();
    wrote();
    await committing;
  });
  await written;
  const answer = bring(owner, place, text);
  await until(async () => {
    const { rows } = await sql`
      SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%alert_profiles%'`.execute(
      app.db,
    );
    return rows.length > 0;
  }, 'the import waits for the other');
  commit();
  await rival;
  assertRefused(await answer, { status: 409, error: 'name_taken' });
  assert.equal((await owner.ok<unknown[]>('GET', at(place, '/alert-profiles'))).length, 1);
  assert.equal((await owner.ok<unknown[]>('GET', at(place, '/monitors'))).length, 0);
  const again = await brought(owner, place, text);
  assert.equal(again.things.find(({ kind }) => kind === 'alert_profile')?.outcome, 'exists');
});
