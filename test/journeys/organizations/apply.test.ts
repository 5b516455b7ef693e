// An organization as code: a file declares its configuration, and applying it brings the organization there
// (docs/rules/configuration-files.md).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { AlertProfile } from '#src/alarm-policy/contract.ts';
import type { AppliedThing, ConfigurationFile } from '#src/configuration-apply/contract.ts';
import { MONITOR_TYPES } from '#src/domain/names.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import type { OnCallSettings, Roster } from '#src/on-call/contract.ts';
import type { Project } from '#src/projects/contract.ts';
import type { StatusPage, StatusPageDetail } from '#src/status-pages/contract.ts';
import { insertAgent } from '#test/harness/agents.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import {
  acme,
  apply,
  applyTwice,
  at,
  lines,
  monitorFile,
  monitorsOf,
  send,
  web,
} from '#test/harness/configuration-files.ts';
import { fingerprint } from '#test/harness/fingerprint.ts';
import { monitorSamples } from '#test/harness/monitor-samples.ts';
import { assertRefused } from '#test/harness/refused.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

test('a file creates everything that it declares, in one request', async () => {
  const place = await app.place();
  const things = await apply(app, place, acme(app));
  assert.deepEqual(lines(things), [
    'not_in_file project Shop',
    'created alarm_standard',
    'created alert_profile Patient',
    'created project Store',
    'created project Office',
    'created monitor Store/Database',
    'created monitor Office/Router',
    'created monitor Store/Home page',
    'created monitor Store/Everything',
    'created webhook slack Operations',
    'created webhook webhook Tickets',
    'created webhook pagerduty Pager',
    'updated on_call_settings (enabled, timezone, rotation_mode, manual_duty)',
    'updated on_call_roster (roster)',
    'created status_page Acme',
  ]);

  const monitors = await monitorsOf(app, place);
  const [home, database, router] = ['Home page', 'Database', 'Router'].map((name) => monitors.get(name)!);
  const projects = await app.alice.ok<Project[]>('GET', at(place, '/projects'));
  const idOf = (name: string) => projects.find((project) => project.name === name)?.id;
  const [patient] = await app.alice.ok<AlertProfile[]>('GET', at(place, '/alert-profiles'));
  assert.equal(home?.project_id, idOf('Store'));
  assert.equal(home?.interval_seconds, 120);
  assert.deepEqual(home?.depends_on, [database?.id, router?.id]);
  assert.deepEqual(home?.tags, ['shop', 'front']);
  assert.equal(home?.policy?.alert_profile_id, patient?.id);
  assert.equal(database?.severity, 'default');
  assert.equal(router?.enabled, false);
  const { members } = monitors.get('Everything')!.config as { members: string[] };
  assert.deepEqual(members, [home?.id, database?.id]);

  const targets = await app.alice.ok<WebhookTarget[]>('GET', at(place, '/webhooks'));
  assert.deepEqual(
    targets.map(({ kind, active, project_ids, min_severity }) => ({
      kind,
      active,
      project_ids,
      min_severity,
    })),
    [
      { kind: 'slack', active: true, project_ids: [idOf('Store')], min_severity: 'critical' },
      { kind: 'webhook', active: true, project_ids: [], min_severity: 'degraded' },
      { kind: 'pagerduty', active: true, project_ids: [], min_severity: 'degraded' },
    ],
  );
  const onCall = await app.alice.ok<OnCallSettings>('GET', at(place, '/on-call/settings'));
  assert.deepEqual(
    [onCall.enabled, onCall.timezone, onCall.current_duty_user_id],
    [true, 'Europe/Berlin', app.alice.userId],
  );
  const roster = await app.alice.ok<Roster>('GET', at(place, '/on-call/members'));
  assert.deepEqual(roster.members, [{ position: 0, user_id: app.alice.userId }]);
  const [page] = await app.alice.ok<StatusPage[]>('GET', at(place, '/status-pages'));
  const shown = await app.alice.ok<StatusPageDetail>('GET', `/status-pages/${page?.id}`);
  assert.equal(shown.page.public_viewable, true);
  assert.deepEqual(
    shown.monitors.map(({ label, uptime_window_days, by_tag }) => [label, uptime_window_days, by_tag]),
    [
      ['The shop', 30, false],
      ['Router', 90, false],
    ],
  );
});

