// Heartbeats whose pings a clock has dated in a future that it has left again
// (docs/rules/confirmation.md#a-clock-that-was-set-back).
import { sql } from 'kysely';
import { afterSetBack, earlier, nextTurnMs, upcomingInstants } from '../domain/heartbeat.ts';
import { type HeartbeatRow, heartbeatOf, storedRuns } from '../monitors/heartbeat-row.ts';
import { UPCOMING } from '../monitors/heartbeats.ts';
import { instantOf } from '../platform/db/instant.ts';
import type { Work } from '../platform/work.ts';

const BATCH = 500;

type Row = HeartbeatRow & { interval_seconds: number };

/** The clock was set back to this moment: pings count as of now, and the next ones are awaited from now on. The states are locked. */
export async function rightHeartbeats({ tx, now }: Work): Promise<void> {
  let after = 0;
  for (;;) {
    const { rows } = await sql<Row>`
      SELECT h.*, m.interval_seconds FROM heartbeats h JOIN monitors m ON m.no = h.monitor_no
      WHERE h.monitor_no > ${after} AND NOT h.paused ORDER BY h.monitor_no LIMIT ${BATCH} FOR NO KEY UPDATE OF h`.execute(
      tx,
    );
    const last = rows.at(-1);
    if (!last) return;
    const righted = rows.map((row) => righting(row, now.getTime()));
    await sql`
      UPDATE heartbeats h SET due_at = n.due_at, runs = n.runs, upcoming = n.upcoming, recheck_at = n.recheck_at, look_at = n.look_at,
        last_beat_at = least(h.last_beat_at, ${now}), last_result_at = least(h.last_result_at, ${now}),
        unread_from = least(h.unread_from, ${now})
      FROM jsonb_to_recordset(${JSON.stringify(righted)}::jsonb) AS n (no int, due_at timestamptz, runs jsonb,
        upcoming double precision[], recheck_at timestamptz, look_at timestamptz)
      WHERE h.monitor_no = n.no`.execute(tx);
    after = last.monitor_no;
  }
}

function righting(row: Row, nowMs: number) {
  const intervalMs = row.interval_seconds * 1000;
  const heartbeat = afterSetBack(heartbeatOf(row), nowMs, intervalMs);
  const recheckMs = row.recheck_at === null ? null : Math.min(row.recheck_at.getTime(), nowMs + intervalMs);
  const isDue = row.unread_from !== null || (row.look_at !== null && row.look_at.getTime() <= nowMs);
  return {
    no: row.monitor_no,
    due_at: instantOf(heartbeat.dueMs),
    runs: storedRuns(heartbeat.runs),
    upcoming: upcomingInstants(heartbeat.schedule, nowMs, UPCOMING),
    recheck_at: instantOf(recheckMs),
    look_at: instantOf(isDue ? nowMs : earlier(nextTurnMs(heartbeat, nowMs), recheckMs)),
  };
}
