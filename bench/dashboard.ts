// The list of all monitors in a browser: 5,000 monitors, 500 open incidents; its load time, its scrolling, and its scrolling
// while 1,000 monitors a second change.
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../test/harness/browser.ts';
import { makeMany } from '../test/harness/many-monitors.ts';
import { resultOf } from '../test/harness/probe.ts';
import { type Context, count, ms, quantile, type RunBench } from './figure.ts';
import { type Subject, startSubject } from './subject.ts';

const MONITORS = 5_000;
const FAILING = 500;
const CHANGED_PER_SECOND = 1_000;
const BATCH = 100;
/** The time of a frame on a desktop at 60 Hz. */
const FRAME_MS = 1000 / 60;

/** Records, in milliseconds since the navigation began, when the first row of the list is drawn. */
const WATCH_ROWS = `(() => {
  const look = () => {
    if (document.querySelector('ul[aria-label="All monitors"] li a')) window.firstRowMs ??= performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

/** Scrolls by a few rows each frame, from top to bottom and back; returns the duration of each frame. */
const scrolling = (seconds: number) => `(async () => {
  const took = [];
  const end = performance.now() + ${seconds * 1000};
  let last = await new Promise(requestAnimationFrame);
  for (let down = true; last < end; ) {
    window.scrollBy(0, down ? 160 : -160);
    const at = await new Promise(requestAnimationFrame);
    took.push(at - last);
    last = at;
    const bottom = document.documentElement.scrollHeight - innerHeight;
    if (scrollY >= bottom - 1) down = false;
    else if (scrollY <= 0) down = true;
  }
  return took;
})()`;

export const dashboard: RunBench = async (context) => {
  const subject = await startSubject(context, { RATE_LIMITS: 'off' });
  const { db } = subject.database;
  context.say(`adding ${count(MONITORS)} monitors`);
  const now = new Date();
  const clock = { now: () => now, ms: () => now.getTime(), advance: () => undefined };
  const place = { orgId: subject.orgId, projectId: subject.projectId };
  const config = { url: 'https://shop.example.com/' };
  // Once a day: only the benchmark sends results.
  const many = { count: MONITORS, region: 'local', place, config, intervalSeconds: 86_400 };
  const ids = await makeMany({ db, clock }, many);
  context.say(`${count(FAILING)} of them fail`);
  for (let round = 0; round < 4; round++) {
    await report(subject, ids, (i) => i < FAILING);
    await sleep(1_000);
  }
  const open = await subject.admin.ok<unknown[]>(
    'GET',
    `/organizations/${subject.orgId}/incidents?limit=1000`,
  );

  const openings = context.quick ? 2 : 10;
  const seconds = context.quick ? 3 : 15;
  const browser = await openBrowser();
  context.hooks.add('browser', () => browser.close());
  const cold: number[] = [];
  const warm: number[] = [];
  for (let opening = 0; opening < openings; opening++) {
    context.say(`opening it, ${opening + 1} of ${openings}`);
    const opened = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
    await signIn(opened, subject);
    const page = await opened.newPage();
    await page.addInitScript(WATCH_ROWS);
    cold.push(await firstRow(page, subject));
    await page.goto('about:blank');
    warm.push(await firstRow(page, subject));
    await opened.close();
  }

  const opened = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  await signIn(opened, subject);
  const page = await opened.newPage();
  await page.addInitScript(WATCH_ROWS);
  await firstRow(page, subject);
  await sleep(2_000);
  context.say('scrolling');
  const calm = await page.evaluate<number[]>(scrolling(seconds));
  context.say(`scrolling while ${count(CHANGED_PER_SECOND)} monitors a second change`);
  const changing = changes(context, subject, ids, seconds);
  const busy = await page.evaluate<number[]>(scrolling(seconds));
  const changed = await changing;

  const median = (values: readonly number[]) => quantile(values, 0.5);
  const frames = (values: readonly number[]) => `${ms(median(values))}, ${ms(quantile(values, 0.95))}`;
  return {
    rows: [
      {
        figure: `first rows of ${count(MONITORS)}, nothing cached: median, slowest of ${openings}`,
        tocsin: `${ms(median(cold))}, ${ms(Math.max(...cold))}`,
        beside: '1,500 ms asked',
      },
      {
        figure: 'the same, with the files of the dashboard cached',
        tocsin: `${ms(median(warm))}, ${ms(Math.max(...warm))}`,
      },
      {
        figure: 'a frame while scrolling: median, p95',
        tocsin: frames(calm),
        beside: `${ms(FRAME_MS)} at 60 Hz`,
      },
      {
        figure: `the same, while ${count(changed)} results a second change ${count(CHANGED_PER_SECOND)} monitors`,
        tocsin: frames(busy),
      },
    ],
    notes: [
      `${count(open.length)} incidents were open. Chromium without a window draws in software, on the same two cores as server and database.`,
      'Counted from the navigation to the first row in the document. Signing in is not in it.',
    ],
  };
};

async function signIn(opened: BrowserContext, { admin, url }: Subject): Promise<void> {
  const [name = '', ...value] = admin.cookie().split('=');
  await opened.addCookies([{ url, name, value: value.join('=') }]);
}

async function firstRow(page: Page, { url, orgId }: Subject): Promise<number> {
  await page.goto(`${url}/app/o/${orgId}/monitors/all`);
  for (;;) {
    const at = await page.evaluate<number | undefined>('window.firstRowMs');
    if (at !== undefined) return at;
    await sleep(20);
  }
}

/** A result of each monitor, checked now; `isDown` selects those that fail. */
async function report(
  { url, probeToken }: Subject,
  ids: readonly string[],
  isDown: (i: number) => boolean,
): Promise<void> {
  const atMs = Date.now();
  for (let from = 0; from < ids.length; from += 1_000) {
    const results = ids
      .slice(from, from + 1_000)
      .map((id, i) => resultOf(id, atMs, isDown(from + i) ? 'down' : 'up'));
    const answer = await fetch(`${url}/probe/results`, {
      method: 'POST',
      headers: { authorization: `Bearer ${probeToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ probe_id: 'bench', results }),
    });
    if (answer.status !== 200) throw new Error(`results were answered ${answer.status}`);
    await answer.arrayBuffer();
  }
}

/** Lets healthy monitors fail and pass in turn, evenly over each second. Returns the results per second. */
async function changes(
  { signal }: Context,
  subject: Subject,
  ids: readonly string[],
  seconds: number,
): Promise<number> {
  const changing = ids.slice(FAILING, FAILING + CHANGED_PER_SECOND);
  const fromMs = performance.now();
  let sent = 0;
  for (let second = 0; second < seconds && !signal.aborted; second++)
    for (let from = 0; from < changing.length; from += BATCH) {
      const dueMs = fromMs + second * 1000 + (from / changing.length) * 1000;
      await sleep(Math.max(0, dueMs - performance.now()));
      await report(subject, changing.slice(from, from + BATCH), () => second % 2 === 0);
      sent += BATCH;
    }
  return sent / ((performance.now() - fromMs) / 1000);
}
