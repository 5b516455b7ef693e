// What a visitor's browser shows under a custom domain, and under names that are nobody's any more, or never were.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { noBrowser, openBrowser } from '#test/harness/browser.ts';
import { noCaddy } from '#test/harness/caddy.ts';
import { dropDomain, newDomain } from '#test/harness/custom-domain.ts';
import { served, startEdgeInstallation } from '#test/harness/edge.ts';
import { until } from '#test/harness/until.ts';
import { shakesHands } from '#test/harness/visit.ts';

const skip = noBrowser() || noCaddy();

/** A browser that has never been anywhere; the authority of the test is as good to it as any. */
async function newVisitor(t: TestContext) {
  const browser = await openBrowser();
  t.after(() => browser.close());
  return (await browser.newContext({ ignoreHTTPSErrors: true, locale: 'en-US' })).newPage();
}

test('a visitor sees the page of each domain, is redirected to https, and reaches nothing else', {
  skip,
}, async (t) => {
  const edge = await startEdgeInstallation(t);
  const { app, ports } = edge;
  const status = await newDomain(app, 'status.example.test');
  const other = await newDomain(app, 'other.example.test', { place: await app.place() });
  await served(edge, status.id);
  await served(edge, other.id);

  const visitor = await newVisitor(t);
  await visitor.goto(`http://${status.domain}:${ports.http}/`);
  assert.equal(visitor.url(), `https://${status.domain}:${ports.https}/`);
  assert.match(await visitor.title(), new RegExp(`The page of ${status.domain}`));
  assert.equal(await visitor.evaluate('window.isSecureContext'), true);
  await visitor.goto(`https://${status.domain}:${ports.https}/history`);
  assert.match(visitor.url(), /\/history$/);
  await visitor.goto(`https://${other.domain}:${ports.https}/`);
  assert.match(await visitor.title(), new RegExp(`The page of ${other.domain}`));

  await dropDomain(app, status);
  await until(async () => !(await shakesHands(status.domain, ports.https)), 'it is removed');
  for (const name of [status.domain, 'unknown.example.test', '127.0.0.1']) {
    const stranger = await newVisitor(t);
    await assert.rejects(stranger.goto(`https://${name}:${ports.https}/`), /ERR_SSL/, name);
  }
});
