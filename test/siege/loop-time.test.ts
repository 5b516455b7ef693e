// Monitors of one organization that keep a probe's main loop busy: another one's target that hangs is told all the while.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Assignment } from '#src/probe-protocol/contract.ts';
import { httpConfig } from '../harness/http-check.ts';
import { tcpServer } from '../harness/listeners.ts';
import { startProbeProcess } from '../harness/probe-process.ts';
import { probeServer } from '../harness/probe-server.ts';
import { scaled } from './scale.ts';

const FLOODS = scaled(60, 100);
const VERDICTS = scaled(3, 60);

const flooded = (i: number, port: number): Assignment => ({
  ...{ monitor_id: `noisy${i}`, organization_id: 'noisy', type: 'grpc', interval_seconds: 1 },
  offset_ms: Math.floor((i * 1_000) / FLOODS),
  config: {
    ...{ host: '127.0.0.1', port, tls: false, service: '', metadata: {}, ip_family: 'auto' },
    ...{ timeout_ms: 10_000, degraded_after_ms: null },
  },
});

test('monitors that keep the loop busy leave another organization the verdict that its target hangs', {
  timeout: scaled(60_000, 300_000),
}, async (t) => {
  const child = fork(join(import.meta.dirname, 'loop-flood-process.ts'));
  t.after(() => child.kill('SIGKILL'));
  const [port] = (await once(child, 'message')) as [number];
  const hanging = await tcpServer(t, (socket) => void socket.on('error', () => undefined).resume());
  const quiet: Assignment = {
    ...{ monitor_id: 'quiet', organization_id: 'quiet', type: 'http', interval_seconds: 1, offset_ms: 0 },
    config: httpConfig({ url: `http://127.0.0.1:${hanging}/`, timeout_ms: 800 }),
  };
  const server = await probeServer(t, [quiet]);
  await startProbeProcess(t, { url: server.url, token: 'tok' });
  const verdicts = () =>
    server.stored.filter((r) => r.monitor_id === 'quiet' && r.failure_class === 'response_timeout');
  const ofFloods = () => server.stored.filter(({ monitor_id }) => monitor_id !== 'quiet');
  await server.until(() => verdicts().length > 0);

  server.announce({ monitors: Array.from({ length: FLOODS }, (_, i) => flooded(i, port)) });
  await server.until(() => ofFloods().length >= FLOODS);
  const before = verdicts().length;
  await server.until(() => verdicts().length >= before + VERDICTS);
  assert.deepEqual([...new Set(ofFloods().map(({ failure_class }) => failure_class))], ['answer_too_large']);
});
