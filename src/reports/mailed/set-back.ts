// Mailed reports whose month or next try a clock has dated in a future that it has left again
// (docs/rules/confirmation.md#a-clock-that-was-set-back).
import { sql } from 'kysely';
import { isTimezone } from '#src/domain/cron.ts';
import { mailedAt } from '#src/domain/report-month.ts';
import { monthAt } from '#src/domain/report-period.ts';
import type { SetBack } from '#src/platform/db/set-back.ts';
import type { Work } from '#src/platform/work.ts';

type Row = { id: string; timezone: string; period: string; attempts: number; next_try_at: Date };

/**
 * The clock was set back: no subscription waits for a month that has not begun, and what failed is tried again as soon as it was
 * meant to be. A month that was mailed before its time is mailed again, with all that happened in it.
 */
export async function rightReports({ tx, now }: Work, { byMs }: SetBack): Promise<void> {
  const { rows } = await sql<Row>`
    SELECT id, timezone, period, attempts, next_try_at FROM report_subscriptions WHERE next_try_at > ${now}
    FOR NO KEY UPDATE SKIP LOCKED`.execute(tx);
  const righted = rows.map((row) => rightedOf(row, now.getTime(), byMs));
  await sql`
    UPDATE report_subscriptions r SET period = n.period, attempts = n.attempts, next_try_at = n.next_try_at,
      last_sent_at = least(r.last_sent_at, ${now})
    FROM jsonb_to_recordset(${JSON.stringify(righted)}::jsonb) AS n (id text, period text, attempts int, next_try_at timestamptz)
    WHERE r.id = n.id`.execute(tx);
}

function rightedOf({ id, timezone, period, attempts, next_try_at }: Row, nowMs: number, byMs: number): Row {
  const zone = isTimezone(timezone) ? timezone : 'UTC';
  const current = monthAt(nowMs, zone);
  if (period > current)
    return { id, timezone, period: current, attempts: 0, next_try_at: mailedAt(current, zone, id) };
  if (attempts === 0) return { id, timezone, period, attempts, next_try_at };
  const againMs = Math.max(next_try_at.getTime() - byMs, nowMs, mailedAt(period, zone, id).getTime());
  return { id, timezone, period, attempts, next_try_at: new Date(againMs) };
}
