// EDGE=none: a proxy of the operator's, configured by the examples of docs/proxies, in front of Tocsin.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startTestApp } from '#test/harness/app.ts';
import { edgePorts, noCaddy } from '#test/harness/caddy.ts';
import { authority } from '#test/harness/certificates.ts';
import { newDomain } from '#test/harness/custom-domain.ts';
import { findServer } from '#test/harness/provide-servers.ts';
import { until } from '#test/harness/until.ts';
import { shakesHands, visit } from '#test/harness/visit.ts';

const nginx = findServer('nginx');
const noNginx = nginx === null && 'no nginx on this machine';
const EXAMPLES = join(import.meta.dirname, '../../../docs/proxies');
const OWN = 'tocsin.example.com';
const CUSTOM = 'status.customer.example';

async function folder(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-proxy-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

test('behind nginx as the example has it, each name shows what is its own', { skip: noNginx }, async (t) => {
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
});

test('Caddy takes the example', { skip: noCaddy() }, async (t) => {
  const dir = await folder(t);
  const env = { PATH: process.env.PATH, HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir };
  const words = ['validate', '--adapter', 'caddyfile', '--config', join(EXAMPLES, 'Caddyfile')];
  const { status, stderr } = spawnSync(findServer('caddy') ?? '', words, { env, cwd: dir });
  assert.equal(status, 0, String(stderr));
});
