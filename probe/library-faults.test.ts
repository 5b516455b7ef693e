import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { tcpServer } from '../test/harness/listeners.ts';
import { wholeConfig } from '../test/harness/one-check.ts';
import { startProbeProcess } from '../test/harness/probe-process.ts';
import { probeServer } from '../test/harness/probe-server.ts';
import { isLibraryFault } from './library-faults.ts';

test('a target that makes a client library throw outside any handler does not end the probe', async (t) => {
  const port = await tcpServer(t, (socket) => {
    // Unrequested and empty answers: the library fails on them in a turn of its own.
    socket.on('error', () => undefined).on('data', () => socket.write('$-1\r\n*-1\r\n$-1\r\n'));
  });
  const config = wholeConfig('database', { engine: 'redis', host: '127.0.0.1', port, timeout_ms: 800 });
  const monitor = { monitor_id: 'mon_1', type: 'database', config, interval_seconds: 1, offset_ms: 0 };
  const server = await probeServer(t, [monitor]);
  const probe = await startProbeProcess(t, { url: server.url, token: 'token' });
  await Promise.race([server.until(() => server.stored.length >= 2), once(probe.process, 'exit')]);
  assert.equal(probe.process.exitCode, null);
  assert.match(probe.log(), /A client library failed on data from a target/);
});

test('a target cannot write to the probe’s log through a library’s output', async (t) => {
  const port = await tcpServer(t, (socket) => {
    // Packets out of order: mysql2 prints a line for each.
    socket.on('error', () => undefined).write(Buffer.from([1, 0, 0, 5, 0, 1, 0, 0, 9, 0]));
  });
  const config = wholeConfig('database', { engine: 'mysql', host: '127.0.0.1', port, timeout_ms: 800 });
  const monitor = { monitor_id: 'mon_1', type: 'database', config, interval_seconds: 1, offset_ms: 0 };
  const server = await probeServer(t, [monitor]);
  const probe = await startProbeProcess(t, { url: server.url, token: 'token' });
  await server.until(() => server.stored.length >= 2);
  assert.doesNotMatch(probe.log(), /out of order/);
});

test('the process survives only exceptions thrown inside a client library', () => {
  const thrown = (...frames: string[]) =>
    Object.assign(new Error('x'), { stack: ['Error: x', ...frames.map((at) => `    at ${at}`)].join('\n') });
  const library = 'parse (/app/node_modules/pg-protocol/dist/parser.js:1:1)';
  const ours = 'deliver (/app/probe/delivery.ts:1:1)';
  assert.equal(isLibraryFault(thrown(library, ours)), true);
  assert.equal(isLibraryFault(thrown('readInt32BE (node:internal/buffer:1:1)', library)), true);
  assert.equal(isLibraryFault(thrown(ours, library)), false);
  assert.equal(isLibraryFault(thrown('f (/app/node_modules/tinyqueue/index.js:1:1)')), false);
  assert.equal(isLibraryFault('a text'), false);
});
