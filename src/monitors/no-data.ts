// Whether the state of a monitor is known (docs/rules/confirmation.md#no-data). It is computed only here, when it is read, so
// that no reader depends on a loop that might have stopped.
import { type RawBuilder, sql } from 'kysely';
import { HEARTBEAT_SECONDS } from '../domain/agent.ts';
import { CANNOT_CHECK } from '../domain/cannot-check.ts';
import { DAY_MS } from '../domain/durations.ts';
import { DEFAULT_TIMEOUT_MS, FUTURE_MS } from '../domain/reporting.ts';
import { onlineNow } from '../regions/liveness.ts';
import { defaultOf } from './types/defaults.ts';
import { TYPES } from './types.ts';

/** Longer than any reporting window (three intervals of a day). */
const LONGEST_WINDOW_MS = 4 * DAY_MS;
/** Their status does not come from checks that could be missing. */
const KNOW_FOR_THEMSELVES = sql`('heartbeat', 'group')`;
const NEVER = Object.keys(CANNOT_CHECK);

const timeouts = sql.join(
  [...TYPES].flatMap(([type, { schema }]) => {
    const timeout = defaultOf(schema, 'timeout_ms');
    return typeof timeout === 'number'
      ? [sql`WHEN ${sql.lit(type)} THEN least(${sql.lit(timeout)}, monitors.interval_seconds * 800)`]
      : [];
  }),
  sql` `,
);

/** 3 × the interval plus the timeout, as `completeConfig` fills it in. */
const EVERY_SECONDS = sql`CASE WHEN monitors.type IN ('agent', 'service')
  THEN greatest(${sql.lit(HEARTBEAT_SECONDS)}, monitors.interval_seconds) ELSE monitors.interval_seconds END`;
const WINDOW = sql`make_interval(secs => (3 * ${EVERY_SECONDS})::float8 + coalesce(
  (monitors.config ->> 'timeout_ms')::float8,
  CASE monitors.type ${timeouts} END,
  ${sql.lit(DEFAULT_TIMEOUT_MS)}) / 1000)`;

/** Values, not sums in SQL: the plan then has the partitions of these days only. */
const recent = (now: Date) => sql`${new Date(now.getTime() - LONGEST_WINDOW_MS)}::timestamptz`;
/** What is later still was dated by a clock that has been set back since. */
const soon = (now: Date) => sql`${new Date(now.getTime() + FUTURE_MS)}::timestamptz`;

/** The difference between an inclusive and an exclusive bound. */
const INSTANT = sql.raw("interval '1 microsecond'");

const OF_MONITOR = sql`(r.slug = ANY(monitors.regions) OR (r.no = 0 AND monitors.regions = '{}'))`;

/** Body of a materialized CTE named `online`: the regions that are online at `now`, and the one of monitors without regions. */
export const onlineRegionNos = (now: Date): RawBuilder<{ no: number; slug: string }> => sql`(
  SELECT r.no, r.slug FROM regions r WHERE r.no = 0 OR ${onlineNow(now)})`;

/** More than the checks of a region within a window that reaches into packed days. */
const MANY = 1000;

/** A temporary fault of the probe says nothing about the target, and nothing about whether the check can be made. */
const SAYS_SOMETHING = sql`(c.cause_layer IS DISTINCT FROM 'probe' OR c.failure_class = ANY(${NEVER}::text[]))`;

/** The newest check `c` of a row of `monitors` by the region `r` since `reach`, of those that count; `most`: how many to search. */
const newestCheck = (now: Date, counts: RawBuilder<unknown>, most: number) => sql`(
    SELECT c.* FROM (
      (SELECT c.checked_at, c.cause_layer, c.failure_class FROM checks c
      WHERE c.monitor_no = monitors.no AND c.region_no = r.no
        AND c.checked_at > reach.since AND c.checked_at > ${recent(now)} AND c.checked_at < ${soon(now)} AND ${counts}
      ORDER BY c.checked_at DESC LIMIT 1)
      UNION ALL
      SELECT c.checked_at, c.cause_layer, c.failure_class FROM packing_state CROSS JOIN LATERAL newest_checks(
        monitors.no, r.no, reach.since + ${INSTANT}, ${soon(now)}, ${most}) c
      WHERE reach.since < packing_state.sealed_until AND ${counts}
    ) c ORDER BY c.checked_at DESC LIMIT 1
  )`;

