import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { checkOnce, wordsOf } from '#test/harness/one-check.ts';

type Answering = (message: Buffer, answer: (data: Buffer | string) => void) => void;

/** A UDP service; returns its port. */
async function udpServer(
  t: TestContext,
  onMessage: Answering,
  type: 'udp4' | 'udp6' = 'udp4',
): Promise<number> {
  const socket = createSocket(type);
  t.after(() => new Promise<void>((resolve) => socket.close(resolve)));
  socket.on('message', (message, from) =>
    onMessage(message, (data) => socket.send(data, from.port, from.address)),
  );
  await new Promise<void>((resolve) => socket.bind(0, type === 'udp4' ? '127.0.0.1' : '::1', resolve));
  return (socket.address() as AddressInfo).port;
}

const echo: Answering = (message, answer) => answer(Buffer.concat([Buffer.from('echo '), message]));

test('without an expected text any answer passes', async (t) => {
  const port = await udpServer(t, echo);
  const seen = await checkOnce('udp', { host: '127.0.0.1', port, payload: 'hi' });
  assert.equal(seen.status, 'up');
  assert.ok((seen.timings_ms?.first_byte ?? -1) >= 0);
});

test('payload and expected text are decoded as the config says', async (t) => {
  const received: string[] = [];
  const port = await udpServer(t, (message, answer) => {
    received.push(message.toString('hex'));
    answer(message);
  });
  const cases = [
    { encoding: 'text', payload: 'é', expect: 'é' },
    { encoding: 'hex', payload: 'FF00aa', expect: '00AA' },
    { encoding: 'base64', payload: '/wCq', expect: 'AKo=' },
  ];
  for (const given of cases)
    assert.equal(
      (await checkOnce('udp', { host: '127.0.0.1', port, ...given })).status,
      'up',
      given.encoding,
    );
  assert.deepEqual(received, ['c3a9', 'ff00aa', 'ff00aa']);
});

test('an answer without the expected text is a mismatch at once', async (t) => {
  const port = await udpServer(t, echo);
  const seen = await checkOnce('udp', { host: '127.0.0.1', port, payload: 'hi', expect: 'pong' });
  assert.equal(wordsOf(seen), 'down answer_mismatch target_app');
  assert.ok((seen.latency_ms ?? 9999) < 1_000);
});

test('silence is no answer; a closed port is refused', async (t) => {
  const silent = await udpServer(t, () => undefined);
  const gone = createSocket('udp4');
  await new Promise<void>((resolve) => gone.bind(0, '127.0.0.1', resolve));
  const { port: closed } = gone.address() as AddressInfo;
  await new Promise<void>((resolve) => gone.close(resolve));
  const config = { host: '127.0.0.1', payload: 'hi', timeout_ms: 150 };
  assert.equal(wordsOf(await checkOnce('udp', { ...config, port: silent })), 'down no_answer target_app');
  assert.equal(
    wordsOf(await checkOnce('udp', { ...config, port: closed })),
    'down connect_refused target_connect',
  );
});

test('the second address is used if the first refuses', async (t) => {
  const port = await udpServer(t, echo, 'udp6');
  const resolver = async () => [
    { address: '127.0.0.1', family: 4 as const },
    { address: '::1', family: 6 as const },
  ];
  assert.equal(
    (await checkOnce('udp', { host: 'two.test', port, payload: 'hi' }, { resolver })).status,
    'up',
  );
});

test('an answer from another address is ignored', async (t) => {
  const stranger = createSocket('udp4');
  t.after(() => new Promise<void>((resolve) => stranger.close(resolve)));
  const socket = createSocket('udp4');
  t.after(() => new Promise<void>((resolve) => socket.close(resolve)));
  socket.on('message', (_, from) => stranger.send('forged', from.port, from.address));
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address() as AddressInfo;
  const seen = await checkOnce('udp', { host: '127.0.0.1', port, payload: 'hi', timeout_ms: 150 });
  assert.equal(wordsOf(seen), 'down no_answer target_app');
});

test('a region without private targets sends nothing there, by address or by name', async (t) => {
  let received = 0;
  const port = await udpServer(t, () => {
    received += 1;
  });
  const context = {
    policy: { allowPrivate: false },
    resolver: async () => [{ address: '127.0.0.1', family: 4 as const }],
  };
  for (const host of ['127.0.0.1', 'inside.test'])
    assert.equal(
      wordsOf(await checkOnce('udp', { host, port, payload: 'x' }, context)),
      'down blocked_target probe',
    );
  assert.equal(received, 0);
});

test('a cancelled check ends at once', async (t) => {
  const port = await udpServer(t, () => undefined);
  const stop = new AbortController();
  const checking = checkOnce('udp', { host: '127.0.0.1', port, payload: 'x' }, { signal: stop.signal });
  setTimeout(() => stop.abort(), 20);
  assert.equal(wordsOf(await checking), 'down aborted probe');
});
