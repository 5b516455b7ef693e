// `npm run siege -- failover`: the primary of a highly available PostgreSQL is killed and cut off again and again, under two servers and a load of
// results. Nothing acknowledged is lost, no incident is false, alarms go out in time, and every delivery arrives.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openPool } from '#src/platform/db/pool.ts';
import { hashToken } from '#src/platform/secrets.ts';
import { silent } from '#test/harness/cluster.ts';
import { type Installation, startInstallation } from '#test/harness/installation.ts';
import { makeMany } from '#test/harness/many-monitors.ts';
import { startReceiver } from '#test/harness/receiver.ts';
import { until } from '#test/harness/until.ts';
import { ask, FAULTS, type Fault, type HighlyAvailable, startHighlyAvailable } from './cluster.ts';
import { type Load, longestSilence, startLoad } from './load.ts';
import type { Programs } from './packages.ts';
import { PROGRAMS_VARIABLE } from './run.ts';
import { standOf } from './stand.ts';

const MONITORS = 800;
const REGION = 'siege';
const ALARM_WITHIN_SECONDS = 30;
const PATIENCE_MS = 180_000;
/** The load runs for this long before a fault. */
const CALM_MS = 5_000;

const HELP = `npm run siege -- failover [--rounds 20] [--rate 5000] [--faults kill,lose,cut,freeze]

PostgreSQL under Patroni with etcd and HAProxy, from Debian's packages, which are unpacked and not installed; each node in a network
namespace of its own, so it needs root. In each round one fault befalls the primary and one monitor begins to fail.

${Object.entries(FAULTS)
  .map(([name, what]) => `  ${name.padEnd(8)}${what}`)
  .join('\n')}
`;

function whole(name: string, given: string, least: number, most: number): number {
  const value = Number(given);
  if (!Number.isInteger(value) || value < least || value > most)
    refuse(`--${name} takes a whole number from ${least} to ${most}.`);
  return value;
}

function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

async function siege(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const ended = unexpectedEnd();
  stack.defer(ended.forget);
  await Promise.race([besiegeAll(stack), ended.promise]);
}

/**
 * Rejects if something fails that nobody waits for, or if somebody interrupts the siege: everything that was started is ended
 * then too.
 */
function unexpectedEnd(): { promise: Promise<never>; forget: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => undefined); // if no fault happens, nobody waits for it
  const interrupted = () => reject(new Error('interrupted'));
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const event of events) process.on(event, reject);
  for (const signal of signals) process.on(signal, interrupted);
  return {
    promise,
    forget() {
      for (const event of events) process.off(event, reject);
      for (const signal of signals) process.off(signal, interrupted);
    },
  };
}

async function besiegeAll(stack: AsyncDisposableStack): Promise<void> {
  const programs = JSON.parse(
    process.env[PROGRAMS_VARIABLE] ?? assert.fail('npm run siege -- failover starts it'),
  ) as Programs;
  say('starting three nodes');
  const cluster = await startHighlyAvailable(stack, programs);
  const receiver = await startReceiver();
  stack.defer(() => receiver.stop());
  const env = {
    DATABASE_URL: cluster.url,
    DATABASE_READ_URL: cluster.readUrl,
    SECRET_KEY: randomBytes(32).toString('hex'),
    RATE_LIMITS: 'off',
    LOCAL_PROBE: 'off',
  };
  const servers: Installation[] = [];
  for (let no = 1; no <= 2; no++) {
    say(`starting server ${no}`);
    const server = await startInstallation({ env });
    stack.defer(() => server.remove());
    servers.push(server);
  }
  const alice = (await servers[0]?.admin()) ?? assert.fail();
  const [{ id: orgId } = assert.fail()] = await alice.ok<{ id: string }[]>('GET', '/me/organizations');
  const projects = await alice.ok<{ id: string }[]>('GET', `/organizations/${orgId}/projects`);
  const hook = { name: 'Hook', kind: 'webhook', url: receiver.url, events: ['opened', 'resolved'] };
  const { secret } = await alice.ok<{ secret: string }>('POST', `/organizations/${orgId}/webhooks`, hook);
  receiver.trust(secret);
  const token = `tcp_${randomBytes(32).toString('base64url')}`;
  const monitorIds = await makeMonitors(cluster.url, token, { orgId, projectId: projects[0]?.id ?? '' });
  const load = startLoad({ urls: servers.map(({ url }) => url), token, monitorIds, rate });

  process.stdout.write(
    'round  fault   of     silence  acknowledged again  first alarm  whole again  results/s\n',
  );
  for (let round = 0; round <= rounds; round++) {
    // Once without a fault, for comparison.
    const fault = round === 0 ? null : (faults[(round - 1) % faults.length] ?? assert.fail());
    const monitorId = monitorIds[round] ?? assert.fail();
    await besiege({ round, fault, monitorId, cluster, load, receiver }).catch(async (error: Error) => {
      throw new Error(`round ${round}: ${error.message}\n${await standOf(cluster, servers, load)}`);
    });
  }
  await load.stop();
  await demandNothingLost(cluster, load, { receiver, monitorIds });
}

type Round = {
  round: number;
  fault: Fault | null;
  monitorId: string;
  cluster: HighlyAvailable;
  load: Load;
  receiver: Awaited<ReturnType<typeof startReceiver>>;
};

