import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Judgement } from '#src/probe-protocol/contract.ts';
import { type Authority, selfSigned } from '#test/harness/certificates.ts';
import { blackHole, closedPort, httpServer, httpsServer, tcpServer } from '#test/harness/listeners.ts';
import { checkOnce, wordsOf } from '#test/harness/one-check.ts';
import { trustedAuthority } from '#test/harness/trust.ts';

const HOST = { host: '127.0.0.1' };
let ca: Authority;
before(async () => {
  ca = await trustedAuthority();
});

test('a port that accepts connections is up, with its phases', async (t) => {
  const port = await tcpServer(t, () => undefined);
  const seen = await checkOnce('tcp', { ...HOST, port });
  assert.equal(seen.status, 'up');
  assert.deepEqual(Object.keys(seen.timings_ms ?? {}), ['connect', 'total']);
  assert.equal(seen.latency_ms, seen.timings_ms?.total);
});

test('the answer to the sent text is searched for the expected one', async (t) => {
  const port = await tcpServer(t, (socket) => {
    socket.on('data', (data) => socket.write(`you said ${data}`));
  });
  const config = { ...HOST, port, send: 'PING\r\n' };
  const seen = await checkOnce('tcp', { ...config, expect: 'said PING' });
  assert.equal(seen.status, 'up');
  assert.ok((seen.timings_ms?.first_byte ?? -1) >= 0);
});

test('an expected text may come in pieces, and be in any of the first 4096 bytes', async (t) => {
  const port = await tcpServer(t, (socket) => {
    socket.write('x'.repeat(4090));
    setTimeout(() => socket.write('NEED'), 5);
    setTimeout(() => socket.write('LEyyyy'), 10);
  });
  assert.equal((await checkOnce('tcp', { ...HOST, port, expect: 'NEEDLE' })).status, 'up');
  const late = await checkOnce('tcp', { ...HOST, port, expect: 'NEEDLEy' });
  assert.equal(wordsOf(late), 'down answer_mismatch target_app');
  assert.match(late.detail ?? '', /first 4096 bytes .* do not contain/);
});

test('another answer followed by a close is a mismatch at once, not a timeout', async (t) => {
  const port = await tcpServer(t, (socket) => socket.end('SSH-2.0-x'));
  const seen = await checkOnce('tcp', { ...HOST, port, expect: '220' });
  assert.equal(wordsOf(seen), 'down answer_mismatch target_app');
  assert.ok((seen.latency_ms ?? 9999) < 2_000);
  assert.doesNotMatch(seen.detail ?? '', /SSH/, 'what a server says is not in a stored detail');
});

test('each kind of missing answer has its own class', async (t) => {
  const silent = await tcpServer(t, () => undefined);
  const closing = await tcpServer(t, (socket) => socket.end());
  const resetting = await tcpServer(t, (socket) => {
    socket.once('data', () => socket.resetAndDestroy());
  });
  const dripping = await tcpServer(t, (socket) => {
    const drip = setInterval(() => socket.write('.'), 10);
    socket.once('close', () => clearInterval(drip));
  });
  const cases = [
    [{ port: silent }, 'down answer_timeout target_app'],
    [{ port: closing }, 'down connection_closed target_app'],
    [{ port: resetting, send: 'x' }, 'down connection_reset target_app'],
    [{ port: dripping }, 'down answer_mismatch target_app'],
    [{ port: await closedPort() }, 'down connect_refused target_connect'],
    [{ host: '127.0.0.9', port: await blackHole(t, '127.0.0.9') }, 'down connect_timeout target_connect'],
    [{ host: 'none.test', port: 1 }, 'down dns_nxdomain target_dns'],
  ] as const;
  const resolver = async () => {
    const { OutboundFailure } = await import('#src/platform/outbound/failures.ts');
    throw new OutboundFailure('dns_nxdomain', 'target_dns', 'The name does not exist');
  };
  for (const [given, expected] of cases) {
    const config = { ...HOST, expect: 'ready', timeout_ms: 1_500, ...given };
    const seen = await checkOnce('tcp', config, { resolver });
    assert.equal(wordsOf(seen), expected, JSON.stringify(given));
    assert.ok((seen.latency_ms ?? 0) < 3_000, 'ends with the deadline');
  }
});

