import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Assignment } from '../src/probe-protocol/contract.ts';
import { authority } from '../test/harness/certificates.ts';
import { httpConfig } from '../test/harness/http-check.ts';
import { httpServer, httpsServer } from '../test/harness/listeners.ts';
import { type ProbeServer, probeServer } from '../test/harness/probe-server.ts';
import { compileCache } from '../test/harness/program.ts';
import { guardFolder } from './folder-guard.ts';
import type { ProbeCommandOptions } from './main.ts';
import { type Probe, startProbe } from './start.ts';

const monitor = (monitor_id: string, url: string, more: Partial<Assignment> = {}): Assignment => ({
  monitor_id,
  type: 'http',
  config: httpConfig({ url, timeout_ms: 800 }),
  interval_seconds: 1,
  offset_ms: 300,
  ...more,
});

async function dataDirectory(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'probe-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function probe(
  t: TestContext,
  server: ProbeServer,
  dataDir?: string,
): Promise<Probe & { said: string[] }> {
  const said: string[] = [];
  const started = await startProbe({
    url: server.url,
    token: 'tok',
    dataDir: dataDir ?? (await dataDirectory(t)),
    log: (_, message) => void said.push(message),
  });
  t.after(() => started.stop());
  return { ...started, said };
}

const of = (server: ProbeServer, id: string) => server.stored.filter(({ monitor_id }) => monitor_id === id);

test('a probe fetches its assignments, checks on schedule by the server’s clock, and reports', async (t) => {
  const target = await httpServer(t, (_, response) => response.end('ok'));
  const server = await probeServer(t, [monitor('mon_1', `http://127.0.0.1:${target}/`)]);
  const hourMs = 3_600_000;
  server.serverTimeMs = () => Date.now() + hourMs;
  const { probeId } = await probe(t, server);
  await server.until(() => of(server, 'mon_1').length >= 2);
  for (const { checked_at_ms, status } of of(server, 'mon_1')) {
    assert.equal(status, 'up');
    assert.ok(Math.abs(checked_at_ms - Date.now() - hourMs) < 60_000, 'server time');
    assert.ok((checked_at_ms - 300) % 1000 < 200, `${checked_at_ms} is in rhythm`);
  }
  assert.match(server.requests[0]?.path ?? '', new RegExp(`probe_id=${probeId}&clock_ms=\\d{13}$`));
  await server.until(() => server.requests.some(({ path }) => path.includes('since=1&epoch=one&wait=8')));
});

test('a machine whose clock is ahead of the server’s finds no certificate expired that is in force', async (t) => {
  const ca = await authority();
  const expired = await ca.issue({ fromDays: -10, untilDays: -3 });
  const target = await httpsServer(t, expired, (_, response) => response.end());
  const url = `https://127.0.0.1:${target}/`;
  const config = httpConfig({ url, timeout_ms: 800, tls: { verify: true, ca_pem: ca.cert } });
  const server = await probeServer(t, [monitor('mon_1', url, { config })]);
  server.serverTimeMs = () => Date.now() - 5 * 86_400_000;
  await probe(t, server);
  await server.until(() => server.stored.length > 0);
  const [{ failure_class, cause_layer, detail } = {}] = server.stored;
  assert.deepEqual([failure_class, cause_layer], ['probe_error', 'probe']);
  assert.match(
    detail ?? '',
    /^The clock of this machine is wrong: the certificate of 127\.0\.0\.1 is in force/,
  );
});

test('changes take effect without a restart', async (t) => {
  const target = await httpServer(t, (_, response) => response.end('ok'));
  const url = `http://127.0.0.1:${target}/`;
  const server = await probeServer(t, [monitor('mon_1', url)]);
  await probe(t, server);
  await server.until(
    () => of(server, 'mon_1').length > 0 && server.requests.some(({ path }) => /since=1/.test(path)),
  );
  server.announce({ monitors: [monitor('mon_2', url)], removed: ['mon_1'] });
  await server.until(() => of(server, 'mon_2').length > 0);
  const before = of(server, 'mon_1').length;
  await server.until(() => of(server, 'mon_2').length > 2);
  assert.equal(of(server, 'mon_1').length, before);
});

