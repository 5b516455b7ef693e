// Stands for many agents at once: single heartbeats at a given rate or at full speed, the buffered ones of a day, or, as the
// baseline, bare rows into a table like that of readings.
import { Agent, request } from 'node:http';
import pg from 'pg';
import type { BeatDone, BeatOrder } from './agents.ts';

const MINUTE_MS = 60_000;

process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // the benchmark ends it, in order
process.on('message', (order: BeatOrder) => {
  run(order).then(
    (done) => process.send?.(done),
    (error: unknown) => {
      process.stderr.write(`heartbeats: ${String(error)}\n`);
      process.exit(1);
    },
  );
});
process.send?.({ kind: 'ready' });

type Send = (no: number) => Promise<number>;

async function run(order: BeatOrder): Promise<BeatDone> {
  const agent = new Agent({ keepAlive: true, maxSockets: order.inFlight });
  const pool =
    order.mode === 'bare' ? new pg.Pool({ connectionString: order.databaseUrl, max: order.inFlight }) : null;
  const send: Send = pool ? bare(pool) : order.mode === 'kept' ? kept(order, agent) : single(order, agent);
  const tookMs: number[] = [];
  let heartbeats = 0;
  let next = 0;
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + order.seconds * 1000;
  const worker = async (): Promise<void> => {
    for (;;) {
      const no = next++;
      if (no >= order.posts) return;
      if (order.perSecond !== null) {
        const waitMs = startedAtMs + (no / order.perSecond) * 1000 - performance.now();
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
      }
      if (performance.now() >= endsAtMs) return;
      const postedAtMs = performance.now();
      const more = await send(no);
      heartbeats += more;
      tookMs.push(performance.now() - postedAtMs);
    }
  };
  await Promise.all(Array.from({ length: order.inFlight }, worker));
  agent.destroy();
  await pool?.end();
  return { kind: 'done', heartbeats, seconds: (performance.now() - startedAtMs) / 1000, tookMs };
}

const readings = (no: number) => ({
  cpu_pct: (no * 7919) % 80,
  mem_pct: 40 + (no % 20),
  disk_pct: 61.5,
  swap_pct: 0,
  load1: 0.42,
  load5: 0.4,
  load15: 0.38,
  net_rx_bps: 120_000 + no,
  net_tx_bps: 45_000 + no,
  temp_c: 48,
  uptime_seconds: 900_000,
  disks: [
    { mount: '/', pct: 61.5 },
    { mount: '/var', pct: 33.25 },
  ],
});

const heartbeat = (no: number, ms: number) => ({
  sent_at_ms: ms,
  agent_version: '0.1.0',
  modules: ['cpu', 'memory', 'disk', 'network', 'load', 'services'],
  readings: readings(no),
});

function single({ url, credentials }: BeatOrder, agent: Agent): Send {
  return async (no) => {
    await post(
      `${url}/agent/heartbeat`,
      credentials[no % credentials.length]!,
      agent,
      heartbeat(no, Date.now()),
    );
    return 1;
  };
}

/** A day of heartbeats of every agent, in posts of `kept`, oldest first. */
function kept({ url, credentials, kept: size }: BeatOrder, agent: Agent): Send {
  const posts = Math.ceil(1_440 / size);
  return async (no) => {
    const part = Math.floor(no / credentials.length);
    const first = part * size;
    const count = Math.min(size, 1_440 - first);
    const nowMs = Date.now();
    const heartbeats = Array.from({ length: count }, (_, i) =>
      heartbeat(no + i, nowMs - (1_440 - first - i) * MINUTE_MS),
    );
    if (part >= posts) return 0;
    await post(`${url}/agent/heartbeat`, credentials[no % credentials.length]!, agent, {
      sent_at_ms: nowMs,
      heartbeats,
    });
    return count;
  };
}

function bare(pool: pg.Pool): Send {
  return async (no) => {
    const { disks, uptime_seconds: _, ...values } = readings(no);
    const now = Date.now();
    await pool.query({
      name: 'bare',
      text: `INSERT INTO bench_bare_readings VALUES (to_timestamp($1::float8 / 1000), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      values: [now, now, no, ...Object.values(values), JSON.stringify(disks)],
    });
    return 1;
  };
}

function post(url: string, credential: string, agent: Agent, body: object): Promise<void> {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    };
    const outgoing = request(url, { agent, method: 'POST', headers });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        if (incoming.statusCode === 200) return resolve();
        // As an agent would, it keeps them a little longer.
        const again = () => post(url, credential, agent, body).then(resolve, reject);
        if (incoming.statusCode === 503) return void setTimeout(again, 1_000 + Math.random() * 4_000);
        reject(new Error(`answered ${incoming.statusCode}: ${Buffer.concat(chunks).toString('utf8')}`));
      });
    });
    outgoing.end(text);
  });
}
