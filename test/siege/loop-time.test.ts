// Monitors of one organization keep a probe's main loop busy: another one still gets the results of its target that hangs.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Assignment } from '#src/probe-protocol/contract.ts';
import { httpConfig } from '../harness/http-check.ts';
import { tcpServer } from '../harness/listeners.ts';
import { startProbeProcess } from '../harness/probe-process.ts';
import { probeServer } from '../harness/probe-server.ts';
import type { FloodPorts } from './loop-flood-process.ts';
import { scaled, WHOLE } from './scale.ts';

const FLOODS = scaled(60, 100);
const JUDGED = scaled(30, 60);
const VERDICTS = scaled(3, 60);

async function floods(t: TestContext): Promise<FloodPorts> {
  const child = fork(join(import.meta.dirname, 'loop-flood-process.ts'));
  t.after(() => child.kill('SIGKILL'));
  const [ports] = (await once(child, 'message')) as [FloodPorts];
  return ports;
}

const ofNoisy = { organization_id: 'noisy', interval_seconds: 1 };

/** One of several monitors that are spread over their second. */
const grpc = (i: number, count: number, port: number): Assignment => ({
  ...{ ...ofNoisy, monitor_id: `grpc${i}`, type: 'grpc', offset_ms: Math.floor((i * 1_000) / count) },
  config: {
    ...{ host: '127.0.0.1', port, tls: false, service: '', metadata: {}, ip_family: 'auto' },
    ...{ timeout_ms: 10_000, degraded_after_ms: null },
  },
});

/** The path evaluates the number of all members for each of 100,000 members. */
const judged = (i: number, port: number): Assignment => ({
  ...{ ...ofNoisy, monitor_id: `json${i}`, type: 'http', offset_ms: Math.floor((i * 1_000) / JUDGED) },
  config: httpConfig({
    url: `http://127.0.0.1:${port}/`,
    max_body_bytes: 4_194_304,
    json_assertions: [{ path: '$[?@.a == count($[*])]', op: 'exists', value: null }],
    timeout_ms: 10_000,
  }),
});

/** A probe with a monitor of another organization whose target hangs, and that monitor's results so far. */
async function besideQuiet(t: TestContext) {
  const hanging = await tcpServer(t, (socket) => void socket.on('error', () => undefined).resume());
  const server = await probeServer(t, [
    {
      ...{ monitor_id: 'quiet', organization_id: 'quiet', type: 'http', interval_seconds: 1, offset_ms: 0 },
      config: httpConfig({ url: `http://127.0.0.1:${hanging}/`, timeout_ms: 800 }),
    },
  ]);
  await startProbeProcess(t, { url: server.url, token: 'tok' });
  const ofQuiet = () => server.stored.filter(({ monitor_id }) => monitor_id === 'quiet');
  const verdicts = () => ofQuiet().filter(({ failure_class }) => failure_class === 'response_timeout');
  const ofFloods = () => server.stored.filter(({ monitor_id }) => monitor_id !== 'quiet');
  await server.until(() => verdicts().length > 0);
  return { server, ofQuiet, verdicts, ofFloods };
}

test('monitors that keep the loop busy do not hide a hanging target of another organization', {
  timeout: scaled(60_000, 300_000),
}, async (t) => {
  const { windowUpdates } = await floods(t);
  const { server, verdicts, ofFloods } = await besideQuiet(t);
  server.announce({ monitors: Array.from({ length: FLOODS }, (_, i) => grpc(i, FLOODS, windowUpdates)) });
  await server.until(() => ofFloods().length >= FLOODS);
  const before = verdicts().length;
  await server.until(() => verdicts().length >= before + VERDICTS);
  // Deferred checks say so; completed ones are reported as they are.
  const made = ofFloods().filter(({ cause_layer }) => cause_layer !== 'probe');
  assert.deepEqual([...new Set(made.map(({ failure_class }) => failure_class))], ['answer_too_large']);
});

test('monitors that keep loop and assertion threads busy do not affect another organization’s verdicts', {
  timeout: scaled(60_000, 300_000),
}, async (t) => {
  const { messages, json } = await floods(t);
  const { server, ofQuiet, verdicts, ofFloods } = await besideQuiet(t);
  server.announce({
    monitors: [
      ...Array.from({ length: JUDGED }, (_, i) => judged(i, json)),
      ...Array.from({ length: JUDGED }, (_, i) => grpc(i, JUDGED, messages)),
    ],
  });
  await server.until(() => ofFloods().length >= JUDGED);
  const [beganMs, before] = [performance.now(), verdicts().length];
  await server.until(() => verdicts().length >= before + VERDICTS);
  const seconds = (performance.now() - beganMs) / 1_000;
  const unknowns = ofQuiet().filter(({ failure_class }) => failure_class === 'probe_busy').length;
  t.diagnostic(`${VERDICTS} verdicts in ${seconds.toFixed(1)} s, ${unknowns} times that nobody knows`);
  const layers = new Set(ofFloods().map(({ cause_layer }) => cause_layer));
  assert.ok(layers.has('probe'), 'what could not be judged is no outage');
  if (WHOLE) assert.ok(seconds < 1.5 * VERDICTS, `${VERDICTS} verdicts took ${seconds} s`);
});
