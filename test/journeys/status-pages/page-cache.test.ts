// Visitors cost no statements, and see the last page while the database is away.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { LIVE_CHANNEL } from '#src/events/publish.ts';
import { openPool } from '#src/platform/db/pool.ts';
import { readsOf } from '#src/platform/db/replica/reads.ts';
import { makeDirectory } from '#src/status-pages/public/directory.ts';
import { makeGate } from '#src/status-pages/public/gate.ts';
import { startReadingAhead } from '#src/status-pages/public/read-ahead.ts';
import { makeViews } from '#src/status-pages/public/views.ts';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { silent } from '#test/harness/cluster.ts';
import { countStatements } from '#test/harness/counted-statements.ts';
import { startCutLine } from '#test/harness/cut-line.ts';
import { newMonitor, newPage, settings } from '#test/harness/status-page.ts';
import { until } from '#test/harness/until.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

async function publicPage(of: TestApp = app) {
  const page = await newPage(of.alice, of.home);
  await of.alice.ok('PATCH', `/status-pages/${page.id}`, settings(page, { access_mode: 'public' }));
  const { id } = await newMonitor(of.alice, of.home, `Shop of ${page.slug}`);
  await of.alice.ok('PUT', `/status-pages/${page.id}/monitors`, { monitors: [{ monitor_id: id }] });
  return page;
}

test('a matching ETag is 304, and the compressed page is the same', async () => {
  const { slug } = await publicPage();
  for (const path of [
    `/status/${slug}`,
    `/public/status-pages/${slug}`,
    `/public/status-pages/${slug}/feed.rss`,
  ]) {
    const url = app.url + path;
    const whole = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    const etag = whole.headers.get('etag') ?? '';
    assert.match(whole.headers.get('cache-control') ?? '', /^public, max-age=\d$/, path);
    const again = await fetch(url, { headers: { 'if-none-match': `"other", ${etag}` } });
    assert.deepEqual([again.status, await again.text(), again.headers.get('etag')], [304, '', etag]);
    const compressed = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    const text = await whole.text();
    assert.equal(compressed.headers.get('content-encoding'), text.length < 1024 ? null : 'gzip');
    assert.equal(await compressed.text(), text);
  }
});

/** The views of a server of its own, over a database that counts, at a time that the test says. */
function countedViews(database = app.db, maxBytes?: number) {
  const counted = countStatements(database);
  const handlers = new Map<string, (payload: string | null) => void>();
  const listener = {
    listen: (channel: string, handle: (payload: string | null) => void) => void handlers.set(channel, handle),
  };
  const directory = makeDirectory({ db: counted.db, listener, log: silent });
  const time = { ms: 0 };
  const views = makeViews({
    ...{ reads: readsOf(counted.db), listener, directory, log: silent, canMail: false },
    ...(maxBytes === undefined ? {} : { maxBytes }),
    clock: () => new Date(app.clock.ms() + time.ms),
    elapsedMs: () => time.ms,
    firstOwnerOf: async () => null,
  });
  const look = async (slug: string) => {
    const page = await directory.find(slug);
    return page && views.of(page);
  };
  /** Something happened in this organization. */
  const notify = (orgId: string) => handlers.get(LIVE_CHANNEL)?.(orgId);
  return { ...counted, look, time, notify, directory, views };
}

test('a cached page takes no statement, and neither does an unknown one', async () => {
  const { slug } = await publicPage();
  const { look, sent, time } = countedViews();
  assert.ok(await look(slug));
  const before = sent();
  time.ms += 59_000;
  for (let i = 0; i < 100; i++) {
    assert.ok(await look(slug));
    assert.equal(await look(`nobody-${i}`), null);
  }
  assert.equal(sent(), before);
});

