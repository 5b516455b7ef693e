// What a configuration file cannot bring about, and what it deletes only if asked (docs/rules/configuration-files.md#what-applying-does).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { parse } from 'yaml';
import type { AlertProfile } from '#src/alarm-policy/contract.ts';
import { applyConfiguration } from '#src/configuration-apply/apply.ts';
import type { AppliedThing, ConfigurationFile } from '#src/configuration-apply/contract.ts';
import type { OperatorAddresses } from '#src/notifications/targets/operator-addresses.ts';
import { runWork, SYSTEM } from '#src/platform/work.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { acme, apply, at, lines, monitorsOf, send } from '#test/harness/configuration-files.ts';
import { fingerprint } from '#test/harness/fingerprint.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { grantKey } from '#test/harness/scene.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

const NO_PAGING = { chatHosts: [], paging: {} } as never as OperatorAddresses;

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
  const dry = await apply(app, place, file, '?dry_run=true');
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
  await apply(app, place, acme(app));
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
  assert.deepEqual(by('not_in_file', await apply(app, place, less)), lacking);
  assert.equal((await monitorsOf(app, place)).size, 4);
  assert.deepEqual(by('deleted', await apply(app, place, less, '?dry_run=true&prune=true')), lacking);
  assert.equal((await monitorsOf(app, place)).size, 4);
  assert.deepEqual(by('deleted', await apply(app, place, less, '?prune=true')), lacking);
  assert.deepEqual([...(await monitorsOf(app, place)).keys()], ['Database']);
  assert.deepEqual(await app.alice.ok('GET', at(place, '/webhooks')), []);
  // Sections that the file does not have.
  assert.equal((await app.alice.ok<AlertProfile[]>('GET', at(place, '/alert-profiles'))).length, 1);
  assert.equal((await app.alice.ok<StatusPage[]>('GET', at(place, '/status-pages'))).length, 1);
});

test('a project without the field monitors keeps them, and a profile in use is not pruned', async () => {
  const place = await app.place();
  await apply(app, place, acme(app));
  const things = await apply(app, place, 'projects: [{ name: Store }, { name: Office }]', '?prune=true');
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
  await apply(app, place, file('old'));
  assertRefused(await send(app.alice, place, file('new')), {
    status: 400,
    error: 'quota_reached',
    field: 'projects.0.monitors.0',
  });
  await apply(app, place, file('new'), '?prune=true');
  assert.deepEqual(
    [...(await monitorsOf(app, place)).keys()].sort(),
    Array.from({ length: 10 }, (_, i) => `new ${i}`),
  );
});

test('a pruned monitor does not stand in the way of a change of its profile', async () => {
  const place = await app.place();
  const file = (profile: string, monitors: string) =>
    `alert_profiles: [{ name: Calm, ${profile} }]\nprojects: [{ name: P, monitors: [${monitors}] }]`;
  const monitor =
    '{ name: M, type: http, config: { url: "https://a.example.com/" }, alert_profile: Calm, regions: [local] }';
  await apply(app, place, file('alarm_consecutive: 3', monitor));
  const stricter = 'alarm_quorum_mode: count, alarm_quorum_value: 2';
  assertRefused(await send(app.alice, place, file(stricter, '')), {
    ...{ status: 400, error: 'invalid_request', field: 'alert_profiles.0.alarm_quorum_value' },
  });
  await apply(app, place, file(stricter, ''), '?prune=true');
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

test('a refused thing is not said to be missing where it is named', async () => {
  const place = await app.place();
  const file = `
alert_profiles: [{ name: Wrong, alarm_consecutive: 0 }]
projects: [{ name: P, monitors: [{ name: M, type: http, config: { url: https://a.example.com/ }, alert_profile: Wrong }] }]
`;
  const refused = (await apply(app, place, file, '?dry_run=true')).map(
    ({ refusal }) => refusal?.message ?? '',
  );
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
    app,
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

test('on-call that is as the file says is no change, also on a plan that no longer has it', async () => {
  const place = await app.place(app.alice, 'unlimited');
  const file = `on_call: { enabled: true, timezone: Europe/Berlin, roster: [${app.alice.email}] }`;
  await apply(app, place, file);
  await app.db.updateTable('organizations').set({ plan: 'free' }).where('id', '=', place.orgId).execute();
  assert.deepEqual(lines(await apply(app, place, file)), [
    'unchanged on_call_settings',
    'unchanged on_call_roster',
  ]);
  for (const changed of [file.replace('Berlin', 'Paris'), 'on_call: { roster: [] }'])
    assertRefused(await send(app.alice, place, changed), {
      ...{ status: 402, error: 'plan_capability', field: 'on_call' },
    });
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

test('an example monitor is neither reported nor pruned, and its project stays with it', async () => {
  const place = await app.place();
  // The probe is online.
  await app.probe().assignments();
  const started = await app.alice.send('POST', `/projects/${place.projectId}/example-outage`);
  assert.equal(started.status, 201, JSON.stringify(started.body));
  const things = await apply(app, place, 'projects: []', '?prune=true');
  assert.deepEqual(lines(things), ['not_in_file project Shop']);
});
