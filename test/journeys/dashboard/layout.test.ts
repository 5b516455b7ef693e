// What a page shows stays where it is while later answers arrive: who aims at it must not hit something else.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { IncidentSummary } from '#src/incidents/contract.ts';
import { noBrowser } from '#test/harness/browser.ts';
import { type Dashboard, startDashboardOfFile } from '#test/harness/dashboard.ts';
import { makeShownScene } from '#test/harness/every-view.ts';
import { ADMIN } from '#test/harness/installation.ts';
import { closeAfter, follow, loaded, press, signedInPage } from '#test/harness/page.ts';
import type { Scene } from '#test/harness/scene.ts';
import { until } from '#test/harness/until.ts';

const skip = noBrowser();
/** A layout shift score, as browsers count it; 0.1 is where they begin to call a page bad. */
const STILL = 0.005;

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const PAGES = [
  ['overview', WIDE],
  ['monitors', WIDE],
  ['monitors/all', WIDE],
  ['monitors/new', WIDE],
  ['on-call', WIDE],
  ['on-call/drills', WIDE],
  ['settings/alarm-policy', WIDE],
  ['settings/members', WIDE],
  ['overview', PHONE],
  ['monitors', PHONE],
  ['on-call', PHONE],
  ['monitors/{monitor_id}', WIDE],
  ['notifications/{target_id}', WIDE],
  ['notifications/{target_id}', PHONE],
  ['maintenance/new', WIDE],
  ['maintenance/new', PHONE],
] as const;

let dashboard: Dashboard;
let scene: Scene;
before(
  async () => {
    if (skip) return;
    dashboard = await startDashboardOfFile();
    scene = await makeShownScene(dashboard.app);
    // Nothing rings: the bar of an alarm comes when it comes.
    const at = `/organizations/${scene.ids.org_id}/incidents`;
    for (const { id } of await dashboard.admin.ok<IncidentSummary[]>('GET', `${at}?status=open`))
      await dashboard.admin.ok('POST', `${at}/${id}/ack`);
  },
  { timeout: 120_000 },
);

const at = (address: string) => `${dashboard.url}/app/o/${scene.ids.org_id}/${address}`;

/** What has moved since the page was loaded, with the score of each move. */
type Move = { score: number; what: string[] };
const RECORD_MOVES = `window.moves = [];
  const nameOf = ({ node }) => (node?.textContent ?? 'gone').slice(0, 60);
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) moves.push({ score: value, what: sources.map(nameOf) });
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Passes the answers of the interface on one after the other, each in a frame of its own, the one asked for last first. */
async function answerOneByOne(page: Page): Promise<{ isIdle: () => boolean }> {
  const held: (() => Promise<void>)[] = [];
  let isPassing = false;
  async function pass(): Promise<void> {
    isPassing = true;
    // What a page asks for at once is asked for within two frames.
    for (await frames(page); held.length > 0; await frames(page)) await held.pop()?.();
    isPassing = false;
  }
  await page.route(
    (url) => url.pathname.startsWith('/api/v1/') && !url.pathname.endsWith('/events'),
    (route) => {
      held.push(() => route.continue().catch(() => undefined));
      if (!isPassing) void pass();
    },
  );
  return { isIdle: () => !isPassing };
}

const frames = (page: Page) =>
  page
    .evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    // The page of before is gone.
    .catch(() => undefined);

test('later answers move nothing that a page already shows', { skip }, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  await page.addInitScript(RECORD_MOVES);
  const { isIdle } = await answerOneByOne(page);
  for (const [place, viewport] of PAGES) {
    const address = place.replace(
      /\{(\w+)\}/,
      (_, name: string) => scene.ids[name as keyof typeof scene.ids] ?? name,
    );
    await page.setViewportSize(viewport);
    await page.goto(at(address));
    await loaded(page);
    await until(isIdle, `${address} has all answers`);
    await frames(page);
    const moves = await page.evaluate<Move[]>('moves');
    const sum = moves.reduce((total, { score }) => total + score, 0);
    assert.ok(sum <= STILL, `${address}, ${viewport.width} px: ${sum} ${JSON.stringify(moves)}`);
  }
});

test('a list waits for the steps that a change has made necessary, instead of being pushed down by them', {
  skip,
}, async (t) => {
  const page = await signedInPage(dashboard.browser, dashboard.url, ADMIN.email);
  closeAfter(t, page);
  const steps = page.getByRole('region', { name: 'Set up alerting' });
  const monitor = page.getByRole('main').getByRole('link', { name: 'Checkout' });
  await page.goto(at('monitors'));
  await steps.waitFor();
  await follow(page, at(`notifications/${scene.ids.target_id}`));
  await press(page, 'Pause');
  await page.getByRole('button', { name: 'Resume', exact: true }).waitFor();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**/first-steps', async (route) => {
    asked += 1;
    await released;
    await route.continue();
  });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Monitors' }).click();
  await until(() => asked > 0, 'the steps are asked for');
  await frames(page);
  assert.equal(await monitor.count(), 0);
  release();
  await steps.waitFor();
  await monitor.waitFor();
});
