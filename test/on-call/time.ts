// How time passes in a walk: from one due moment to the next, so that nothing happens later than on a running server.
import { sql } from 'kysely';
import type { TestApp } from '../harness/app.ts';
import { until } from '../harness/until.ts';
import type { Oracle } from './oracle.ts';

/** `windowIds` are those of the oracle's windows, by their place. */
export function makeTime(app: TestApp, orgId: string, oracle: Oracle, windowIds: readonly string[]) {
  const { clock, db } = app;

  /** Everything that is due now happens, and is sent. */
  async function settle(): Promise<void> {
    for (const [i, { fromMs, untilMs }] of oracle.windows.entries())
      if (fromMs <= clock.ms() || untilMs <= clock.ms())
        await app.runTask('maintenance', { window_id: windowIds[i] });
    const held = await sql<{ id: string }>`
      SELECT id FROM incidents WHERE org_id = ${orgId} AND alarm_held_until <= ${clock.now()}`.execute(db);
    for (const { id } of held.rows) await app.runTask('end_hold', { incident_id: id });
    const { rows } = await sql<{ no: number }>`
      SELECT no FROM alarms WHERE org_id = ${orgId} AND ended_at IS NULL ORDER BY no`.execute(db);
    for (const { no } of rows) await app.runTask('alarm', { alarm_no: no });
    const { rows: due } = await sql<{ id: string }>`
      SELECT r.incident_id AS id FROM commander_reminders r JOIN incidents i ON i.id = r.incident_id
      WHERE i.org_id = ${orgId} AND r.due_at <= ${clock.now()} ORDER BY r.due_at, r.incident_id`.execute(db);
    for (const { id } of due) await app.runTask('remind_commander', { incident_id: id });
    if (oracle.drills.all.length > 0 && rows.length > 1)
      await app.runTask('break_off_drill', { org_id: orgId });
    await app.runTask('audit');
    oracle.run(clock.ms());
    await until(async () => {
      await app.runTask('notices');
      const waiting = await sql`
        SELECT FROM notices WHERE org_id = ${orgId} AND state = 'pending' LIMIT 1`.execute(db);
      return waiting.rows.length === 0;
    }, 'everything was sent');
  }

  async function storedDueMs(): Promise<number> {
    const { rows } = await sql<{ at: Date | null }>`
      SELECT min(at) AS at FROM (
        SELECT s.due_at AS at FROM alarm_steps s JOIN alarms a ON a.no = s.alarm_no
          WHERE a.org_id = ${orgId} AND s.done_at IS NULL AND a.ended_at IS NULL AND a.paused_at IS NULL
        UNION ALL SELECT r.due_at FROM commander_reminders r JOIN incidents i ON i.id = r.incident_id
          WHERE i.org_id = ${orgId}
      ) due WHERE at > ${clock.now()}`.execute(db);
    return rows[0]?.at?.getTime() ?? Number.POSITIVE_INFINITY;
  }

  async function advanceTo(ms: number): Promise<void> {
    const isLater = Math.floor(ms / 86_400_000) > Math.floor(clock.ms() / 86_400_000);
    clock.advance(ms - clock.ms());
    if (isLater) await app.runTask('partitions');
  }

  async function passUntil(untilMs: number): Promise<void> {
    for (;;) {
      const [dueMs = Number.POSITIVE_INFINITY] = oracle.dueAfter(clock.ms());
      const nextMs = Math.min(dueMs, await storedDueMs(), untilMs);
      await advanceTo(nextMs);
      await settle();
      if (nextMs >= untilMs) return;
    }
  }

  return { settle, advanceTo, passUntil };
}
