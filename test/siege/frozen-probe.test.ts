// A check that never releases the main loop: the watchdog ends the probe, the next run sets that check aside, the others go on.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSetAside } from '#probe/set-aside.ts';
import type { Assignment } from '#src/probe-protocol/contract.ts';
import { httpConfig } from '../harness/http-check.ts';
import { httpServer } from '../harness/listeners.ts';
import { probeServer } from '../harness/probe-server.ts';
import { scaled } from './scale.ts';

const PROBE = new URL('../../probe', import.meta.url).href;
const FROZEN_AFTER_MS = scaled(2_000, 10_000);

/** A probe with one more type, with a defect as we could make one: it never returns for an address with "freeze" in it. */
const PROGRAM = `
  import { startProbe } from '${PROBE}/start.ts';
  import { check } from '${PROBE}/types.ts';
  import { stderrLog } from '${PROBE}/log.ts';
  import { AsyncLocalStorage } from 'node:async_hooks';
  const [url, dataDir] = process.argv.slice(1);
  const works = [];
  await startProbe({ url, token: 'tok', dataDir, log: stderrLog, frozenAfterMs: ${FROZEN_AFTER_MS},
    check(type, config, context) {
      if (config.url.includes('freeze')) for (;;);
      // In a later callback: once without an end, or repeatedly so that no timer gets a turn.
      if (config.url.includes('later')) setTimeout(() => { for (;;); }, 10);
      const ms = /flood-(\\d+)/.exec(config.url)?.[1];
      const work = () => {
        for (const end = performance.now() + Number(ms); performance.now() < end; );
        process.nextTick(work);
      };
      // All three at once: the first alone would keep the others from beginning.
      if (ms && works.push(AsyncLocalStorage.bind(work)) === 3)
        setTimeout(() => { for (const begin of works) begin(); }, 10);
      if (ms || config.url.includes('later')) return new Promise(() => {});
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

test('a frozen probe is killed within seconds; the check that froze it is skipped with its reason, the others continue', {
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
    assert.match(detail ?? '', /froze the whole probe \(once\), so it is set aside until/);
  }
  for (const { status } of of('quiet')) assert.equal(status, 'up');

  // Another config is another check, and runs at once.
  server.announce({ monitors: [monitor('noisy', `${url}mended`)] });
  await server.until(() => of('noisy').at(-1)?.status === 'up');
  assert.equal(second.exitCode, null);
});

/** The monitors of the watchdog's messages about a stalled loop. */
async function blamedOf(t: TestContext, monitors: Assignment[]): Promise<string | undefined> {
  const server = await probeServer(t, monitors);
  const dataDir = await mkdtemp(join(tmpdir(), 'siege-frozen-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const probe = start(t, server.url, dataDir);
  await once(probe, 'exit');
  const { nameOf } = await openSetAside({ dataDir, log: () => undefined, nowMs: Date.now });
  const at = /"at":"([^"]+)"/.exec(probe.said())?.[1];
  return monitors.find(({ type, config }) => nameOf(type, config) === at)?.monitor_id ?? at;
}

test('the check is named even if a later event of it froze the loop', { timeout: 120_000 }, async (t) => {
  const port = await httpServer(t, (_, response) => response.end('ok'));
  const url = `http://127.0.0.1:${port}/`;
  assert.equal(await blamedOf(t, [monitor('quiet', url), monitor('noisy', `${url}later`)]), 'noisy');
});

test('if many small steps of several checks block the loop, the one with the largest share is named', {
  timeout: 120_000,
}, async (t) => {
  const monitors = [1, 20, 2].map((ms) => monitor(`flood ${ms}`, `http://127.0.0.1/flood-${ms}`));
  assert.equal(await blamedOf(t, monitors), 'flood 20');
});
