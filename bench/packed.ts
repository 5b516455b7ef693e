// Packed checks: bytes on disk, the cost of packing, that they are read back exactly, and requests that read them beside the
// same requests before packing.
import { sql } from 'kysely';
import { packChecks } from '../src/checks/packed/pack.ts';
import { packDayOf } from '../src/checks/packed/pack-day.ts';
import { makePartition, partitionOf } from '../src/platform/db/partitions.ts';
import { inTransaction } from '../src/platform/db/transaction.ts';
import { createLog } from '../src/platform/log.ts';
import { CHECKS, PACKED_CHECKS } from '../src/retention.ts';
import { rollUp } from '../src/series/rollup.ts';
import { differences, fillShapes } from '../test/harness/packed-shapes.ts';
import { fillDay } from './bytes.ts';
import { type Context, count, ms, quantile, type RunBench, times } from './figure.ts';
import { makeRegions } from './filled-year.ts';
import { cpuByPart } from './processes.ts';
import { type Made, type Subject, startSubject } from './subject.ts';

const DAY = 86_400;
const INTERVAL = 60;
/** Days before today: one of every shape, one of many monitors, and a history of a few. */
const SHAPES = 95;
const MANY = 93;
const HISTORY = { from: 90, to: 3 };

export const packed: RunBench = async (context) => {
  const howMany = context.quick ? 20 : 300;
  const subject = await startSubject(context, { RATE_LIMITS: 'off' });
  const regions = await makeRegions(subject);
  const monitors = await subject.addMonitors(howMany, (i) => ({
    config: { url: `http://127.0.0.1:9/${i}` },
    enabled: false,
    interval_seconds: INTERVAL,
  }));
  const today = Math.floor(Date.now() / 1000 / DAY) * DAY;
  const dayAgo = (days: number) => today - days * DAY;
  const shapes = await exactShapes(context, subject, dayAgo(SHAPES));

  await fillDay(context, subject, monitors, regions, dayAgo(MANY));
  const raw = await sizeOfDay(subject, 'checks', dayAgo(MANY));
  const checks = howMany * regions.length * (DAY / INTERVAL);
  context.say('packing it');
  const before = spent(subject);
  const startedAtMs = performance.now();
  await packAll(subject, dayAgo(MANY - 1));
  const tookSeconds = (performance.now() - startedAtMs) / 1000;
  const after = spent(subject);
  const blocks = await sizeOfDay(subject, 'packed_checks', dayAgo(MANY));
  const left = await sizeOfDay(subject, 'checks', dayAgo(MANY));

  const few = monitors.slice(0, context.quick ? 1 : 5);
  await history(context, subject, few, regions, today);
  const asRows = await requests(context, subject, few, today);
  context.say('packing the history');
  await packAll(subject, dayAgo(HISTORY.to - 1));
  const asBlocks = await requests(context, subject, few, today);

  const each = (seconds: number) => (seconds / checks) * 1e6;
  const server = each(after.server - before.server);
  const database = each(after.database - before.database);
  const bytes = (blocks.bytes + left.bytes) / checks;
  return {
    rows: [
      {
        figure: `A packed check on disk, of ${count(checks)}`,
        tocsin: `${bytes.toFixed(2)} bytes`,
        beside: `${(raw.bytes / checks).toFixed(0)} bytes as a row`,
        ratio: times(bytes, raw.bytes / checks),
      },
      { figure: 'of it, index', tocsin: `${(blocks.indexes / checks).toFixed(2)} bytes` },
      {
        figure: 'What the emptied partition takes',
        tocsin: `${count(left.bytes / 1024)} KiB`,
        beside: `${count(raw.bytes / 1024)} KiB full`,
      },
      {
        figure: 'CPU per packed check, server and database',
        tocsin: `${server.toFixed(1)} + ${database.toFixed(1)} µs`,
      },
      { figure: 'of a core, at 1,000 checks a second', tocsin: `${((server + database) / 10).toFixed(2)} %` },
      { figure: 'Checks packed a second', tocsin: count(checks / tookSeconds) },
      ...Object.entries(asBlocks).map(([figure, tookMs]) => {
        const [packedMs, rowsMs] = [quantile(tookMs, 0.5), quantile(asRows[figure] ?? [], 0.5)];
        return {
          figure: `${figure}: p50`,
          tocsin: ms(packedMs),
          beside: `${ms(rowsMs)} as rows`,
          ratio: times(packedMs, rowsMs),
        };
      }),
      {
        figure: `Checks of every shape, of ${count(shapes.checks)}`,
        tocsin: `${count(shapes.differing)} differ when read back`,
      },
    ],
    notes: [
      `${count(howMany)} monitors from ${regions.length} regions, once a minute over a day, as in \`bytes\`. On disk: pg_total_relation_size of the blocks and of the emptied partition, with TOAST and indexes.`,
      `Requests: ${few.length} monitors with ${HISTORY.from - HISTORY.to + 1} days of such checks, one request at a time. "Outdated": all of the time waits to be rolled up again, and is read from single checks.`,
      'The shapes are those of test/harness/packed-shapes.ts, compared bit by bit.',
    ],
  };
};

/** CPU seconds of the database, and of the servers: this process packs as a server does. */
function spent(subject: Subject): { server: number; database: number } {
  const parts = cpuByPart(subject.processes());
  const own = process.cpuUsage();
  return { database: parts.database, server: parts.server + (own.user + own.system) / 1e6 };
}

