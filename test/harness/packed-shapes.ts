// Checks of every shape, a day of them for each monitor and region, made by the database: packing must read them back exactly.
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#src/platform/work.ts';

/** Monitors per statement: each has 10 s, on a machine that is busy with other tests too. */
const AT_ONCE = 5;

/**
 * Inserts days of checks for monitors 1 to `monitors`, which need not exist, and returns their number. The form of instants,
 * numbers, texts and metrics depends on the number of the monitor: as numbers grow, all 8 × 6 × 5 × 7 combinations occur. The
 * partition must exist.
 */
export async function fillShapes(
  db: Database,
  day: Date,
  monitors: { from: number; to: number },
): Promise<number> {
  const regions = 1 + (monitors.to % 2);
  let checks = 0;
  for (let from = monitors.from; from <= monitors.to; from += AT_ONCE) {
    checks += await fill(db, day, { from, to: Math.min(monitors.to, from + AT_ONCE - 1) }, regions);
  }
  return checks;
}

async function fill(
  db: Database,
  day: Date,
  monitors: { from: number; to: number },
  regions: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    INSERT INTO checks (checked_at, monitor_no, region_no, latency_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, response_code,
      status, failure_class, cause_layer, detail, metric_value, metric_value_2)
    SELECT ${day}::timestamptz + apart * interval '1 microsecond', no, region,
      CASE numbers WHEN 0 THEN 60 + no % 200 + took WHEN 1 THEN NULL WHEN 2 THEN (random() * 4294967295 - 2147483648)::bigint
        WHEN 3 THEN CASE WHEN luck < 0.1 THEN NULL ELSE 5 END WHEN 4 THEN CASE WHEN luck < 0.01 THEN 30000 ELSE took END
        ELSE -took END::int,
      CASE numbers WHEN 0 THEN 2 WHEN 5 THEN took / 10 WHEN 3 THEN CASE WHEN luck < 0.9 THEN NULL ELSE 2147483647 END END,
      CASE numbers WHEN 0 THEN 9 + (luck * 8)::int WHEN 5 THEN -2147483648 END::int,
      CASE numbers WHEN 0 THEN 21 + took / 4 WHEN 4 THEN 0 END,
      CASE numbers WHEN 0 THEN 30 + took WHEN 4 THEN took + (random() * 3)::int END,
      CASE WHEN numbers = 1 THEN NULL WHEN numbers = 2 THEN (random() * 65535 - 32768)::int WHEN luck < 0.02 THEN 503 ELSE 200 END::smallint,
      CASE WHEN texts = 4 THEN 2 WHEN luck < 0.01 THEN 2 WHEN luck < 0.02 THEN 1 ELSE 0 END,
      CASE WHEN texts = 4 OR (texts > 0 AND luck < 0.02) THEN (ARRAY['http_status', 'timeout', 'NULL'])[1 + i % 3] END,
      CASE WHEN texts = 4 OR (texts > 1 AND luck < 0.02) THEN (ARRAY['target_http', 'probe'])[1 + i % 2] END,
      CASE texts WHEN 1 THEN CASE WHEN luck < 0.02 THEN 'The server answered 503, expected 200-299.' END
        WHEN 2 THEN 'took ' || took || ' ms' WHEN 3 THEN CASE WHEN luck < 0.5 THEN E'"\\\\ {},\\n\\t ä 名 ' || repeat('x', (i % 900)::int) ELSE '' END
        WHEN 4 THEN 'NULL' END,
      CASE metrics WHEN 1 THEN round((random() * 100)::numeric, 2)::float8 WHEN 2 THEN random() * 1e300
        WHEN 3 THEN (ARRAY['-0', '0', 'NaN', 'Infinity', '-Infinity', '5e-324', '1.7976931348623157e308']::float8[])[1 + i % 7]
        WHEN 4 THEN CASE WHEN luck < 0.3 THEN NULL ELSE i::float8 END WHEN 5 THEN (random() * 2 - 1) * 9e15 WHEN 6 THEN random() END,
      CASE metrics WHEN 5 THEN 0.1 + 0.2 WHEN 6 THEN -1e-9 * i WHEN 4 THEN 0.5 * i END
    FROM (
      SELECT no, region, i, no % 6 AS numbers, no % 5 AS texts, no % 7 AS metrics, random() AS luck,
        (-ln(1 - random()) * 25)::int AS took, least(86399999999, greatest(0, CASE no % 8
          WHEN 0 THEN i * 60000000
          WHEN 1 THEN i * 60000000 + (random() * 500)::int * 1000
          WHEN 2 THEN i * 60000000 + (random() * 1000000)::int
          WHEN 3 THEN (i + i / 40 * 7) * 50000000
          WHEN 4 THEN CASE WHEN i < 700 THEN i * 15000000 ELSE 10500000000 + (i - 700) * 60000000 END
          WHEN 5 THEN i / 2 * 120000000 + i % 2
          WHEN 6 THEN i * 60037000
          ELSE i / 60 * 3600000000::bigint END))::bigint AS apart
      FROM generate_series(${monitors.from}::bigint, ${monitors.to}::bigint) AS no, generate_series(1, ${regions}::int) AS region,
        generate_series(0::bigint, 1439) AS i
      WHERE no % 11 <> 0 OR i = 77
    ) made
    ON CONFLICT DO NOTHING`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** The number of checks of the day that the blocks lack, have differently, or have without a row; exact to the last bit. */
export async function differences(db: Database, day: Date): Promise<number> {
  const columns = sql`checked_at, monitor_no, region_no, latency_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, response_code,
    status, failure_class, cause_layer, detail, float8send(metric_value), float8send(metric_value_2)`;
  const { rows } = await sql<{ n: number }>`
    WITH was AS MATERIALIZED (
      SELECT ${columns} FROM checks WHERE checked_at >= ${day} AND checked_at < ${day}::timestamptz + interval '1 day'
    ), now AS MATERIALIZED (
      SELECT ${columns} FROM (SELECT u.*, b.monitor_no, b.region_no FROM packed_checks b
        CROSS JOIN LATERAL unpack_checks(b.day, b.checks, b.body, b.texts, b.numbers) u WHERE b.day = ${day}) b
    )
    SELECT (SELECT count(*) FROM (SELECT * FROM was EXCEPT ALL SELECT * FROM now) missing)
      + (SELECT count(*) FROM (SELECT * FROM now EXCEPT ALL SELECT * FROM was) added) AS n`.execute(db);
  return rows[0]?.n ?? -1;
}

/**
 * How many monitors and regions have other packed checks than rows between two hours of the day, by the function that reads them:
 * the newest `most`, the same without probe faults, what figures are made of, instants, spans of ten minutes, and the time that
 * they speak for. The day counts as packed.
 */
export async function differencesWithin(
  db: Database,
  day: Date,
  asked: { since: number; until: number; most: number },
): Promise<Differing> {
  const { rows } = await sql<{ last: number }>`SELECT max(monitor_no)::int AS last FROM checks`.execute(db);
  const sum: Differing = { newest: 0, conclusive: 0, results: 0, instants: 0, spans: 0, speech: 0 };
  for (let from = 1; from <= (rows[0]?.last ?? 0); from += AT_ONCE) {
    const of = await differing(db, day, { from, to: from + AT_ONCE - 1 }, asked);
    for (const [name, count] of Object.entries(of)) sum[name as keyof Differing] += count;
  }
  return sum;
}

type Differing = Record<'newest' | 'conclusive' | 'results' | 'instants' | 'spans' | 'speech', number>;

async function differing(
  db: Database,
  day: Date,
  monitors: { from: number; to: number },
  { since, until, most }: { since: number; until: number; most: number },
): Promise<Differing> {
  const at = (hour: number) => new Date(day.getTime() + Math.round(hour * 3_600_000));
  const range = sql`k.monitor_no, k.region_no, ${at(since)}::timestamptz, ${at(until)}::timestamptz`;
  const rows = sql`checks c WHERE c.monitor_no = k.monitor_no AND c.region_no = k.region_no
    AND c.checked_at >= ${at(since)} AND c.checked_at < ${at(until)}`;
  const whole = sql`c.checked_at, c.monitor_no, c.latency_ms, c.dns_ms, c.connect_ms, c.tls_ms, c.first_byte_ms, c.region_no,
    c.response_code, c.status, c.failure_class, c.cause_layer, c.detail, float8send(c.metric_value) AS one, float8send(c.metric_value_2) AS two`;
  const counted = sql`c.checked_at, c.monitor_no, c.region_no, c.status, c.latency_ms, c.cause_layer,
    float8send(c.metric_value) AS one, float8send(c.metric_value_2) AS two`;
  const conclusive = sql`c.cause_layer IS DISTINCT FROM 'probe'`;
  const newest = sql`ORDER BY c.checked_at DESC LIMIT ${most}`;
  const speech = sql`interval '190 seconds'`;
  const all = (of: RawBuilder<unknown>) => sql`(SELECT array_agg(x ORDER BY x) FROM (${of}) x)`;
  const differ = (a: RawBuilder<unknown>, b: RawBuilder<unknown>) =>
    sql`count(*) FILTER (WHERE ${all(a)} IS DISTINCT FROM ${all(b)})::int`;
  const { rows: found } = await sql<Differing>`
    SELECT
      ${differ(sql`SELECT ${whole} FROM ${rows} ${newest}`, sql`SELECT ${whole} FROM packed_checks_within(${range}, ${most}) c ${newest}`)} AS newest,
      ${differ(
        sql`SELECT ${whole} FROM ${rows} AND ${conclusive} ${newest}`,
        sql`SELECT ${whole} FROM packed_checks_within(${range}, ${most}, true) c ${newest}`,
      )} AS conclusive,
      ${differ(sql`SELECT ${counted} FROM ${rows}`, sql`SELECT ${counted} FROM packed_results_within(${range}) c`)} AS results,
      ${differ(
        sql`SELECT c.checked_at, c.cause_layer FROM ${rows}`,
        sql`SELECT c.checked_at, c.cause_layer FROM packed_instants_within(${range}) c`,
      )} AS instants,
      ${differ(
        sql`SELECT DISTINCT date_bin('10 minutes', c.checked_at, 'epoch') AS at FROM ${rows}`,
        sql`SELECT p AS at FROM packed_spans_within(${range}, 600) p`,
      )} AS spans,
      ${differ(
        sql`SELECT range_agg(tstzrange(c.checked_at, c.checked_at + ${speech})) AS times FROM ${rows} AND ${conclusive}`,
        sql`SELECT range_agg(p) AS times FROM packed_speech_within(${range}, ${speech}) p`,
      )} AS speech
    FROM (SELECT DISTINCT monitor_no, region_no FROM checks WHERE monitor_no BETWEEN ${monitors.from} AND ${monitors.to}) k`.execute(
    db,
  );
  const [row] = found;
  if (!row) throw new Error('a statement of aggregates answers one row');
  return row;
}
