// Receives webhooks and counts them: reads each completely, answers 204, and reports when the expected number has arrived.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FromHooks, ToHooks } from './hooks.ts';

const nowMs = () => performance.timeOrigin + performance.now();
const say = (message: FromHooks) => void process.send?.(message);

let left = 0;
let firstAtMs = 0;
let body = '';

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    response.writeHead(204).end();
    if (firstAtMs === 0) {
      firstAtMs = nowMs();
      body = Buffer.concat(chunks).toString('utf8');
    }
    left -= 1;
    if (left === 0) say({ kind: 'arrived', firstAtMs, lastAtMs: nowMs(), body });
  });
});

process.on('message', ({ howMany }: ToHooks) => {
  left = howMany;
  firstAtMs = 0;
});
process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // the benchmark ends it, in order
server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () =>
  say({ kind: 'ready', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
);
