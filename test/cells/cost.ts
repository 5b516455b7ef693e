// What so many monitors need and cost. Pure: measured figures and prices in, figures out.
import {
  BUCKETS,
  DAYS_OF_ROWS,
  PACKED_BYTES_PER_CHECK,
  PROBE_MIB,
  PROBE_MS_PER_CHECK,
  ROLL_UP_MS_PER_CHECK,
  ROW_BYTES_PER_CHECK,
  SERVER_MS_PER_CHECK,
} from './measured.ts';

export type Asked = {
  monitors: number;
  intervalSeconds: number;
  regions: number;
  /** How long single checks are kept. */
  rawDays: number;
};

export type Prices = {
  /** A machine for servers and database, a month. */
  machine: number;
  machineCores: number;
  /** A machine for probes, a month. */
  probe: number;
  probeCores: number;
  /** A GB (10⁹ bytes) of disk, a month. */
  diskGb: number;
  /** Share of its cores that a machine may use on average; the rest is for peaks. */
  busy: number;
  /** Copies of the database with a machine each: 1 is none to spare. */
  copies: number;
};

export type Cost = {
  checksPerSecond: number;
  /** Servers and database together. */
  serverCores: number;
  /** Of each region. */
  probeCores: number;
  probeMib: number;
  /** Of one copy, with single checks and buckets at their full age. */
  diskGb: number;
  machines: number;
  probeMachines: number;
  perMonth: number;
  perThousandMonitors: number;
};

const DAY_SECONDS = 86_400;

/** Bytes on disk per monitor, once everything is as old as it gets. */
export function bytesPerMonitor({ intervalSeconds, regions, rawDays }: Asked): number {
  const daysOfRows = Math.min(rawDays, DAYS_OF_ROWS);
  const bytesOfSingle = daysOfRows * ROW_BYTES_PER_CHECK + (rawDays - daysOfRows) * PACKED_BYTES_PER_CHECK;
  const single = (DAY_SECONDS / intervalSeconds) * bytesOfSingle;
  const rolledUp = BUCKETS.reduce((bytes, bucket) => bytes + bucket.bytes * bucket.perDay * bucket.days, 0);
  return regions * (single + rolledUp);
}

/** What one installation of this size costs. */
export function costOf(asked: Asked, prices: Prices): Cost {
  const { monitors, intervalSeconds, regions } = asked;
  const checksPerSecond = (monitors * regions) / intervalSeconds;
  const serverCores = (checksPerSecond * (SERVER_MS_PER_CHECK + ROLL_UP_MS_PER_CHECK)) / 1000;
  const probeCores = ((checksPerSecond / regions) * PROBE_MS_PER_CHECK) / 1000;
  const diskGb = (monitors * bytesPerMonitor(asked)) / 1e9;
  const atLeastOne = (cores: number, each: number) => Math.max(1, Math.ceil(cores / (each * prices.busy)));
  const machines = prices.copies * atLeastOne(serverCores, prices.machineCores);
  const probeMachines = regions * atLeastOne(probeCores, prices.probeCores);
  const perMonth =
    machines * prices.machine + probeMachines * prices.probe + prices.copies * diskGb * prices.diskGb;
  return {
    checksPerSecond,
    serverCores,
    probeCores,
    probeMib: PROBE_MIB.alone + (PROBE_MIB.perThousand * monitors) / 1000,
    diskGb,
    machines,
    probeMachines,
    perMonth,
    perThousandMonitors: (perMonth / monitors) * 1000,
  };
}
