// The organization of the demo: people, monitors of several types, on-call, a status page, and the week behind it.
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { ROLL_UP_TASK } from '#src/series/rollup.ts';
import type { StatusPage } from '#src/status-pages/contract.ts';
import type { TestApp } from '#test/harness/app.ts';
import { every, makeHeartbeat } from '#test/harness/heartbeat.ts';
import { type Action, liveThrough, type Trouble, type Watched } from './past.ts';
import type { Targets } from './targets.ts';

const DAYS = 7;
export const PAST_MINUTES = DAYS * 1440;
const HOUR = 60;
const DAY = 1440;

/** Fills an application whose clock stands a week ago; afterwards it stands at now. */
export async function fillOrganization(app: TestApp, targets: Targets): Promise<void> {
  const { alice } = app;
  const { orgId, projectId } = app.home;
  const org = `/organizations/${orgId}`;
  await alice.ok('PATCH', '/me', { name: 'Alice Lindqvist' });
  await alice.ok('PATCH', org, { name: 'Meridian Freight' });
  await alice.ok('PATCH', `/projects/${projectId}`, { name: 'Shop' });
  const ben = await app.person('ben', { [orgId]: 'admin' });
  const clara = await app.person('clara', { [orgId]: 'member' });
  await ben.ok('PATCH', '/me', { name: 'Ben Okafor' });
  await clara.ok('PATCH', '/me', { name: 'Clara Weiss' });
  const platform = await alice.ok<{ id: string }>('POST', `${org}/projects`, { name: 'Platform' });

  const make = (
    project: string,
    name: string,
    type: string,
    config: object,
    tags: string[],
    more: object = {},
  ) => alice.ok<Monitor>('POST', `/projects/${project}/monitors`, { name, type, config, tags, ...more });
  const website = await make(projectId, 'Website', 'http', { url: targets.website.url }, ['public']);
  const checkout = await make(projectId, 'Checkout', 'http', { url: targets.checkout.url }, [
    'public',
    'payments',
  ]);
  const api = await make(projectId, 'Booking API', 'http', { url: targets.api.url }, ['public', 'api']);
  const search = await make(projectId, 'Search', 'http', { url: targets.search.url }, ['api']);
  const tcp = { host: '127.0.0.1', port: targets.api.port };
  const gateway = await make(platform.id, 'Gateway port', 'tcp', tcp, ['network']);
  const members = [website.id, checkout.id, api.id];
  // It goes down with a member, whose alarm is enough.
  await make(projectId, 'Shop as a whole', 'group', { members }, [], { severity: 'degraded' });
  const backup = await makeHeartbeat(
    app,
    platform.id,
    { schedule: every(6 * HOUR * 60) },
    { name: 'Nightly backup' },
  );

  await alice.ok('PUT', `${org}/on-call/settings`, {
    enabled: true,
    timezone: 'Europe/Berlin',
    rotation_mode: 'weekly',
  });
  await alice.ok('PUT', `${org}/on-call/members`, {
    members: [ben, alice].map(({ userId }, position) => ({ position, user_id: userId })),
  });
  const page = await alice.ok<StatusPage>('POST', `${org}/status-pages`, {
    name: 'Meridian Freight',
    slug: 'meridian',
  });
  const shown = [website, checkout, api].map(({ id }) => ({ monitor_id: id }));
  await alice.ok('PUT', `/status-pages/${page.id}/monitors`, { monitors: shown });
  const open = { name: page.name, enabled: true, public_viewable: true, access_mode: 'public' };
  await alice.ok('PATCH', `/status-pages/${page.id}`, { ...open, headline: 'How our shop is doing' });

  const incidentOf = async ({ id }: Monitor): Promise<string> => {
    const [incident] = await alice.ok<IncidentSummary[]>('GET', `/monitors/${id}/incidents`);
    if (!incident) throw new Error(`nothing was confirmed for ${id}`);
    return `${org}/incidents/${incident.id}`;
  };
  const refused: Trouble['said'] = {
    ...{ status: 'down', failure_class: 'connection_refused', cause_layer: 'target_connect' },
    detail: 'connection refused',
  };
  const troubles: Trouble[] = [
    { monitor: website.id, from: 4 * DAY + 310, until: 4 * DAY + 304, said: refused },
    {
      monitor: api.id,
      from: 2 * DAY + 190,
      until: 2 * DAY + 173,
      said: { status: 'down', detail: 'status 500', response_code: 500 },
    },
    { monitor: search.id, from: DAY + 95, until: DAY + 60, said: { status: 'degraded', latency_ms: 2800 } },
    {
      monitor: checkout.id,
      from: 24,
      until: 0,
      said: { status: 'down', detail: 'status 503', response_code: 503 },
    },
  ];
  const actions: Action[] = [
    { at: 4 * DAY + 306, act: async () => alice.ok('POST', `${await incidentOf(website)}/ack`) },
    { at: 2 * DAY + 186, act: async () => ben.ok('POST', `${await incidentOf(api)}/ack`) },
    {
      at: 2 * DAY + 180,
      act: async () =>
        ben.ok('POST', `${await incidentOf(api)}/notes`, {
          ...{ kind: 'note', visibility: 'internal' },
          body: 'Release **2.14** holds database connections open. Rolling back to 2.13.',
        }),
    },
    { at: 2 * DAY + 60, act: async () => writePostmortem(await incidentOf(api)) },
    { at: 21, act: async () => ben.ok('POST', `${await incidentOf(checkout)}/ack`) },
    {
      at: 18,
      act: async () =>
        ben.ok('POST', `${await incidentOf(checkout)}/notes`, {
          ...{ kind: 'status_update', visibility: 'public' },
          body: 'Card payments fail. We are working on it with our payment provider.',
        }),
    },
    ...Array.from({ length: PAST_MINUTES / (6 * HOUR) }, (_, i): Action => {
      return { at: i * 6 * HOUR + 1, act: () => backup.ping() };
    }),
  ];
  async function writePostmortem(incident: string): Promise<void> {
    await ben.ok('PUT', `${incident}/status-pages/${page.id}`);
    await ben.ok('PUT', `${incident}/postmortem`, {
      title: 'The booking API failed for 17 minutes after release 2.14',
      summary:
        'Release 2.14 held its database connections open. Once the pool was empty, every booking failed. We rolled back.',
      impact: 'No bookings for 17 minutes. 212 customers saw an error; nothing was lost.',
      root_cause: 'A new code path did not give its connection back when a request was cancelled.',
      what_went_well: 'The alarm came within a minute, and the rollback worked at the first try.',
      what_went_wrong: 'The pool had no metric, so it took eight minutes to see why.',
      lessons:
        '- Watch the size of the pool (Ben, this week)\n- Test cancelled requests (Clara, next sprint)',
      visibility: 'public',
    });
    await ben.ok('POST', `${incident}/postmortem/publish`);
  }

  const usual: [Monitor, number][] = [
    [website, 84],
    [checkout, 140],
    [api, 38],
    [search, 210],
    [gateway, 2],
  ];
  const watched = usual.map(([{ id }, usualMs]): Watched => ({ id, usualMs }));
  await liveThrough(app, PAST_MINUTES, { watched, troubles, actions }, async () => {
    await app.runTask('partitions');
    await app.runTask(ROLL_UP_TASK);
  });

  const inDays = (days: number) => Math.floor(app.clock.ms() / 1000) + days * 86_400;
  await alice.ok('POST', `${org}/maintenance-windows`, {
    ...{ title: 'New database servers', body: 'Bookings may be slow for an hour.', monitors: [api.id] },
    ...{ scheduled_start: inDays(2), scheduled_end: inDays(2) + 3600, public_visible: true },
  });
}
