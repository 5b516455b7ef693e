// What people come for in each view of the dashboard, done by keyboard alone: every route of the router has its act.
import assert from 'node:assert/strict';
import type { IncidentDetail, IncidentSummary } from '#src/incidents/contract.ts';
import type { MaintenanceWindow } from '#src/maintenance/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import type { OnCallSettings } from '#src/on-call/contract.ts';
import { type Act, comes, hasName } from '#test/harness/view.ts';
import { ACCOUNT_AND_OPERATOR, SETTINGS, SIGNED_OUT } from './settings-acts.ts';

const WINDOWS = 'maintenance-windows';

const WATCHING: Record<string, Act> = {
  '/o/$orgId/overview': async (view) => {
    await view.to('link', /^Checkout: /);
    await view.press('ArrowRight', 'Enter');
    await view.titled('Host');
  },
  '/o/$orgId/overview/wall': async (view) => {
    await view.write('Location', 'Kitchen\n');
    await view.page.getByLabel('Address').waitFor();
    await hasName(view, 'wall-links', 'Kitchen');
  },
  '/o/$orgId/monitors': async (view) => {
    await view.enter('link', 'New monitor');
    await view.titled('New monitor');
  },
  '/o/$orgId/monitors/all': async (view) => {
    await view.enter('link', 'Login');
    await view.titled('Login');
  },
  '/o/$orgId/monitors/$monitorId': async (view) => {
    await view.enter('button', 'Pause');
    await view.page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
    await comes<Monitor>(view, `/monitors/${view.scene.ids.monitor_id}`, ({ enabled }) => !enabled);
  },
  '/o/$orgId/monitors/new': async (view) => {
    await view.write('URL', 'http://127.0.0.1:9/basket');
    await view.write('Name', 'Basket\n');
    await view.titled('Basket');
    await hasName(view, 'monitors', 'Basket');
  },
  '/o/$orgId/monitors/import': async (view) => {
    await view.write('Addresses, one per line', 'https://one.example.com/\nhttps://two.example.com/');
    await view.enter('button', 'Create 2 monitors');
    await view.said('2 created');
    await hasName(view, 'monitors', 'two.example.com');
  },
  '/o/$orgId/monitors/$monitorId/edit': async (view) => {
    await view.write('Name', 'Checkout page\n');
    await view.titled('Checkout page');
    await hasName(view, 'monitors', 'Checkout page');
  },
  '/o/$orgId/hosts': async (view) => {
    await view.enter('button', 'Add a host');
    await view.page.getByRole('dialog').waitFor();
  },
  '/o/$orgId/hosts/$agentId': async (view) => {
    await view.to('combobox', 'Labels');
    await view.page.keyboard.type('rack=4,');
    await view.enter('button', 'Save');
    await view.page.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' });
    assert.equal((await view.read<{ labels: string }>(`agents/${view.scene.ids.agent_id}`)).labels, 'rack=4');
  },
  '/o/$orgId/projects': async (view) => {
    await view.write('New project', 'Warehouse\n');
    await view.page.getByRole('main').getByRole('link', { name: 'Warehouse' }).waitFor();
    await hasName(view, 'projects', 'Warehouse');
  },
  '/o/$orgId/reports': async (view) => {
    const shown = await view.page.getByRole('main').getByRole('heading', { level: 2 }).first().innerText();
    await view.enter('button', 'Previous period');
    await view.page.getByRole('heading', { name: shown, exact: true }).waitFor({ state: 'detached' });
    const file = view.page.waitForEvent('download');
    await view.enter('button', 'CSV');
    await view.page.getByRole('menuitem').first().waitFor();
    await view.press('ArrowDown', 'Enter');
    assert.match((await file).suggestedFilename(), /\.csv$/);
  },
};