test('an outage of the target is reported at once with its class, and so is its end', async (t) => {
  let broken = false;
  const target = await httpServer(t, (_, response) => response.writeHead(broken ? 500 : 200).end());
  const server = await probeServer(t, [monitor('mon_1', `http://127.0.0.1:${target}/`)]);
  await probe(t, server);
  await server.until(() => server.stored.length > 0);
  broken = true;
  await server.until(() => server.stored.at(-1)?.failure_class === 'http_status');
  broken = false;
  await server.until(() => server.stored.at(-1)?.status === 'up');
});

test('the region decides whether private targets may be checked', async (t) => {
  const server = await probeServer(t, [monitor('mon_1', 'http://127.0.0.1:1/')]);
  server.misbehave = (response, method) => {
    if (method !== 'GET') return false;
    server.misbehave = undefined;
    const monitors = [monitor('mon_1', 'http://127.0.0.1:1/')];
    const body = { revision: 1, full: true, server_time_ms: Date.now(), allow_private_targets: false };
    const rest = { removed: [], epoch: 'one', canaries: [], tests: [] };
    response.writeHead(200).end(JSON.stringify({ ...body, ...rest, monitors }));
    return true;
  };
  await probe(t, server);
  await server.until(() => server.stored.length > 0);
  assert.equal(server.stored[0]?.failure_class, 'blocked_target');
});

test('an unknown monitor type is no outage', async (t) => {
  const server = await probeServer(t, [monitor('mon_1', '', { type: 'constructor' })]);
  await probe(t, server);
  await server.until(() => server.stored.length > 0);
  assert.deepEqual(
    [server.stored[0]?.failure_class, server.stored[0]?.cause_layer],
    ['unknown_type', 'probe'],
  );
});

test('results from an outage of the server are delivered when it is back, even by the next run', async (t) => {
  const target = await httpServer(t, (_, response) => response.end('ok'));
  const server = await probeServer(t, [monitor('mon_1', `http://127.0.0.1:${target}/`)]);
  const dataDir = await dataDirectory(t);
  const first = await probe(t, server, dataDir);
  await server.until(() => server.stored.length > 0);
  server.misbehave = (response) => {
    response.destroy();
    return true;
  };
  const before = server.requests.length;
  await server.until(() => server.requests.length > before + 1);
  await first.stop();
  const kept = await readdir(join(dataDir, 'spool'));
  assert.ok(kept.length > 0, 'unsent results are on disk');
  server.misbehave = (_, method) => method === 'GET'; // no assignments: everything that arrives is from the spool
  const known = server.stored.length;
  const second = await probe(t, server, dataDir);
  assert.equal(second.probeId, first.probeId);
  await server.until(() => server.stored.length > known);
});

test('a restarted probe keeps the same schedule', async (t) => {
  const target = await httpServer(t, (_, response) => response.end('ok'));
  const url = `http://127.0.0.1:${target}/`;
  const server = await probeServer(t, [monitor('mon_1', url), monitor('mon_2', url, { offset_ms: 777 })]);
  const dataDir = await dataDirectory(t);
  for (let run = 1; run <= 3; run++) {
    const before = server.stored.length;
    const started = await probe(t, server, dataDir);
    await server.until(() => server.stored.length >= before + 4);
    await started.stop();
  }
  // A check on time carries the moment itself, whenever the probe was started; a busy machine may be late now and then.
  const onTime = server.stored.filter(
    ({ monitor_id, checked_at_ms }) => checked_at_ms % 1000 === (monitor_id === 'mon_1' ? 300 : 777),
  );
  assert.ok(onTime.length > server.stored.length / 2, `${onTime.length} of ${server.stored.length}`);
});

