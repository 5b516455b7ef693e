// What is answered from memory without the framework is what the framework answers, to the header.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { before, test } from 'node:test';
import { startAppOfFile, type TestApp } from '#test/harness/app.ts';
import { newMonitor, newPage, settings } from '#test/harness/status-page.ts';

let app: TestApp;
before(async () => {
  app = await startAppOfFile();
});

async function publicPage(): Promise<{ id: string; slug: string; name: string }> {
  const page = await newPage(app.alice, app.home);
  await app.alice.ok('PATCH', `/status-pages/${page.id}`, settings(page, { access_mode: 'public' }));
  const { id } = await newMonitor(app.alice, app.home, `Shop of ${page.slug}`);
  await app.alice.ok('PUT', `/status-pages/${page.id}/monitors`, { monitors: [{ monitor_id: id }] });
  return page;
}

type Answer = { status: number; headers: Record<string, unknown>; body: string };

/** As it comes over the wire, without what differs with time. */
function send(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${app.url}${path}`, { method, headers }, async (answer) => {
      const chunks: Buffer[] = [];
      for await (const chunk of answer) chunks.push(chunk as Buffer);
      const { date: _, ...others } = answer.headers;
      resolve({
        status: answer.statusCode ?? 0,
        headers: others,
        body: Buffer.concat(chunks).toString('base64'),
      });
    });
    sent.on('error', reject).end();
  });
}

test('the second visitor gets the same answer as the first, for every part and representation', async () => {
  const { slug } = await publicPage();
  const beside = `/public/status-pages/${slug}`;
  for (const path of [
    ...[`/status/${slug}`, `/status/${slug}/de`, `/status/${slug}/embed`, `/status/${slug}/history`],
    ...['', '/summary.json', '/feed.rss', '/feed.atom', '/maintenance.ics', '/embed', '/badge.svg'].map(
      (each) => beside + each,
    ),
  ])
    for (const encoding of ['gzip', 'identity'])
      for (const language of ['de', 'en-GB,en;q=0.9'])
        for (const method of ['GET', 'HEAD']) {
          const headers = { 'accept-encoding': encoding, 'accept-language': language };
          const [first, second, third] = [
            await send(path, headers, method),
            await send(path, headers, method),
            await send(path, { ...headers, cookie: 'visitor=1' }, method),
          ];
          assert.equal(first.status, 200, path);
          assert.deepEqual(second, first, `${method} ${path}`);
          assert.deepEqual(third, first, `${method} ${path} with a cookie`);
        }
});

test('a query string changes nothing, and the ETag of an answer saves the next one', async () => {
  const { slug } = await publicPage();
  const path = `/status/${slug}`;
  const first = await send(path);
  assert.deepEqual(await send(`${path}?utm=1`), first);
  const tag = String(first.headers.etag);
  const unchanged = await send(path, { 'if-none-match': tag });
  assert.deepEqual([unchanged.status, unchanged.body], [304, '']);
  assert.deepEqual(await send(path, { 'if-none-match': `"another", ${tag}` }), unchanged);
  assert.equal((await send(path, { 'if-none-match': '"another"' })).status, 200);
});

test('a cached answer is not used any more once the page has changed, is locked, or is gone', async () => {
  const page = await publicPage();
  const path = `/status/${page.slug}`;
  const first = await send(path);
  assert.deepEqual(await send(path), first);
  const change = (fields: object) =>
    app.alice.ok('PATCH', `/status-pages/${page.id}`, {
      ...settings(page as never),
      enabled: true,
      ...fields,
    });
  await change({ access_mode: 'public', headline: 'All of us' });
  const changed = await send(path, { 'accept-encoding': 'identity' });
  assert.match(Buffer.from(changed.body, 'base64').toString(), /All of us/);
  await app.alice.ok('PUT', `/status-pages/${page.id}/shared-password`, { password: 'for all of us' });
  await change({ access_mode: 'shared_password' });
  assert.equal((await send(path)).status, 401);
  await app.alice.ok('DELETE', `/status-pages/${page.id}`);
  assert.equal((await send(path)).status, 404);
});

test('an invalid request is refused, even if its answer is cached', async () => {
  const { slug } = await publicPage();
  const path = `/status/${slug}`;
  assert.equal((await send(path)).status, 200);
  assert.equal((await send(path, {}, 'POST')).status, 404);
  const twice = await new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(app.url);
    const sent = request({
      hostname,
      port,
      path,
      setHost: false,
      headers: [
        ['Host', 'a.example'],
        ['Host', 'b.example'],
      ].flat(),
    });
    sent.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on('error', reject).end();
  });
  assert.equal(twice, 400);
});
