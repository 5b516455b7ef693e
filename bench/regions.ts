// How late checks start with many monitors over three regions, each with its own probe, and the memory of a probe.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Context, count, ms, quantile, type Row, type RunBench, times } from './figure.ts';
import { latenessOf } from './lateness.ts';
import { startOutside } from './outside.ts';
import { cpuSeconds, memoryOf } from './processes.ts';
import { bareTimers } from './schedule.ts';
import { type Made, type Subject, startSubject } from './subject.ts';

const INTERVAL_SECONDS = 30;
const REGIONS = ['east', 'west', 'north'];
const MAIN = join(import.meta.dirname, '../src/main.ts');

export const regions: RunBench = async (context) => {
  const { quick } = context;
  const howMany = quick ? 300 : 10_000;
  const seconds = quick ? 10 : 120;
  const outside = await startOutside(context);
  const subject = await startSubject(context, { LOCAL_PROBE: 'off' });
  const probes = await startProbes(context, subject);
  await sleep(3_000);
  const idle = weigh(probes);

  const monitors = await subject.addMonitors(howMany, (i) => ({
    config: { url: `${outside.url}/${i}` },
    interval_seconds: INTERVAL_SECONDS,
    regions: REGIONS,
  }));
  context.say('until every monitor was checked from every region');
  await sleep((quick ? 5 : INTERVAL_SECONDS + 10) * 1000);

  context.say(
    `${count(howMany)} monitors from ${REGIONS.length} regions at ${INTERVAL_SECONDS} s, for ${seconds} s`,
  );
  outside.record();
  const fromMs = Date.now();
  const before = costOf(subject, probes);
  await sleep(seconds * 1000);
  const cpu = (costOf(subject, probes) - before) / seconds;
  const loaded = weigh(probes);
  const toMs = Date.now();
  await sleep(3_000);
  const arrivals = (await outside.report()).filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
  const lateMs = latenessOf(arrivals, monitors, INTERVAL_SECONDS);
  const stored = await storedBetween(subject, monitors, fromMs, toMs);
  const due = (howMany * REGIONS.length * (toMs - fromMs)) / (INTERVAL_SECONDS * 1000);
  const bare = await bareTimers(
    context,
    Math.round((howMany * REGIONS.length) / INTERVAL_SECONDS),
    quick ? 2 : 10,
  );

  const three = (list: readonly number[]) => [0.5, 0.99, 1].map((q) => ms(quantile(list, q))).join(', ');
  const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  const perThousand = ((loaded.pssBytes - idle.pssBytes) / probes.length / howMany) * 1000;
  const rows: Row[] = [
    {
      figure: `${count(howMany)} monitors, ${REGIONS.length} regions, ${INTERVAL_SECONDS} s: lateness median, p99, max`,
      tocsin: three(lateMs),
      beside: `${three(bare)} bare timers`,
      ratio: times(quantile(lateMs, 0.99), Math.max(0.1, quantile(bare, 0.99))),
    },
    {
      figure: 'checks stored of those due',
      tocsin: `${count(stored)} of ${count(due)} (${((stored / due) * 100).toFixed(2)} %)`,
    },
    { figure: 'CPU of server, database and probes, of one core', tocsin: `${(cpu * 100).toFixed(0)} %` },
    {
      figure: 'Memory of one probe: without a monitor, with all of them (PSS)',
      tocsin: `${mib(idle.pssBytes / probes.length)}, ${mib(loaded.pssBytes / probes.length)}`,
    },
    { figure: 'Probe memory per 1,000 monitors', tocsin: mib(perThousand) },
  ];
  return {
    rows,
    notes: [
      `Three probe processes, a server and a database on this one machine, and the watched server with them: ${count((howMany * REGIONS.length) / INTERVAL_SECONDS)} checks a second in all, HTTP GET over a fresh connection each.`,
      'Lateness is when the watched server had the request in hand, minus the moment that the schedule names for the check. Beside it: as many bare setTimeout a second in a process that does nothing else.',
      'PSS counts memory that n processes share as its n-th part in each.',
    ],
  };
};

async function startProbes(context: Context, { admin, url }: Subject): Promise<ChildProcess[]> {
  const dir = await mkdtemp(join(tmpdir(), 'tocsin-bench-probes-'));
  context.hooks.add('folders of the probes', () => rm(dir, { recursive: true, force: true }));
  const probes: ChildProcess[] = [];
  for (const slug of REGIONS) {
    await admin.ok('POST', '/admin/regions', { slug, name: slug, allow_private_targets: true });
    const { token } = await admin.ok<{ token: string }>('POST', `/admin/regions/${slug}/probe-tokens`);
    const words = ['--max-semi-space-size=4', MAIN, 'probe', '--url', url, '--data-dir', join(dir, slug)];
    const probe = spawn(process.execPath, words, {
      // With a channel to its parent it is the probe itself, not its supervisor.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, TOCSIN_PROBE_TOKEN: token, CANARIES: 'none' },
    });
    probes.push(probe);
    context.hooks.add(`probe of ${slug}`, async () => {
      if (probe.exitCode !== null || probe.signalCode !== null) return;
      const ended = once(probe, 'exit');
      probe.kill('SIGTERM');
      await ended;
    });
  }
  return probes;
}

const pids = (probes: readonly ChildProcess[]) =>
  probes.flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
const weigh = (probes: readonly ChildProcess[]) => memoryOf(pids(probes));
const costOf = (subject: Subject, probes: readonly ChildProcess[]) =>
  cpuSeconds([...Object.values(subject.processes()).flat(), ...pids(probes)]);

async function storedBetween(
  { database }: Subject,
  monitors: readonly Made[],
  fromMs: number,
  toMs: number,
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM checks WHERE checked_at >= ${new Date(fromMs)} AND checked_at < ${new Date(toMs)}
      AND monitor_no = ANY(${monitors.map(({ no }) => no)}::int[])`.execute(database.db);
  return rows[0]?.n ?? 0;
}
