// Takes a walk, and compares each open view after each step with the same view loaded anew.
import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import type { Person } from '../harness/app.ts';
import { giveBack } from '../harness/browser.ts';
import { type Dashboard, startDashboard } from '../harness/dashboard.ts';
import { ADMIN } from '../harness/installation.ts';
import { loaded, signedInPage } from '../harness/page.ts';
import { until } from '../harness/until.ts';
import { ACTS } from '../races/acts.ts';
import { makeScene } from '../races/scene.ts';
import { VIEWS } from './views.ts';
import type { Walk } from './walk.ts';

export type Stage = { dashboard: Dashboard; anna: Person };

/** How long a view may take on a slow machine. What it reads again by itself is left out, or comes after 30 s at the earliest. */
const SOON_MS = 25_000;

export async function startStage(): Promise<Stage & AsyncDisposable> {
  const stack = new AsyncDisposableStack();
  const stage = await prepareStage(await startDashboard(stack));
  return { ...stage, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

export async function prepareStage(dashboard: Dashboard): Promise<Stage> {
  await dashboard.app.runTask('partitions');
  return { dashboard, anna: await dashboard.app.person('anna') };
}

type Open = { name: string; address: string; page: Page };

/** Takes one walk; resolves to what was wrong, one sentence each. */
export async function takeWalk({ dashboard, anna }: Stage, walk: Walk): Promise<string[]> {
  const { app, browser, url } = dashboard;
  const pages: Page[] = [];
  const openPage = async () => {
    const page = await signedInPage(browser, url, ADMIN.email);
    pages.push(page);
    return page;
  };
  try {
    const scene = await makeScene(app, anna, walk.beginning, () => jobsAreDone(app));
    // It would be marked as failing at some moment.
    await app.alice.ok('PATCH', scene.url(`webhooks/${scene.target}`), { active: false });
    const fresh = await openPage();
    const open: Open[] = [];
    for (const name of walk.views) {
      const page = await openPage();
      const address = `${url}/app/o/${scene.orgId}/${VIEWS[name](scene)}`;
      await page.goto(address);
      await loaded(page);
      await page.getByRole('status').getByText('Live', { exact: true }).waitFor();
      open.push({ name, address, page });
    }
    const wrong: string[] = [];
    for (const step of [null, ...walk.steps]) {
      if (step !== null) await ACTS[step](scene);
      await jobsAreDone(app);
      for (const each of open) {
        const said = await compare(each, fresh, app);
        if (said !== null) wrong.push(`${each.name} after ${step ?? 'nothing'}: ${said}`);
      }
      if (wrong.length > 0) break;
    }
    return wrong;
  } catch (error) {
    return [String(error instanceof Error ? error.stack : error)];
  } finally {
    for (const page of pages) await giveBack(page);
  }
}

/** The server's own workers run them. */
const jobsAreDone = ({ db }: Dashboard['app']) =>
  until(async () => {
    const { rows } = await sql`SELECT FROM graphile_worker.jobs WHERE run_at <= now() LIMIT 1`.execute(db);
    return rows.length === 0;
  }, 'the jobs that are due are done');

/** null where the open view shows what the new one does. */
async function compare({ address, page }: Open, fresh: Page, app: Dashboard['app']): Promise<string | null> {
  let [old, current] = [[''], ['']];
  const agree = async () => {
    // Its region would fall silent, on a slow machine within the walk.
    await app.probe().assignments();
    await fresh.goto(address);
    await loaded(fresh);
    [old, current] = await Promise.all([seenOn(page), seenOn(fresh)]);
    return differenceOf(old, current) === '';
  };
  return until(agree, 'both are the same', SOON_MS).then(
    () => null,
    () => differenceOf(old, current),
  );
}

/** Single checks and regions are read again with the interval of their monitor, and a chart is drawn once it is in sight. */
const NOT_LIVE =
  /^\s*- (cell|time:|button "\d\d:)|^\s*- '?row "\d\d:|text: (Passing|Region offline)|in a row|Last \d+ checks|slider|definition: (–|some share|"\d+")|in this chart/;

/** What a person sees, without the times that pass, and the figures that are computed anew once a minute. */
async function seenOn(page: Page): Promise<string[]> {
  const text = await page.getByRole('main').ariaSnapshot();
  return text
    .replaceAll(/(?<!\w)\d+ (secs?|seconds?|mins?|minutes?|hrs?|hours?)\b/g, 'some time')
    .replaceAll(/ Uptime of the last (some time|\d+ days) [\d.]+%/g, '')
    .replaceAll(/[\d.]+%/g, 'some share')
    .split('\n')
    .filter((line) => !NOT_LIVE.test(line));
}

/** The lines that only one of the two has; empty: none. */
function differenceOf(old: readonly string[], current: readonly string[]): string {
  const gone = old.filter((line) => !current.includes(line));
  const missing = current.filter((line) => !old.includes(line));
  return [...gone.map((line) => `shows ${line}`), ...missing.map((line) => `lacks ${line}`)].join(
    '\n        ',
  );
}
