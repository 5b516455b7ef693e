// One organization fills a region with thousands of monitors: a probe still gets every one, in answers that it can process.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { PAGE_BYTES } from '#src/probe-protocol/assignment-pages.ts';
import type { Assignments } from '#src/probe-protocol/contract.ts';
import { startAppOfFile, type TestApp } from '../harness/app.ts';
import { configOfBytes, makeMany } from '../harness/many-monitors.ts';
import type { Probe } from '../harness/probe.ts';
import { scaled, WHOLE } from './scale.ts';

/** Per page, however small its monitors are. */
const MAX_MONITORS = 5_000;
const MANY = scaled(5_001, 10_001);
/** The excess of a page: the monitor that fills it. */
const ONE_MORE = 1_000_000;

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

async function pagesOf(probe: Probe): Promise<Assignments[]> {
  const pages = [await probe.assignments()];
  for (let page = pages[0]!; page.more; pages.push(page))
    page = await probe.assignments({ since: page.revision, epoch: page.epoch, wait: 25 });
  return pages;
}

const idsOf = (pages: Assignments[]) =>
  pages.flatMap(({ monitors }) => monitors.map((one) => one.monitor_id));

test('many small monitors come in pages, each of them once', async () => {
  const probe = await app.region('small');
  const config = { url: 'https://shop.example.com/' };
  const ids = await makeMany(app, { count: MANY, region: 'small', place: await app.place(), config });
  const pages = await pagesOf(probe);
  assert.equal(pages.length, Math.ceil(MANY / MAX_MONITORS));
  assert.deepEqual(idsOf(pages).sort(), ids);
});

test('ten thousand larger ones come in pages below the size limit', {
  skip: !WHOLE && 'npm run siege',
}, async () => {
  const probe = await app.region('large');
  const config = configOfBytes('https://shop.example.com/', 16_384);
  const ids = await makeMany(app, { count: 10_000, region: 'large', place: await app.place(), config });
  const pages = await pagesOf(probe);
  for (const page of pages)
    assert.ok(Buffer.byteLength(JSON.stringify(page)) < PAGE_BYTES + ONE_MORE, 'a page is not too large');
  assert.ok(pages.length > 10, `${pages.length} pages`);
  assert.deepEqual(idsOf(pages).sort(), ids);
});
