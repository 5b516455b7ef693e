// biome-ignore-all lint/suspicious/noTemplateCurlyInString: texts that look like variables of configuration files.
// An organization as the file that declares it (docs/rules/configuration-files.md#the-file-of-an-organization).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { readConfigurationFile, writeConfigurationFile } from '#src/cli/configuration-file.ts';
import type { ApplyReport, ConfigurationFile } from '#src/configuration-apply/contract.ts';
import { MONITOR_TYPES } from '#src/domain/names.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { WebhookTarget } from '#src/notifications/contract.ts';
import type { Project } from '#src/projects/contract.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import { insertAgent } from '#test/harness/agents.ts';
import { type Person, type Place, startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { fingerprint } from '#test/harness/fingerprint.ts';
import { type LivedIn, SECRETS } from '#test/harness/lived-in.ts';
import { monitorSamples } from '#test/harness/monitor-samples.ts';
import { download, makeExported } from '#test/harness/organization-file.ts';
import { assertRefused } from '#test/harness/refused.ts';
import { grantKey } from '#test/harness/scene.ts';

let app: TestApp;
/** An organization that has everything. */
let ours: LivedIn;
before(async () => {
  app = await startAppOfFile();
  ({ ours } = await makeExported(app));
});

const at = ({ orgId }: Pick<Place, 'orgId'>, path = '') => `/organizations/${orgId}${path}`;
const describe = (by: Person, place: Pick<Place, 'orgId'>) =>
  by.ok<ConfigurationFile>('GET', at(place, '/configuration'));

test('applied to its organization again, it changes nothing, also through YAML and with prune', async () => {
  const file = await describe(ours.owner, ours);
  for (const section of [
    'alarm_standard',
    'alert_profiles',
    'projects',
    'webhooks',
    'on_call',
    'status_pages',
  ] as const)
    assert.ok(file[section], section);
  const before = await fingerprint(app.db);
  const yaml = writeConfigurationFile(file);
  assert.deepEqual(readConfigurationFile(yaml, {}).file, file);
  for (const body of [file, readConfigurationFile(yaml, {}).file]) {
    const { things } = await ours.owner.ok<ApplyReport>('POST', at(ours, '/apply?prune=true'), body);
    assert.deepEqual(
      things.filter(({ outcome }) => outcome !== 'unchanged'),
      [],
    );
  }
  assert.deepEqual(await fingerprint(app.db), before);
});

test('it has no secret: neither of monitors nor of targets', async () => {
  const text = JSON.stringify(await describe(ours.owner, ours));
  const exported = await download(ours.owner, ours.orgId);
  const secrets = [SECRETS.headers.Authorization, 'hooks.slack.com/services'].filter((secret) =>
    exported.includes(secret),
  );
  assert.ok(secrets.length > 0);
  for (const secret of secrets) assert.ok(!text.includes(secret), secret);
});

test('in another organization it makes the same monitors, and pages under slugs of their own', async () => {
  const place = await app.place();
  const agent = await insertAgent(app.db, { orgId: place.orgId, at: app.clock.now() });
  let memberId = '';
  for (const type of MONITOR_TYPES.filter((type) => type !== 'agent' && type !== 'service')) {
    const { full, least } = monitorSamples({ agentId: agent.id, memberId })[type];
    for (const [which, config] of [
      ['full', full],
      ['least', least],
    ] as const) {
      const body = {
        ...{ name: `${type} ${which}`, type, config, depends_on: memberId ? [memberId] : [] },
        ...(which === 'full' ? { policy: { alarm_consecutive: 3 }, tags: ['a'], severity: 'default' } : {}),
      };
      memberId = (await app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, body)).id;
    }
  }
  const { organization: _, ...file } = await describe(app.alice, place);
  const other = await app.place();
  await app.alice.ok('POST', at(other, '/apply'), file);
  const { organization: __, ...copy } = await describe(app.alice, other);
  assert.deepEqual(copy, file);
});

