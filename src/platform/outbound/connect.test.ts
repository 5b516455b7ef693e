import assert from 'node:assert/strict';
import net from 'node:net';
import { type TestContext, test } from 'node:test';
import { authority, endOf, selfSigned } from '#test/harness/certificates.ts';
import { blackHole, closedPort, httpServer, httpsServer, tcpServer } from '#test/harness/listeners.ts';
import { type ConnectOptions, connect } from './connect.ts';
import { OutboundFailure } from './failures.ts';
import type { Address, Resolver } from './resolve.ts';

const OPEN = { allowPrivate: true };
const CLOSED = { allowPrivate: false };

const answering =
  (...addresses: string[]): Resolver =>
  async () =>
    addresses.map((address) => ({ address, family: net.isIP(address) }) as Address);

function options(given: Partial<ConnectOptions> & { port: number }): ConnectOptions {
  return {
    host: '127.0.0.1',
    family: 'auto',
    policy: OPEN,
    deadlineAtMs: performance.now() + 5_000,
    ...given,
  };
}

async function failure(given: Partial<ConnectOptions> & { port: number }): Promise<OutboundFailure> {
  try {
    const { socket } = await connect(options(given));
    socket.destroy();
  } catch (error) {
    assert.ok(error instanceof OutboundFailure, String(error));
    return error;
  }
  assert.fail('it connected');
}

async function succeeds(given: Partial<ConnectOptions> & { port: number }): Promise<string> {
  const { socket, address } = await connect(options(given));
  socket.destroy();
  return address;
}

const quiet = (t: TestContext) => tcpServer(t, () => undefined);

test('a name is resolved once, and the vetted address is connected', async (t) => {
  const port = await quiet(t);
  let asked = 0;
  const resolver: Resolver = async () => {
    asked += 1;
    return [{ address: asked === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }];
  };
  const { socket, address, timings } = await connect(options({ host: 'target.test', port, resolver }));
  socket.destroy();
  assert.equal(asked, 1);
  assert.equal(address, '127.0.0.1');
  assert.deepEqual(Object.keys(timings), ['dns', 'connect']);
});

test('private addresses are refused unless the region allows them, in every spelling', async (t) => {
  const port = await quiet(t);
  const spellings = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '64:ff9b::7f00:1', '0.0.0.0'];
  for (const host of spellings) {
    const { failureClass, layer } = await failure({ host, port, policy: CLOSED });
    assert.deepEqual([host, failureClass, layer], [host, 'blocked_target', 'probe']);
  }
});

test('a literal that the system would read as an address is judged by its resolution', async (t) => {
  const port = await quiet(t);
  for (const host of ['2130706433', '0177.0.0.1', '0x7f000001']) {
    const { failureClass, layer } = await failure({ host, port, policy: CLOSED });
    assert.ok(
      ['blocked_target', 'dns_nxdomain', 'dns_bad_name'].includes(failureClass),
      `${host} ${failureClass}`,
    );
    assert.ok(['probe', 'target_dns'].includes(layer));
  }
});

test('metadata and link-local addresses are refused even if private ones are allowed', async () => {
  for (const host of ['169.254.169.254', 'fe80::1', '::ffff:169.254.169.254', 'fd00:ec2::254']) {
    const { failureClass, message } = await failure({ host, port: 80 });
    assert.equal(failureClass, 'blocked_target');
    assert.match(message, /network policy/);
  }
});

test('one forbidden address among the answers is enough to refuse the name', async (t) => {
  const port = await quiet(t);
  const resolver = answering('127.0.0.1', '169.254.169.254');
  const { failureClass, message } = await failure({ host: 'mixed.test', port, resolver });
  assert.equal(failureClass, 'blocked_target');
  assert.match(message, /mixed\.test, which resolves to 169\.254\.169\.254/);
});

test('the next vetted address is tried if the first refuses', async (t) => {
  const port = await quiet(t);
  assert.equal(
    await succeeds({ host: 'two.test', port, resolver: answering('127.0.0.2', '127.0.0.1') }),
    '127.0.0.1',
  );
});

test('the next vetted address is tried in parallel if the first is silent', async (t) => {
  // A full accept queue leaves further connects unanswered, as a black hole does.
  const silent = await blackHole(t, '127.0.0.3');
  await tcpServerOn(t, '127.0.0.1', silent);
  const resolver = answering('127.0.0.3', '127.0.0.1');
  assert.equal(await succeeds({ host: 'slow.test', port: silent, resolver }), '127.0.0.1');
});

test('a closed port gives connect_refused', async () => {
  const port = await closedPort();
  const { failureClass, layer, message } = await failure({ port });
  assert.deepEqual([failureClass, layer], ['connect_refused', 'target_connect']);
  assert.equal(message, `127.0.0.1:${port} refused the connection`);
});

test('a black hole gives connect_timeout at the deadline', async (t) => {
  const port = await blackHole(t, '127.0.0.4');
  const { failureClass, layer } = await failure({
    host: '127.0.0.4',
    port,
    deadlineAtMs: performance.now() + 150,
  });
  assert.deepEqual([failureClass, layer], ['connect_timeout', 'target_connect']);
});

test('a silent resolver gives dns_timeout at the deadline', async () => {
  const { failureClass, layer } = await failure({
    host: 'silent.test',
    port: 80,
    resolver: () => new Promise(() => undefined),
    deadlineAtMs: performance.now() + 50,
  });
  assert.deepEqual([failureClass, layer], ['dns_timeout', 'target_dns']);
});

