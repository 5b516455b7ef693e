// Sends requests over kept connections, several in flight, and times each to its last byte.
import { Agent, request } from 'node:http';
import type { FromRequests, RequestsOrder } from './requests.ts';

const say = (message: FromRequests) => void process.send?.(message);
process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // the benchmark ends it, in order
process.once('message', (order: RequestsOrder) => {
  run(order).then(
    (done) => say(done),
    (error: unknown) => {
      process.stderr.write(`requests: ${String(error)}\n`);
      process.exit(1);
    },
  );
});
say({ kind: 'ready' });

async function run(order: RequestsOrder): Promise<FromRequests> {
  const agent = new Agent({ keepAlive: true, maxSockets: order.inFlight });
  const tookMs: number[] = [];
  let bytes = 0;
  let next = 0;
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + order.seconds * 1000;
  const worker = async (): Promise<void> => {
    while (performance.now() < endsAtMs) {
      const turn = next++ % order.requests.length;
      const sentAtMs = performance.now();
      const read = await send(order, turn, agent);
      bytes += read;
      tookMs.push(performance.now() - sentAtMs);
    }
  };
  await Promise.all(Array.from({ length: order.inFlight }, worker));
  agent.destroy();
  const seconds = (performance.now() - startedAtMs) / 1000;
  return { kind: 'done', answered: tookMs.length, bytes, seconds, tookMs };
}

function send({ url, requests, status }: RequestsOrder, turn: number, agent: Agent): Promise<number> {
  const { method, path, headers, body } = requests[turn]!;
  return new Promise((resolve, reject) => {
    const outgoing = request(url + path, { agent, method, headers });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      let bytes = 0;
      incoming.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      incoming.on('end', () => {
        if (incoming.statusCode === status) resolve(bytes);
        else reject(new Error(`${method} ${path} answered ${incoming.statusCode}`));
      });
    });
    outgoing.end(body);
  });
}
