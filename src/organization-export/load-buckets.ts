// Writes the roll-ups of checks that are no longer kept. Roll-ups of checks in the file are recomputed.
import { sql } from 'kysely';
import { lateOf, STATUS_NO } from '../checks/store.ts';
import { firstRule } from '../monitors/reporting-rules.ts';
import { completeConfig } from '../monitors/row.ts';
import { rulesOf } from '../monitors/types.ts';
import type { Tx, Work } from '../platform/work.ts';
import { TIER_1H, TIER_12H } from '../series/rollup-tiers.ts';
import * as into from './columns.ts';
import type { DataOf } from './format.ts';
import { type Columns, insertRows } from './insert.ts';
import { BrokenLine, within } from './read-lines.ts';

const REPORTED_TIME: Columns = {
  monitor_no: 'int',
  bucket: 'timestamptz',
  rule_since: 'timestamptz',
  times: 'tstzmultirange',
};

/** The part of the file that has been loaded already. */
type Loaded = {
  work: Work;
  monitorNos: ReadonlyMap<string, number>;
  regionNos: ReadonlyMap<string, number>;
  incidents: ReadonlySet<string>;
};
type LineWith<D> = { number: number; data: D };

export async function loadChecks(
  { work, monitorNos, regionNos }: Loaded,
  lines: readonly LineWith<DataOf<'check'>>[],
): Promise<void> {
  const rows = lines.map(({ number, data }) => {
    within(number, monitorNos, data.monitor_id, 'monitor_id');
    within(number, regionNos, data.region, 'region');
    return {
      ...data,
      monitor_no: monitorNos.get(data.monitor_id),
      region_no: regionNos.get(data.region),
      status: STATUS_NO[data.status],
    };
  });
  await insertRows(work.tx, 'checks', into.CHECK, rows);
  await noteForRollup(work.tx, rows);
}

export async function loadBuckets(
  loaded: Loaded,
  lines: readonly LineWith<DataOf<'check_bucket'>>[],
): Promise<void> {
  for (const { number, data } of lines) refuseCrooked(number, data.bucket, data.seconds);
  for (const { table, seconds } of [TIER_1H, TIER_12H]) {
    const rows = lines.filter(({ data }) => data.seconds === seconds).map((line) => numbered(loaded, line));
    await insertRows(loaded.work.tx, table, into.BUCKET, rows);
  }
}

export async function loadDowntime(
  loaded: Loaded,
  lines: readonly LineWith<DataOf<'downtime_bucket'>>[],
): Promise<void> {
  for (const { number, data } of lines) {
    refuseCrooked(number, data.bucket, 600);
    for (const id of data.incident_ids) within(number, loaded.incidents, id, 'incident_ids');
  }
  const rows = lines.map((line) => numbered(loaded, line));
  await insertRows(loaded.work.tx, 'downtime_buckets', into.DOWNTIME, rows);
}

export async function loadReportedTimes(
  { work, monitorNos }: Pick<Loaded, 'work' | 'monitorNos'>,
  lines: readonly LineWith<DataOf<'reported_time'>>[],
): Promise<void> {
  const rows = lines.map(({ number, data }) => {
    within(number, monitorNos, data.monitor_id, 'monitor_id');
    refuseCrooked(number, data.bucket, TIER_12H.seconds);
    const ranges = data.times.map(([from, until]) => `[${from},${until})`);
    return { ...data, monitor_no: monitorNos.get(data.monitor_id), times: `{${ranges.join(',')}}` };
  });
  await insertRows(work.tx, 'reported_times', REPORTED_TIME, rows);
}

/** Has imported checks rolled up. */
async function noteForRollup(
  tx: Tx,
  rows: readonly { monitor_no: number | undefined; checked_at: string }[],
): Promise<void> {
  const written = sql`SELECT no, floor(extract(epoch FROM at) * 1000)::bigint AS at_ms
    FROM unnest(${rows.map(({ monitor_no }) => monitor_no ?? 0)}::int[], ${rows.map(({ checked_at }) => checked_at)}::timestamptz[])
      AS given (no, at)`;
  await sql`WITH ${lateOf(written)} SELECT`.execute(tx);
}

function numbered<D extends { monitor_id: string; region: string }>(
  { monitorNos, regionNos }: Loaded,
  { number, data }: LineWith<D>,
) {
  within(number, monitorNos, data.monitor_id, 'monitor_id');
  within(number, regionNos, data.region, 'region');
  return { ...data, monitor_no: monitorNos.get(data.monitor_id), region_no: regionNos.get(data.region) };
}

/** A bucket begins at a multiple of its length. */
function refuseCrooked(line: number, bucket: string, seconds: number): void {
  if (Date.parse(bucket) % (seconds * 1000) !== 0)
    throw new BrokenLine(line, `its bucket ${bucket} is not a multiple of ${seconds} seconds.`);
}

type Reporter = DataOf<'monitor'> & { monitor_no: number | undefined };

/** The rules that the file has of a monitor; of one from before there were any, what its config says. */
export function reportingRules({ monitor_no: no = 0, ...monitor }: Reporter): object[] {
  if (monitor.reporting != null && monitor.reporting.length > 0)
    return monitor.reporting.map((rule) => ({ ...rule, monitor_no: no }));
  const config = completeConfig(rulesOf(monitor.type), monitor.config, monitor.interval_seconds);
  return [firstRule({ ...monitor, no, config })];
}
