// The command palette and the shortcuts, by keyboard alone.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { IncidentDetail } from '#src/incidents/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { violations } from '#test/harness/accessibility.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { type Dashboard, startDashboardOfFile } from '#test/harness/dashboard.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { closeAfter, follow, heading, signedInPage, watch } from '#test/harness/page.ts';
import { until } from '#test/harness/until.ts';

const skip = noBrowser();
let dashboard: Dashboard;
let payroll: Monitor;
let incidentId: string;
before(
  async () => {
    if (skip) return;
    dashboard = await startDashboardOfFile();
    const { admin, orgPath, app } = dashboard;
    const other = await admin.ok<{ id: string }>('POST', `${orgPath}/projects`, { name: 'Back office' });
    const create = (projectId: string, name: string, host: string) =>
      admin.ok<Monitor>('POST', `/projects/${projectId}/monitors`, {
        name,
        type: 'http',
        config: { url: `https://${host}.example.com/` },
      });
    await create(app.home.projectId, 'Shop front', 'shop');
    await create(app.home.projectId, 'Checkout', 'pay');
    payroll = await create(other.id, 'Payroll', 'wages');
    const declared = { severity: 'critical', cause: 'Printer on fire' };
    incidentId = (await admin.ok<IncidentDetail>('POST', `${orgPath}/incidents`, declared)).id;
  },
  { timeout: 120_000 },
);

const dialog = (page: Page) => page.getByRole('dialog', { name: /^(Command palette|Befehlspalette)$/ });
const options = (page: Page) => dialog(page).getByRole('option');
const active = (page: Page) => dialog(page).getByRole('option', { selected: true });
const labels = async (page: Page) => (await options(page).allInnerTexts()).map((text) => text.split('\n')[0]);

async function opened(t: Parameters<typeof closeAfter>[0], path: string, email: string = ADMIN.email) {
  const page = await signedInPage(dashboard.browser, dashboard.url, email);
  closeAfter(t, page);
  await page.goto(`${dashboard.url}/app/o/${dashboard.orgId}/${path}`);
  await heading(page, /./).waitFor();
  // Keys lead to pages of an organization once it is known.
  await page.getByRole('button', { name: /^Switch organization or project: Example / }).waitFor();
  return page;
}

/** Opens the palette, types, and waits until the line that Enter would do is the wanted one. */
async function search(page: Page, typed: string, wanted: RegExp): Promise<void> {
  await page.keyboard.press('Control+k');
  await dialog(page).waitFor();
  await page.keyboard.type(typed);
  await until(async () => wanted.test((await active(page).allInnerTexts()).join()), `${wanted} is the first`);
}

test('a monitor of any project is found by a word of its address, opened, and paused', {
  skip,
}, async (t) => {
  const page = await opened(t, 'incidents');
  await search(page, 'wages', /^Payroll/);
  await page.keyboard.press('Enter');
  await heading(page, 'Payroll').waitFor();
  assert.equal(await dialog(page).count(), 0);
  await page.getByRole('button', { name: 'Pause', exact: true }).waitFor();
  await search(page, 'pause', /^Pause Payroll/);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
  const enabled = async () => (await dashboard.admin.ok<Monitor>('GET', `/monitors/${payroll.id}`)).enabled;
  await until(async () => !(await enabled()), 'it is paused');
  // What is shown at once can be taken back.
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await until(enabled, 'it is checked again');
});

test('every main action is found from a page that has none of them, in both languages', {
  skip,
}, async (t) => {
  const page = await opened(t, 'hosts');
  const find = async (typed: string, wanted: RegExp) => {
    await dialog(page).getByRole('combobox').fill(typed);
    await until(
      async () => wanted.test((await active(page).allInnerTexts()).join()),
      `${typed}: ${wanted} is the first`,
    );
  };
  await page.keyboard.press('Control+k');
  const english: [string, RegExp][] = [
    ['pause', /^Pause a monitor …/],
    ['snooze', /^Hold an alarm …/],
    ['acknowledge an', /^Acknowledge an incident …/],
    ['invite', /^Invite somebody/],
    ['tag', /^Tag a monitor …/],
    ['bulk', /^Pause, tag, move or delete many monitors/],
    ['german', /^Language: Deutsch/],
    ['dark', /^Appearance: Dark/],
    ['export', /^Export and import/],
    ['import conf', /^Import configuration/],
    ['log out', /^Sign out$/],
    ['new api key', /^New API key/],
    ['new maintenance window', /^Plan maintenance/],
    ['new status page', /^New status page/],
    ['override', /^Take a shift or add an override/],
    ['fire drill', /^Fire drills/],
    ['start a fire', /^Start a fire drill/],
    ['report pdf', /^Download the report as PDF/],
    ['2fa', /^Two-factor sign-in/],
    ['new project', /^New project/],
    ['add a host', /^Add a host/],
  ];
  for (const [typed, wanted] of english) await find(typed, wanted);
  await find('settings', /^Settings/);
  assert.ok((await labels(page)).includes('Export and import'));
  await find('deutsch', /^Language: Deutsch/);
  await page.keyboard.press('Enter');
  await heading(page, 'Hosts').waitFor();
  await page.keyboard.press('Control+k');
  const german: [string, RegExp][] = [
    ['paus', /^Monitor pausieren …/],
    ['übern', /^.+ übernehmen/],
    ['einladen', /einladen/],
    ['taggen', /^Monitor taggen …/],
    ['englisch', /^Sprache: English/],
    ['dunkel', /^Darstellung: Dunkel/],
    ['ausloggen', /^Abmelden/],
    ['probealarm st', /^Probealarm starten/],
    ['bericht pdf', /^Bericht als PDF herunterladen/],
  ];
  for (const [typed, wanted] of german) await find(typed, wanted);
});

