// An organization as code: a file declares its configuration, and applying it brings the organization there
// (docs/rules/configuration-files.md).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { parse } from 'yaml';
import type { ActivityEntry } from '#src/activity/contract.ts';
import type { AlertProfile } from '#src/alarm-policy/contract.ts';
import { applyConfiguration } from '#src/configuration-apply/apply.ts';
import type { AppliedThing, ApplyReport, ConfigurationFile } from '#src/configuration-apply/contract.ts';
import { MONITOR_TYPES } from '#src/domain/names.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import type { OperatorAddresses } from '#src/notifications/targets/operator-addresses.ts';
import type { OnCallSettings, Roster } from '#src/on-call/contract.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import type { Project } from '#src/projects/contract.ts';
import type { StatusPage, StatusPageDetail } from '#src/status-pages/contract.ts';
import { insertAgent } from '#test/harness/agents.ts';
import { type Person, type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { fingerprint } from '#test/harness/fingerprint.ts';
import { monitorSamples } from '#test/harness/monitor-samples.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { grantKey } from '#test/harness/scene.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

const NO_PAGING = { chatHosts: [], paging: {} } as never as OperatorAddresses;

type Query = '' | '?dry_run=true' | '?prune=true' | '?dry_run=true&prune=true';
const at = ({ orgId }: Place, path = '') => `/organizations/${orgId}${path}`;
const send = (by: Person, place: Place, file: string, query: Query = '') =>
  by.send<ApplyReport>('POST', at(place, `/apply${query}`), parse(file));

async function apply(place: Place, file: string, query: Query = ''): Promise<AppliedThing[]> {
  const answer = await send(app.alice, place, file, query);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.things;
}

const lines = (things: readonly AppliedThing[]) =>
  things.map(({ kind, name, outcome, changed }) =>
    [
      outcome,
      kind,
      ...(name === null ? [] : [name]),
      ...(changed.length > 0 ? [`(${changed.join(', ')})`] : []),
    ].join(' '),
  );
async function monitorsOf(place: Place): Promise<Map<string, Monitor>> {
  const projects = await app.alice.ok<Project[]>('GET', at(place, '/projects'));
  const lists = await Promise.all(
    projects.map(({ id }) => app.alice.ok<Monitor[]>('GET', `/projects/${id}/monitors`)),
  );
  return new Map(lists.flat().map((monitor) => [monitor.name, monitor]));
}

const ACME = `
alarm_standard: { min_regions: 1, alarm_consecutive: 2 }
alert_profiles:
  - { name: Patient, alarm_consecutive: 3, alarm_min_duration_seconds: 60 }
projects:
  - name: Store
    monitors:
      - { name: Everything, type: group, config: { members: [Home page, Database], rule: any_failed } }
      - name: Home page
        type: http
        config:
          url: https://shop.example.com/
          headers: { Authorization: Bearer one }
        interval_seconds: 120
        alert_profile: Patient
        depends_on: [Database, Office/Router]
        tags: [Shop, front]
      - { name: Database, type: tcp, config: { host: db.example.com, port: 5432 }, severity: default }
  - name: Office
    monitors:
      - { name: Router, type: ping, config: { host: router.example.com }, enabled: false }
webhooks:
  - name: Operations
    kind: slack
    url: https://hooks.slack.com/services/T0/B0/first
    events: [opened, resolved]
    projects: [Store]
    min_severity: critical
  - { name: Tickets, kind: webhook, url: https://tickets.example.com/hook, events: [opened] }
  - { name: Pager, kind: pagerduty, credential: R0UT1NGKEYR0UT1NGKEYR0UT1NGKEY00, events: [opened] }
on_call:
  enabled: true
  timezone: Europe/Berlin
  rotation_mode: manual
  manual_duty: admin@example.com
  roster: [admin@example.com]
status_pages:
  - name: Acme
    slug: SLUG
    access_mode: public
    headline: How we do
    header_nav: [{ label: Shop, href: https://shop.example.com }]
    monitors:
      - { monitor: Store/Home page, display_name: The shop, uptime_window_days: 30 }
      - { monitor: Router }
    tags: [front]
`;
let pages = 0;
const acme = () => {
  pages += 1;
  return ACME.replace('SLUG', `acme-${pages}`).replaceAll('admin@example.com', app.alice.email);
};

test('a file creates everything that it declares, in one request', async () => {
  const place = await app.place();
  const things = await apply(place, acme());
  assert.deepEqual(lines(things), [
    'created alarm_standard',
    'created alert_profile Patient',
    'not_in_file project Shop',
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

  const monitors = await monitorsOf(place);
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
  const file = acme();
  await apply(place, file);
  const before = await fingerprint(app.db);
  const things = await apply(place, file);
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
    (await apply(place, file)).filter(({ outcome }) => outcome === 'created').length,
    monitors.length + 1,
  );
  const again = await apply(place, file);
  assert.deepEqual(lines(again.filter(({ outcome }) => outcome !== 'unchanged')), [
    'not_in_file project Shop',
  ]);
});

test('a dry run reports what applying would do, and writes nothing', async () => {
  const place = await app.place();
  const file = acme();
  const before = await fingerprint(app.db);
  const dry = await apply(place, file, '?dry_run=true');
  assert.deepEqual(await fingerprint(app.db), before);
  const things = await apply(place, file);
  assert.ok(things.some(({ secret }) => secret?.startsWith('whsec_')));
  assert.deepEqual(
    dry,
    things.map(({ secret: _, ...thing }) => thing),
  );
});

test('only what differs is written, field by field', async () => {
  const place = await app.place();
  const file = acme();
  await apply(place, file);
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
  assert.deepEqual(lines((await apply(place, edited)).filter(isOther)), changes);
  assert.deepEqual((await apply(place, edited)).filter(isOther), []);
  const log = await app.alice.ok<ActivityEntry[]>('GET', at(place, '/activity?action=monitor.update'));
  assert.deepEqual(log.map(({ resource }) => resource.name).sort(), ['Database', 'Everything']);
});

test('a field that the file does not name keeps its value; one that it names has the file’s', async () => {
  const place = await app.place();
  const file = (fields: string) =>
    `projects: [{ name: P, monitors: [{ name: M, type: http, config: { url: https://a.example.com/ }${fields} }] }]`;
  await apply(place, file(''));
  const monitor = (await monitorsOf(place)).get('M');
  await app.alice.ok('PATCH', `/monitors/${monitor?.id}`, {
    severity: 'degraded',
    tags: ['mine'],
    interval_seconds: 300,
    config: { method: 'HEAD' },
    policy: { alarm_consecutive: 5 },
  });
  const things = await apply(place, file(', interval_seconds: 60, policy: { alarm_consecutive: null }'));
  assert.ok(
    lines(things).includes('updated monitor P/M (interval_seconds, policy.alarm_consecutive)'),
    String(lines(things)),
  );
  const after = (await monitorsOf(place)).get('M');
  assert.deepEqual(
    [after?.severity, after?.tags, after?.interval_seconds, after?.policy?.alarm_consecutive],
    ['degraded', ['mine'], 60, null],
  );
  assert.equal((after as Monitor & { config: { method: string } }).config.method, 'HEAD');
});

test('a secret is compared in clear: the same one is no change, another one is, and no answer shows it', async () => {
  const place = await app.place();
  const file = acme();
  await apply(place, file);
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
  assert.ok((await apply(place, edited)).every(({ outcome }) => /unchanged|not_in_file/.test(outcome)));
});

test('if one thing is refused nothing is written: the answer names the first with its place, a dry run names all', async () => {
  const place = await app.place();
  const file = `alert_profiles:
  - { name: Fine, alarm_consecutive: 2 }
projects:
  - name: Store
    monitors:
      - name: Fine too
        type: http
        config: { url: https://a.example.com/ }
      - name: Wrong
        type: http
        config:
          url: https://a.example.com/
          method: FETCH
      - name: Lost
        type: tcp
        config: { host: a.example.com, port: 1 }
        depends_on: [Nobody]
`;
  const before = await fingerprint(app.db);
  const answer = await send(app.alice, place, file);
  assertRefused(answer, {
    status: 400,
    error: 'invalid_request',
    field: 'projects.0.monitors.1.config.method',
  });
  const { message } = answer.body as unknown as { message: string };
  assert.match(
    message,
    /^Nothing was changed \(1 more; dry_run=true lists them all\)\. monitor Store\/Wrong: config\.method /,
  );
  assert.deepEqual(await fingerprint(app.db), before);
  const dry = await apply(place, file, '?dry_run=true');
  assert.deepEqual(
    dry
      .filter(({ outcome }) => outcome === 'refused')
      .map(({ name, path, refusal }) => [name, path, refusal?.field]),
    [
      ['Store/Wrong', 'projects.0.monitors.1', 'projects.0.monitors.1.config.method'],
      ['Store/Lost', 'projects.0.monitors.2', 'projects.0.monitors.2.depends_on.0'],
    ],
  );
  assert.deepEqual(await fingerprint(app.db), before);
});

test('what the file lacks is left alone and reported; with prune it is deleted, in the sections of the file only', async () => {
  const place = await app.place();
  await apply(place, acme());
  const less = `
projects:
  - name: Store
    monitors:
      - { name: Database, type: tcp, config: { host: db.example.com, port: 5432 } }
webhooks: []
`;
  const lacking = [
    'monitor Store/Home page',
    'monitor Store/Everything',
    'monitor Office/Router',
    'project Shop',
    'project Office',
    'webhook slack Operations',
    'webhook webhook Tickets',
    'webhook pagerduty Pager',
  ].sort();
  const by = (outcome: string, things: AppliedThing[]) =>
    lines(things.filter((each) => each.outcome === outcome))
      .map((line) => line.replace(`${outcome} `, ''))
      .sort();
  assert.deepEqual(by('not_in_file', await apply(place, less)), lacking);
  assert.equal((await monitorsOf(place)).size, 4);
  assert.deepEqual(by('deleted', await apply(place, less, '?dry_run=true&prune=true')), lacking);
  assert.equal((await monitorsOf(place)).size, 4);
  assert.deepEqual(by('deleted', await apply(place, less, '?prune=true')), lacking);
  assert.deepEqual([...(await monitorsOf(place)).keys()], ['Database']);
  assert.deepEqual(await app.alice.ok('GET', at(place, '/webhooks')), []);
  // Sections that the file does not have.
  assert.equal((await app.alice.ok<AlertProfile[]>('GET', at(place, '/alert-profiles'))).length, 1);
  assert.equal((await app.alice.ok<StatusPage[]>('GET', at(place, '/status-pages'))).length, 1);
});

test('a project without the field monitors keeps them, and a profile in use is not pruned', async () => {
  const place = await app.place();
  await apply(place, acme());
  const things = await apply(place, 'projects: [{ name: Store }, { name: Office }]', '?prune=true');
  assert.deepEqual(lines(things.filter(({ outcome }) => outcome !== 'unchanged')), ['deleted project Shop']);
  assertRefused(await send(app.alice, place, 'alert_profiles: []', '?prune=true'), {
    status: 409,
    error: 'profile_in_use',
  });
});

test('with prune a file may fill the places in the plan that it frees', async () => {
  const place = await app.place(app.alice, 'free');
  const file = (prefix: string) =>
    JSON.stringify({
      projects: [
        {
          name: 'P',
          monitors: Array.from({ length: 10 }, (_, i) => ({
            ...{
              name: `${prefix} ${i}`,
              type: 'http',
              config: { url: 'https://a.example.com/' },
              interval_seconds: 300,
            },
          })),
        },
      ],
    });
  await apply(place, file('old'));
  assertRefused(await send(app.alice, place, file('new')), {
    status: 400,
    error: 'quota_reached',
    field: 'projects.0.monitors.0',
  });
  await apply(place, file('new'), '?prune=true');
  assert.deepEqual(
    [...(await monitorsOf(place)).keys()].sort(),
    Array.from({ length: 10 }, (_, i) => `new ${i}`),
  );
});

test('monitors may name one another in any order; a ring of them is refused', async () => {
  const place = await app.place();
  const tcp = (name: string, dependsOn: string) =>
    `{ name: ${name}, type: tcp, config: { host: a.example.com, port: 1 }, depends_on: [${dependsOn}] }`;
  const file = (...monitors: string[]) => `projects: [{ name: P, monitors: [${monitors.join(', ')}] }]`;
  await apply(place, file(tcp('A', 'B'), tcp('B', 'C'), tcp('C', '')));
  // Turned round: what each gives up comes before what another takes up.
  await apply(place, file(tcp('A', ''), tcp('B', 'A'), tcp('C', 'B')));
  const monitors = await monitorsOf(place);
  assert.deepEqual(monitors.get('C')?.depends_on, [monitors.get('B')?.id]);
  assert.deepEqual(monitors.get('A')?.depends_on, []);
  assertRefused(await send(app.alice, place, file(tcp('A', 'C'), tcp('B', 'A'), tcp('C', 'B'))), {
    ...{ status: 400, error: 'invalid_request', field: 'projects.0.monitors.0.depends_on' },
  });
});

test('names that two things have are refused, in the file and in the organization', async () => {
  const place = await app.place();
  const refused = async (file: string, message: RegExp) => {
    const answer = await send(app.alice, place, file);
    assert.equal(answer.status, 400, JSON.stringify(answer.body));
    assert.match((answer.body as unknown as { message: string }).message, message);
  };
  const m = '{ name: M, type: tcp, config: { host: a.example.com, port: 1 } }';
  await refused(`projects: [{ name: P, monitors: [${m}, ${m}] }]`, /two monitors called P\/M/);
  await refused('projects: [{ name: P }, { name: "P " }]', /two projects called "P"/);
  await refused('alert_profiles: [{ name: P }, { name: P }]', /two alert profiles called "P"/);
  await apply(place, `projects: [{ name: P, monitors: [${m}] }, { name: Q, monitors: [${m}] }]`);
  await refused(
    'status_pages: [{ name: S, monitors: [{ monitor: M }] }]',
    /"M" of "P" and "M" of "Q" may both be/,
  );
  const hook = { name: 'H', kind: 'webhook', url: 'https://h.example.com/', events: ['opened'] };
  for (const _ of [1, 2]) await app.alice.ok('POST', at(place, '/webhooks'), hook);
  await refused(JSON.stringify({ webhooks: [hook] }), /has 2 webhooks of this kind and name/);
});

test('a file does nothing that its sender could not do without it', async () => {
  const place = await app.place();
  const standard = 'alarm_standard: { min_regions: 1 }';
  const profile = 'alert_profiles: [{ name: Mine }]';
  const manager = await app.person('mona', { [place.orgId]: 'manager' });
  assert.equal((await send(manager, place, profile)).status, 200);
  assertRefused(await send(manager, place, standard), {
    status: 403,
    error: 'forbidden',
    field: 'alarm_standard',
  });
  assertRefused(await send(manager, place, 'on_call: { enabled: false }'), {
    ...{ status: 403, error: 'forbidden', field: 'on_call' },
  });
  for (const role of ['member', 'viewer'] as const)
    assertRefused(await send(await app.person(role, { [place.orgId]: role }), place, profile), {
      ...{ status: 403, error: 'forbidden' },
    });
  const byKey = async (scopes: string[], file: string) => {
    const { key } = await grantKey(app, place.orgId, { scopes: scopes as never });
    return app.visitor().send('POST', at(place, '/apply'), parse(file), { authorization: `Bearer ${key}` });
  };
  const both = ['organization:write', 'monitors:write'];
  assert.equal((await byKey(both, profile)).status, 200);
  assert.equal((await byKey(both, standard)).status, 200);
  assertRefused(await byKey(['monitors:write'], profile), { status: 403, error: 'forbidden' });
  assertRefused(await byKey(['organization:write'], profile), {
    ...{ status: 403, error: 'forbidden', field: 'alert_profiles' },
  });
  assertRefused(await byKey(both, 'projects: []'), { status: 403, error: 'forbidden', field: 'projects' });
  assertRefused(await byKey(both, 'webhooks: []'), { status: 403, error: 'forbidden', field: 'webhooks' });
  const other = await app.place();
  assertRefused(await send(app.alice, place, `organization: ${other.orgId}\n${profile}`), {
    ...{ status: 400, error: 'invalid_request', field: 'organization' },
  });
  assert.equal((await send(app.alice, place, `organization: ${place.orgId}\n${profile}`)).status, 200);
});

/** Applies a file twice: the second time nothing may change. */
async function applyTwice(place: Place, file: string): Promise<string[]> {
  const first = lines(await apply(place, file));
  const again = lines(await apply(place, file)).filter((line) => !/^(unchanged|not_in_file)/.test(line));
  assert.deepEqual(again, []);
  return first;
}

const monitorFile = (fields: object) =>
  JSON.stringify({ projects: [{ name: 'P', monitors: [{ name: 'M', ...fields }] }] });
const web = { type: 'http', config: { url: 'https://a.example.com/' } };

test('a declared timeout is kept whatever the interval was, although it was the default there', async () => {
  const place = await app.place();
  await apply(place, monitorFile({ ...web, interval_seconds: 10 }));
  const config = { ...web.config, timeout_ms: 8000 };
  const changed = await applyTwice(place, monitorFile({ ...web, config, interval_seconds: 60 }));
  assert.ok(changed.includes('updated monitor P/M (interval_seconds)'), String(changed));
  const { timeout_ms: timeout } = (await monitorsOf(place)).get('M')!.config as { timeout_ms: number };
  assert.equal(timeout, 8000);
  const other = await app.place();
  await apply(other, monitorFile({ ...web, interval_seconds: 60 }));
  const long = { ...web, config: { ...web.config, timeout_ms: 10_000 }, interval_seconds: 10 };
  assertRefused(await send(app.alice, other, monitorFile(long)), {
    ...{ status: 400, error: 'invalid_request', field: 'projects.0.monitors.0.config.timeout_ms' },
  });
});

test('a reference means the same the first time and the second', async () => {
  const place = await app.place();
  const tcp = (name: string, more = '') =>
    `{ name: ${name}, type: tcp, config: { host: a.example.com, port: 1 }${more} }`;
  await apply(place, `projects: [{ name: Infra, monitors: [${tcp('Main')}] }]`);
  const itself = `projects: [{ name: Web, monitors: [${tcp('Main', ', depends_on: [Main]')}] }]`;
  assertRefused(await send(app.alice, place, itself), {
    ...{ status: 400, error: 'invalid_request', field: 'projects.0.monitors.0.depends_on.0' },
  });
  const other = `projects: [{ name: Web, monitors: [${tcp('Main', ', depends_on: [" Infra/Main "]')}] }]`;
  await applyTwice(place, other);
});

test('a member that is no name is refused with its place', async () => {
  const place = await app.place();
  const group = { type: 'group', config: { members: ['Y', 404], rule: 'any_failed' } };
  const file = {
    projects: [
      {
        name: 'P',
        monitors: [
          { name: 'G', ...group },
          { name: 'Y', ...web },
        ],
      },
    ],
  };
  assertRefused(await send(app.alice, place, JSON.stringify(file)), {
    ...{ status: 400, error: 'invalid_request', field: 'projects.0.monitors.0.config.members.1' },
  });
});

test('a masked address of a chat and a negative zero are no change', async () => {
  const place = await app.place();
  await apply(place, acme());
  const [slack] = await app.alice.ok<WebhookTarget[]>('GET', at(place, '/webhooks'));
  const { name, kind, url, events } = slack!;
  await applyTwice(place, JSON.stringify({ webhooks: [{ name, kind, url, events }] }));
  const zero = '{"alert_profiles": [{"name": "Zero", "alarm_min_duration_seconds": -0}]}';
  await applyTwice(place, zero);
});

test('a refused thing is not said to be missing where it is named', async () => {
  const place = await app.place();
  const file = `
alert_profiles: [{ name: Wrong, alarm_consecutive: 0 }]
projects: [{ name: P, monitors: [{ name: M, type: http, config: { url: https://a.example.com/ }, alert_profile: Wrong }] }]
`;
  const refused = (await apply(place, file, '?dry_run=true')).map(({ refusal }) => refusal?.message ?? '');
  assert.ok(refused.includes('alert_profile names "Wrong", which was refused.'), String(refused));
});

test('pages of one name need slugs, and without the plan a refusal names a place that the file has', async () => {
  const place = await app.place();
  assertRefused(
    await send(app.alice, place, 'status_pages: [{ name: Trip, slug: trip-of-apply }, { name: Trip }]'),
    {
      ...{ status: 400, error: 'invalid_request', field: 'status_pages.1.slug' },
    },
  );
  const free = await app.place(app.alice, 'free');
  const dry = await apply(
    free,
    'on_call: { enabled: true }\nstatus_pages: [{ name: S, hide_platform_brand: true }]',
    '?dry_run=true',
  );
  assert.deepEqual(
    dry.map(({ refusal }) => [refusal?.error, refusal?.field]),
    [
      ['plan_capability', 'on_call'],
      ['plan_capability', 'status_pages.0'],
    ],
  );
});

test('two projects of one name concern only a file that names projects', async () => {
  const place = await app.place();
  const other = await app.alice.ok<Project>('POST', at(place, '/projects'), { name: 'Other' });
  await app.alice.ok('PATCH', `/projects/${other.id}`, { name: 'Shop' });
  assert.equal((await send(app.alice, place, 'alert_profiles: []')).status, 200);
  const answer = await send(app.alice, place, 'projects: []');
  assert.match((answer.body as unknown as { message: string }).message, /two projects called "Shop"/);
});

test('stored monitors are changed or deleted up to a number, new ones are not counted', async () => {
  const place = await app.place();
  const file = (names: string[], port: number): ConfigurationFile => ({
    projects: [
      {
        name: 'Few',
        monitors: names.map((name) => ({ name, type: 'tcp', config: { host: 'a.example.com', port } })),
      },
    ],
  });
  const options = {
    monitors: { vault: app.vault, allowSingleLabel: null, baseUrl: app.url },
    targets: { ...NO_PAGING, vault: app.vault, allowPrivate: true, baseUrl: app.url },
  };
  const outcomes = async (given: ConfigurationFile) => {
    const asked = {
      ...{ orgId: place.orgId, file: given, options },
      ...{ dryRun: false, prune: true, mostChanges: 2 },
    };
    const things = await applyConfiguration((act) => runWork(app.db, app.clock.now(), SYSTEM, act), asked);
    return things
      .filter(({ kind }) => kind === 'monitor')
      .map(({ outcome, refusal }) => refusal?.error ?? outcome)
      .sort();
  };
  assert.deepEqual(await outcomes(file(['A', 'B', 'C'], 1)), ['created', 'created', 'created']);
  assert.deepEqual(await outcomes(file(['A', 'B', 'D'], 2)), [
    'created',
    'deleted',
    'payload_too_large',
    'updated',
  ]);
  assert.deepEqual(await outcomes(file(['A', 'B', 'C'], 1)), ['unchanged', 'unchanged', 'unchanged']);
});
