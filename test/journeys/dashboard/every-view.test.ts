// Every address of the dashboard, as the router knows them: each opens, says nothing in the console, fits a phone, has no
// fault that axe finds, light and dark, wide and narrow; and what people come there for is done by keyboard alone
// (view-acts.ts), on the page that has been looked at.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { violations } from '#test/harness/accessibility.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { type Dashboard, startDashboardOfFile } from '#test/harness/dashboard.ts';
import { addressOf, makeShownScene } from '#test/harness/every-view.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { closeAfter, follow, heading, loaded, signedInPage, watch } from '#test/harness/page.ts';
import type { Scene } from '#test/harness/scene.ts';
import { until } from '#test/harness/until.ts';
import { type View, viewOf } from '#test/harness/view.ts';
import { ACTS, LATE_ACTS } from './view-acts.ts';

const skip = noBrowser();
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** They lead to another view at once. */
const ONWARD = ['/', '/o/$orgId', '/o/$orgId/settings'];
/** For people who are not signed in; with what they need in their address. */
const SIGNED_OUT: Record<string, string> = {
  '/second-step': '',
  '/forgot-password': '',
  '/new-password': '#token=none',
  '/sign-up': '',
  '/confirm-sign-up': '#token=none',
  '/setup': '?token=none',
  '/invitation': '#token=none',
  // With a link it is looked at in its own journey.
  '/wall': '',
  // Last: whoever does there what it is for is signed in.
  '/sign-in': '',
};
/** Nobody does anything there: it hangs on a wall. */
const ONLY_SEEN = ['/wall'];

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

const at = (address: string) => `${dashboard.url}/app${address}`;

/** Buttons and fields of which something is cut off by what is around them, where nothing scrolls to it. */
const CUT_OFF = `[...document.querySelectorAll('main button:not([tabindex="-1"]), main input')]
  .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 4)
  .filter((element) => {
    const { right } = element.getBoundingClientRect();
    for (let around = element.parentElement; around !== null; around = around.parentElement) {
      const { overflowX } = getComputedStyle(around);
      // Hidden from sight on purpose.
      if (around.getBoundingClientRect().width <= 2) return false;
      if (/auto|scroll/.test(overflowX)) return false;
      if (/hidden|clip/.test(overflowX) && right > around.getBoundingClientRect().right + 1) return true;
    }
    return false;
  })
  .map((element) => element.outerHTML.slice(0, 200))`;

/** Waits until the view of a route has loaded; the error of one that does not names the route, and what the page has said. */
async function routeLoaded(page: Page, route: string, seen: ReturnType<typeof watch>): Promise<void> {
  try {
    await loaded(page);
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    throw new Error(`${route} has not loaded, after ${JSON.stringify(seen)}: ${why}`, { cause: error });
  }
}

/**
 * What is wrong with the view that is open: wide and light, then on a phone in the dark. `inEachLook`: the contrasts of the other
 * two combinations too, which differ for what frames every view.
 */
async function faultsOf(page: Page, inEachLook: boolean): Promise<string[]> {
  const faults: string[] = [];
  const note = (where: string, found: string[]) => faults.push(...found.map((each) => `${where}: ${each}`));
  note('wide', await violations(page));
  await page.emulateMedia({ colorScheme: 'dark' });
  if (inEachLook) note('wide and dark', await violations(page, ['color-contrast']));
  await page.setViewportSize(PHONE);
  note('dark phone', await violations(page));
  const beyond = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  if (beyond > 0) faults.push(`phone: ${beyond} px too wide`);
  note('phone, cut off', await page.evaluate<string[]>(CUT_OFF));
  await page.emulateMedia({ colorScheme: 'light' });
  if (inEachLook) note('phone', await violations(page, ['color-contrast']));
  await page.setViewportSize(WIDE);
  return faults;
}

/** Does in the view that is open what people come there for, and leaves the dialog that is still open as one would. */
async function act(route: string, view: View): Promise<void> {
  const { page } = view;
  const done = ACTS[route];
  assert.ok(done, `${route} has no act in view-acts.ts`);
  try {
    await done(view);
  } catch (error) {
    throw new Error(`${route}: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
  const dialog = page.getByRole('dialog').filter({ visible: true });
  if ((await dialog.count()) === 0) return;
  await page.keyboard.press('Escape');
  await until(async () => (await dialog.count()) === 0, `${route}: the dialog is closed`);
}

test('every view opens without faults, light and dark, wide and narrow, and its main task works by keyboard alone', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  const seen = watch(page);
  await page.goto(at(`/o/${scene.ids.org_id}/monitors`));
  await loaded(page);
  const routes = await page.evaluate<string[]>('Object.keys(__TSR_ROUTER__.routesByPath)');
  const views = routes.filter((route) => !(ONWARD.includes(route) || route in SIGNED_OUT));
  assert.ok(views.length > 40, `the router has ${views.length} views`);
  const shown = [...views, ...Object.keys(SIGNED_OUT)];
  assert.deepEqual(
    Object.keys(ACTS).filter((route) => !shown.includes(route)),
    [],
    'acts of routes that are none',
  );
  const view = viewOf(page, scene, dashboard.admin);
  const early = views.filter((route) => !LATE_ACTS.includes(route));
  for (const [i, route] of [...early, ...LATE_ACTS].entries()) {
    await follow(page, at(addressOf(route, scene)));
    await routeLoaded(page, route, seen);
    assert.deepEqual(await faultsOf(page, i % 10 === 0), [], route);
    await act(route, view);
    assert.deepEqual(seen.broken, [], route);
  }
});

test('so do the views of people who are not signed in', { skip }, async (t) => {
  const page = await dashboard.browser.desktopPage();
  closeAfter(t, page);
  const seen = watch(page);
  const view = viewOf(page, scene, dashboard.admin);
  for (const [route, rest] of Object.entries(SIGNED_OUT)) {
    await page.goto(at(route + rest));
    await routeLoaded(page, route, seen);
    assert.deepEqual(await faultsOf(page, route === '/sign-in'), [], route);
    if (!ONLY_SEEN.includes(route)) await act(route, view);
    assert.deepEqual(seen.broken, [], route);
  }
});

test('a missing resource says so, and links back to its list', { skip }, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  const organization = `/o/${scene.ids.org_id}`;
  await page.goto(at(`${organization}/monitors`));
  for (const [address, said, back, title] of [
    ['monitors/mon_none', 'This monitor does not exist', 'Monitors', 'Monitors'],
    ['monitors/mon_none/edit', 'This monitor does not exist', 'Monitors', 'Monitors'],
    ['incidents/inc_none', 'This incident does not exist', 'Incidents', 'Incidents'],
    ['incidents/inc_none/postmortem', 'This incident does not exist', 'Incidents', 'Incidents'],
    ['notifications/wht_none', 'This target does not exist', 'Notifications', 'Notifications'],
    ['maintenance/mwn_none', 'This maintenance window does not exist', 'Maintenance', 'Maintenance'],
    [
      'status-pages/stp_none',
      'This status page does not exist, or it was archived',
      'Status pages',
      'Status pages',
    ],
    ['hosts/agt_none', 'There is no such host', 'All hosts', 'Hosts'],
  ] as const) {
    await follow(page, at(`${organization}/${address}`));
    const main = page.getByRole('main');
    await main.getByText(said, { exact: true }).waitFor();
    await main.getByRole('link', { name: back }).last().press('Enter');
    await heading(page, title).waitFor();
  }
});