test('a file that is applied again changes nothing, and leaves nothing in the activity log', async () => {
  const place = await app.place();
  const file = acme(app);
  await apply(app, place, file);
  const before = await fingerprint(app.db);
  const things = await apply(app, place, file);
  assert.deepEqual(
    things.filter(({ outcome }) => outcome !== 'unchanged' && outcome !== 'not_in_file'),
    [],
  );
  assert.deepEqual(await fingerprint(app.db), before);
});

test('monitors of every type, with every default and without any, are unchanged the second time', async () => {
  const place = await app.place();
  const agent = await insertAgent(app.db, { orgId: place.orgId, at: app.clock.now() });
  const samples = monitorSamples({ agentId: agent.id, memberId: 'http least' });
  const monitors = MONITOR_TYPES.flatMap((type) =>
    (['least', 'full'] as const).map((which) => ({
      ...{ name: `${type} ${which}`, type, config: { ...samples[type][which] } },
    })),
  );
  const file = JSON.stringify({ projects: [{ name: 'All', monitors }] });
  assert.equal(
    (await apply(app, place, file)).filter(({ outcome }) => outcome === 'created').length,
    monitors.length + 1,
  );
  const again = await apply(app, place, file);
  assert.deepEqual(lines(again.filter(({ outcome }) => outcome !== 'unchanged')), [
    'not_in_file project Shop',
  ]);
});

test('a dry run reports what applying would do, and writes nothing', async () => {
  const place = await app.place();
  const file = acme(app);
  const before = await fingerprint(app.db);
  const dry = await apply(app, place, file, '?dry_run=true');
  assert.deepEqual(await fingerprint(app.db), before);
  const things = await apply(app, place, file);
  assert.ok(things.some(({ secret }) => secret?.startsWith('whsec_')));
  assert.deepEqual(
    dry,
    things.map(({ secret: _, ...thing }) => thing),
  );
});

test('only what differs is written, field by field', async () => {
  const place = await app.place();
  const file = acme(app);
  await apply(app, place, file);
  const edited = file
    .replace('port: 5432', 'port: 5433')
    .replace('alarm_consecutive: 3', 'alarm_consecutive: 4')
    .replace('[Home page, Database]', '[Database]')
    .replace('[Shop, front]', '[front, shop]')
    .replace('min_severity: critical', 'min_severity: default')
    .replace('headline: How we do', 'headline: How we are')
    .replace('uptime_window_days: 30', 'uptime_window_days: 7')
    .replace('Europe/Berlin', 'Europe/Vienna')
    .replace('alarm_consecutive: 2', 'alarm_consecutive: 1');
  const changes = [
    'updated alarm_standard (alarm_consecutive)',
    'updated alert_profile Patient (alarm_consecutive)',
    'updated monitor Store/Database (config.port)',
    'updated monitor Store/Everything (config.members)',
    'updated webhook slack Operations (min_severity)',
    'updated on_call_settings (timezone)',
    'updated status_page Acme (headline, monitors)',
  ];
  const isOther = ({ outcome }: AppliedThing) => outcome !== 'unchanged' && outcome !== 'not_in_file';
  assert.deepEqual(lines((await apply(app, place, edited)).filter(isOther)), changes);
  assert.deepEqual((await apply(app, place, edited)).filter(isOther), []);
  const log = await app.alice.ok<ActivityEntry[]>('GET', at(place, '/activity?action=monitor.update'));
  assert.deepEqual(log.map(({ resource }) => resource.name).sort(), ['Database', 'Everything']);
});

test('a field that the file does not name keeps its value; one that it names has the file’s', async () => {
  const place = await app.place();
  const file = (fields: string) =>
    `projects: [{ name: P, monitors: [{ name: M, type: http, config: { url: https://a.example.com/ }${fields} }] }]`;
  await apply(app, place, file(''));
  const monitor = (await monitorsOf(app, place)).get('M');
  await app.alice.ok('PATCH', `/monitors/${monitor?.id}`, {
    severity: 'degraded',
    tags: ['mine'],
    interval_seconds: 300,
    config: { method: 'HEAD' },
    policy: { alarm_consecutive: 5 },
  });
  const things = await apply(app, place, file(', interval_seconds: 60, policy: { alarm_consecutive: null }'));
  assert.ok(
    lines(things).includes('updated monitor P/M (interval_seconds, policy.alarm_consecutive)'),
    String(lines(things)),
  );
  const after = (await monitorsOf(app, place)).get('M');
  assert.deepEqual(
    [after?.severity, after?.tags, after?.interval_seconds, after?.policy?.alarm_consecutive],
    ['degraded', ['mine'], 60, null],
  );
  assert.equal((after as Monitor & { config: { method: string } }).config.method, 'HEAD');
});

