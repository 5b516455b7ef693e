// The organization of a race: a shop whose monitor has a profile, is in a group, on a page, in a maintenance window and has an incident.
import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Person, TestApp } from '../harness/app.ts';
import type { Answer } from '../harness/client.ts';
import { resultOf } from '../harness/probe.ts';
import { runJobs } from './jobs.ts';
import type { Beginning } from './walk.ts';

export type Scene = Awaited<ReturnType<typeof makeScene>>;

/** `settle` waits for the stored jobs; by default it runs them. */
export async function makeScene(
  app: TestApp,
  anna: Person,
  beginning: Beginning,
  settle: () => Promise<unknown> = () => runJobs(app),
) {
  const { alice, clock } = app;
  const { orgId, projectId: project } = await app.place(alice, 'unlimited');
  const url = (path: string) => `/organizations/${orgId}/${path}`;
  const made = async (path: string, body: object) => (await alice.ok<{ id: string }>('POST', path, body)).id;
  const nowMs = () => clock.ms();
  await app.db
    .insertInto('members')
    .values({ org_id: orgId, user_id: anna.userId, role: 'member', joined_at: clock.now() })
    .execute();
  await alice.ok('PUT', url('on-call/members'), { members: [{ position: 0, user_id: anna.userId }] });
  await alice.ok('PUT', url('on-call/settings'), { enabled: true, timezone: 'UTC' });

  const otherProject = await made(url('projects'), { name: 'Other' });
  const profile = await made(url('alert-profiles'), { name: 'Loud', alarm_consecutive: 1 });
  const monitor = (name: string, fields: object) =>
    made(`/projects/${project}/monitors`, { name, interval_seconds: 60, ...fields });
  const database = await monitor('Database', { type: 'tcp', config: { host: 'db.example.com', port: 5432 } });
  const shop = await monitor('Shop', {
    ...{ type: 'http', config: { url: 'https://shop.example.com/' } },
    policy: { alert_profile_id: profile },
    alarm_gate: { grace_seconds: 300, origins: ['deployment'] },
  });
  const group = await monitor('All', { type: 'group', config: { members: [shop, database] } });
  const page = await made(url('status-pages'), { name: 'Shop', slug: orgId.replace('_', '-') });
  await alice.ok('PUT', `/status-pages/${page}/monitors`, { monitors: [{ monitor_id: shop }] });
  const target = await made(url('webhooks'), {
    name: 'Hook',
    kind: 'webhook',
    url: 'https://hooks.example.com/',
    events: ['opened', 'acknowledged', 'resolved'],
  });

  const says = async (monitorId: string, status: 'up' | 'down'): Promise<Answer> =>
    app.probe().post([resultOf(monitorId, clock.ms(), status)]);
  /** Each a second after the one before. */
  async function becomes(status: 'up' | 'down'): Promise<void> {
    for (const id of [shop, database]) {
      clock.advance(1000);
      await says(id, id === shop ? status : 'up');
    }
    await settle();
  }
  const newest = async () =>
    (await alice.ok<IncidentSummary[]>('GET', `/monitors/${shop}/incidents`))[0]?.id ?? '';

  await becomes('down');
  const older = await newest();
  for (let passed = 0; passed < 3; passed++) await becomes('up');
  const begins = beginning === 'maintained' ? 0 : 7_200;
  const at = Math.floor(clock.ms() / 1000) + begins;
  const times = { scheduled_start: at, scheduled_end: at + 3_600 };
  const planned = () => made(url('maintenance-windows'), { title: 'Disks', monitors: [shop], ...times });
  if (beginning !== 'calm' && beginning !== 'paused') await becomes('down');
  const window = await planned();
  await settle();
  const incident = await newest();
  if (beginning === 'acknowledged') await alice.ok('POST', url(`incidents/${incident}/ack`));
  if (beginning === 'paused') await alice.ok('PATCH', `/monitors/${shop}`, { enabled: false });
  await settle();
  clock.advance(1000);
  return {
    ...{ app, alice, anna, orgId, url, nowMs, says, settle },
    ...{ project, otherProject, profile, shop, database, group, page, target, window, incident, older },
  };
}