test('an action on a monitor asks which one, from anywhere; Escape leads back', { skip }, async (t) => {
  const page = await opened(t, 'hosts');
  const enabled = async () => (await dashboard.admin.ok<Monitor>('GET', `/monitors/${payroll.id}`)).enabled;
  const asked = (question: string) => dialog(page).getByRole('combobox', { name: question });
  await search(page, 'pause', /^Pause a monitor …/);
  await page.keyboard.press('Enter');
  await asked('Pause which monitor?').waitFor();
  await until(async () => (await options(page).count()) === 3, 'all are offered before anything is typed');
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  await asked('Search pages, monitors, incidents, actions').waitFor();
  await page.keyboard.type('pause');
  await until(async () => /^Pause a monitor …/.test(await active(page).innerText()), 'it is found again');
  await page.keyboard.press('Enter');
  await page.keyboard.type('wages');
  await until(async () => (await labels(page)).join() === 'Payroll', 'it is found by its address');
  await page.keyboard.press('Enter');
  await until(async () => !(await enabled()), 'it is paused');
  await heading(page, 'Hosts').waitFor();
  await search(page, 'resume', /^Resume a monitor …/);
  await page.keyboard.press('Enter');
  await until(async () => (await labels(page)).join() === 'Payroll', 'only what is paused is offered');
  await page.keyboard.press('Enter');
  await until(enabled, 'it is checked again');
});

test('an action that begins on a page leads to its control there', { skip }, async (t) => {
  const page = await opened(t, 'hosts');
  await search(page, 'invite', /^Invite somebody/);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByLabel('E-mail').waitFor();
  await page.keyboard.press('Escape');
  await search(page, 'tag', /^Tag a monitor …/);
  await page.keyboard.press('Enter');
  await page.keyboard.type('payroll');
  await until(async () => (await labels(page)).join() === 'Payroll', 'it is found');
  await page.keyboard.press('Enter');
  await until(
    () => page.evaluate<boolean>("document.activeElement.labels?.[0]?.textContent === 'Tags'"),
    'the field for tags has the focus',
  );
  await search(page, 'change my pass', /^Change my password/);
  await page.keyboard.press('Enter');
  await until(
    () => page.evaluate<boolean>("document.activeElement.labels?.[0]?.textContent === 'Current password'"),
    'the first visible field of the section has the focus',
  );
  await search(page, 'see what', /^See what an outage looks like/);
  await page.keyboard.press('Enter');
  await page.getByText('Not now: the region “local” has no probe online').waitFor();
});

test('a single incident is acknowledged from anywhere; of several the palette asks which', {
  skip,
}, async (t) => {
  const declare = async (cause: string) => {
    const declared = { severity: 'critical', cause };
    return (await dashboard.admin.ok<IncidentDetail>('POST', `${dashboard.orgPath}/incidents`, declared)).id;
  };
  const page = await opened(t, 'hosts');
  await search(page, 'ack', /^Acknowledge Printer on fire/);
  await page.keyboard.press('Escape');
  const flood = await declare('Flood in the cellar');
  await search(page, 'ack', /^Acknowledge an incident …/);
  await page.keyboard.press('Enter');
  await until(
    async () => (await labels(page)).join() === 'Flood in the cellar,Printer on fire',
    'both are offered',
  );
  await page.keyboard.press('Enter');
  await until(async () => {
    const path = `${dashboard.orgPath}/incidents/${flood}`;
    return (await dashboard.admin.ok<IncidentDetail>('GET', path)).acknowledged_at_unix !== null;
  }, 'it is acknowledged');
});

