// Bytes on disk per check, raw and rolled up, indexes included; and the cost of rolling up.
import { sql } from 'kysely';
import { makePartition } from '../src/platform/db/partitions.ts';
import { createLog } from '../src/platform/log.ts';
import { CHECKS } from '../src/retention.ts';
import { rollUp } from '../src/series/rollup.ts';

import { type Context, count, type RunBench, times } from './figure.ts';
import { makeRegions } from './filled-year.ts';
import { cpuByPart } from './processes.ts';
import { type Made, type Subject, startSubject } from './subject.ts';

const DAY = 86_400;
const INTERVAL = 60;
const TABLES = ['checks', 'check_buckets_10m', 'check_buckets_1h', 'check_buckets_12h', 'downtime_buckets'];

type Size = { bytes: number; indexes: number; rows: number };

export const bytes: RunBench = async (context) => {
  const howMany = context.quick ? 20 : context.large ? 1_000 : 300;
  const subject = await startSubject(context);
  const regions = await makeRegions(subject);
  const monitors = await subject.addMonitors(howMany, (i) => ({
    config: { url: `http://127.0.0.1:9/${i}` },
    enabled: false,
    interval_seconds: INTERVAL,
  }));
  const { db } = subject.database;
  const start = Math.floor(Date.now() / 1000 / DAY) * DAY - DAY;
  await sql`UPDATE rollup_state SET closed_until = to_timestamp(${start}::bigint), rolled_until = to_timestamp(${start}::bigint)`.execute(
    db,
  );
  await fillDay(context, subject, monitors, regions, start);

  context.say('rolling it up');
  const spentOn = () => cpuByPart(subject.processes()).database + process.cpuUsage().user / 1e6;
  const before = spentOn();
  const startedAtMs = performance.now();
  for (;;) {
    await rollUp(db, new Date((start + DAY + 121) * 1000), createLog('silent'));
    const { rows } = await sql<{
      done: boolean;
    }>`SELECT rolled_until = closed_until AS done FROM rollup_state`.execute(db);
    if (rows[0]?.done) break;
  }
  const tookSeconds = (performance.now() - startedAtMs) / 1000;
  const cpuSeconds = spentOn() - before;

  const sizes = new Map<string, Size>();
  for (const table of TABLES) sizes.set(table, await sizeOf(subject, table));
  const raw = sizes.get('checks')!;
  const perCheck = (size: Size) => size.bytes / raw.rows;
  const rolled = [...sizes.values()].slice(1);
  const rolledBytes = rolled.reduce((sum, size) => sum + perCheck(size), 0);
  return {
    rows: [
      {
        figure: `A check on disk, of ${count(raw.rows)}`,
        tocsin: `${perCheck(raw).toFixed(0)} bytes`,
        beside: `${(raw.indexes / raw.rows).toFixed(0)} of them index`,
      },
      {
        figure: 'the same check rolled up, all tiers',
        tocsin: `${rolledBytes.toFixed(1)} bytes`,
        beside: `${perCheck(raw).toFixed(0)} bytes raw`,
        ratio: times(rolledBytes, perCheck(raw)),
      },
      ...[...sizes].slice(1).map(([table, size]) => ({
        figure: `of it, ${table}`,
        tocsin: `${perCheck(size).toFixed(2)} bytes`,
        beside: size.rows === 0 ? 'no rows' : `${(size.bytes / size.rows).toFixed(0)} bytes a bucket`,
      })),
      { figure: 'Checks rolled up a second', tocsin: count(raw.rows / tookSeconds) },
      {
        figure: 'CPU a day of 1,000 monitors from 3 regions, once a minute',
        tocsin: `${((cpuSeconds / raw.rows) * 1000 * 3 * (DAY / INTERVAL)).toFixed(0)} s`,
      },
    ],
    notes: [
      `${count(howMany)} monitors from ${regions.length} regions, once a minute over a whole day, inserted in the order of time with the columns of an HTTP check; each of its phases varies by itself, 1 in 100 is degraded, 1 in 200 fails and says why. pg_total_relation_size with indexes.`,
      'A bucket of 10 minutes holds 10 of these checks; with a shorter interval it holds more in nearly the same bytes.',
    ],
  };
};

/** A day of HTTP checks from each region, in chronological order. */
export async function fillDay(
  context: Context,
  { database: { db } }: Subject,
  monitors: readonly Made[],
  regions: readonly number[],
  start: number,
): Promise<void> {
  context.say(`inserting ${count((monitors.length * regions.length * DAY) / INTERVAL)} checks`);
  await makePartition(db, CHECKS, new Date(start * 1000));
  const nos = `{${monitors.map(({ no }) => no).join(',')}}`;
  const step = Math.max(1, Math.floor(60_000 / (monitors.length * regions.length))) * INTERVAL;
  for (let at = start; at < start + DAY; at += step) {
    context.signal.throwIfAborted();
    await sql`
      INSERT INTO checks (checked_at, monitor_no, latency_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, region_no,
        response_code, status, failure_class, cause_layer, detail)
      SELECT to_timestamp(at + (no * 7 % 60) + region * 0.001), no,
        CASE WHEN luck > 0.005 THEN 40 + no % 200 + dns + connect + tls + took + body END, dns, 8 + connect, 18 + tls,
        10 + no % 200 + took, region, CASE WHEN luck > 0.005 THEN 200 ELSE 503 END,
        CASE WHEN luck < 0.005 THEN 2 WHEN luck < 0.015 THEN 1 ELSE 0 END,
        CASE WHEN luck < 0.005 THEN 'http_status' END, CASE WHEN luck < 0.005 THEN 'target_http' END,
        CASE WHEN luck < 0.005 THEN 'The server answered 503, expected 200-299.' END
      FROM (
        SELECT at, no, region, random() AS luck, (-ln(1 - random()) * 25)::int AS took, (random() * random() * 8)::int AS dns,
          (-ln(1 - random()) * 2)::int AS connect, (-ln(1 - random()) * 4)::int AS tls, (random() * 3)::int AS body
        FROM generate_series(${at}::bigint, ${Math.min(start + DAY, at + step) - 1}::bigint, ${INTERVAL}::bigint) AS at,
          unnest(${nos}::int[]) AS no, unnest(${`{${regions.join(',')}}`}::smallint[]) AS region
      ) made`.execute(db);
  }
}

/** Disk space of a partitioned table, with its indexes and TOAST. */
export async function sizeOf({ database: { db } }: Subject, table: string): Promise<Size> {
  const { rows } = await sql<Size>`
    SELECT sum(pg_total_relation_size(i.inhrelid))::bigint AS bytes, sum(pg_indexes_size(i.inhrelid))::bigint AS indexes,
      (SELECT count(*) FROM ${sql.table(table)}) AS rows
    FROM pg_inherits i WHERE i.inhparent = ${table}::regclass`.execute(db);
  return rows[0]!;
}
