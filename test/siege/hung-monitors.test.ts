// One organization's monitors hang until their timeout: another's monitors at the same probe keep their rhythm.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startProbe } from '#probe/start.ts';
import type { Assignment } from '#src/probe-protocol/contract.ts';
import { httpConfig } from '../harness/http-check.ts';
import { httpServer, tcpServer } from '../harness/listeners.ts';
import { probeServer } from '../harness/probe-server.ts';
import { scaled } from './scale.ts';

/** One organization gets two thirds of the slots. */
const SLOTS = scaled(60, 3_000);
const HUNG = scaled(100, 2_500);
const CHECKS = scaled(4, 60);

const monitor = (monitor_id: string, organization_id: string, url: string): Assignment => ({
  monitor_id,
  organization_id,
  type: 'http',
  config: httpConfig({ url, timeout_ms: organization_id === 'noisy' ? 300_000 : 900 }),
  interval_seconds: organization_id === 'noisy' ? 2 : 1,
  offset_ms: 500,
});

test('thousands of hanging monitors keep another organization’s checks on schedule, and void only their own', async (t) => {
  let open = 0;
  let most = 0;
  const tarpit = await tcpServer(t, (socket) => {
    open += 1;
    most = Math.max(most, open);
    socket
      .resume()
      .on('error', () => undefined)
      .on('close', () => (open -= 1));
  });
  const target = await httpServer(t, (_, response) => response.end('ok'));
  const hung = Array.from({ length: HUNG }, (_, i) =>
    monitor(`noisy${i}`, 'noisy', `http://127.0.0.1:${tarpit}/`),
  );
  const server = await probeServer(t, [...hung, monitor('quiet', 'quiet', `http://127.0.0.1:${target}/`)]);
  const dataDir = await mkdtemp(join(tmpdir(), 'siege-hung-'));
  const log = () => undefined;
  const probe = await startProbe({ url: server.url, token: 'tok', dataDir, log, slots: SLOTS });
  t.after(async () => {
    await probe.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const quiet = () => server.stored.filter(({ monitor_id }) => monitor_id === 'quiet');
  const busy = () => server.stored.filter(({ failure_class }) => failure_class === 'probe_busy');
  const share = (SLOTS * 2) / 3;
  await server.until(() => busy().length > 0 && open >= share);
  const before = quiet().length;
  await server.until(() => quiet().length >= before + CHECKS);
  const seen = quiet().slice(before);
  for (const { status } of seen) assert.equal(status, 'up');
  assert.ok(most <= share, `${most} at a time`);
  const lateMs = seen.map(({ checked_at_ms }) => (checked_at_ms - 500) % 1_000);
  const over = (seen.at(-1)!.checked_at_ms - seen[0]!.checked_at_ms) / 1_000;
  assert.ok(over < 2 * CHECKS, `${CHECKS} checks within ${over} s, late by ${lateMs.join(', ')} ms`);
  for (const { monitor_id, cause_layer } of busy()) {
    assert.notEqual(monitor_id, 'quiet');
    assert.equal(cause_layer, 'probe');
  }

  // Deleted monitors release their slots at once, not after their five minutes.
  server.announce({ removed: hung.map(({ monitor_id }) => monitor_id) });
  await server.until(() => open === 0 || quiet().length > before + 3 * CHECKS);
  assert.equal(open, 0);
});
