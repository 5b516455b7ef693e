// A check that never lets go of the main loop: the watchdog ends the probe, the next run sets that check aside, the others go on.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Assignment } from '../../src/checks/probe-contract.ts';
import { httpConfig } from '../harness/http-check.ts';
import { httpServer } from '../harness/listeners.ts';
import { probeServer } from '../harness/probe-server.ts';
import { scaled } from './scale.ts';

const PROBE = new URL('../../probe', import.meta.url).href;
const FROZEN_AFTER_MS = scaled(2_000, 10_000);

/** A probe with one kind more, as a mistake of ours would be: it never comes back for an address with "freeze" in it. */
const PROGRAM = `
  import { startProbe } from '${PROBE}/start.ts';
  import { check } from '${PROBE}/kinds.ts';
  import { stderrLog } from '${PROBE}/log.ts';
  const [url, dataDir] = process.argv.slice(1);
  await startProbe({ url, token: 'tok', dataDir, log: stderrLog, frozenAfterMs: ${FROZEN_AFTER_MS},
    check(type, config, context) {
      if (config.url.includes('freeze')) for (;;);
      return check(type, config, context);
    } });`;

function start(t: TestContext, url: string, dataDir: string): ChildProcess & { said: () => string } {
  const child = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM, '--', url, dataDir], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => (said += text));
  t.after(() => child.kill('SIGKILL'));
  return Object.assign(child, { said: () => said });
}

const monitor = (monitor_id: string, url: string): Assignment => ({
  monitor_id,
  organization_id: monitor_id,
  type: 'http',
  config: httpConfig({ url, timeout_ms: 800 }),
  interval_seconds: 1,
  offset_ms: 0,
});

test('a probe that stands still is ended within seconds; the check that froze it is set aside with its reason, the others go on', {
  timeout: 120_000,
}, async (t) => {
  const port = await httpServer(t, (_, response) => response.end('ok'));
  const url = `http://127.0.0.1:${port}/`;
  const server = await probeServer(t, [monitor('quiet', url), monitor('noisy', `${url}freeze`)]);
  const dataDir = await mkdtemp(join(tmpdir(), 'siege-frozen-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const first = start(t, server.url, dataDir);
  const [, signal] = (await once(first, 'exit')) as [number | null, string | null];
  assert.equal(signal, 'SIGKILL');
  assert.match(first.said(), /This probe stood still and is ended/);

  const second = start(t, server.url, dataDir);
  const of = (id: string) => server.stored.filter(({ monitor_id }) => monitor_id === id);
  await server.until(() => of('noisy').length >= 2 && of('quiet').length >= 3);
  for (const { failure_class, cause_layer, detail } of of('noisy')) {
    assert.deepEqual([failure_class, cause_layer], ['probe_frozen', 'probe']);
    assert.match(detail ?? '', /brought the whole probe to a standstill \(once\), so it is set aside until/);
  }
  for (const { status } of of('quiet')) assert.equal(status, 'up');

  // Another config is another check, and is made at once.
  server.announce({ monitors: [monitor('noisy', `${url}mended`)] });
  await server.until(() => of('noisy').at(-1)?.status === 'up');
  assert.equal(second.exitCode, null);
});
