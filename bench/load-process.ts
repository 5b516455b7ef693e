// Posts results as a probe would: batches to the real endpoint, several in flight, at full speed or at a given rate.
import { Agent, request } from 'node:http';
import type { FromLoad, LoadOrder } from './load.ts';

const say = (message: FromLoad) => void process.send?.(message);
process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // the benchmark ends it, in order
process.once('message', (order: LoadOrder) => {
  run(order).then(
    (done) => say(done),
    (error: unknown) => {
      process.stderr.write(`load: ${String(error)}\n`);
      process.exit(1);
    },
  );
});
say({ kind: 'ready' });

async function run(order: LoadOrder): Promise<FromLoad> {
  const agent = new Agent({ keepAlive: true, maxSockets: order.inFlight });
  const nextBody = bodies(order);
  const tookMs: number[] = [];
  let accepted = 0;
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + order.seconds * 1000;
  let sent = 0;

  const worker = async (): Promise<void> => {
    for (;;) {
      if (order.perSecond !== null) {
        const dueMs = startedAtMs + (sent / order.perSecond) * 1000;
        const waitMs = dueMs - performance.now();
        sent += order.batch;
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
      if (performance.now() >= endsAtMs) return;
      const body = nextBody();
      const postedAtMs = performance.now();
      // Not `+= await`: that reads the sum before the wait, and workers would overwrite each other's.
      const more = await post(order, agent, body);
      accepted += more;
      tookMs.push(performance.now() - postedAtMs);
    }
  };
  await Promise.all(Array.from({ length: order.inFlight }, worker));
  agent.destroy();
  return { kind: 'done', accepted, seconds: (performance.now() - startedAtMs) / 1000, tookMs };
}

/** Bodies of `batch` passing results; every (monitor, time) once, none of it in the future. */
function bodies({ monitorIds, batch, downEvery }: LoadOrder): () => string {
  const startedAtMs = Date.now();
  const heads = monitorIds.map((id) => `{"monitor_id":"${id}","checked_at_ms":`);
  const up =
    ',"status":"up","latency_ms":23,"response_code":200,"timings_ms":{"connect":1,"first_byte":21,"total":23}}';
  const down =
    ',"status":"down","latency_ms":23,"response_code":503,"failure_class":"http_status","cause_layer":"target_http","detail":"Answered 503; expected 200-299","timings_ms":{"connect":1,"first_byte":21,"total":23}}';
  let next = 0;
  return () => {
    const items: string[] = [];
    for (let i = 0; i < batch; i++) {
      const monitor = next % heads.length;
      const atMs = startedAtMs + Math.floor(next / heads.length);
      items.push(heads[monitor]! + atMs + (downEvery !== null && monitor % downEvery === 0 ? down : up));
      next += 1;
    }
    return `{"probe_id":"bench","results":[${items.join(',')}]}`;
  };
}

function post({ url, token }: LoadOrder, agent: Agent, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/probe/results`, {
      agent,
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      },
    });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (incoming.statusCode !== 200) return reject(new Error(`answered ${incoming.statusCode}: ${text}`));
        resolve((JSON.parse(text) as { accepted: number }).accepted);
      });
    });
    outgoing.end(body);
  });
}