async function besiege({ round, fault, monitorId, cluster, load, receiver }: Round): Promise<void> {
  await pause(CALM_MS);
  const calmFrom = load.acknowledgedAtMs.length;
  await pause(CALM_MS);
  const calm = [...load.acknowledged.values()].slice(calmFrom).reduce((sum, count) => sum + count, 0);
  const node = (await cluster.primary()) ?? assert.fail('no node is the primary');
  const sinceMs = Date.now();
  if (fault) await cluster.strike(node, fault);
  load.say(monitorId, 'down');
  const delivered = (event: string) =>
    receiver.next(({ body }) => body.event === event && isOf(body, monitorId), PATIENCE_MS);
  const alarm = await delivered('opened');
  const alarmAfter = (alarm.atMs - sinceMs) / 1000;
  if (fault)
    await until(
      async () => {
        const now = await cluster.primary();
        return now !== null && now !== node;
      },
      'another node is the primary',
      PATIENCE_MS,
    );
  const acknowledged = load.acknowledgedAtMs.length;
  await until(() => load.acknowledgedAtMs.length > acknowledged + 8, 'results are acknowledged', PATIENCE_MS);
  const silence = longestSilence(load.acknowledgedAtMs, sinceMs);
  if (fault) await cluster.heal(node, fault);
  const wholeAfter = (Date.now() - sinceMs) / 1000;
  load.say(monitorId, 'up');
  await delivered('resolved');
  const cells = [
    String(round).padEnd(7),
    (fault ?? 'none').padEnd(8),
    `node${node}`.padEnd(7),
    `${silence.seconds.toFixed(1)} s`.padEnd(9),
    `${silence.overAfter.toFixed(1)} s`.padEnd(20),
    `${alarmAfter.toFixed(1)} s`.padEnd(13),
    (fault ? `${wholeAfter.toFixed(0)} s` : '').padEnd(13),
    String(Math.round(calm / (CALM_MS / 1000))),
  ];
  process.stdout.write(`${cells.join('')}\n`);
  assert.ok(alarm.genuine, 'signed as promised');
  assert.ok(alarmAfter <= ALARM_WITHIN_SECONDS, `the alarm came after ${alarmAfter} s`);
}

const isOf = (body: Record<string, unknown>, monitorId: string) =>
  (body.monitor as { id?: string } | null)?.id === monitorId;

/** With a region of their own, and the token of its probes. */
async function makeMonitors(
  url: string,
  token: string,
  place: { orgId: string; projectId: string },
): Promise<string[]> {
  const { db, close } = openPool({ url, log: silent, size: 1 });
  try {
    const now = new Date();
    const region = { slug: REGION, name: REGION, allow_private_targets: true, created_at: now };
    const { no } = await db.insertInto('regions').values(region).returning('no').executeTakeFirstOrThrow();
    const row = { hash: hashToken(token), region_no: no, created_at: now };
    await db.insertInto('probe_tokens').values(row).execute();
    const clock = { now: () => now, ms: () => now.getTime(), advance: () => undefined };
    const config = { url: 'https://shop.example.com/' };
    return await makeMany({ db, clock }, { count: MONITORS, region: REGION, place, config });
  } finally {
    await close();
  }
}

async function demandNothingLost(
  { url }: HighlyAvailable,
  load: Load,
  { receiver, monitorIds }: { receiver: Round['receiver']; monitorIds: readonly string[] },
): Promise<void> {
  say('comparing what was acknowledged with what is stored');
  const rows = await ask<{ at: string; count: string }>(
    url,
    'SELECT (extract(epoch FROM checked_at) * 1000)::bigint AS at, count(*) AS count FROM checks GROUP BY 1',
  );
  const stored = new Map(rows.map(({ at, count }) => [Number(at), Number(count)]));
  const lost = [...load.acknowledged].filter(([at, count]) => (stored.get(at) ?? 0) !== count);
  assert.deepEqual(lost, [], 'acknowledged, and not stored as often');
  assert.deepEqual(load.refused, [], 'answers that are neither an acknowledgement nor 503');
  const incidents = await ask<{ id: string; monitor_id: string }>(
    url,
    'SELECT id, monitor_id FROM incidents ORDER BY started_at',
  );
  const opened = new Set(incidents.map(({ monitor_id }) => monitor_id));
  assert.equal(opened.size, incidents.length, 'an outage has more than one incident');
  const failed = new Set(monitorIds.slice(0, rounds + 1));
  assert.deepEqual(
    [...opened].filter((id) => !failed.has(id)),
    [],
    'an incident of a monitor that never failed',
  );
  for (const { id } of incidents)
    for (const event of ['opened', 'resolved'])
      await receiver.next(({ body }) => body.event === event && body.incident?.id === id, PATIENCE_MS);
  assert.ok(
    receiver.received.every(({ genuine }) => genuine),
    'a delivery is not signed as promised',
  );
  const pending = await ask<{ count: string }>(url, 'SELECT count(*) AS count FROM delivery_queue');
  assert.equal(Number(pending[0]?.count), 0, 'a delivery still waits');
  const results = [...load.acknowledged.values()].reduce((sum, count) => sum + count, 0);
  process.stdout.write(
    `${results} results acknowledged, and all of them stored; ${incidents.length} outages, ${incidents.length} incidents; ` +
      `${receiver.received.length} deliveries for ${2 * incidents.length} events\n`,
  );
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    rate: { type: 'string', default: '5000' },
    faults: { type: 'string', default: 'kill,lose,cut,freeze' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const rounds = whole('rounds', values.rounds, 1, MONITORS);
const rate = whole('rate', values.rate, 100, 100_000);
const faults = values.faults.split(',').map((name) => {
  if (!(name in FAULTS)) refuse(`There is no fault called ${name}. See npm run siege -- failover --help.`);
  return name as Fault;
});
if (values.help) process.stdout.write(HELP);
else
  await siege().catch((error: Error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
  });
