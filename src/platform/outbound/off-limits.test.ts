import assert from 'node:assert/strict';
import type net from 'node:net';
import { test } from 'node:test';
import { httpServer } from '#test/harness/listeners.ts';
import { connect } from './connect.ts';
import { OutboundFailure } from './failures.ts';
import { offLimits } from './off-limits.ts';
import { request } from './request.ts';

for (const [url, address, port, is] of [
  ['http://127.0.0.1:2019', '127.0.0.1', 2019, true],
  ['http://127.0.0.1:2019', '127.0.0.1', 2020, false],
  ['http://127.0.0.1:2019', '127.9.9.9', 2019, true],
  ['http://127.0.0.1:2019', '::1', 2019, true],
  ['http://127.0.0.1:2019', '::ffff:127.0.0.1', 2019, true],
  ['http://127.0.0.1:2019', '0.0.0.0', 2019, true],
  ['http://localhost:2019', '::1', 2019, true],
  ['http://127.0.0.1:2019', '10.0.0.1', 2019, false],
  ['http://10.0.0.1:2019', '10.0.0.1', 2019, true],
  ['http://10.0.0.1:2019', '10.0.0.2', 2019, false],
  ['http://caddy:2019', '172.18.0.3', 2019, true],
  ['http://caddy:2019', '192.0.2.1', 80, false],
  ['http://caddy:2019', '8.8.8.8', 2019, false],
  ['https://10.0.0.1', '10.0.0.1', 443, true],
  ['http://[fd00::1]:2019', 'fd00::1', 2019, true],
] as const)
  test(`${address} at ${port} is ${is ? '' : 'not '}off limits with ${url}`, () => {
    assert.equal(offLimits([url])(address, port), is);
  });

test('nobody connects to an off-limits address, even if private addresses are allowed', async (t) => {
  const asked: string[] = [];
  const port = await httpServer(t, ({ url = '' }, response) => {
    asked.push(url);
    response.end('ok');
  });
  const url = `http://127.0.0.1:${port}`;
  const ruling = { allowPrivate: true };
  const ruled = { allowPrivate: true, isOffLimits: offLimits([url]) };
  const isBlocked = (error: unknown) =>
    error instanceof OutboundFailure && error.failureClass === 'blocked_target';
  const at = { host: '127.0.0.1', port, family: 'auto', isTame: true, policy: ruled } as const;
  const connecting: Promise<{ socket: net.Socket }> = connect({
    ...at,
    deadlineAtMs: performance.now() + 5_000,
  });
  await assert.rejects(connecting, isBlocked);
  // The caller that may reach the address keeps the connection alive; no other caller may reuse it.
  const headers = {};
  await request({ url: `${url}/mine`, headers, policy: ruling });
  await assert.rejects(request({ url: `${url}/theirs`, headers, policy: ruled }), isBlocked);
  assert.deepEqual(asked, ['/mine']);
});