/** Whether this monitor can have no data at all. */
export const CAN_FALL_SILENT = sql<boolean>`(monitors.enabled AND monitors.type NOT IN ${KNOW_FOR_THEMSELVES})`;

/**
 * `reports`: one of the monitor's online regions reports. `reports_until`: the time (ms) until which that holds unless a region
 * finds that the check cannot be made, with the number of the region. `cannot`: the failure class of a check that no region can
 * make.
 */
export type Reporting = { reports: boolean; reports_until: [number, number][] | null; cannot: string | null };

/**
 * A lateral table with one row (`Reporting`) for each row of `monitors`, beside the CTE `online`. It takes one index look-up
 * for each online region of a monitor that can have no data, and computes the window once per monitor. A probe fault is no
 * result, and once a check cannot be made, earlier results no longer count.
 */
export const reportingAt = (now: Date): RawBuilder<Reporting> => sql`LATERAL (
  SELECT coalesce(bool_or(CASE
      WHEN newest.cause_layer IS DISTINCT FROM 'probe' THEN true
      WHEN newest.failure_class = ANY(${NEVER}::text[]) THEN false
      ELSE (SELECT said.cause_layer IS DISTINCT FROM 'probe' FROM ${newestCheck(now, SAYS_SOMETHING, MANY)} said)
    END), false) AS reports,
    jsonb_agg(jsonb_build_array(r.no, floor((extract(epoch FROM newest.checked_at) + extract(epoch FROM ${now}::timestamptz)
      - extract(epoch FROM reach.since)) * 1000))) FILTER (WHERE newest.cause_layer IS DISTINCT FROM 'probe') AS reports_until,
    max(newest.failure_class) FILTER (WHERE newest.cause_layer = 'probe'
      AND newest.failure_class = ANY(${NEVER}::text[])) AS cannot
  FROM (SELECT ${now}::timestamptz - ${WINDOW} AS since WHERE ${CAN_FALL_SILENT} OFFSET 0) reach
  CROSS JOIN online r CROSS JOIN LATERAL ${newestCheck(now, sql`true`, 1)} newest
  WHERE ${OF_MONITOR}
)`;

/** The newest result of a row of `monitors` since a time, by the regions `r` of the condition; null if there is none. */
const newestResultBy = (regions: RawBuilder<unknown>, since: RawBuilder<unknown>) => sql`(
  SELECT max(newest.checked_at) FROM regions r
    CROSS JOIN LATERAL newest_checks(monitors.no, r.no, ${since} + ${INSTANT}, 'infinity', 1, true) newest WHERE ${regions})`;

/**
 * The newest result of a row of `monitors`, also of a region that checked it before it moved, since a time (null: ever); null if
 * there is none. In other regions than its own it searches only what is newer than the newest result of these.
 */
export const newestResultSince = (since: RawBuilder<unknown> | null): RawBuilder<Date | null> => {
  const from = since ?? sql`monitors.created_at`;
  return sql`(
    SELECT greatest(own.newest, ${newestResultBy(sql`NOT ${OF_MONITOR}`, sql`coalesce(own.newest, ${from})`)})
    FROM (SELECT ${newestResultBy(OF_MONITOR, from)} AS newest) own)`;
};

/** `no_data_since`: beside `reportingAt` as `reporting`, and the row of `silences` if there is one. */
export const noDataSince = (now: Date): RawBuilder<Date | null> => sql`
  CASE WHEN ${CAN_FALL_SILENT} AND NOT reporting.reports THEN coalesce(silences.since,
    ${newestResultSince(recent(now))}, monitors.created_at) END`;

/** The failure class of a check that cannot be made, for a monitor on which no region reports. */
export const CANNOT_CHECK_CLASS = sql<string | null>`
  CASE WHEN ${CAN_FALL_SILENT} AND NOT reporting.reports THEN reporting.cannot END`;

/** See `Reporting`; null for a monitor that always has data. */
export const REPORTS_UNTIL = sql<[number, number][] | null>`
  CASE WHEN ${CAN_FALL_SILENT} THEN coalesce(reporting.reports_until, '[]') END`;
