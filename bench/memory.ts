// The weight of an installation: memory of its processes, bytes on disk per check, and the time of a start.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { startChild } from './child.ts';
import { type Context, count, ms, quantile, type Row, type RunBench, times } from './figure.ts';
import { bareNode, COMMANDS, timeStart } from './npm-start.ts';
import { startOutside } from './outside.ts';
import { cpuByPart, type Memory, memoryOf, PARTS, type Part } from './processes.ts';
import { type Made, type Subject, startSubject } from './subject.ts';

const MONITORS = 1_000;
const INTERVAL_SECONDS = 20;
/** Of the memory, spread over the time of watching: connections to the database come and go. */
const READINGS = 12;

export const memory: RunBench = async (context) => {
  const { quick, say } = context;
  const seconds = quick ? 5 : 60;
  const rowsWanted = quick ? 50_000 : 1_000_000;
  const outside = await startOutside(context);
  const subject = await startSubject(context);
  const monitors = await subject.addMonitors(MONITORS, (i) => ({
    config: { url: `${outside.url}/${i}` },
    interval_seconds: INTERVAL_SECONDS,
  }));
  // Until every monitor was checked once and is known to be healthy.
  await sleep(quick ? 2_000 : (INTERVAL_SECONDS + 5) * 1000);
  say(`${count(MONITORS)} monitors at ${INTERVAL_SECONDS} s, for ${seconds} s`);
  const cpuBefore = cpuByPart(subject.processes());
  const startedAtMs = performance.now();
  const readings: Record<Part, Memory>[] = [];
  for (let i = 0; i < READINGS; i++) {
    await sleep((seconds / READINGS) * 1000);
    readings.push(memoryByPart(subject));
  }
  const cpuAfter = cpuByPart(subject.processes());
  const watchedSeconds = (performance.now() - startedAtMs) / 1000;
  const totals = readings.map((reading) => sum(PARTS.map((part) => reading[part])).pssBytes);
  // A whole reading, so that its parts add up.
  const running = readings[totals.indexOf(quantile(totals, 0.5))]!;
  const bareNodeMemory = await idleNode(context);

  say(`storing ${count(rowsWanted)} checks`);
  const disk = await bytesPerCheck(subject, monitors, rowsWanted);

  say('starting anew on these data');
  await subject.database.close();
  await subject.installation.interrupt();
  const starts = await timeStarts(context, subject, quick ? 1 : 5);

  const total = sum(PARTS.map((part) => running[part]));
  const cpu = PARTS.map((part) => ((cpuAfter[part] - cpuBefore[part]) / watchedSeconds) * 100);
  const rows: Row[] = [
    {
      figure: `Memory at ${count(MONITORS)} monitors: PSS of all processes, median (least, most)`,
      tocsin: `${mib(total.pssBytes)} (${mib(quantile(totals, 0))}, ${mib(quantile(totals, 1))})`,
      beside: `${mib(bareNodeMemory.pssBytes)} an idle node:http server`,
      ratio: times(total.pssBytes, bareNodeMemory.pssBytes),
    },
    ...PARTS.map((part) => ({
      figure: `of it, ${part}: PSS, RSS`,
      tocsin: `${mib(running[part].pssBytes)}, ${mib(running[part].rssBytes)}`,
    })),
    {
      figure: `CPU meanwhile (${count(MONITORS / INTERVAL_SECONDS)} checks a second), of one core`,
      tocsin: `${sumOf(cpu).toFixed(1)} %`,
      beside: PARTS.map((part, i) => `${part} ${cpu[i]!.toFixed(1)}`).join(', '),
    },
    {
      figure: `Disk per check after ${count(rowsWanted)} more: table and index`,
      tocsin: `${disk.bytes.toFixed(0)} bytes`,
      beside: `${disk.tableBytes.toFixed(0)} table + ${disk.indexBytes.toFixed(0)} index`,
    },
    ...Object.entries(starts.byCommand).map(([command, tookMs]) => ({
      figure: `${command} on these data to serving: median, slowest`,
      tocsin: `${ms(quantile(tookMs, 0.5))}, ${ms(quantile(tookMs, 1))}`,
      beside: `${ms(starts.bareMs)} node alone`,
      ratio: times(quantile(tookMs, 0.5), starts.bareMs),
    })),
  ];
  return {
    rows,
    notes: [
      `PSS counts memory that n processes share as its n-th part in each, so PostgreSQL's shared buffers are counted once; read ${READINGS} times in ${seconds} s after the warm-up, from /proc/PID/smaps_rollup; the parts are those of the median. RSS counts them in every process.`,
      'The checks on disk are inserted as they come in life, every monitor in turn, with the columns of a passing HTTP check.',
      'A start is timed from the command to the first 200 of /readyz.',
    ],
  };
};