test('the incident on screen is acknowledged', { skip }, async (t) => {
  const page = await opened(t, `incidents/${incidentId}`);
  await page.getByRole('button', { name: 'Acknowledge', exact: true }).first().waitFor();
  await search(page, 'ackn', /^Acknowledge Printer on fire/);
  await page.keyboard.press('Enter');
  await until(async () => {
    const path = `${dashboard.orgPath}/incidents/${incidentId}`;
    return (await dashboard.admin.ok<IncidentDetail>('GET', path)).acknowledged_at_unix !== null;
  }, 'it is acknowledged');
  await page.getByRole('button', { name: 'Acknowledge', exact: true }).first().waitFor({ state: 'detached' });
});

test('arrows move the selection, Escape closes, and the focus returns', { skip }, async (t) => {
  const page = await opened(t, 'monitors/all');
  const field = page.getByRole('main').getByRole('searchbox');
  await field.focus();
  await search(page, 'monitors', /^Monitors/);
  await page.keyboard.press('ArrowDown');
  assert.match(await active(page).innerText(), /^All monitors/);
  await page.keyboard.press('ArrowUp');
  assert.match(await active(page).innerText(), /^Monitors/);
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  await until(
    () => page.evaluate<boolean>("document.activeElement.type === 'search'"),
    'the field has the focus',
  );
});

test('a member is offered only permitted actions', { skip }, async (t) => {
  const member = await dashboard.app.person('mia', { [dashboard.orgId]: 'member' });
  const page = await opened(t, `monitors/${payroll.id}`, member.email);
  await page.keyboard.press('Control+k');
  await options(page).first().waitFor();
  const offered = await labels(page);
  for (const withheld of ['Pause Payroll', 'Resume Payroll', 'New monitor', 'Notifications', 'API keys'])
    assert.ok(!offered.includes(withheld), withheld);
  assert.ok(offered.includes('Declare an incident'));
});

test('a viewer is offered nothing that writes, no first steps, and closed pages without a refused request', {
  skip,
}, async (t) => {
  const viewer = await dashboard.app.person('vera', { [dashboard.orgId]: 'viewer' });
  const page = await signedInPage(dashboard.browser, dashboard.url, viewer.email);
  closeAfter(t, page);
  const seen = watch(page);
  for (const path of ['notifications', 'overview/wall']) {
    await page.goto(`${dashboard.url}/app/o/${dashboard.orgId}/${path}`);
    await heading(page, 'Your role can’t open this page').waitFor();
  }
  await follow(page, `${dashboard.url}/app/o/${dashboard.orgId}/monitors`);
  await page.getByRole('main').getByRole('link', { name: 'Shop front' }).waitFor();
  assert.equal(await page.getByRole('region', { name: 'Set up alerting' }).count(), 0);
  await page.keyboard.press('Control+k');
  await options(page).first().waitFor();
  const actions = dialog(page).getByRole('group', { name: 'Actions' }).getByRole('option');
  const offered = (await actions.allInnerTexts()).map((text) => text.split('\n')[0]);
  assert.deepEqual(
    offered.filter((label) => !label?.startsWith('Appearance')),
    [
      'Subscribe to the on-call calendar',
      'Loud alarm and push in this browser',
      'Download the report as PDF',
      'Download the report as CSV',
      'New organization',
      'Change my password',
      'Two-factor sign-in',
      'Add a passkey',
      'See where I am signed in',
      'Language: Deutsch',
      'Keyboard shortcuts',
      'Sign out',
    ],
  );
  assert.deepEqual([seen.refused, seen.broken], [[], []]);
});

test('single keys open pages, focus the search and move through a list, but not in a field', {
  skip,
}, async (t) => {
  const page = await opened(t, 'incidents');
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  await heading(page, 'All monitors').waitFor();
  const rows = page.getByRole('list', { name: 'All monitors' }).getByRole('link');
  await rows.first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Checkout');
  await page.keyboard.press('/');
  await page.keyboard.type('gi?');
  assert.equal(await page.getByRole('main').getByRole('searchbox').inputValue(), 'gi?');
  await heading(page, 'All monitors').waitFor();
});

test('the help lists the shortcuts, and turns single keys off for this browser', { skip }, async (t) => {
  const page = await opened(t, 'incidents');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await page.keyboard.press('?');
  await help.getByText('Search on the page').waitFor();
  await help.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space');
  await help.getByText('Search on the page').waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.reload();
  await heading(page, 'Incidents').waitFor();
  await page.keyboard.press('?');
  // What has its modifier held stays, and shows that the key before it opened nothing.
  await search(page, 'keyboard', /^Keyboard shortcuts/);
  assert.equal(await help.count(), 0);
});
