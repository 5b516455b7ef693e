// A year of roll-ups in the real tables, written by the database itself: the data of a year of checks once a minute from three
// regions.
import { type RawBuilder, sql } from 'kysely';
import { COUNT_BITS } from '../src/domain/histogram.ts';
import { makePartition, type Partitioned } from '../src/platform/db/partitions.ts';
import { BUCKETS_1H, BUCKETS_10M, BUCKETS_12H, CHECKS, REPORTED_TIMES } from '../src/retention.ts';
import { COLUMNS, TIER_1H, TIER_10M, TIER_12H, type Tier } from '../src/series/rollup-tiers.ts';
import type { Context } from './figure.ts';
import { count } from './figure.ts';
import type { Made, Subject } from './subject.ts';

const DAY = 86_400;
/** Rows per statement: well within the time limit of a statement. */
const ROWS_AT_ONCE = 60_000;

export type Filling = { tier: Tier; partitioned: Partitioned; days: number };

/** The retention of each tier that a series can use; `hours`: days of hours. */
export const fillings = (hours: number): Filling[] => [
  { tier: TIER_10M, partitioned: BUCKETS_10M, days: 2 },
  { tier: TIER_1H, partitioned: BUCKETS_1H, days: hours },
  { tier: TIER_12H, partitioned: BUCKETS_12H, days: 365 },
];

/** Regions of the year; `local` and two more. Returns their numbers. */
export async function makeRegions({ database: { db } }: Subject): Promise<number[]> {
  await sql`INSERT INTO regions (slug, name, created_at) VALUES ('far', 'Far', now()), ('farther', 'Farther', now())`.execute(
    db,
  );
  const { rows } = await sql<{ no: number }>`SELECT no FROM regions WHERE no > 0 ORDER BY no`.execute(db);
  return rows.map(({ no }) => no);
}

/** Eight bins around 200 ms, with a different number in each bucket. */
const HISTOGRAM = (checks: RawBuilder<unknown>) => sql`ARRAY(
  SELECT ((45 + bin) << ${sql.raw(String(COUNT_BITS))}) | greatest(1, (${checks} * (10 - abs(4 - bin)) / 60)::int)
  FROM generate_series(0, 7) AS bin)`;

/** Fills a tier until now, oldest first, every monitor and region in turn, in the order of real results. */
export async function fillTier(
  context: Context,
  { database: { db } }: Subject,
  { monitors, regions }: { monitors: readonly Made[]; regions: readonly number[] },
  { tier, partitioned, days }: Filling,
): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const until = Math.floor(now / tier.seconds) * tier.seconds;
  const from = until - days * DAY;
  const perBucket = monitors.length * regions.length;
  context.say(`filling ${partitioned.table}: ${count((perBucket * days * DAY) / tier.seconds)} rows`);
  for (let at = from; at <= until + DAY; at += DAY) await makePartition(db, partitioned, new Date(at * 1000));
  const step = Math.max(1, Math.floor(ROWS_AT_ONCE / perBucket)) * tier.seconds;
  const checks = sql.raw(String(tier.seconds / 60));
  const nos = `{${monitors.map(({ no }) => no).join(',')}}`;
  for (let at = from; at < until; at += step) {
    context.signal.throwIfAborted();
    await sql`
      INSERT INTO ${sql.table(tier.table)} (${COLUMNS})
      SELECT no, to_timestamp(at), region, ${checks} - at / 600 % 2, at / 600 % 2, 0, NULL, NULL, NULL,
        ${checks}, 400 + (at / 600 % 300)::int, ${checks} * (180 + no % 40), ${HISTOGRAM(checks)},
        NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
      FROM generate_series(${at}::bigint, ${Math.min(until, at + step) - 1}::bigint, ${tier.seconds}::bigint) AS at,
        unnest(${nos}::int[]) AS no, unnest(${`{${regions.join(',')}}`}::smallint[]) AS region
      ORDER BY at, no, region`.execute(db);
  }
}

/** The time that results cover: one continuous range per half day. The monitors are as old as that, and count as checked. */
export async function fillReported(context: Context, { database: { db } }: Subject): Promise<void> {
  const until = Math.floor(Date.now() / 43_200_000) * 43_200;
  context.say(`filling ${REPORTED_TIMES.table}`);
  await sql`UPDATE reporting_rules SET since = to_timestamp(${until - 365 * DAY}::bigint), enabled = true`.execute(
    db,
  );
  for (let at = until - 365 * DAY; at <= until; at += DAY) {
    context.signal.throwIfAborted();
    for (const half of [at, at + DAY / 2]) await makePartition(db, REPORTED_TIMES, new Date(half * 1000));
    await sql`
      INSERT INTO reported_times (bucket, monitor_no, rule_since, times)
      SELECT to_timestamp(at), r.monitor_no, r.since, tstzmultirange(tstzrange(to_timestamp(at), to_timestamp(at + 43390)))
      FROM generate_series(${at}::bigint, ${at + DAY - 1}::bigint, 43200) AS at, reporting_rules r
      WHERE at < ${until}::bigint ORDER BY 1, 2`.execute(db);
  }
}

/** Checks once a minute since the last span that is rolled up, and the mark at that point. */
export async function fillOpenSpan(
  { database: { db } }: Subject,
  { monitors, regions }: { monitors: readonly Made[]; regions: readonly number[] },
): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  const rolled = Math.floor((now - 120) / 600) * 600;
  await makePartition(db, CHECKS, new Date(rolled * 1000));
  await sql`UPDATE rollup_state SET closed_until = to_timestamp(${rolled}::bigint), rolled_until = to_timestamp(${rolled}::bigint)`.execute(
    db,
  );
  await sql`
    INSERT INTO checks (checked_at, monitor_no, region_no, status, latency_ms)
    SELECT to_timestamp(at + (no % 60)), no, region, 0, 150 + (no + at) % 100
    FROM generate_series(${rolled}::bigint, ${now}::bigint, 60) AS at,
      unnest(${`{${monitors.map(({ no }) => no).join(',')}}`}::int[]) AS no,
      unnest(${`{${regions.join(',')}}`}::smallint[]) AS region`.execute(db);
}