test('a page shown in full is described in full', async () => {
  const place = await app.place();
  const page = await app.alice.ok<StatusPage>('POST', at(place, '/status-pages'), { name: 'Page' });
  const monitor = await app.alice.ok<Monitor>('POST', `/projects/${place.projectId}/monitors`, {
    ...{ name: 'M', type: 'http', config: { url: 'https://a.example.com/' }, tags: ['front'] },
  });
  await app.alice.ok('PATCH', `/status-pages/${page.id}`, {
    ...{
      name: 'Page',
      enabled: false,
      public_viewable: false,
      access_mode: 'public',
      timezone: 'Europe/Berlin',
    },
    ...{ description: 'Line one\n\nLine ${two}', headline: 'Head', collapsed_groups: ['Group'] },
    ...{ header_nav: [{ label: 'Shop', href: 'https://a.example.com/' }], auto_link_incidents: false },
  });
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, {
    monitors: [
      {
        monitor_id: monitor.id,
        display_name: 'D',
        group_label: 'Group',
        sort_order: 7,
        show_sparkline: false,
        uptime_window_days: 30,
      },
    ],
    tags: ['front'],
  });
  const file = await describe(app.alice, place);
  assert.deepEqual(file.status_pages, [
    {
      ...{ name: 'Page', slug: page.slug, access_mode: 'public', enabled: false },
      ...{ description: 'Line one\n\nLine ${two}', headline: 'Head', timezone: 'Europe/Berlin' },
      ...{ header_nav: [{ label: 'Shop', href: 'https://a.example.com/' }], collapsed_groups: ['Group'] },
      auto_link_incidents: false,
      monitors: [
        {
          monitor: 'Shop/M',
          display_name: 'D',
          group_label: 'Group',
          show_sparkline: false,
          ...{ show_uptime_bars: true, show_uptime_chart: true },
          sort_order: 7,
          uptime_window_days: 30,
        },
      ],
      tags: ['front'],
    },
  ]);
  assert.deepEqual(readConfigurationFile(writeConfigurationFile(file), {}).file, file);
  const { things } = await app.alice.ok<ApplyReport>('POST', at(place, '/apply'), file);
  assert.ok(things.every(({ outcome }) => outcome === 'unchanged'));
});

test('a target whose projects were deleted stays as it is, and does not receive everything', async () => {
  const place = await app.place();
  const project = (name: string) => app.alice.ok<Project>('POST', at(place, '/projects'), { name });
  const [kept, gone] = [await project('Kept'), await project('Gone')];
  const target = (name: string, project_ids: string[]) =>
    app.alice.ok<WebhookTarget>('POST', at(place, '/webhooks'), {
      ...{ name, kind: 'webhook', url: 'https://a.example.com/', events: ['opened'], project_ids },
    });
  const targets = [await target('Both', [kept.id, gone.id]), await target('Neither', [gone.id])];
  await app.alice.ok('DELETE', `/projects/${gone.id}`);
  const file = await describe(app.alice, place);
  assert.deepEqual(
    file.webhooks?.map(({ name, projects }) => [name, projects]),
    [
      ['Both', ['Kept']],
      ['Neither', undefined],
    ],
  );
  const { things } = await app.alice.ok<ApplyReport>('POST', at(place, '/apply'), file);
  assert.deepEqual(
    things.filter(({ outcome }) => outcome !== 'unchanged'),
    [],
  );
  const after = await app.alice.ok<WebhookTarget[]>('GET', at(place, '/webhooks'));
  assert.deepEqual(
    after.map(({ project_ids }) => project_ids),
    targets.map(({ project_ids }) => project_ids),
  );
});

test('its reader gets the sections that they may write', async () => {
  const place = await app.place();
  await app.alice.ok('PUT', at(place, '/alarm-standard'), { min_regions: 1 });
  await app.alice.ok('POST', at(place, '/alert-profiles'), { name: 'Calm' });
  const sections = async (by: Person) => Object.keys(await describe(by, place)).sort();
  assert.deepEqual(await sections(app.alice), [
    'alarm_standard',
    'alert_profiles',
    'organization',
    'projects',
  ]);
  const manager = await app.person('mo', { [place.orgId]: 'manager' });
  assert.deepEqual(await sections(manager), ['alert_profiles', 'organization', 'projects']);
  const member = await app.person('mem', { [place.orgId]: 'member' });
  assertRefused(await member.send('GET', at(place, '/configuration')), { status: 403, error: 'forbidden' });
  const { key } = await grantKey(app, place.orgId, { scopes: ['organization:read', 'monitors:write'] });
  const answer = await app.visitor().send<ConfigurationFile>('GET', at(place, '/configuration'), undefined, {
    authorization: `Bearer ${key}`,
  });
  assert.deepEqual(Object.keys(answer.body).sort(), ['alarm_standard', 'alert_profiles', 'organization']);
});
