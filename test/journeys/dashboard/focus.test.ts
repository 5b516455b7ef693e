// Where the focus is after a dialog, a menu, a refusal, and on a new page: never nowhere. With a real browser.
import { before, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { noBrowser } from '#test/harness/browser.ts';
import { type Dashboard, startDashboardOfFile } from '#test/harness/dashboard.ts';
import { makeShownScene } from '#test/harness/every-view.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { closeAfter, follow, heading, loaded, signedInPage } from '#test/harness/page.ts';
import type { Scene } from '#test/harness/scene.ts';
import { until } from '#test/harness/until.ts';

const skip = noBrowser();
let dashboard: Dashboard;
let scene: Scene;
before(
  async () => {
    if (skip) return;
    dashboard = await startDashboardOfFile();
    scene = await makeShownScene(dashboard.app);
  },
  { timeout: 120_000 },
);

const at = (address: string) => `${dashboard.url}/app/${address}`;
const inOrganization = (address: string) => at(`o/${scene.ids.org_id}/${address}`);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();

const focused = (found: Locator, what: string) =>
  until(
    () => found.evaluate((element) => (element as { matches(selector: string): boolean }).matches(':focus')),
    `${what} has the focus`,
  );

test('a closed dialog gives the focus back to the button that opened it', { skip }, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  await page.goto(inOrganization('monitors'));
  for (const [address, name] of [
    // A field takes the focus as soon as it is there.
    [inOrganization('settings/members'), 'Invite somebody'],
    // The dialog is no more once it is closed.
    [at('account'), 'Delete my account'],
    [inOrganization('hosts'), 'Add a host'],
  ] as const) {
    await follow(page, address);
    await loaded(page);
    await button(page, name).press('Enter');
    const dialog = page.getByRole('dialog').filter({ visible: true });
    await focused(dialog.locator(':focus'), `something in the dialog of "${name}"`);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await focused(button(page, name), `"${name}"`);
  }
});

test('so do the menu of a monitor in the list and the dialog it opens', { skip }, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  await page.goto(inOrganization('monitors/all'));
  await loaded(page);
  const actions = button(page, 'Actions for Login');
  await actions.press('Enter');
  await page.getByRole('menuitem').first().waitFor();
  await page.keyboard.press('Escape');
  await focused(actions, 'the button of the menu');
  await actions.press('Enter');
  await page.getByRole('menuitem', { name: 'Clone' }).press('Enter');
  await focused(page.getByRole('dialog').getByRole('textbox').first(), 'the name of the clone');
  await page.keyboard.press('Escape');
  await focused(actions, 'the button of the menu');
});

test('a button whose action is refused has the focus again', { skip }, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  await page.goto(inOrganization('projects'));
  await loaded(page);
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  await page.route('**/projects', async (route) => {
    if (route.request().method() === 'GET') return route.continue();
    await answered;
    await route.fulfill({ status: 409, json: { error: 'conflict', message: 'Not now.' } });
  });
  await page.getByLabel('New project').fill('Warehouse');
  const create = button(page, 'Create project');
  await create.press('Enter');
  await until(() => create.isDisabled(), 'the button waits');
  answer();
  await until(() => create.isEnabled(), 'the button is free again');
  await focused(create, 'the button');
});

test('after a link that is gone with its page, the focus is in the content of the next', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  await page.goto(inOrganization('monitors'));
  await page.getByRole('main').getByRole('link', { name: 'Login' }).press('Enter');
  await heading(page, 'Login').waitFor();
  await focused(page.getByRole('main'), 'the content');
  // A link that stays keeps the focus.
  const incidents = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /Incidents/ });
  await incidents.press('Enter');
  await heading(page, 'Incidents').waitFor();
  await focused(incidents, 'the link');
});

test('so it is after a choice that is another step at the same path', { skip }, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  await page.goto(inOrganization('monitors/new'));
  for (const [address, choice, next] of [
    ['monitors/new', /^Heartbeat/, 'New monitor: Heartbeat'],
    ['notifications/new', /^Webhook/, 'New target: Webhook'],
  ] as const) {
    await follow(page, inOrganization(address));
    await page.getByRole('main').getByRole('link', { name: choice }).press('Enter');
    await heading(page, next).waitFor();
    await focused(page.getByRole('main'), `the content of "${next}"`);
  }
});

test('a button that its own action removes leaves the focus in the content', { skip }, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  const { admin, orgPath } = dashboard;
  const { id } = await admin.ok<{ id: string }>('POST', `${orgPath}/incidents`, {
    cause: 'The warehouse is dark',
    severity: 'critical',
  });
  await page.goto(at(`o/${dashboard.orgId}/incidents/${id}`));
  for (const name of ['Acknowledge', 'Resolve']) {
    const pressed = page.getByRole('main').getByRole('button', { name, exact: true });
    await until(() => pressed.isEnabled(), `"${name}" waits for nothing`);
    await pressed.press('Enter');
    await pressed.waitFor({ state: 'detached' });
    await focused(page.getByRole('main'), `the content after "${name}"`);
  }
});
