// The uptime of the month over all monitors, as in the report (docs/rules/overview.md#uptime-of-the-month). It takes the
// history of every monitor, so the result of a large organization is cached, and no answer waits for it.
import { sql } from 'kysely';
import { MINUTE_MS } from '../domain/durations.ts';
import { uptimeOfAll } from '../domain/report.ts';
import { monthAt, periodSpan } from '../domain/report-period.ts';
import { type Uptime as Measured, uptimeOf } from '../domain/uptime.ts';
import { unix } from '../platform/unix.ts';
import type { Database } from '../platform/work.ts';
import { asking, readHistories } from '../series/uptime.ts';
import type { Uptime } from './contract.ts';

/** Up to this many are computed while an answer waits, and per batch; other requests run between two batches. */
const LOT = 200;
const REMEMBERED_MS = 5 * MINUTE_MS;
/** A figure older than this is not shown. */
const FORGOTTEN_MS = 2 * REMEMBERED_MS;
const MAX_REMEMBERED = 1000;

type Remembered = { atMs: number; uptime: Uptime };

/** The figure as known at `now`; null while it is computed for a large organization, and if that failed. */
export type MonthUptime = (db: Database, orgId: string, now: Date) => Promise<Uptime | null>;

export function makeMonthUptime(): MonthUptime {
  const remembered = new Map<string, Remembered>();
  const running = new Map<string, Promise<unknown>>();
  // One after the other: none of them is urgent.
  let last: Promise<unknown> = Promise.resolve();

  function note(orgId: string, uptime: Uptime, now: Date): Uptime {
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    remembered.set(orgId, { atMs: now.getTime(), uptime });
    return uptime;
  }

  function computeSoon(db: Database, orgId: string, nos: readonly number[], now: Date): void {
    if (running.has(orgId)) return;
    const next = last
      .then(async () => note(orgId, await compute(db, nos, now), now))
      .catch(() => undefined)
      .finally(() => running.delete(orgId));
    running.set(orgId, next);
    last = next;
  }

  return async (db, orgId, now) => {
    const known = remembered.get(orgId);
    const ageMs = known === undefined ? Number.POSITIVE_INFINITY : now.getTime() - known.atMs;
    if (known !== undefined && ageMs < REMEMBERED_MS) return known.uptime;
    const nos = await monitorsOf(db, orgId);
    if (nos.length <= LOT) return note(orgId, await compute(db, nos, now), now);
    computeSoon(db, orgId, nos, now);
    return known !== undefined && ageMs < FORGOTTEN_MS ? known.uptime : null;
  };
}

async function monitorsOf(db: Database, orgId: string): Promise<number[]> {
  const { rows } = await sql<{ no: number }>`
    SELECT no FROM monitors WHERE org_id = ${orgId} AND NOT example ORDER BY no`.execute(db);
  return rows.map(({ no }) => no);
}

async function compute(db: Database, nos: readonly number[], now: Date): Promise<Uptime> {
  const period = monthAt(now.getTime(), 'UTC');
  const { fromMs } = periodSpan(period, 'UTC');
  const range = { fromMs, untilMs: unix(now) * 1000 };
  const measured: Measured[] = [];
  for (let i = 0; i < nos.length; i += LOT) {
    const lot = nos.slice(i, i + LOT);
    const histories = await readHistories(asking(db), lot, new Date(fromMs), new Date(range.untilMs));
    for (const history of histories.values()) measured.push(uptimeOf(range, history));
  }
  return { period, pct: uptimeOfAll(measured), at_unix: unix(now) };
}