test('pages without visitors are evicted, even if no document of them was requested', async () => {
  const { id } = await newMonitor(app.alice, app.home, 'A year of days');
  const pages = await Promise.all([publicPage(), publicPage()]);
  const monitors = [{ monitor_id: id, uptime_window_days: 365 }];
  for (const page of pages) await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, { monitors });
  // Room for the days of one of them.
  const { look, sent } = countedViews(app.db, 60_000);
  const costOf = async (slug = '') => {
    const before = sent();
    assert.ok(await look(slug));
    return sent() - before;
  };
  const [first, second] = pages.map(({ slug }) => slug);
  await costOf(first);
  assert.equal(await costOf(first), 0);
  assert.ok((await costOf(second)) > 0);
  assert.equal(await costOf(second), 0);
  assert.ok((await costOf(first)) > 0, 'it was forgotten');
});

test('a prefetched page takes its first visitor no statement, including locked ones', async () => {
  const open = await publicPage();
  const locked = await publicPage();
  await app.alice.ok('PUT', `/status-pages/${locked.id}/shared-password`, { password: 'for all of us' });
  const settled = settings(locked, { access_mode: 'shared_password' });
  await app.alice.ok('PATCH', `/status-pages/${locked.id}`, settled);
  const { look, sent, directory, views } = countedViews();
  const gate = makeGate({ db: app.db, key: Buffer.alloc(32) });
  const site = { db: app.db, directory, views, gate, clock: app.clock.now, baseUrl: app.url };
  const ahead = startReadingAhead({ ...site, edgePort: '', canMail: false }, silent, 60_000);
  await ahead.soon;
  assert.equal((await directory.list()).at(-1)?.slug, locked.slug);
  const before = sent();
  for (const { slug } of [open, locked]) assert.equal((await look(slug))?.snapshot.page.slug, slug);
  assert.equal(sent(), before);
});

test('events are read at most once a second, and everything once a minute', async () => {
  const { slug, organization_id } = await publicPage();
  const { look, sent, time, notify } = countedViews();
  const reads = async () => {
    const before = sent();
    await look(slug);
    return sent() - before;
  };
  assert.ok((await reads()) > 0);
  notify(organization_id);
  assert.equal(await reads(), 0, 'within the second');
  time.ms += 1_000;
  const light = await reads();
  assert.ok(light > 0);
  assert.equal(await reads(), 0);
  time.ms += 60_000;
  assert.ok((await reads()) > light, 'with its figures');
});

test('visitors who come while the database is down share one query', async () => {
  const line = await startCutLine();
  const pool = openPool({ url: line.urlThrough(app.databaseUrl), log: silent });
  try {
    await line.cut();
    const { db, sent } = countStatements(pool.db);
    const directory = makeDirectory({ db, listener: { listen: () => undefined }, log: silent });
    const found = await Promise.allSettled(Array.from({ length: 20 }, () => directory.find('shop')));
    assert.ok(found.every(({ status }) => status === 'rejected'));
    // Whoever comes during the first try waits for one more.
    assert.ok(sent() <= 2, `${sent()} statements`);
    directory.stop();
  } finally {
    await pool.close();
    await line.stop();
  }
});

test('while the database is down the last page is shown with its age, and a new one when it is back', async () => {
  const line = await startCutLine();
  const pool = openPool({ url: line.urlThrough(app.databaseUrl), log: silent });
  try {
    const { slug } = await publicPage();
    const unread = await publicPage();
    const { look, time } = countedViews(pool.db);
    assert.equal((await look(slug))?.isLast, false);
    await line.cut();
    time.ms += 60_000;
    const last = await look(slug);
    assert.equal(last?.snapshot.page.slug, slug);
    assert.equal(last?.isLast, true);
    await assert.rejects(look(unread.slug), 'there is no last one of it');
    assert.equal(await look('nobody'), null);
    await line.mend();
    time.ms += 1_000;
    // A visitor waits only so long for the newer one.
    await until(async () => (await look(slug))?.isLast === false, 'the page is of its time again');
    assert.ok(await look(unread.slug));
  } finally {
    await pool.close();
    await line.stop();
  }
});
