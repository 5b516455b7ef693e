// An installation and its edge as they run in life, with processes that die at any moment; and what people may have it reach.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { MonitorTestReport } from '#src/check-now/contract.ts';
import { realClock, SECRET_KEY, startTestApp, type TestApp } from '#test/harness/app.ts';
import { type Caddy, edgePorts, noCaddy, startCaddy } from '#test/harness/caddy.ts';
import { dropDomain, newDomain } from '#test/harness/custom-domain.ts';
import { type Installation, startInstallation } from '#test/harness/installation.ts';
import { closedPort } from '#test/harness/listeners.ts';
import { until } from '#test/harness/until.ts';
import { shakesHands } from '#test/harness/visit.ts';

const skip = noCaddy();

async function startAll(t: TestContext, app: TestApp, caddy: Caddy) {
  const ports = await edgePorts();
  const port = await closedPort();
  const env = {
    ...{ DATABASE_URL: app.databaseUrl, SECRET_KEY },
    ...{ EDGE: 'caddy', EDGE_DOMAIN: 'edge.example.test', EDGE_CA: 'internal' },
    ...{ EDGE_HTTP_PORT: String(ports.http), EDGE_HTTPS_PORT: String(ports.https) },
    CADDY_ADMIN_URL: caddy.adminUrl,
  };
  let running: Installation | null = null;
  t.after(() => running?.remove());
  const start = async () => {
    const dataDir = running?.dataDir;
    running = await startInstallation({ env, port, ...(dataDir === undefined ? {} : { dataDir }) });
    return running;
  };
  return { ports, start };
}

test('whichever process is killed, and whenever, the edge is correct again within a minute', {
  skip,
}, async (t) => {
  await using app = await startTestApp({ clock: realClock });
  const caddy = await startCaddy(t);
  const { ports, start } = await startAll(t, app, caddy);
  const serves = (domain: string) => until(() => shakesHands(domain, ports.https), `${domain} is served`);
  const installation = await start();
  const first = await newDomain(app, 'first.example.test');
  await serves(first.domain);

  // The server, which its supervisor starts again, just after a domain was verified.
  const second = await newDomain(app, 'second.example.test');
  installation.killServer();
  await serves(second.domain);

  // Everything at once, with changes that nobody saw.
  await installation.kill();
  await caddy.kill();
  const third = await newDomain(app, 'third.example.test');
  await dropDomain(app, first);
  await caddy.start();
  assert.equal(await shakesHands(second.domain, ports.https), false);
  await start();
  await serves(second.domain);
  await serves(third.domain);
  assert.equal(await shakesHands(first.domain, ports.https), false);
  await until(async () => {
    const rows = await app.db.selectFrom('status_page_domains').select('edge_synced').execute();
    return rows.every(({ edge_synced }) => edge_synced);
  }, 'what is said of the domains is right, too');
});

test('neither a check nor a webhook reaches the admin API', { skip }, async (t) => {
  await using app = await startTestApp({ clock: realClock });
  const caddy = await startCaddy(t);
  const { start } = await startAll(t, app, caddy);
  const installation = await start();
  const alice = await installation.admin();
  const url = `${caddy.adminUrl}/stop`;
  const { orgId, projectId } = app.home;
  let report: MonitorTestReport | null = null;
  await until(async () => {
    const config = { url, method: 'POST', body: '{}' };
    const tried = { type: 'http', config, region: 'local' };
    const answer = await alice.send<MonitorTestReport>('POST', `/projects/${projectId}/monitor-tests`, tried);
    if (answer.status === 200) report = answer.body;
    return report !== null;
  }, 'the bundled probe checks');
  assert.match(JSON.stringify(report), /blocked_target/);

  const hook = { name: 'Hook', kind: 'webhook', url, events: ['opened'] };
  const made = await alice.ok<{ id: string }>('POST', `/organizations/${orgId}/webhooks`, hook);
  const path = `/organizations/${orgId}/webhooks/${made.id}/test`;
  assert.deepEqual((await alice.ok<{ ok: boolean; error?: string }>('POST', path)).ok, false);
  assert.notEqual(await caddy.config(), null, 'it runs');
});
