// The probe as a machine downloads it: one file, on the Node of that machine (docs/rules/regions-and-probes.md#the-probe-as-one-file).
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, type TestContext, test } from 'node:test';
import type { CheckRecord as Check } from '#src/checks/contract.ts';
import type { Monitor } from '#src/monitors/contract.ts';
import { readyDownloads } from '#src/supervise/downloads.ts';
import { realClock, startTestApp } from '#test/harness/app.ts';
import { authority } from '#test/harness/certificates.ts';
import { silent } from '#test/harness/cluster.ts';
import { closeAfterTests } from '#test/harness/database.ts';
import { httpServer, httpsServer, tcpServer } from '#test/harness/listeners.ts';
import { machineNode } from '#test/harness/machine-node.ts';
import { startProbeProcess } from '#test/harness/probe-process.ts';
import { until } from '#test/harness/until.ts';

const node = machineNode();
let folder: string;
let file: string;

before(async () => {
  const built = await readyDownloads(silent, new AbortController().signal);
  // Away from the packages beside the build.
  folder = await mkdtemp(join(tmpdir(), 'tocsin-probe-file-'));
  closeAfterTests(() => rm(folder, { recursive: true, force: true }));
  file = join(folder, 'tocsin-probe.mjs');
  await copyFile(join(built, 'tocsin-probe.mjs'), file);
});

/** Answers and closes at once: what speaks another protocol finds that out. */
const rude = (t: TestContext) => tcpServer(t, (socket) => socket.on('error', () => undefined).end('no\r\n'));

test('it checks monitors of a real server, with threads from the same file', async (t) => {
  await using app = await startTestApp({ clock: realClock });
  const { token } = await app.region('elsewhere');
  const issuer = await authority();
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, issuer.cert);
  const web = await httpServer(t, (_request, response) =>
    response.end(JSON.stringify({ all: ['is', 'well'] })),
  );
  const secure = await httpsServer(t, await issuer.issue(), (_request, response) => response.end('well'));
  const port = await rude(t);
  const at = { host: '127.0.0.1', port };
  const url = `http://127.0.0.1:${web}/`;
  const keyword = { mode: 'regex', text: '[iI]s' };
  const up: [type: string, config: object][] = [
    // Without an assertion, and with two that a thread judges.
    ['http', { url }],
    ['http', { url, keyword, json_assertions: [{ path: '$.all[?@ == "well"]', op: 'exists' }] }],
    ['tcp', at],
    // Trusted by what the machine was given, down to the root.
    ['http', { url: `https://127.0.0.1:${secure}/` }],
    ['tls', { host: '127.0.0.1', port: secure }],
  ];
  const down: [type: string, config: object][] = [
    ['websocket', { url: `ws://127.0.0.1:${port}/` }],
    ['grpc', { ...at, tls: false }],
    ['mail', { ...at, protocol: 'smtp' }],
    ['udp', { ...at, payload: 'ffff', encoding: 'hex', expect: '00', timeout_ms: 1000 }],
    ['dns', { host: 'example.com', record_type: 'A', resolver: '127.0.0.1', port, timeout_ms: 1000 }],
    ...['postgres', 'mysql', 'redis'].map((engine): [string, object] => ['database', { ...at, engine }]),
  ];
  const monitors: Monitor[] = [];
  for (const [type, config] of [...up, ...down]) {
    const fields = { name: `${monitors.length}`, type, config, interval_seconds: 10, regions: ['elsewhere'] };
    monitors.push(await app.alice.ok('POST', `/projects/${app.home.projectId}/monitors`, fields));
  }
  const env = { NODE_EXTRA_CA_CERTS: ca };
  const probe = await startProbeProcess(t, { url: app.url, token, program: [node, file], env });

  const found = new Map<string, Check>();
  await until(async () => {
    for (const { id, name } of monitors) {
      const [check] = await app.alice.ok<Check[]>('GET', `/monitors/${id}/checks?limit=1`);
      // The first check of a type, and the first assertion of a thread, load their library: on a busy machine that is too much
      // at once, and the check is made again.
      if (check && !/^(check_too_costly|assertion_timeout)$/.test(check.failure_class ?? ''))
        found.set(name, check);
    }
    return found.size === monitors.length;
  }, `a check of each monitor; the probe says ${probe.log()}`);
  for (const { name, type } of monitors) {
    const { status, failure_class, cause_layer, detail } = found.get(name)!;
    const said = `${type}: ${status} ${failure_class} ${detail}`;
    assert.equal(status, Number(name) < up.length ? 'up' : 'down', said);
    assert.notEqual(cause_layer, 'probe', said);
  }
  assert.doesNotMatch(probe.log(), /"level":"error"/);
  await probe.end('SIGTERM');
  assert.equal(probe.process.exitCode, 0, probe.log());
});

test('it prints its version, its usage, and missing options', () => {
  const say = (...words: string[]) => execFileSync(node, [file, ...words], { encoding: 'utf8' });
  assert.match(say('--version'), /^\d+\.\d+\.\d+\n$/);
  assert.match(say('--help'), /--data-dir DIR/);
  for (const words of [
    ['--url', 'https://example.com'],
    ['--token', 'x'],
    ['--tokne', 'x'],
  ])
    assert.throws(
      () => execFileSync(node, [file, ...words], { stdio: 'pipe' }),
      { status: 2 },
      words.join(' '),
    );
});
