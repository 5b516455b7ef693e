// EDGE=none: a proxy of the operator's, configured by the examples of docs/proxies, in front of Tocsin.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startTestApp, type TestApp } from '#test/harness/app.ts';
import { edgePorts, noCaddy } from '#test/harness/caddy.ts';
import { authority } from '#test/harness/certificates.ts';
import { newDomain } from '#test/harness/custom-domain.ts';
import { resultOf } from '#test/harness/probe.ts';
import { findServer } from '#test/harness/provide-servers.ts';
import { grantKey } from '#test/harness/scene.ts';
import { until } from '#test/harness/until.ts';
import { shakesHands, visit, visitByHttp2 } from '#test/harness/visit.ts';

const nginx = findServer('nginx');
const noNginx = nginx === null && 'no nginx on this machine';
const haproxy = findServer('haproxy');
const noHaproxy = haproxy === null && 'no HAProxy on this machine';
const EXAMPLES = join(import.meta.dirname, '../../../docs/proxies');
const OWN = 'tocsin.example.com';
const CUSTOM = 'status.customer.example';

async function folder(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-proxy-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

test('behind nginx with the example configuration, each name shows its own page', {
  skip: noNginx,
}, async (t) => {
  const dir = await folder(t);
  const ports = await edgePorts();
  await using app = await startTestApp({ env: { BASE_URL: `https://${OWN}`, TRUST_PROXY: '1' } });
  await newDomain(app, CUSTOM);
  const trusted = await authority();
  for (const name of [OWN, CUSTOM]) {
    const { cert, key } = await trusted.issue({ names: [name] });
    await mkdir(join(dir, 'live', name), { recursive: true });
    await writeFile(join(dir, 'live', name, 'fullchain.pem'), cert);
    await writeFile(join(dir, 'live', name, 'privkey.pem'), key);
  }
  const path = join(dir, 'nginx.conf');
  const text = readFileSync(join(EXAMPLES, 'nginx.conf'), 'utf8')
    .replaceAll('listen 80 ', `listen 127.0.0.1:${ports.http} `)
    .replaceAll('listen 443 ', `listen 127.0.0.1:${ports.https} `)
    .replaceAll('/etc/letsencrypt', dir)
    .replaceAll('127.0.0.1:3300', new URL(app.url).host);
  await writeFile(path, text);
  const words = ['-p', dir, '-c', path, '-g', `daemon off; error_log stderr; pid ${join(dir, 'pid')};`];
  const { status, stderr } = spawnSync(nginx ?? '', [...words, '-t']);
  assert.equal(status, 0, String(stderr));

  const started = spawn(nginx ?? '', words, { stdio: 'ignore' });
  const ended = once(started, 'exit');
  // The master ends its workers.
  t.after(() => started.kill('SIGTERM') && ended);
  await until(() => shakesHands(CUSTOM, ports.https), 'nginx answers');
  const visitor = { port: ports.https, ca: trusted.cert };
  const page = await visit(CUSTOM, visitor);
  assert.equal(page.status, 200);
  assert.match(page.body, new RegExp(`The page of ${CUSTOM}`));
  assert.match(page.body, new RegExp(`https://${CUSTOM}`), 'it links to itself by https');
  assert.equal((await visit(CUSTOM, { ...visitor, path: '/app' })).status, 404);
  assert.equal((await visit(OWN, { ...visitor, path: '/healthz' })).status, 200);
  assert.equal((await visit(OWN, { ...visitor, path: `/edge/ask?domain=${CUSTOM}` })).status, 404);
  assert.equal(await shakesHands('unknown.example', ports.https), false);
  await passesOn(app, visitor);
});

test('behind HAProxy with the example configuration, too', { skip: noHaproxy }, async (t) => {
  const dir = await folder(t);
  const ports = await edgePorts();
  await using app = await startTestApp({ env: { BASE_URL: `https://${OWN}`, TRUST_PROXY: '1' } });
  await newDomain(app, CUSTOM);
  const trusted = await authority();
  await mkdir(join(dir, 'certs'));
  for (const name of [OWN, CUSTOM]) {
    const { cert, key } = await trusted.issue({ names: [name] });
    await writeFile(join(dir, 'certs', `${name}.pem`), `${cert}\n${key}`);
  }
  const path = join(dir, 'haproxy.cfg');
  const text = readFileSync(join(EXAMPLES, 'haproxy.cfg'), 'utf8')
    .replace('bind :80', `bind 127.0.0.1:${ports.http}`)
    .replace('bind :443', `bind 127.0.0.1:${ports.https}`)
    .replace('/etc/haproxy/certs/', join(dir, 'certs/'))
    .replace('127.0.0.1:3300', new URL(app.url).host);
  await writeFile(path, text);
  const { status, stderr } = spawnSync(haproxy ?? '', ['-c', '-f', path]);
  assert.equal(status, 0, String(stderr));

  const started = spawn(haproxy ?? '', ['-db', '-f', path], { stdio: 'ignore' });
  const ended = once(started, 'exit');
  t.after(() => started.kill('SIGKILL') && ended);
  await until(() => shakesHands(CUSTOM, ports.https), 'HAProxy answers');
  const visitor = { port: ports.https, ca: trusted.cert };
  const page = await visit(CUSTOM, visitor);
  assert.match(page.body, new RegExp(`https://${CUSTOM}`), 'it links to itself by https');
  assert.equal((await visit(CUSTOM, { ...visitor, path: '/app' })).status, 404);
  assert.equal((await visit(OWN, { ...visitor, path: '/healthz' })).status, 200);
  assert.equal(await shakesHands('unknown.example', ports.https), false);
  assert.equal(await visitByHttp2(OWN, { ...visitor, path: '/healthz' }), 200);
  await passesOn(app, visitor);
});

test('behind Caddy with the example configuration, which orders certificates by itself', {
  skip: noCaddy(),
}, async (t) => {
  const dir = await folder(t);
  const ports = await edgePorts();
  await using app = await startTestApp({ env: { BASE_URL: `https://${OWN}`, TRUST_PROXY: '1' } });
  await newDomain(app, CUSTOM);
  // Its own authority instead of a public one, and nothing but loopback.
  const options = [
    ...['admin off', 'local_certs', 'skip_install_trust', 'default_bind 127.0.0.1'],
    ...[`http_port ${ports.http}`, `https_port ${ports.https}`],
  ];
  const path = join(dir, 'Caddyfile');
  const text = readFileSync(join(EXAMPLES, 'Caddyfile'), 'utf8')
    .replace('{\n', `{\n\t${options.join('\n\t')}\n`)
    .replaceAll('127.0.0.1:3300', new URL(app.url).host);
  await writeFile(path, text);
  const env = { PATH: process.env.PATH, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir };
  const words = ['--adapter', 'caddyfile', '--config', path];
  const started = spawn(findServer('caddy') ?? '', ['run', ...words], { env, cwd: dir, stdio: 'ignore' });
  const ended = once(started, 'exit');
  t.after(() => started.kill('SIGKILL') && ended);
  await until(() => shakesHands(CUSTOM, ports.https), 'Caddy answers');
  const ca = readFileSync(join(dir, 'caddy/pki/authorities/local/root.crt'), 'utf8');
  const visitor = { port: ports.https, ca };
  const page = await visit(CUSTOM, visitor);
  assert.match(page.body, new RegExp(`https://${CUSTOM}`), 'it links to itself by https');
  assert.equal((await visit(CUSTOM, { ...visitor, path: '/app' })).status, 404);
  assert.equal((await visit(OWN, { ...visitor, path: '/healthz' })).status, 200);
  assert.equal((await visit(OWN, { ...visitor, path: `/edge/ask?domain=${CUSTOM}` })).status, 404);
  assert.equal(await shakesHands('unknown.example', ports.https), false);
  assert.equal(await visitByHttp2(OWN, { ...visitor, path: '/healthz' }), 200);
  await passesOn(app, visitor);
});

/** Large bodies, the client's address and not what it says itself, and a live stream, event by event. */
async function passesOn(app: TestApp, at: { port: number; ca: string }): Promise<void> {
  const { key } = await grantKey(app, app.home.orgId);
  const authorization = `Bearer ${key}`;
  const detail = 'x'.repeat(1_000);
  const results = Array.from({ length: 5_000 }, (_, i) => ({
    ...resultOf(`mon_${i}`, app.clock.ms(), 'down'),
    detail,
  }));
  const large = await ask('POST', '/probe/results', at, {
    headers: { authorization: `Bearer ${app.probe().token}` },
    body: JSON.stringify({ probe_id: 'probe-1', results }),
  });
  assert.equal(large.status, 200, large.body.slice(0, 300));

  const stream = ask('GET', `/organizations/${app.home.orgId}/events`, at, {
    // Whichever of the two requests comes first.
    headers: { authorization, 'last-event-id': '0' },
    enough: /event: monitor/,
  });
  const monitor = { name: 'Shop', type: 'http', config: { url: 'https://shop.example.com/' } };
  const made = await ask('POST', `/projects/${app.home.projectId}/monitors`, at, {
    headers: { authorization, 'x-forwarded-for': '203.0.113.9' },
    body: JSON.stringify(monitor),
  });
  assert.equal(made.status, 201, made.body);
  const by = await app.db
    .selectFrom('activity')
    .select('address')
    .where('action', '=', 'monitor.create')
    .executeTakeFirstOrThrow();
  assert.equal(by.address, '127.0.0.1');
  assert.match((await stream).body, /event: monitor/);
}

/** One request by name over TLS; `enough`: an answer that has this is cut off, since it has no end. */
function ask(
  method: string,
  path: string,
  { port, ca }: { port: number; ca: string },
  sent: { headers: Record<string, string>; body?: string; enough?: RegExp },
): Promise<{ status: number; body: string }> {
  const type = sent.body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { host: OWN, ...type, ...sent.headers };
  const where = { host: '127.0.0.1', port, ca, servername: OWN, agent: false, timeout: 60_000 };
  return new Promise((resolve, reject) => {
    const request = https.request({ ...where, method, path, headers }, (answer) => {
      const status = answer.statusCode ?? 0;
      let body = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
        if (!sent.enough?.test(body)) return;
        resolve({ status, body });
        request.destroy();
      });
      answer.on('end', () => resolve({ status, body })).on('error', reject);
    });
    request.on('error', reject).on('timeout', () => request.destroy(new Error('no answer')));
    request.end(sent.body);
  });
}
