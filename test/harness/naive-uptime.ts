// Uptime by time computed from all checks directly, between the instants at which anything changes: the reference for the real
// one, which is made of roll-ups.
import { sql } from 'kysely';
import type { TestApp } from './app.ts';

type Span = { from: number; until: number | null };
type Asked = { fromMs: number; untilMs: number };
type Rule = Span & { window_ms: number | null; enabled: boolean };

/** In percent; null if no time counts. */
export async function naiveUptime(
  app: Pick<TestApp, 'db'>,
  monitorId: string,
  asked: Asked,
): Promise<number | null> {
  return (await readUptime(app, monitorId))(asked);
}

/** Reads all checks once; gives the uptime of any time. */
export async function readUptime(
  { db }: Pick<TestApp, 'db'>,
  monitorId: string,
): Promise<(asked: Asked) => number | null> {
  const ms = (column: string) => sql.raw(`(extract(epoch FROM ${column}) * 1000)::float8`);
  const ask = async <R>(query: ReturnType<typeof sql<R>>) => (await query.execute(db)).rows;
  const mine = sql`(SELECT no FROM monitors WHERE id = ${monitorId})`;
  const checks = (
    await ask(sql<{ at: number }>`
      SELECT ${ms('c.checked_at')} AS at FROM regions r CROSS JOIN LATERAL stored_checks(${mine}, r.no, '-infinity', 'infinity') c
      WHERE c.cause_layer IS DISTINCT FROM 'probe' ORDER BY c.checked_at`)
  ).map(({ at }) => at);
  const rules = await ask(sql<Rule>`
    SELECT ${ms('since')} AS from, ${ms('until')} AS until, window_ms, enabled FROM reporting_rules WHERE monitor_no = ${mine}`);
  const windows = await ask(sql<Span>`
    SELECT ${ms('starts_at')} AS from, ${ms('ends_at')} AS until FROM maintenance_monitors WHERE monitor_no = ${mine}`);
  const outages = await ask(sql<Span>`
    SELECT ${ms('started_at')} AS from, ${ms('resolved_at')} AS until FROM incidents
    WHERE monitor_id = ${monitorId} AND origin = 'automatic' AND NOT discarded`);

  return ({ fromMs, untilMs }) => uptimeIn(fromMs, untilMs, { checks, rules, windows, outages });
}

type Read = {
  checks: readonly number[];
  rules: readonly Rule[];
  windows: readonly Span[];
  outages: readonly Span[];
};

function uptimeIn(fromMs: number, untilMs: number, { checks, rules, windows, outages }: Read): number | null {
  const isIn = (at: number) => (span: Span) =>
    at >= span.from && at < (span.until ?? Number.POSITIVE_INFINITY);
  const isKnown = (at: number) => {
    const rule = rules.find(isIn(at));
    const last = lastNotAfter(checks, at);
    return rule?.enabled === true && last !== null && (rule.window_ms === null || at - last < rule.window_ms);
  };
  const edges = [
    ...[...windows, ...outages, ...rules].flatMap(({ from, until }) => [from, until ?? untilMs]),
    ...checks.flatMap((at) => [at, ...rules.map(({ window_ms }) => at + (window_ms ?? 0))]),
  ].filter((at) => at > fromMs && at < untilMs);
  const instants = [...new Set([fromMs, ...edges, untilMs])].sort((a, b) => a - b);
  let [counted, down] = [0, 0];
  for (const [i, at] of instants.entries()) {
    const next = instants[i + 1];
    if (next === undefined || !isKnown(at) || windows.some(isIn(at))) continue;
    counted += next - at;
    if (outages.some(isIn(at))) down += next - at;
  }
  return counted === 0 ? null : ((counted - down) / counted) * 100;
}

function lastNotAfter(sorted: readonly number[], at: number): number | null {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return sorted[low - 1] ?? null;
}
