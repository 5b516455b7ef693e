// The baseline of deliveries: the same bytes posted with node:http, with the same concurrency, and nothing stored.
import { Agent, request } from 'node:http';
import type { BarePostsOrder } from './deliveries.ts';

process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // the benchmark ends it, in order
process.once('message', (order: BarePostsOrder) => {
  run(order).then(
    () => process.send?.({ kind: 'done' }),
    (error: unknown) => {
      process.stderr.write(`bare posts: ${String(error)}\n`);
      process.exit(1);
    },
  );
});

async function run({ url, body, howMany, atOnce }: BarePostsOrder): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  let left = howMany;
  const worker = async () => {
    while (left-- > 0) await post(url, agent, body);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  agent.destroy();
}

function post(url: string, agent: Agent, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const outgoing = request(url, { agent, method: 'POST', headers }, (incoming) => {
      incoming.on('data', () => undefined);
      incoming.on('end', resolve);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
