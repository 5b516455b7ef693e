// The configuration of an organization as its details have it, with names for ids: independent of what writes configuration files.
import type { Client } from '../harness/client.ts';

type Thing = { id: string; name: string; project_id?: string; slug?: string } & Record<string, unknown>;

/** Of this moment, of this organization alone, or left out of files. */
const OWN = new Set([
  ...[
    'id',
    'slug',
    'created_at_unix',
    'organization_id',
    'ping_url',
    'last_status',
    'last_severity',
    'confirming',
  ],
  ...[
    'last_status_since_unix',
    'no_data_since_unix',
    'cannot_check',
    'in_maintenance_until_unix',
    'secret_hint',
  ],
  ...[
    'last_delivery_at_unix',
    'last_delivery_ok',
    'last_error',
    'failing_since_unix',
    'state',
    'heartbeat_token',
  ],
  ...['shared_password_set', 'shared_password_protected', 'current_duty_user_id', 'by_tag'],
  // What its plan includes.
  'entitled',
]);

/** Monitors, profiles, targets and pages, each by its name. */
export async function plainOf(by: Client, orgId: string): Promise<Record<string, unknown>> {
  const list = (path: string) => by.ok<Thing[]>('GET', `/organizations/${orgId}/${path}`);
  const projects = await list('projects');
  const named = new Map(projects.map(({ id, name }) => [id, name]));
  const profiles = await list('alert-profiles');
  for (const { id, name } of profiles) named.set(id, name);
  const monitors = await list('monitors?limit=1000');
  for (const { id, name, project_id = '' } of monitors) named.set(id, `${named.get(project_id)}: ${name}`);
  const whole = await Promise.all(monitors.map(({ id }) => by.ok<Thing>('GET', `/monitors/${id}`)));
  const pages = await Promise.all(
    (await list('status-pages')).map(({ id }) =>
      by.ok<{ page: Thing; monitors: unknown[] }>('GET', `/status-pages/${id}`),
    ),
  );
  const plain = (value: unknown): unknown => {
    if (typeof value === 'string') return named.get(value) ?? value;
    if (Array.isArray(value)) {
      const all = value.map(plain);
      return all.every((each) => typeof each === 'string') ? all.sort() : all;
    }
    if (typeof value !== 'object' || value === null) return value;
    const fields = Object.entries(value).filter(([field]) => !OWN.has(field));
    return Object.fromEntries(
      fields.sort(([a], [b]) => (a < b ? -1 : 1)).map(([field, each]) => [field, plain(each)]),
    );
  };
  const things = (all: readonly unknown[]) => all.map((each) => JSON.stringify(plain(each))).sort();
  return {
    monitors: Object.fromEntries(
      [...whole]
        .map((each) => [named.get(each.id) ?? '', plain(each)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    profiles: things(profiles),
    targets: things(await list('webhooks')),
    pages: things(pages),
    on_call: plain(await by.ok('GET', `/organizations/${orgId}/on-call/settings`)),
    standard: await by.ok('GET', `/organizations/${orgId}/alarm-standard`),
  };
}
