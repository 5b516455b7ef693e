// The baseline of the alarm: check, commit one row, post the webhook; one after the other, nothing else.
import { Agent, get, request } from 'node:http';
import pg from 'pg';
import type { BareAlarmOrder } from './alarm.ts';

process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // the benchmark ends it, in order
process.once('message', (order: BareAlarmOrder) => {
  run(order).then(
    () => process.send?.({ kind: 'done' }),
    (error: unknown) => {
      process.stderr.write(`bare alarm: ${String(error)}\n`);
      process.exit(1);
    },
  );
});

async function run({ databaseUrl, url, hookUrl, monitorName, cycles }: BareAlarmOrder): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('CREATE TABLE bench_bare_incidents (at timestamptz, body text)');
  const agent = new Agent({ keepAlive: true });
  const body = JSON.stringify({ event: 'opened', monitor: { name: monitorName }, incident: { id: '' } });
  for (let cycle = 0; cycle < cycles; cycle++) {
    // The watched address fails twice, then passes twice; the second failure decides.
    for (let place = 0; place < 4; place++) {
      const status = await check(url);
      if (place === 1 && status !== 200) {
        await client.query('INSERT INTO bench_bare_incidents VALUES (now(), $1)', [body]);
        await post(hookUrl, agent, body);
      }
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }
  await client.query('DROP TABLE bench_bare_incidents');
  await client.end();
  agent.destroy();
}

function check(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (incoming) => {
      incoming.on('data', () => undefined);
      incoming.on('end', () => resolve(incoming.statusCode ?? 0));
    }).on('error', reject);
  });
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