test('a secret is compared in clear: the same one is no change, another one is, and no answer shows it', async () => {
  const place = await app.place();
  const file = acme(app);
  await apply(app, place, file);
  const edited = file
    .replace('Bearer one', 'Bearer two')
    .replace('/B0/first', '/B0/second')
    .replace('R0UT1NGKEYR0UT1NGKEYR0UT1NGKEY00', 'R0UT1NGKEYR0UT1NGKEYR0UT1NGKEY01');
  const answer = await send(app.alice, place, edited);
  assert.deepEqual(lines(answer.body.things.filter(({ outcome }) => outcome === 'updated')), [
    'updated monitor Store/Home page (config.headers)',
    'updated webhook slack Operations (url)',
    'updated webhook pagerduty Pager (credential)',
  ]);
  assert.doesNotMatch(JSON.stringify(answer.body), /Bearer|B0\/|R0UT/);
  assert.ok((await apply(app, place, edited)).every(({ outcome }) => /unchanged|not_in_file/.test(outcome)));
});

test('a declared timeout is kept whatever the interval was, although it was the default there', async () => {
  const place = await app.place();
  await apply(app, place, monitorFile({ ...web, interval_seconds: 10 }));
  const config = { ...web.config, timeout_ms: 8000 };
  const changed = await applyTwice(app, place, monitorFile({ ...web, config, interval_seconds: 60 }));
  assert.ok(changed.includes('updated monitor P/M (interval_seconds)'), String(changed));
  const { timeout_ms: timeout } = (await monitorsOf(app, place)).get('M')!.config as { timeout_ms: number };
  assert.equal(timeout, 8000);
  const other = await app.place();
  await apply(app, other, monitorFile({ ...web, interval_seconds: 60 }));
  const long = { ...web, config: { ...web.config, timeout_ms: 10_000 }, interval_seconds: 10 };
  assertRefused(await send(app.alice, other, monitorFile(long)), {
    ...{ status: 400, error: 'invalid_request', field: 'projects.0.monitors.0.config.timeout_ms' },
  });
});

test('a masked address of a chat and a negative zero are no change', async () => {
  const place = await app.place();
  await apply(app, place, acme(app));
  const [slack] = await app.alice.ok<WebhookTarget[]>('GET', at(place, '/webhooks'));
  const { name, kind, url, events } = slack!;
  await applyTwice(app, place, JSON.stringify({ webhooks: [{ name, kind, url, events }] }));
  const zero = '{"alert_profiles": [{"name": "Zero", "alarm_min_duration_seconds": -0}]}';
  await applyTwice(app, place, zero);
});

test('a roster without the person who left takes their place out of the rotation', async () => {
  const place = await app.place();
  const gone = await app.person('gone', { [place.orgId]: 'member' });
  const roster = (...people: { email: string }[]) =>
    JSON.stringify({ on_call: { roster: people.map(({ email }) => email) } });
  await apply(app, place, roster(app.alice, gone));
  await app.alice.ok('DELETE', at(place, `/members/${gone.userId}`));
  const printed = await app.alice.ok<ConfigurationFile>('GET', at(place, '/configuration'));
  assert.equal(printed.on_call, undefined);
  assert.deepEqual(lines(await apply(app, place, roster(app.alice))), ['updated on_call_roster (roster)']);
  const places = app.db.selectFrom('on_call_roster_members').select('user_id');
  assert.deepEqual(await places.where('org_id', '=', place.orgId).execute(), [{ user_id: app.alice.userId }]);
  assert.deepEqual(lines(await apply(app, place, roster(app.alice))), ['unchanged on_call_roster']);
});

test('a default that a file states beside another change starts no monitor anew', async () => {
  const place = await app.place();
  const file = (config: object, tags: string[]) => {
    const monitor = { name: 'M', type: 'tcp', config: { host: 'a.example.com', port: 1, ...config }, tags };
    return JSON.stringify({ projects: [{ name: 'P', monitors: [monitor] }] });
  };
  await apply(app, place, file({}, []));
  const { id } = (await monitorsOf(app, place)).get('M')!;
  app.clock.advance(1000);
  await app.probe().says(id, 'down');
  await apply(app, place, file({ timeout_ms: 5000 }, ['shop']));
  const { confirming, tags } = await app.alice.ok<Monitor>('GET', `/monitors/${id}`);
  assert.deepEqual([confirming, tags], [{ failures: 1, required: 2 }, ['shop']]);
});