test('a probe that stops says goodbye and includes the state it was given', async (t) => {
  const server = await probeServer(t);
  const { probeId, stop } = await probe(t, server);
  await server.until(() => server.requests.some(({ path }) => path.includes('since=1')));
  let left = '';
  server.misbehave = (response, _, body) => {
    left = body;
    response.writeHead(200).end('{"left":true}');
    return true;
  };
  await stop();
  assert.deepEqual(JSON.parse(left), { probe_id: probeId });
});

test('a changed share is applied without touching the monitors that stay', async (t) => {
  const target = await httpServer(t, (_, response) => response.end('ok'));
  const url = `http://127.0.0.1:${target}/`;
  const server = await probeServer(t, [monitor('mon_1', url), monitor('mon_2', url)]);
  await probe(t, server);
  await server.until(() => server.requests.some(({ path }) => path.includes('epoch=one')));
  server.epoch = 'two';
  server.announce({ full: true, monitors: [monitor('mon_1', url)] });
  await server.until(() => server.requests.some(({ path }) => path.includes('epoch=two')));
  const before = of(server, 'mon_2').length;
  await server.until(() => of(server, 'mon_1').length > 3);
  assert.ok(of(server, 'mon_2').length <= before + 1);
});

test('a check on demand runs at once, returns its assertions, and is no result', async (t) => {
  const target = await httpServer(t, (_, response) => response.writeHead(503).end());
  const server = await probeServer(t);
  await probe(t, server);
  await server.until(() => server.requests.some(({ path }) => path.includes('since=1')));
  const { config } = monitor('', `http://127.0.0.1:${target}/`);
  const tests = Array.from({ length: 25 }, (_, i) => ({ test_id: `tst_${i}`, type: 'http', config }));
  server.announce({ tests: [...tests, { test_id: 'tst_odd', type: 'odd', config: {} }] });
  await server.until(() => server.outcomes.length === 26);
  const first = server.outcomes.find(({ test_id }) => test_id === 'tst_0');
  assert.equal(first?.observed.failure_class, 'http_status');
  assert.ok(first?.judgements.some(({ ok }) => !ok));
  const odd = server.outcomes.find(({ test_id }) => test_id === 'tst_odd');
  assert.equal(odd?.observed.failure_class, 'unknown_type');
  assert.deepEqual(server.stored, []);
});

test('if the region’s canaries are silent too, a silent target is no outage', async (t) => {
  const deaf = await httpServer(t, () => undefined);
  const canary = net.createServer((socket) => socket.end()).listen(0, '127.0.0.1');
  await once(canary, 'listening');
  const server = await probeServer(t, [monitor('mon_1', `http://127.0.0.1:${deaf}/`)]);
  server.canaries = [`127.0.0.1:${(canary.address() as net.AddressInfo).port}`];
  await probe(t, server);
  // A machine that is busy with much else may say so first.
  const silent = () => server.stored.find(({ failure_class }) => failure_class === 'response_timeout');
  await server.until(() => silent() !== undefined);
  assert.equal(silent()?.cause_layer, 'target_http');
  canary.close();
  await server.until(() => server.stored.at(-1)?.failure_class === 'probe_network');
  assert.equal(server.stored.at(-1)?.cause_layer, 'probe');
});

test('on SIGTERM the command exits with 0, after delivering buffered results', async (t) => {
  const target = await httpServer(t, (_, response) => response.end('ok'));
  const server = await probeServer(t, [monitor('mon_1', `http://127.0.0.1:${target}/`)]);
  const { child, ended } = command(
    t,
    { url: server.url, dataDir: await dataDirectory(t) },
    { TOCSIN_PROBE_TOKEN: 'tok' },
  );
  await server.until(() => server.stored.length > 0);
  child.kill('SIGTERM');
  const { code, stderr } = await ended;
  assert.equal(code, 0, stderr);
  for (const line of stderr.trim().split('\n')) assert.ok(JSON.parse(line).msg, 'one JSON object a line');
  assert.doesNotMatch(stderr, /tok\b/);
});

