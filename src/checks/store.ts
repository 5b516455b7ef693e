// Writes a batch of results: one statement, one row for each check; the key drops duplicates.
import { type RawBuilder, sql } from 'kysely';
import { CHECK_STATUSES, type CheckStatus } from '../domain/names.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import type { Tx } from '../platform/work.ts';
import type { Result } from '../probe-protocol/contract.ts';
import { SPAN_SECONDS as SECONDS } from '../series/rollup-tiers.ts';

const SPAN_SECONDS = sql.raw(String(SECONDS));
const SPAN_MS = sql.raw(String(SECONDS * 1000));

export const STATUS_NO = { up: 0, degraded: 1, down: 2 } as const;
/** The status that a stored number stands for. */
export const statusOfNo = (no: number): CheckStatus => CHECK_STATUSES[no] ?? 'down';

/** The region that a batch comes from. */
export type Region = { no: number; slug: string };

/** A result of the monitor with this number. */
export type NumberedResult = { no: number; result: Omit<Result, 'monitor_id'> };
export type Stored = { known: number; inserted: number };

/**
 * Stores results of one region (0: of monitors without regions). `known` counts results whose monitor is assigned to the
 * region right now; the others are ignored. Columns travel as array literals, which cost a fraction of JSON to build and to
 * parse; a column that is null throughout travels as `{}`.
 */
export async function storeResults(
  tx: Tx,
  regionNo: number,
  batch: readonly NumberedResult[],
): Promise<Stored> {
  const phase = (name: 'dns' | 'connect' | 'tls' | 'first_byte') =>
    numbers(batch, (r) => r.timings_ms?.[name]);
  const { rows } = await sql<Stored>`
    WITH known AS (
      SELECT b.* FROM unnest(
        ${pgArray(batch.map((b) => b.no))}::int[], ${pgArray(batch.map((b) => b.result.checked_at_ms))}::bigint[],
        ${pgArray(batch.map((b) => STATUS_NO[b.result.status]))}::smallint[],
        ${numbers(batch, (r) => r.latency_ms)}::int[], ${numbers(batch, (r) => r.response_code)}::smallint[],
        ${phase('dns')}::int[], ${phase('connect')}::int[], ${phase('tls')}::int[], ${phase('first_byte')}::int[],
        ${texts(batch, (r) => r.failure_class)}::text[], ${texts(batch, (r) => r.cause_layer)}::text[],
        ${texts(batch, (r) => r.detail)}::text[], ${numbers(batch, (r) => r.metric_value)}::float8[]
      ) AS b (no, at_ms, status, latency, code, dns, connect, tls, first_byte, class, layer, detail, metric)
      ${checkedFrom(regionNo)}
    ), ${lateOf(sql`SELECT no, at_ms FROM known`)}, stored AS (
      INSERT INTO checks (checked_at, monitor_no, latency_ms, dns_ms, connect_ms, tls_ms, first_byte_ms, region_no,
        response_code, status, failure_class, cause_layer, detail, metric_value)
      SELECT to_timestamp(at_ms::float8 / 1000), no, latency, dns, connect, tls, first_byte, ${regionNo}::smallint,
        code, status, class, layer, detail, metric
      FROM known
      ON CONFLICT DO NOTHING RETURNING 1
    )
    SELECT (SELECT count(*) FROM known)::int AS known, (SELECT count(*) FROM stored)::int AS inserted`.execute(
    tx,
  );
  const { known, inserted } = rows[0] ?? { known: 0, inserted: 0 };
  return { known, inserted: inserted + (known > inserted ? await storedAside(tx, regionNo, batch) : 0) };
}

/** Counts the results of packed days: a trigger stored them in late_checks instead (docs/adr/0043-packed-checks.md). */
async function storedAside(tx: Tx, regionNo: number, batch: readonly NumberedResult[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM late_checks WHERE xmin = pg_current_xact_id()::xid
      AND region_no = ${regionNo} AND monitor_no = ANY(${pgArray([...new Set(batch.map(({ no }) => no))])}::int[])`.execute(
    tx,
  );
  return rows[0]?.n ?? 0;
}

function checkedFrom(regionNo: number): RawBuilder<unknown> {
  return regionNo === 0
    ? sql`JOIN monitors m ON m.no = b.no AND m.enabled AND m.regions = '{}'`
    : sql`JOIN assignments a ON a.region_no = ${regionNo} AND a.monitor_no = b.no AND NOT a.removed`;
}

/**
 * WITH clauses that every statement that writes checks needs. They note checks in spans that are already rolled up. `checks`
 * selects `no` (of the monitor) and `at_ms` of the checks. Each note is a row of its own and is never merged with earlier ones,
 * so that a batch of results locks no row that another transaction changes.
 */
export const lateOf = (checks: RawBuilder<unknown>) => sql`
  closed AS MATERIALIZED (SELECT (extract(epoch FROM checks_closed_until()) * 1000)::bigint AS until_ms), late AS (
    INSERT INTO rollup_dirty (monitor_no, since, until)
    SELECT no, lower(t), upper(t) FROM (
      SELECT w.no, range_agg(tstzrange(to_timestamp(w.at_ms / ${SPAN_MS} * ${SPAN_SECONDS}),
        to_timestamp((w.at_ms / ${SPAN_MS} + 1) * ${SPAN_SECONDS}))) AS times
      FROM (${checks}) w, closed WHERE w.at_ms < closed.until_ms GROUP BY w.no
    ) noted, unnest(times) AS t
  )`;

/** An array literal of numbers; unnest pads the empty one with nulls. */
function numbers(
  batch: readonly NumberedResult[],
  pick: (result: NumberedResult['result']) => number | undefined,
): string {
  let any = false;
  const list = batch.map(({ result }) => {
    const value = pick(result);
    if (value === undefined) return 'NULL';
    any = true;
    return value;
  });
  return any ? pgArray(list) : '{}';
}

function texts(
  batch: readonly NumberedResult[],
  pick: (result: NumberedResult['result']) => string | undefined,
): (string | null)[] | string {
  let any = false;
  const list = batch.map(({ result }) => {
    const value = pick(result) ?? null;
    if (value !== null) any = true;
    return value;
  });
  return any ? list : '{}';
}