test('a server that never stops talking is cut off at 4 KiB', async (t) => {
  let sent = 0;
  const port = await tcpServer(t, (socket) => {
    const chunk = Buffer.alloc(65_536);
    const more = () => {
      while (!socket.destroyed && socket.write(chunk)) sent += chunk.length;
    };
    socket.on('drain', more);
    more();
  });
  const seen = await checkOnce('tcp', { ...HOST, port, expect: 'ready' });
  assert.equal(wordsOf(seen), 'down answer_mismatch target_app');
  assert.ok(sent < 32 * 1024 * 1024, `${sent} bytes were taken`);
});

test('TLS is used if the config says so, and its certificate is verified', async (t) => {
  const good = await httpsServer(t, await ca.issue(), (_, response) => response.end('hello'));
  const bad = await httpsServer(t, await selfSigned(), (_, response) => response.end());
  const plain = await httpServer(t, (_, response) => response.end());
  const send = 'GET / HTTP/1.0\r\n\r\n';
  const seen = await checkOnce('tcp', { ...HOST, port: good, tls: true, send, expect: 'hello' });
  assert.equal(seen.status, 'up', String(seen.detail));
  assert.deepEqual(Object.keys(seen.timings_ms ?? {}), ['connect', 'tls', 'first_byte', 'total']);
  assert.equal(
    wordsOf(await checkOnce('tcp', { ...HOST, port: bad, tls: true })),
    'down tls_self_signed target_tls',
  );
  assert.equal(
    wordsOf(await checkOnce('tcp', { ...HOST, port: plain, tls: true })),
    'down tls_handshake target_tls',
  );
});

test('a slow check is degraded, never down', async (t) => {
  const port = await tcpServer(t, (socket) => {
    setTimeout(() => socket.write('ready'), 30);
  });
  const seen = await checkOnce('tcp', { ...HOST, port, expect: 'ready', degraded_after_ms: 5 });
  assert.equal(wordsOf(seen), 'degraded slow target_app');
  assert.match(seen.detail ?? '', /degraded after 5 ms/);
});

test('a region without private targets connects to none, by address or by name', async (t) => {
  let connections = 0;
  const port = await tcpServer(t, () => {
    connections += 1;
  });
  const context = {
    policy: { allowPrivate: false },
    resolver: async () => [{ address: '127.0.0.1', family: 4 as const }],
  };
  for (const host of ['127.0.0.1', '[::1]', 'inside.test'])
    assert.equal(wordsOf(await checkOnce('tcp', { host, port }, context)), 'down blocked_target probe', host);
  assert.equal(connections, 0);
});

test('a cancelled check ends at once and blames nobody', async (t) => {
  const port = await tcpServer(t, () => undefined);
  const stop = new AbortController();
  const checking = checkOnce('tcp', { ...HOST, port, expect: 'x' }, { signal: stop.signal });
  setTimeout(() => stop.abort(), 30);
  const seen = await checking;
  assert.equal(wordsOf(seen), 'down aborted probe');
  assert.ok((seen.latency_ms ?? 9999) < 1_000);
});

test('a check on demand gets every assertion', async (t) => {
  const port = await tcpServer(t, (socket) => socket.write('220 ready\r\n'));
  const judgements: Judgement[] = [];
  const config = { ...HOST, port, expect: 'goodbye', timeout_ms: 1_000, degraded_after_ms: 800 };
  await checkOnce('tcp', config, { judged: (one) => judgements.push(one) });
  assert.deepEqual(
    judgements.map(({ what, ok }) => [what, ok]),
    [
      ['Connection', true],
      ['Answer', false],
    ],
  );
  assert.equal(judgements[1]?.actual, '220 ready');
});
