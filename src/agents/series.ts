// One metric of a host over a range (docs/rules/agents.md#series-of-a-host).
import { type RawBuilder, sql } from 'kysely';
import { OF_MOUNT, unitOfMetric } from '../domain/agent.ts';
import type { SeriesRange } from '../domain/names.ts';
import { bucketStart, DEFAULT_SERIES_RANGE, seriesWindow } from '../domain/series.ts';
import { keptFrom } from '../platform/db/partitions.ts';
import { refuse } from '../platform/refusals.ts';
import { unix } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import { AGENT_READINGS } from '../retention.ts';
import { cut, type Segment } from '../series/sources.ts';
import type { AgentSeries } from './contract.ts';
import { TIER_10M, TIER_12H } from './rollup.ts';

/** Ranges shorter than this are read from readings alone; others use buckets where they exist. */
const ROLLED_FROM_SECONDS = 86_400;
/** Decimal places of a figure: more than any measurement has, and few enough that the order of a sum makes no difference. */
const DIGITS = 12;

export type SeriesQuery = { metric: string; range?: SeriesRange | undefined };

/**
 * The series of a metric. Each point counts every reading of its bucket; empty buckets are left out. The series agrees with the
 * readings, whether or not they are rolled up. 400 `unknown_agent_metric` for a metric that no agent has.
 */
export async function agentSeries(
  db: Database,
  agentNo: number,
  { metric, range = DEFAULT_SERIES_RANGE }: SeriesQuery,
  now: Date,
): Promise<AgentSeries> {
  const unit = unitOfMetric(metric);
  if (unit === null)
    refuse(
      'unknown_agent_metric',
      `metric ${JSON.stringify(metric.slice(0, 80))} is none that an agent has.`,
      {
        field: 'metric',
      },
    );
  const { fromUnix, toUnix, bucketSeconds } = seriesWindow(range, unix(now));
  const isRolled = toUnix - fromUnix >= ROLLED_FROM_SECONDS;
  const rolled = isRolled ? await readRolled(db, agentNo, fromUnix, now) : fromUnix;
  const tiers = [TIER_10M, TIER_12H].filter(({ seconds }) => bucketSeconds % seconds === 0);
  const parts = [
    ...cut(fromUnix, rolled, tiers).map((segment) => bucketRows(agentNo, metric, segment)),
    readingRows(agentNo, metric, rolled, now),
  ];
  const points = await readPoints(db, parts, bucketSeconds);
  return {
    ...{ metric, unit, range, from_unix: fromUnix, to_unix: toUnix, bucket_seconds: bucketSeconds },
    points: points.map(({ bucket, n, total, most }) => ({
      bucket_unix: bucket,
      ...{ count: n, avg: shown(total / n), max: shown(most) },
    })),
    stats: statsOf(points),
  };
}

type Point = { bucket: number; n: number; total: number; most: number };

const shown = (value: number): number => Number(value.toPrecision(DIGITS));

function statsOf(points: readonly Point[]): AgentSeries['stats'] {
  const count = points.reduce((sum, { n }) => sum + n, 0);
  if (count === 0) return { count, avg: null, max: null };
  const total = points.reduce((sum, point) => sum + point.total, 0);
  const most = points.reduce((max, point) => Math.max(max, point.most), Number.NEGATIVE_INFINITY);
  return { count, avg: shown(total / count), max: shown(most) };
}

/** The Unix time until which buckets hold all readings: the agent's mark, or its oldest late reading. */
async function readRolled(db: Database, agentNo: number, fromUnix: number, now: Date): Promise<number> {
  const row = await db
    .selectFrom('agent_states')
    .select(['rolled_until', 'dirty_from'])
    .where('agent_no', '=', agentNo)
    .executeTakeFirst();
  if (!row) return fromUnix;
  const marks = [unix(row.rolled_until), bucketStart(unix(now), TIER_10M.seconds)];
  // Single readings of earlier times are no longer stored.
  if (row.dirty_from !== null)
    marks.push(
      Math.max(bucketStart(unix(row.dirty_from), TIER_10M.seconds), unix(keptFrom(AGENT_READINGS, now))),
    );
  return Math.max(fromUnix, Math.min(...marks));
}

function bucketRows(agentNo: number, metric: string, { tier, from, to }: Segment): RawBuilder<unknown> {
  return sql`
    SELECT b.bucket AS at, (m.parts ->> 0)::int AS n, (m.parts ->> 1)::float8 AS total, (m.parts ->> 2)::float8 AS most
    FROM ${sql.table(tier.table)} b CROSS JOIN LATERAL (SELECT b.metrics -> ${metric}::text AS parts) m
    WHERE b.agent_no = ${agentNo} AND b.bucket >= ${new Date(from * 1000)} AND b.bucket < ${new Date(to * 1000)}
      AND m.parts IS NOT NULL`;
}

function readingRows(agentNo: number, metric: string, from: number, to: Date): RawBuilder<unknown> {
  const value = metric.startsWith(OF_MOUNT)
    ? sql`(r.disks ->> ${metric.slice(OF_MOUNT.length)}::text)::float8`
    : sql.ref(`r.${metric}`);
  return sql`
    SELECT v.at, 1 AS n, v.value AS total, v.value AS most
    FROM (
      SELECT r.at, ${value} AS value FROM agent_readings r
      WHERE r.agent_no = ${agentNo} AND r.at >= ${new Date(from * 1000)} AND r.at <= ${to}
    ) v WHERE v.value IS NOT NULL`;
}

async function readPoints(
  db: Database,
  parts: readonly RawBuilder<unknown>[],
  bucketSeconds: number,
): Promise<Point[]> {
  const { rows } = await sql<Point>`
    SELECT extract(epoch FROM date_bin(${sql.raw(`interval '${bucketSeconds} seconds'`)}, at, 'epoch'))::bigint AS bucket,
      sum(n)::int AS n, sum(total) AS total, max(most) AS most
    FROM (${sql.join(parts, sql` UNION ALL `)}) parts GROUP BY 1 ORDER BY 1`.execute(db);
  return rows;
}
