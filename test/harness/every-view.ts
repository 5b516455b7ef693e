// Every address of the dashboard, with content on each.

import type { IncidentSummary } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { TestApp } from './app.ts';
import { makeScene, type Scene } from './scene.ts';

/** An organization of alice's with one of everything, and beside it monitors that fail, have failed, or are in maintenance. */
export async function makeShownScene(app: TestApp): Promise<Scene> {
  const scene = await makeScene(app, app.alice);
  const { org_id, project_id, target_id } = scene.ids;
  const at = `/organizations/${org_id}`;
  const names = ['Checkout', 'Search with a name that is much longer than a phone is wide', 'Login'];
  const monitors: Monitor[] = [];
  for (const name of names)
    monitors.push(
      await app.alice.ok('POST', `/projects/${project_id}/monitors`, {
        ...{ name, type: 'http', tags: ['web', 'team-a'] },
        config: { url: `https://${name.slice(0, 5).toLowerCase()}.example.com/health` },
      }),
    );
  const [failing, slow] = monitors;
  await app.alice.ok('PUT', `${at}/on-call/settings`, {
    enabled: true,
    manual_duty_user_id: app.alice.userId,
  });
  await app.alice.ok('PUT', `${at}/on-call/members`, {
    members: [{ position: 0, user_id: app.alice.userId }],
  });
  await app.alice.ok('PATCH', `${at}/webhooks/${target_id}`, {
    events: ['opened', 'acknowledged', 'resolved', 'updated'],
  });
  for (const { id } of monitors) await app.probe().says(id, 'up');
  for (let i = 0; i < 2; i++) {
    await app.probe().says(failing?.id ?? '', 'down');
    await app.probe().says(slow?.id ?? '', 'degraded');
  }
  const open = await app.alice.ok<IncidentSummary[]>('GET', `${at}/incidents`);
  const automatic = open.find(({ monitor_id }) => monitor_id === failing?.id);
  await app.alice.ok('POST', `${at}/incidents/${automatic?.id}/ack`);
  await app.alice.ok('POST', `${at}/incidents/${automatic?.id}/notes`, {
    ...{ kind: 'note', visibility: 'internal' },
    body: 'The pool of **connections** is exhausted.',
  });
  const ids = {
    ...scene.ids,
    monitor_id: failing?.id ?? '',
    incident_id: automatic?.id ?? scene.ids.incident_id,
  };
  return { ...scene, ids };
}

/** The query without which a page shows nothing. */
const SEARCH: Record<string, string> = {
  '/o/$orgId/incidents': '?status=all',
  '/o/$orgId/monitors/new': '?type=http',
  '/o/$orgId/notifications/new': '?kind=slack',
};

/** The address of a route of the router, below `/app`. Throws for a parameter that the scene has no value for. */
export function addressOf(route: string, { ids }: Scene): string {
  const values: Record<string, string> = {
    orgId: ids.org_id,
    monitorId: ids.monitor_id,
    incidentId: ids.incident_id,
    windowId: ids.window_id,
    targetId: ids.target_id,
    agentId: ids.agent_id,
    drillId: ids.drill_id,
    pageId: ids.status_page_id,
    profileId: ids.profile_id,
    slug: ids.region_slug,
  };
  const path = route.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${route}: the scene has no ${name}`);
    return value;
  });
  return path + (SEARCH[route] ?? '');
}
