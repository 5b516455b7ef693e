// The watch stamp (heartbeat_watch): the last instant at which a server could receive pings. No data is not down: while no
// server runs, or none reaches the database, a missing ping proves nothing
// (docs/rules/monitor-types.md#heartbeats-while-the-server-was-down).
import { sql } from 'kysely';
import { rightStates } from '../checks/set-back.ts';
import type { ConfirmationState } from '../domain/confirmation-state.ts';
import { afterDowntime, awaitsRecovery, earlier, lateAt, nextTurnMs } from '../domain/heartbeat.ts';
import { type HeartbeatRow, heartbeatOf, storedRuns } from '../monitors/heartbeat-row.ts';
import { instantOf } from '../platform/db/instant.ts';
import type { SetBack } from '../platform/db/set-back.ts';
import { hook } from '../platform/hook.ts';
import { type Database, runWork, SYSTEM, type Work } from '../platform/work.ts';
import { rightHeartbeats } from './set-back.ts';

/** The stamp is renewed this often. */
const EVERY_MS = 2_000;
/** With a stamp older than this, no server was receiving pings. */
const AWAY_MS = 5_000;
const BATCH = 500;

export type Away = { fromMs: number; untilMs: number };

/** No server was receiving anything during that time: monitors that are judged by silence are excused before they are judged. */
export const serversWereAway = hook<Away>();

/** The clock was set back to this moment: what it has dated later must hide nothing that happens from now on. */
export const clockWasSetBack = hook<SetBack>();

/**
 * Renews the watch stamp. After a gap it first excuses the pings expected meanwhile, so call it before judging any missing
 * ping. Returns the gap, or null; it ends before it begins where the clock was set back.
 */
export async function renewWatch(db: Database, now: Date): Promise<Away | null> {
  const seen = await db.selectFrom('heartbeat_watch').select('watched_at').executeTakeFirst();
  if (isFresh(seen?.watched_at ?? null, now)) return null;
  return runWork(db, now, SYSTEM, async (work) => {
    const row = await work.tx
      .selectFrom('heartbeat_watch')
      .select('watched_at')
      .forUpdate()
      .executeTakeFirst();
    const before = row?.watched_at ?? null;
    if (isFresh(before, now)) return null;
    const fromMs = before?.getTime() ?? now.getTime();
    const away = Math.abs(now.getTime() - fromMs) > AWAY_MS ? { fromMs, untilMs: now.getTime() } : null;
    if (away && away.untilMs < away.fromMs) {
      await rightStates(work);
      await rightHeartbeats(work);
      await clockWasSetBack.run(work, { byMs: away.fromMs - away.untilMs });
    } else if (away) {
      await excuseMissed(work, away);
      await serversWereAway.run(work, away);
    }
    await work.tx.updateTable('heartbeat_watch').set({ watched_at: now }).execute();
    return away;
  });
}

/** Compares in both directions: a clock set back must not block the renewal. */
function isFresh(watchedAt: Date | null, now: Date): boolean {
  return watchedAt !== null && Math.abs(now.getTime() - watchedAt.getTime()) < EVERY_MS;
}

type Row = HeartbeatRow & { interval_seconds: number; state: ConfirmationState };

async function excuseMissed(work: Work, away: Away): Promise<void> {
  let after = 0;
  for (;;) {
    // Locks the state before the heartbeat, as evaluated pings do. Other pings lock the heartbeat only.
    const { rows } = await sql<Row>`
      SELECT h.*, m.interval_seconds, s.state FROM monitor_state s
      JOIN heartbeats h ON h.monitor_no = s.monitor_no JOIN monitors m ON m.no = h.monitor_no
      WHERE h.monitor_no > ${after} AND NOT h.paused AND (h.due_at IS NOT NULL OR h.runs <> '{}')
      ORDER BY s.monitor_no LIMIT ${BATCH} FOR NO KEY UPDATE OF s, h`.execute(work.tx);
    const last = rows.at(-1);
    if (!last) return;
    const changed = rows.map((row) => changeOf(row, away));
    await sql`
      UPDATE heartbeats h SET due_at = n.due_at, excused = n.excused, runs = n.runs, recheck_at = n.recheck_at,
        look_at = n.look_at
      FROM jsonb_to_recordset(${JSON.stringify(changed)}::jsonb)
        AS n (no int, due_at timestamptz, excused smallint, runs jsonb, recheck_at timestamptz,
          look_at timestamptz)
      WHERE h.monitor_no = n.no`.execute(work.tx);
    after = last.monitor_no;
  }
}

function changeOf(row: Row, away: Away) {
  const intervalMs = row.interval_seconds * 1000;
  const heartbeat = afterDowntime(heartbeatOf(row), away, intervalMs);
  const lateMs = lateAt(heartbeat);
  const isFailing = row.unsettled && awaitsRecovery(row.state);
  // Failures are checked on, one interval from now at the earliest: the recovery ping may have been missed too.
  const goesOn = isFailing || (lateMs !== null && lateMs <= away.untilMs);
  const recheckMs = goesOn ? away.untilMs + intervalMs : null;
  return {
    no: row.monitor_no,
    due_at: instantOf(heartbeat.dueMs),
    excused: heartbeat.excused,
    runs: storedRuns(heartbeat.runs),
    recheck_at: instantOf(recheckMs),
    look_at:
      row.unread_from !== null
        ? row.look_at
        : instantOf(earlier(nextTurnMs(heartbeat, away.untilMs), recheckMs)),
  };
}