const INCIDENTS_AND_DUTY: Record<string, Act> = {
  '/o/$orgId/incidents': async (view) => {
    await view.enter('link', 'Declare incident');
    await view.titled('Declare an incident');
  },
  '/o/$orgId/incidents/new': async (view) => {
    await view.write('Problem', 'Payments are refused\n');
    await view.titled('Payments are refused');
    await comes<IncidentSummary[]>(view, 'incidents', (list) =>
      list.some(({ cause }) => cause === 'Payments are refused'),
    );
  },
  '/o/$orgId/incidents/$incidentId': async (view) => {
    await view.write('Add to the timeline', 'It was the cache.');
    await view.enter('button', 'Add');
    await view.said('It was the cache.');
    await view.enter('button', 'Resolve');
    await view.enter('button', 'Resolve', 'dialog');
    await view.page.getByRole('dialog').waitFor({ state: 'detached' });
    await view.page.getByRole('button', { name: 'Resolve', exact: true }).waitFor({ state: 'detached' });
    const { incident_id } = view.scene.ids;
    await comes<IncidentDetail>(view, `incidents/${incident_id}`, ({ status }) => status === 'closed');
  },
  '/o/$orgId/incidents/$incidentId/postmortem': async (view) => {
    await view.write('Root cause', 'The pool was too small.');
    await view.enter('button', 'Publish');
    await view.enter('button', 'Publish', 'dialog');
    await view.said('The post-mortem is published.');
    const { incident_id } = view.scene.ids;
    const written = await view.read<{ status: string; root_cause: string }>(
      `incidents/${incident_id}/postmortem`,
    );
    assert.deepEqual([written.status, written.root_cause], ['published', 'The pool was too small.']);
  },
  '/o/$orgId/maintenance': async (view) => {
    await view.enter('link', 'Move');
    await view.titled('Move');
  },
  '/o/$orgId/maintenance/new': async (view) => {
    await view.write('Title', 'New disks\n');
    await view.titled('New disks');
    await comes<MaintenanceWindow[]>(view, WINDOWS, (list) =>
      list.some(({ title }) => title === 'New disks'),
    );
  },
  '/o/$orgId/maintenance/$windowId/edit': async (view) => {
    await view.write('Title', 'Move the racks\n');
    await view.titled('Move the racks');
    await comes<MaintenanceWindow[]>(view, WINDOWS, (list) =>
      list.some(({ title }) => title === 'Move the racks'),
    );
  },
  '/o/$orgId/maintenance/$windowId': async (view) => {
    await view.enter('button', 'Cancel maintenance');
    await view.enter('button', 'Cancel maintenance', 'dialog');
    await view.page.getByRole('main').getByText('Cancelled', { exact: true }).waitFor();
    await comes<MaintenanceWindow[]>(view, WINDOWS, (list) => list.some(({ cancelled }) => cancelled));
  },
  '/o/$orgId/on-call': async (view) => {
    await view.write('Mail after', '5\n');
    await view.said('On-call is saved, and in force.');
    const settings = await view.read<OnCallSettings>('on-call/settings');
    assert.equal(settings.channel_step_minutes, 5);
  },
  '/o/$orgId/on-call/drills': async (view) => {
    // No drill starts while a real alarm rings.
    const path = `/organizations/${view.scene.ids.org_id}/incidents`;
    for (const { id } of await view.read<IncidentSummary[]>('incidents'))
      await view.person.ok('POST', `${path}/${id}/resolve`);
    await view.to('combobox', 'Who is notified');
    await view.page.keyboard.type('Ada');
    await view.press('ArrowDown', 'Enter');
    await view.enter('button', 'Start the drill');
    await view.titled(/^Fire drill of/);
    // The one that runs is the one whose record is opened next.
    view.scene.ids.drill_id = view.page.url().split('/').at(-1) ?? '';
  },
  '/o/$orgId/on-call/drills/$drillId': async (view) => {
    await view.enter('button', 'Stop the drill');
    await view.page.getByRole('button', { name: 'Stop the drill' }).waitFor({ state: 'detached' });
  },
};

const TELLING: Record<string, Act> = {
  '/o/$orgId/notifications': async (view) => {
    await view.enter('link', 'New target');
    await view.titled('New target');
  },
  '/o/$orgId/notifications/new': async (view) => {
    await view.write('Name', 'Room');
    await view.write(/URL/, 'https://hooks.slack.com/services/T000/B000/XXXX\n');
    await view.titled('Room');
    await hasName(view, 'webhooks', 'Room');
  },
  '/o/$orgId/notifications/$targetId': async (view) => {
    await view.enter('button', 'Send test');
    await view.said('The test failed');
  },
  '/o/$orgId/status-pages': async (view) => {
    await view.enter('link', 'New status page');
    await view.titled('New status page');
  },
  '/o/$orgId/status-pages/new': async (view) => {
    await view.write('Name', 'Shops\n');
    await view.titled('Shops');
    await hasName(view, 'status-pages', 'Shops');
  },
  '/o/$orgId/status-pages/$pageId': async (view) => {
    await view.write('Name', 'How the shop is\n');
    await view.said('The page is saved.');
    await view.titled('How the shop is');
    await hasName(view, 'status-pages', 'How the shop is');
  },
};

/** Done after all others, in this order, because they take away what others need. */
export const LATE_ACTS = [
  // Its alarm rings, and no fire drill starts meanwhile.
  '/o/$orgId/incidents/new',
  // A paused monitor has no incident any more.
  '/o/$orgId/monitors/$monitorId',
  // Cancelled, the window is changed no more.
  '/o/$orgId/maintenance/$windowId',
  '/o/$orgId/settings/plan',
];

/** By the path of the route. */
export const ACTS: Record<string, Act> = {
  ...ACCOUNT_AND_OPERATOR,
  ...WATCHING,
  ...INCIDENTS_AND_DUTY,
  ...TELLING,
  ...SETTINGS,
  ...SIGNED_OUT,
};