test('an abort ends a connect at once and blames nobody', async (t) => {
  const port = await blackHole(t, '127.0.0.5');
  const stop = new AbortController();
  const ending = failure({ host: '127.0.0.5', port, signal: stop.signal });
  stop.abort();
  const { failureClass, layer } = await ending;
  assert.deepEqual([failureClass, layer], ['aborted', 'probe']);
});

test('a literal of the other address family is a configuration error', async () => {
  const { failureClass, layer } = await failure({ family: '6', port: 80 });
  assert.deepEqual([failureClass, layer], ['invalid_config', 'probe']);
});

test('a trusted certificate is accepted and timed', async (t) => {
  const ca = await authority();
  const port = await httpsServer(t, await ca.issue(), (_, response) => response.end());
  const { socket, secure, timings } = await connect(options({ port, tls: { verify: true, caPem: ca.cert } }));
  socket.destroy();
  assert.equal(secure, socket);
  assert.deepEqual(Object.keys(timings), ['connect', 'tls']);
});

test('each certificate fault has its own class and message', async (t) => {
  const ca = await authority();
  const expired = await ca.issue({ fromDays: -30, untilDays: -2 });
  const cases = [
    [expired, 'tls_expired', new RegExp(`expired on ${endOf(expired)}`)],
    [await ca.issue({ fromDays: 2 }), 'tls_not_yet_valid', /not valid before \d{4}-/],
    [
      await ca.issue({ names: ['a.test', 'b.test'] }),
      'tls_hostname_mismatch',
      /for a\.test, b\.test, not for 127/,
    ],
    [await selfSigned(), 'tls_self_signed', /self-signed/],
    [await (await authority('Other')).issue(), 'tls_untrusted', /\(Other\) is not trusted/],
  ] as const;
  for (const [issued, expectedClass, expectedDetail] of cases) {
    const port = await httpsServer(t, issued, (_, response) => response.end());
    const { failureClass, layer, message } = await failure({ port, tls: { verify: true, caPem: ca.cert } });
    assert.deepEqual([failureClass, layer], [expectedClass, 'target_tls']);
    assert.match(message, expectedDetail);
    assert.equal(await succeeds({ port, tls: { verify: false } }), '127.0.0.1', 'verify false accepts it');
  }
});

test('server_name is requested and verified instead of the host', async (t) => {
  const ca = await authority();
  let asked: string | undefined;
  const issued = await ca.issue({ names: ['inner.test'] });
  const port = await httpsServer(
    t,
    {
      ...issued,
      SNICallback(name, done) {
        asked = name;
        done(null);
      },
    },
    (_, response) => response.end(),
  );
  await succeeds({ port, tls: { verify: true, caPem: ca.cert, serverName: 'inner.test' } });
  assert.equal(asked, 'inner.test');
});

test('a plain-text port asked for TLS gives its own class', async (t) => {
  const port = await httpServer(t, (_, response) => response.end());
  const { failureClass, layer, message } = await failure({ port, tls: { verify: true } });
  assert.deepEqual([failureClass, layer], ['tls_handshake', 'target_tls']);
  assert.match(message, /plain-text port|handshake/);
});

test('a handshake that never ends gives tls_timeout', async (t) => {
  const port = await quiet(t);
  const { failureClass, layer } = await failure({
    port,
    tls: { verify: true },
    deadlineAtMs: performance.now() + 100,
  });
  assert.deepEqual([failureClass, layer], ['tls_timeout', 'target_tls']);
});

test('a connection closed during the handshake is a failed handshake', async (t) => {
  const port = await tcpServer(t, (socket) => socket.destroy());
  const { failureClass, layer } = await failure({ port, tls: { verify: true } });
  assert.deepEqual([failureClass, layer], ['tls_handshake', 'target_tls']);
});

test('unreadable key material is a configuration error and is not shown', async (t) => {
  const port = await quiet(t);
  const { failureClass, layer, message } = await failure({
    port,
    tls: { verify: true, clientCertPem: 'not a pem', clientKeyPem: 'secret text' },
  });
  assert.deepEqual([failureClass, layer], ['invalid_config', 'probe']);
  assert.doesNotMatch(message, /secret text/);
});

async function tcpServerOn(t: TestContext, host: string, port: number): Promise<void> {
  const server = net.createServer((socket) => socket.destroy());
  t.after(() => new Promise((resolve) => server.close(resolve)));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
}

test('a name with a final dot is asked for without it, as servers demand', async (t) => {
  const ca = await authority();
  const issued = await ca.issue({ names: ['shop.test'] });
  const asked: string[] = [];
  const SNICallback = (name: string, done: (error: Error | null) => void) => {
    asked.push(name);
    done(name.endsWith('.') ? new Error('no name ends with a dot') : null);
  };
  const port = await httpsServer(t, { ...issued, SNICallback }, (_, response) => response.end());
  const resolver = answering('127.0.0.1');
  const tls = { verify: true, caPem: ca.cert };
  await succeeds({ port, host: 'shop.test.', resolver, tls });
  await succeeds({ port, tls: { ...tls, serverName: 'shop.test.' } });
  assert.deepEqual(asked, ['shop.test', 'shop.test']);
});
