// What somebody may do to the organization of a race. Whatever is gone meanwhile is refused, which is right.
import type { Answer } from '../harness/client.ts';
import type { Scene } from './scene.ts';

type Act = (scene: Scene) => Promise<Answer>;

const onShop =
  (method: 'PATCH' | 'DELETE', body?: object): Act =>
  ({ alice, shop }) =>
    alice.send(method, `/monitors/${shop}`, body);

const onIncident =
  (path: string, body: object = {}): Act =>
  ({ alice, url, incident }) =>
    alice.send('POST', url(`incidents/${incident}/${path}`), body);

const says =
  (status: 'up' | 'down'): Act =>
  ({ says, shop }) =>
    says(shop, status);

const minutes = (nowMs: number, from: number, until: number) => ({
  scheduled_start: Math.floor(nowMs / 1000) + 60 * from,
  scheduled_end: Math.floor(nowMs / 1000) + 60 * until,
});

export const ACTS = {
  'shop fails': says('down'),
  'shop passes': says('up'),
  'database fails': ({ says, database }) => says(database, 'down'),
  'shop is paused': onShop('PATCH', { enabled: false }),
  'shop is resumed': onShop('PATCH', { enabled: true }),
  'shop wakes nobody': onShop('PATCH', { severity: 'degraded' }),
  'shop waits for more failures': onShop('PATCH', { policy: { alarm_consecutive: 3 } }),
  'shop is checked more often': onShop('PATCH', { interval_seconds: 30 }),
  'shop gets another address': onShop('PATCH', { config: { url: 'https://shop.example.org/' } }),
  'shop is renamed': onShop('PATCH', { name: 'Store' }),
  'shop is tagged': onShop('PATCH', { tags: ['prod'] }),
  'shop depends on the database': ({ alice, shop, database }) =>
    alice.send('PATCH', `/monitors/${shop}`, { depends_on: [database] }),
  'shop becomes another type': onShop('PATCH', {
    ...{ type: 'tcp', config: { host: 'shop.example.com', port: 443 } },
  }),
  'shop is deleted': onShop('DELETE'),
  'shop moves': ({ alice, url, shop, otherProject }) =>
    alice.send('POST', url('monitors/bulk'), {
      ...{ monitor_ids: [shop], action: 'move', project_id: otherProject },
    }),
  'all are paused': ({ alice, url, shop, database }) =>
    alice.send('POST', url('monitors/bulk'), { monitor_ids: [database, shop], action: 'pause' }),
  'all move': ({ alice, url, shop, database, group, otherProject }) =>
    alice.send('POST', url('monitors/bulk'), {
      ...{ monitor_ids: [database, group, shop], action: 'move', project_id: otherProject },
    }),
  'another monitor is made': ({ alice, project }) =>
    alice.send('POST', `/projects/${project}/monitors`, {
      ...{ name: 'Mail', type: 'tcp', config: { host: 'mail.example.com', port: 25 }, enabled: false },
    }),
  'all are deleted': ({ alice, url, shop, database }) =>
    alice.send('POST', url('monitors/bulk'), { monitor_ids: [database, shop], action: 'delete' }),
  'a change is announced': ({ alice, shop }) =>
    alice.send('POST', `/monitors/${shop}/alarm-holds`, { origin: 'deployment' }),
  'the profile asks for more': ({ alice, profile }) =>
    alice.send('PATCH', `/alert-profiles/${profile}`, { alarm_consecutive: 4 }),
  'the profile checks failures faster': ({ alice, profile }) =>
    alice.send('PATCH', `/alert-profiles/${profile}`, { failed_interval_seconds: 20 }),
  'the standard asks for more': ({ alice, url }) =>
    alice.send('PUT', url('alarm-standard'), { min_regions: 1, alarm_consecutive: 2 }),
  'the group is deleted': ({ alice, group }) => alice.send('DELETE', `/monitors/${group}`),
  'the group forgets the shop': ({ alice, group, database }) =>
    alice.send('PATCH', `/monitors/${group}`, { config: { members: [database] } }),
  'the incident is acknowledged': onIncident('ack'),
  'the incident is resolved': onIncident('resolve'),
  'the incident is held': onIncident('hold', { seconds: 600 }),
  'the incident gets an update': onIncident('notes', {
    ...{ body: 'We look.', kind: 'note', visibility: 'public' },
  }),
  'an incident is declared': ({ alice, url, shop }) =>
    alice.send('POST', url('incidents'), { monitor_id: shop, severity: 'critical', cause: 'No cards' }),
  'the older incident is discarded': ({ alice, url, older }) =>
    alice.send('POST', url(`incidents/${older}/discard`), {}),
  'the incident is shown': ({ alice, url, incident, page }) =>
    alice.send('PUT', url(`incidents/${incident}/status-pages/${page}`)),
  'maintenance begins': ({ alice, url, nowMs, shop }) =>
    alice.send('POST', url('maintenance-windows'), {
      ...{ title: 'Move', monitors: [shop], ...minutes(nowMs(), -1, 60) },
    }),
  'maintenance by tag begins': ({ alice, url, nowMs }) =>
    alice.send('POST', url('maintenance-windows'), {
      ...{ title: 'Move', tags: ['prod'], ...minutes(nowMs(), 0, 60) },
    }),
  'maintenance is cancelled': ({ alice, url, window }) =>
    alice.send('POST', url(`maintenance-windows/${window}/cancel`)),
  'maintenance is deleted': ({ alice, url, window }) =>
    alice.send('DELETE', url(`maintenance-windows/${window}`)),
  'maintenance leaves the shop out': ({ alice, url, window, database }) =>
    alice.send('PATCH', url(`maintenance-windows/${window}`), { monitors: [database] }),
  'on-call is switched off': ({ alice, url }) =>
    alice.send('PUT', url('on-call/settings'), { enabled: false }),
  'on-call is switched on': ({ alice, url }) => alice.send('PUT', url('on-call/settings'), { enabled: true }),
  'the roster changes': ({ alice, url }) =>
    alice.send('PUT', url('on-call/members'), { members: [{ position: 0, user_id: alice.userId }] }),
  'anna takes a shift': ({ anna, url, nowMs }) =>
    anna.send('POST', url('on-call/overrides'), {
      ...{ user_id: anna.userId, starts_at_unix: Math.floor(nowMs() / 1000) },
      ends_at_unix: Math.floor(nowMs() / 1000) + 3_600,
    }),
  'anna becomes a viewer': ({ alice, anna, url }) =>
    alice.send('PATCH', url(`members/${anna.userId}`), { role: 'viewer' }),
  'anna is removed': ({ alice, anna, url }) => alice.send('DELETE', url(`members/${anna.userId}`)),
  'anna acknowledges': ({ anna, url, incident }) => anna.send('POST', url(`incidents/${incident}/ack`)),
  'anna leaves': ({ anna, url }) => anna.send('DELETE', url(`members/${anna.userId}`)),
  'the target is switched off': ({ alice, url, target }) =>
    alice.send('PATCH', url(`webhooks/${target}`), { active: false }),
  'the target is switched on': ({ alice, url, target }) =>
    alice.send('PATCH', url(`webhooks/${target}`), { active: true }),
  'the target gets another address': ({ alice, url, target }) =>
    alice.send('PATCH', url(`webhooks/${target}`), { url: 'https://hooks.example.org/' }),
  'the target leaves the project out': ({ alice, url, target, otherProject }) =>
    alice.send('PATCH', url(`webhooks/${target}`), { project_ids: [otherProject] }),
  'the target is for what is tagged': ({ alice, url, target }) =>
    alice.send('PATCH', url(`webhooks/${target}`), { tags: ['prod'] }),
  'the target gets another secret': ({ alice, url, target }) =>
    alice.send('POST', url(`webhooks/${target}/rotate-secret`)),
  'the target is deleted': ({ alice, url, target }) => alice.send('DELETE', url(`webhooks/${target}`)),
  'the page leaves the shop out': ({ alice, page, database }) =>
    alice.send('PUT', `/status-pages/${page}/monitors`, {
      monitors: [{ monitor_id: database }],
    }),
  'the page is archived': ({ alice, page }) => alice.send('DELETE', `/status-pages/${page}`),
  'the old project is deleted': ({ alice, project }) => alice.send('DELETE', `/projects/${project}`),
  'the other project is deleted': ({ alice, otherProject }) =>
    alice.send('DELETE', `/projects/${otherProject}`),
} satisfies Record<string, Act>;

export type ActName = keyof typeof ACTS;
