// The view of a visitor of a status page: the time to its first paint, and the delay of an incident.
import { setTimeout as sleep } from 'node:timers/promises';
import { openBrowser } from '../test/harness/browser.ts';
import { type Context, ms, quantile, type Row } from './figure.ts';
import type { Subject } from './subject.ts';

const VIEWS = 10;
const INCIDENTS = 20;
/** Milliseconds since the navigation began; 0: nothing was painted yet. */
const PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0";

/** First contentful paint of a page that was never opened before, in a browser of its own each time. */
export async function firstPaint(context: Context, url: string): Promise<Row> {
  context.say('a browser opens the page');
  const browser = await openBrowser();
  const paints: number[] = [];
  try {
    for (let view = 0; view < VIEWS; view++) {
      const opened = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
      const page = await opened.newPage();
      await page.goto(url);
      let paint = 0;
      while (paint === 0) {
        await sleep(20);
        paint = Number(await page.evaluate(PAINT));
      }
      paints.push(paint);
      await opened.close();
    }
  } finally {
    await browser.close();
  }
  return {
    figure: 'first contentful paint in Chromium, nothing cached: median, slowest of 10',
    tocsin: `${ms(quantile(paints, 0.5))}, ${ms(Math.max(...paints))}`,
  };
}

/** From the answer to the request that puts an incident on a page until a visitor receives it. */
export async function shownAfter(
  context: Context,
  { admin, orgId, url }: Subject,
  page: { id: string; path: string },
): Promise<Row> {
  context.say('incidents are put on the page');
  const took: number[] = [];
  for (let n = 0; n < INCIDENTS; n++) {
    const incident = await admin.ok<{ id: string }>('POST', `/organizations/${orgId}/incidents`, {
      ...{ cause: `Bench ${n}`, severity: 'default' },
    });
    await admin.ok('PUT', `/organizations/${orgId}/incidents/${incident.id}/status-pages/${page.id}`);
    const fromMs = performance.now();
    while (!(await (await fetch(url + page.path)).text()).includes(incident.id)) await sleep(5);
    took.push(performance.now() - fromMs);
  }
  return {
    figure: `an incident is on the page: median, slowest of ${INCIDENTS}`,
    tocsin: `${ms(quantile(took, 0.5))}, ${ms(Math.max(...took))}`,
  };
}
