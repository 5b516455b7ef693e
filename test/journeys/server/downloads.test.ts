// What machines download of a server (docs/rules/agents.md#downloads).
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { dirname } from 'node:path';
import { before, test } from 'node:test';
import { promisify } from 'node:util';
import type { BuiltFiles } from '#src/platform/built-files.ts';
import { startAppOfFile, startTestApp, type TestApp } from '#test/harness/app.ts';
import { newDomain } from '#test/harness/custom-domain.ts';
import { machineNode } from '#test/harness/machine-node.ts';
import { until } from '#test/harness/until.ts';

const run = promisify(execFile);

/** Says how it was called. */
const bytes = Buffer.from('// tocsin-agent.mjs 9.9.9\nconsole.log(JSON.stringify(process.argv.slice(2)));\n');
const sha256 = createHash('sha256').update(bytes).digest('hex');
const builtFiles: BuiltFiles = {
  'tocsin-agent.mjs': { name: 'tocsin-agent.mjs', version: '9.9.9', sha256, bytes: async () => bytes },
};

let app: TestApp;
before(async () => {
  app = await startAppOfFile({ builtFiles });
});

test('a file comes with its checksum, in the form that sha256sum reads, and with an ETag', async () => {
  const file = await fetch(`${app.url}/download/tocsin-agent.mjs`);
  assert.equal(file.status, 200);
  assert.equal(file.headers.get('content-type'), 'text/javascript; charset=utf-8');
  assert.equal(file.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(file.headers.get('cache-control'), 'public, max-age=60');
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), bytes);
  const sum = await fetch(`${app.url}/download/tocsin-agent.mjs.sha256`);
  assert.equal(await sum.text(), `${sha256}  tocsin-agent.mjs\n`);

  const etag = file.headers.get('etag') ?? '';
  const again = await fetch(`${app.url}/download/tocsin-agent.mjs`, {
    headers: { 'if-none-match': `W/${etag}` },
  });
  assert.equal(again.status, 304);
  const head = await fetch(`${app.url}/download/tocsin-agent.mjs`, { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(head.headers.get('content-length'), String(bytes.length));
});

test('a file whose build failed is 503 with a sentence, and any other name 404', async () => {
  const probe = await app
    .visitor()
    .send<{ error: string; message: string }>('GET', '/download/tocsin-probe.mjs');
  assert.equal(probe.status, 503);
  assert.equal(probe.body.error, 'unavailable');
  assert.match(probe.body.message, /could not build/);
  for (const path of [
    '/download/',
    '/download/package.json',
    '/download/../package.json',
    '/download/%2e%2e%2fpackage.json',
  ])
    assert.equal((await app.visitor().send('GET', path)).status, 404, path);
});

test('an ingest server serves them as well, a server of status pages does not', async () => {
  await using ingest = await startTestApp({ roles: ['ingest'], admin: false, builtFiles });
  assert.equal((await fetch(`${ingest.url}/download/tocsin-agent.mjs`)).status, 200);
  await using pages = await startTestApp({ roles: ['pages'], admin: false, builtFiles });
  assert.equal((await fetch(`${pages.url}/download/tocsin-agent.mjs`)).status, 404);
});

test('under the domain of a status page there is nothing to download', async () => {
  await newDomain(app, 'status.example.com');
  // fetch sends no other Host. The server is notified of the domain after the commit.
  const statusOf = async (host: string) => {
    const asked = request(`${app.url}/download/tocsin-agent.mjs`, { headers: { host } }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  await until(async () => (await statusOf('status.example.com')) === 404, 'the domain is that of a page');
  assert.equal(await statusOf('127.0.0.1'), 200);
});

const script = async () => (await fetch(`${app.url}/download/install-agent.sh`)).text();
const NODE_FIRST = { PATH: `${dirname(machineNode())}:/usr/local/bin:/usr/bin:/bin` };
const sh = (text: string, words: string[], env: Record<string, string> = NODE_FIRST) =>
  run('/bin/sh', ['-c', text, 'sh', ...words], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code: code as number, stdout: String(stdout), stderr: String(stderr) }),
  );

test('the script downloads the agent, verifies it and has it install itself with the same arguments', async () => {
  // The server knows itself by the configured address, and listens on a free port.
  const text = (await script()).replaceAll(/^ {2}url=.*$/gm, `  url='${app.url}'`);
  const { code, stdout, stderr } = await sh(text, ['--token', 'tce_x y', '--labels', "it's=here", '--print']);
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), [
    ...['install', '--url', app.url, '--token', 'tce_x y', '--labels', "it's=here", '--print'],
  ]);
});

test('the script runs nothing of a file with another checksum', async () => {
  const text = (await script())
    .replaceAll(/^ {2}url=.*$/gm, `  url='${app.url}'`)
    .replace(sha256, 'f'.repeat(64));
  const { code, stdout, stderr } = await sh(text, ['--token', 't']);
  assert.equal(code, 1);
  assert.equal(stdout, '');
  assert.match(stderr, new RegExp(`expected SHA-256 f{64}\\n +received SHA-256 ${sha256}`));
});

test('wherever the script is truncated, nothing runs', async () => {
  const text = await script();
  const lines = text.split('\n');
  for (let count = 1; count < lines.length - 2; count += 4) {
    const { stdout } = await sh(lines.slice(0, count).join('\n'), ['--help']);
    assert.equal(stdout, '', `after ${count} lines`);
  }
  const { stdout } = await sh(text, ['--help']);
  assert.match(stdout, /--token TOKEN/);
});

test('without Node, or with an old one, the script says what to do', async () => {
  const text = await script();
  const without = await sh(`PATH=/nowhere\nid() { echo somebody; }\nuname() { echo Linux; }\n${text}`, []);
  assert.equal(without.code, 1);
  assert.match(without.stderr, /There is no Node on this machine .*PATH of somebody/);
  assert.match(without.stderr, /nodejs\.org/);
  const old = await sh(`node() { echo 18.19.0; }\n${text}`, []);
  assert.equal(old.code, 1);
  assert.match(old.stderr, /Node 18\.19\.0 is too old/);
});