async function sizeOfDay({ database: { db } }: Subject, table: 'checks' | 'packed_checks', day: number) {
  const of = table === 'checks' ? CHECKS : PACKED_CHECKS;
  const { name } = partitionOf(of, new Date(day * 1000));
  const { rows } = await sql<{ bytes: number; indexes: number }>`
    SELECT pg_total_relation_size(${name}::regclass) AS bytes, pg_indexes_size(${name}::regclass) AS indexes`.execute(
    db,
  );
  return rows[0]!;
}

/** Packs all days before `until`; before and after that the server's own job packs nothing. */
async function packAll({ database: { db } }: Subject, until: number): Promise<void> {
  const begins = (at: string) => sql`UPDATE packing_state SET begins_at = ${at}::timestamptz`.execute(db);
  await begins('-infinity');
  for (;;) {
    await packChecks(db, new Date((until + 26 * 3600) * 1000));
    const { rows } = await sql<{ done: boolean }>`
      SELECT packed_until >= to_timestamp(${until}::bigint) AS done FROM packing_state`.execute(db);
    if (rows[0]?.done) break;
  }
  await sql`UPDATE packing_state SET settled_at = now() - interval '2 minutes'`.execute(db);
  await packChecks(db, new Date(0));
  await begins('infinity');
}

/** A million checks of every shape, of monitors that do not exist: packed, compared, and removed. */
async function exactShapes(context: Context, { database: { db } }: Subject, at: number) {
  const day = new Date(at * 1000);
  const parts = context.quick ? 1 : 15;
  let checks = 0;
  let differing = 0;
  await sql`UPDATE packing_state SET begins_at = 'infinity'`.execute(db);
  for (const table of [CHECKS, PACKED_CHECKS]) await makePartition(db, table, day);
  for (let part = 0; part < parts; part++) {
    context.say(`checks of every shape, ${part + 1} of ${parts}`);
    context.signal.throwIfAborted();
    const from = 10_000_000 + part * 41;
    checks += await fillShapes(db, day, { from, to: from + 40 });
    await inTransaction(db, (tx) =>
      packDayOf(tx, day, sql`FROM checks c WHERE c.checked_at < ${day}::timestamptz + interval '1 day'`),
    );
    differing += await differences(db, day);
    await sql`DELETE FROM packed_checks`.execute(db);
    await sql`TRUNCATE checks`.execute(db);
  }
  return { checks, differing };
}

/** Days of checks and their buckets, of a few monitors. */
async function history(
  context: Context,
  subject: Subject,
  few: readonly Made[],
  regions: readonly number[],
  today: number,
): Promise<void> {
  const { db } = subject.database;
  for (let day = HISTORY.from; day >= HISTORY.to; day--)
    await fillDay({ ...context, say: () => undefined }, subject, few, regions, today - day * DAY);
  await sql`UPDATE monitors SET created_at = created_at - interval '100 days'`.execute(db);
  await outdate(subject, few, today);
  context.say('rolling the history up');
  for (;;) {
    await rollUp(db, new Date(), createLog('silent'));
    const { rows } = await sql<{
      done: boolean;
    }>`SELECT NOT EXISTS (SELECT FROM rollup_dirty) AS done`.execute(db);
    if (rows[0]?.done) break;
  }
  await sql`VACUUM ANALYZE checks`.execute(db);
}

/** As after maintenance was planned over the whole time. */
async function outdate({ database: { db } }: Subject, few: readonly Made[], today: number): Promise<void> {
  const nos = few.map(({ no }) => no);
  await sql`SELECT note_changed(array_agg(no), array_agg(to_timestamp(${today - HISTORY.from * DAY}::bigint)),
    array_agg(to_timestamp(${today}::bigint)), checks_closed_until()) FROM unnest(${nos}::int[]) AS no`.execute(
    db,
  );
}

/** The time of each of these requests, in milliseconds. */
async function requests(
  context: Context,
  subject: Subject,
  few: readonly Made[],
  today: number,
): Promise<Record<string, number[]>> {
  const times = context.quick ? 2 : 10;
  const { db } = subject.database;
  const took = async (path: (monitor: Made) => string, prepare = async () => {}): Promise<number[]> => {
    const found: number[] = [];
    for (let i = -1; i < times; i++)
      for (const monitor of few) {
        context.signal.throwIfAborted();
        await prepare();
        const startedAtMs = performance.now();
        await subject.admin.ok('GET', path(monitor));
        // The first round warms up.
        if (i >= 0) found.push(performance.now() - startedAtMs);
      }
    return found;
  };
  const before = today - 60 * DAY + DAY / 2;
  const chart = (monitor: Made) => `/monitors/${monitor.id}/series?range=90d`;
  context.say('requests');
  const figures = {
    'Chart of 90 days': await took(chart),
    'Chart of 7 days': await took((monitor) => `/monitors/${monitor.id}/series?range=7d`),
    '100 checks of 60 days ago': await took((monitor) => `/monitors/${monitor.id}/checks?before=${before}`),
    'The newest 100 checks': await took((monitor) => `/monitors/${monitor.id}/checks`),
    'Outdated chart of 90 days': await took(chart, () => outdate(subject, few, today)),
  };
  await sql`DELETE FROM rollup_dirty`.execute(db);
  return figures;
}