function memoryByPart(subject: Subject): Record<Part, Memory> {
  const processes = subject.processes();
  return {
    server: memoryOf(processes.server),
    probe: memoryOf(processes.probe),
    database: memoryOf(processes.database),
  };
}

/** The memory of a node that only listens. */
async function idleNode(context: Context): Promise<Memory> {
  const child = startChild(context, 'bare-node-process.ts');
  await child.next('ready');
  const weighed = memoryOf([child.pid]);
  await child.stop();
  return weighed;
}

async function bytesPerCheck(
  { database }: Subject,
  monitors: readonly Made[],
  rowsWanted: number,
): Promise<{ bytes: number; tableBytes: number; indexBytes: number }> {
  const { db } = database;
  const sizes = async () => {
    const { rows } = await sql<{ total: number; indexes: number; n: number }>`
      SELECT sum(pg_total_relation_size(i.inhrelid))::bigint AS total, sum(pg_indexes_size(i.inhrelid))::bigint AS indexes,
        (SELECT count(*) FROM checks) AS n
      FROM pg_inherits i WHERE i.inhparent = 'checks'::regclass`.execute(db);
    return rows[0]!;
  };
  const before = await sizes();
  // All within today's partition, before the real checks.
  const steps = Math.ceil(rowsWanted / monitors.length);
  const perStatement = 50;
  const midnightMs = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  for (let from = 0; from < steps; from += perStatement)
    await sql`
      INSERT INTO checks (checked_at, monitor_no, latency_ms, connect_ms, first_byte_ms, region_no, response_code, status)
      SELECT to_timestamp(${midnightMs}::float8 / 1000 + s * 2 + no * 0.001), no, 23, 1, 21, 1, 200, 0
      FROM generate_series(${from}::int, ${Math.min(steps, from + perStatement) - 1}::int) AS s,
        unnest(${monitors.map(({ no }) => no)}::int[]) AS no ON CONFLICT DO NOTHING`.execute(db);
  const after = await sizes();
  const rows = after.n - before.n;
  const indexBytes = (after.indexes - before.indexes) / rows;
  const bytes = (after.total - before.total) / rows;
  return { bytes, indexBytes, tableBytes: bytes - indexBytes };
}

async function timeStarts(context: Context, subject: Subject, runs: number) {
  const byCommand: Record<string, number[]> = {};
  const bare: number[] = [];
  for (const command of Object.keys(COMMANDS) as (keyof typeof COMMANDS)[]) {
    const tookMs: number[] = [];
    for (let i = 0; i < runs && !context.signal.aborted; i++) {
      const { readyMs, stop } = await timeStart(context, command, subject.installation.dataDir);
      tookMs.push(readyMs);
      await stop();
      bare.push(await bareNode());
    }
    byCommand[command] = tookMs;
  }
  return { byCommand, bareMs: quantile(bare, 0.5) };
}

const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
const sumOf = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);
const sum = (list: readonly Memory[]): Memory => ({
  rssBytes: sumOf(list.map((each) => each.rssBytes)),
  pssBytes: sumOf(list.map((each) => each.pssBytes)),
});