test('a killed command leaves a spool that the next one delivers', async (t) => {
  const target = await httpServer(t, (_, response) => response.writeHead(500).end());
  const server = await probeServer(t, [monitor('mon_1', `http://127.0.0.1:${target}/`)]);
  server.misbehave = (response, method) => {
    if (method === 'GET') return false;
    response.writeHead(503).end();
    return true;
  };
  const dataDir = await dataDirectory(t);
  const first = command(t, { url: server.url, token: 'tok', dataDir });
  const posts = () => server.requests.filter(({ path }) => path === '/probe/results').length;
  await server.until(() => posts() >= 3);
  first.child.kill('SIGKILL');
  await first.ended;
  server.misbehave = (_, method) => method === 'GET';
  await probe(t, server, dataDir);
  await server.until(() => server.stored.length > 0);
  assert.equal(server.stored[0]?.failure_class, 'http_status');
});

test('invalid options and variables exit with 2 and a sentence', async (t) => {
  const cases: [ProbeCommandOptions, Record<string, string>, RegExp][] = [
    [{ url: 'http://127.0.0.1:1' }, {}, /--token is missing/],
    [{ url: 'ftp://x', token: 't' }, {}, /not an http or https address/],
    [{ url: 'http://127.0.0.1:1' }, { TOCSIN_PROBE_TOKEN_FILE: '/none' }, /_TOKEN_FILE cannot be read/],
    // As compose files pass a variable that is not set.
    [
      { url: 'http://127.0.0.1:1' },
      { TOCSIN_PROBE_TOKEN: '', TOCSIN_PROBE_TOKEN_FILE: '/none' },
      /_TOKEN_FILE cannot be read/,
    ],
    [{ url: 'http://127.0.0.1:1', token: 't' }, { RDAP_BASE_URL: 'x' }, /RDAP_BASE_URL "x" is not an http/],
    [
      { url: 'http://127.0.0.1:1', token: 't' },
      { DNS_SERVERS: 'dns.example' },
      /DNS_SERVERS .+ IP addresses/,
    ],
  ];
  for (const [options, env, sentence] of cases) {
    const { code, stderr } = await command(t, options, env).ended;
    assert.deepEqual([code, sentence.test(stderr)], [2, true], stderr);
  }
});

test('the data directory contains the id of the probe, readable by its user only', async (t) => {
  const server = await probeServer(t);
  const dataDir = await dataDirectory(t);
  const { probeId } = await probe(t, server, join(dataDir, 'new'));
  assert.match(probeId, /^[A-Za-z0-9._-]+-[0-9a-f]{8}$/);
  assert.equal((await readFile(join(dataDir, 'new', 'probe-id'), 'utf8')).trim(), probeId);
});

test('a probe has its data folder for itself until it has stopped, or could not start', async (t) => {
  const server = await probeServer(t);
  const dataDir = await dataDirectory(t);
  const claim = () => guardFolder({ dataDir, log: () => undefined, wait: async () => undefined });
  const { stop } = await probe(t, server, dataDir);
  await assert.rejects(
    claim(),
    new RegExp(`another probe \\(process ${process.pid}\\) runs with the data folder`),
  );
  await stop();
  await (await claim()).release();
  await rm(join(dataDir, 'probe-id'));
  await mkdir(join(dataDir, 'probe-id'));
  await assert.rejects(probe(t, server, dataDir), /EISDIR/);
  await (await claim()).release();
});

const MAIN = new URL('./main.ts', import.meta.url).href;

function command(t: TestContext, options: ProbeCommandOptions, env: Record<string, string> = {}) {
  const program = `import { runProbe } from ${JSON.stringify(MAIN)}; process.exitCode = await runProbe(JSON.parse(process.argv[1]));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, JSON.stringify(options)], {
    env: { PATH: process.env.PATH ?? '', CANARIES: 'none', ...compileCache(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => (stdout += text));
  child.stderr.on('data', (text) => (stderr += text));
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  );
  return { child, ended };
}
