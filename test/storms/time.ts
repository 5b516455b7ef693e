// How time passes in a walk: from one due moment to the next, so that nothing happens later than on a running server.
import { sql } from 'kysely';
import { PAUSES_MS } from '#src/domain/backoff.ts';
import { LEASE_MS } from '#src/notifications/delivery/claim.ts';
import type { TestApp } from '../harness/app.ts';
import { until } from '../harness/until.ts';
import type { Pagers, Silence } from './pagers.ts';
import type { Place } from './place.ts';

export type Window = { id: string; monitorIds: readonly string[]; untilMs: number };

/** A storm is tried again no earlier than this after a try that failed. */
const APART_MS = 62_000;

export type Time = ReturnType<typeof makeTime>;

/** `look` is called whenever something may have changed. */
export function makeTime(
  app: TestApp,
  pagers: Pagers,
  { orgId, prefix }: Place,
  windows: Window[],
  look: () => Promise<void>,
) {
  /** Events that a server was sending when it died: a receiver may get them twice. */
  const sentAgain = new Set<string>();
  let silence: Silence | null = null;
  /** What a server that died has leased, by `seq`, and until when. */
  const dead = new Map<number, number>();
  let isUp = true;
  let downSinceMs = 0;
  let deaths = 0;
  let retriedUntilMs = Number.NEGATIVE_INFINITY;

  /** Messages that a living server sends. */
  async function leased(): Promise<{ seq: number; lane: string }[]> {
    for (const [seq, untilMs] of dead) if (untilMs <= app.clock.ms()) dead.delete(seq);
    const { rows } = await sql<{ seq: number; lane: string }>`
      SELECT seq, lane FROM delivery_queue WHERE org_id = ${orgId} AND leased_until > ${app.clock.now()}`.execute(
      app.db,
    );
    return rows.filter(({ seq }) => !dead.has(seq));
  }

  /** Sends what is due, with all workers together. */
  async function deliver(): Promise<void> {
    if (silence) await dieWhileSending(silence);
    await until(async () => {
      await app.runTask('deliver', { alone: true });
      return (await leased()).length === 0;
    }, 'nothing is being sent to targets');
  }

  /**
   * Waits until messages are under way, and leaves behind what a server does that dies now: leases that nobody ends. Their
   * workers do not own them any more, and so record nothing. Nothing happens while nothing is to be sent.
   */
  async function dieWhileSending({ count, end }: Silence): Promise<void> {
    let isIdle = false;
    const delivering = app.runTask('deliver', { alone: true }).then(() => {
      isIdle = true;
    });
    let sending = 0;
    await until(async () => {
      sending = new Set((await leased()).map(({ lane }) => lane)).size;
      return sending === count() && (isIdle || sending > 0);
    }, 'every message that is being sent has arrived');
    if (sending === 0) return;
    const { rows } = await sql<{ seq: number; event_id: string; leased_until: Date }>`
      UPDATE delivery_queue SET leased_until = leased_until + interval '1 millisecond',
        next_attempt_at = next_attempt_at + interval '1 millisecond'
      WHERE org_id = ${orgId} AND seq = ANY(${(await leased()).map(({ seq }) => String(seq))}::bigint[])
      RETURNING seq, event_id, leased_until`.execute(app.db);
    for (const { seq, event_id, leased_until } of rows) {
      dead.set(seq, leased_until.getTime());
      sentAgain.add(event_id);
    }
    silence = null;
    if (!isRetried()) beginFailing();
    deaths += 1;
    retriedUntilMs = Math.max(retriedUntilMs, app.clock.ms() + LEASE_MS + APART_MS);
    end();
    await delivering;
  }

  const isRetried = () => !isUp || app.clock.ms() < retriedUntilMs;

  function beginFailing(): void {
    downSinceMs = app.clock.ms();
    deaths = 0;
  }

  /** Lets everything happen that is due now. */
  async function settle(): Promise<void> {
    await deliver();
    await app.runTask('notices');
    await until(async () => {
      const { rows } =
        await sql`SELECT FROM notices WHERE org_id = ${orgId} AND leased_until > ${app.clock.now()} LIMIT 1`.execute(
          app.db,
        );
      return rows.length === 0;
    }, 'nothing is being sent');
    await look();
  }

  /** When the next thing is due; infinite: nothing is. */
  async function nextDueMs(): Promise<number> {
    const now = app.clock.now();
    const { rows } = await sql<{ at: Date | null }>`
      SELECT min(at) AS at FROM (
        SELECT next_attempt_at AS at FROM delivery_queue WHERE org_id = ${orgId} AND next_attempt_at < 'infinity'
        UNION ALL SELECT next_attempt_at FROM notices WHERE org_id = ${orgId} AND state = 'pending'
        UNION ALL SELECT alarm_held_until FROM incidents WHERE org_id = ${orgId} AND status = 'open'
        UNION ALL SELECT scheduled_end FROM maintenance_windows WHERE org_id = ${orgId} AND ended_at IS NULL AND cancelled_at IS NULL
        UNION ALL SELECT s.due_at FROM alarm_steps s JOIN alarms a ON a.no = s.alarm_no
          WHERE a.org_id = ${orgId} AND s.done_at IS NULL AND a.ended_at IS NULL AND a.paused_at IS NULL
      ) due WHERE at > ${now}`.execute(app.db);
    return rows[0]?.at?.getTime() ?? Number.POSITIVE_INFINITY;
  }

  /** What the stored jobs would do now. */
  async function runJobs(): Promise<void> {
    for (const { id } of windows.filter(({ untilMs }) => untilMs <= app.clock.ms()))
      await app.runTask('maintenance', { window_id: id });
    const held = await app.db
      .selectFrom('incidents')
      .select('id')
      .where('org_id', '=', orgId)
      .where('alarm_held_until', '<=', app.clock.now())
      .execute();
    for (const { id } of held) await app.runTask('end_hold', { incident_id: id });
    const running = await app.db
      .selectFrom('alarms')
      .select('no')
      .where('org_id', '=', orgId)
      .where('ended_at', 'is', null)
      .execute();
    for (const { no } of running) await app.runTask('alarm', { alarm_no: no });
    for (let i = windows.length - 1; i >= 0; i--)
      if (windows[i]!.untilMs <= app.clock.ms()) windows.splice(i, 1);
  }

  return {
    settle,
    sentAgain,
    /** Lets time pass, one due moment after the other. */
    async pass(seconds: number): Promise<void> {
      const untilMs = app.clock.ms() + seconds * 1000;
      for (let due = await nextDueMs(); due <= untilMs; due = await nextDueMs()) {
        app.clock.advance(due - app.clock.ms());
        await runJobs();
        await settle();
      }
      app.clock.advance(untilMs - app.clock.ms());
    },
    /** A server dies with the next messages that it sends. */
    die(arrive: boolean): void {
      silence ??= pagers.beSilent(prefix, arrive);
    },
    /** From now on targets refuse everything, or accept it again. */
    turnTargets(up: boolean): void {
      pagers.refuse(prefix, !up);
      if (up === isUp) return;
      if (!up && !isRetried()) beginFailing();
      if (up)
        retriedUntilMs =
          app.clock.ms() + Math.max(APART_MS, longestPause(app.clock.ms() - downSinceMs, deaths));
      isUp = up;
    },
    /** Whether something may still wait because targets refused it, or a server died with it. */
    isRetried,
  };
}

/** The longest pause before the next try of what failed for so long (docs/rules/notifications.md#retries). */
export function longestPause(failingMs: number, deaths: number): number {
  let tries = 1;
  for (let spent = 0; tries < PAUSES_MS.length - 1; tries++) {
    spent += 0.8 * (PAUSES_MS[tries] ?? 0);
    if (spent > failingMs) break;
  }
  return 1.2 * (PAUSES_MS[Math.min(tries + deaths, PAUSES_MS.length - 1)] ?? 0);
}
