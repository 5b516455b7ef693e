// The baseline of checks: a loop that fetches, with a fresh connection each time, and keeps nothing.
import { get } from 'node:http';
import net from 'node:net';
import type { BareChecksDone, BareChecksOrder } from './checks.ts';

process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // the benchmark ends it, in order
process.once('message', async (order: BareChecksOrder) => {
  const fetchOnce = order.how === 'node:http' ? overHttp : overSocket;
  const url = new URL(order.url);
  let left = order.checks;
  const worker = async () => {
    while (left-- > 0) await fetchOnce(url);
  };
  const warmUp = order.checks / 10;
  left = warmUp;
  await Promise.all(Array.from({ length: order.atOnce }, worker));
  left = order.checks;
  const cpuBefore = process.cpuUsage();
  const startedAtMs = performance.now();
  await Promise.all(Array.from({ length: order.atOnce }, worker));
  const seconds = (performance.now() - startedAtMs) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const done: BareChecksDone = { kind: 'done', cpuSeconds: (user + system) / 1e6, seconds };
  process.send?.(done);
});

function overHttp(url: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (incoming) => {
      if (incoming.statusCode !== 200) reject(new Error(`answered ${incoming.statusCode}`));
      incoming.on('data', () => undefined);
      incoming.on('end', resolve);
    }).on('error', reject);
  });
}

function overSocket(url: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    let text = '';
    socket.write(`GET ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: close\r\n\r\n`);
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('end', () =>
      text.startsWith('HTTP/1.1 200 ') ? resolve() : reject(new Error('answered something else')),
    );
  });
}
