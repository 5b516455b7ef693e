// How time passes in a walk: from one due moment to the next, so that nothing happens later than on a running server.
import { sql } from 'kysely';
import { PAUSES_MS } from '#src/domain/backoff.ts';
import { LEASE_MS } from '#src/notifications/delivery/claim.ts';
import { LEASE_MS as MAIL_LEASE_MS, nextDue } from '#src/user-notifications/claim.ts';
import { PAUSES_MS as MAIL_PAUSES_MS } from '#src/user-notifications/retry.ts';
import type { TestApp } from '../harness/app.ts';
import type { Mailbox } from '../harness/mailbox.ts';
import { until } from '../harness/until.ts';
import { makeInterruptions } from './interruptions.ts';
import type { Pagers } from './pagers.ts';
import type { Place } from './place.ts';
import { makeRetries } from './retries.ts';
import { sendingMails, sendingToTargets } from './senders.ts';

export type Window = { id: string; monitorIds: readonly string[]; untilMs: number };

/** A storm is tried again no earlier than this after a try that failed. */
const APART_MS = 62_000;

export type Time = ReturnType<typeof makeTime>;

/** `lateMs`: the answers come so long after the lease has expired; null: the server dies. */
export type Ending = { arrive: boolean; lateMs: number | null };

/** `look` is called whenever something may have changed. */
export function makeTime(
  { app, pagers, mailbox }: { app: TestApp; pagers: Pagers; mailbox: Mailbox },
  { orgId, prefix, isOwnMail }: Place,
  windows: Window[],
  look: () => Promise<void>,
) {
  const toTargets = makeInterruptions(app.clock, sendingToTargets(app, orgId));
  const mails = makeInterruptions(app.clock, sendingMails(app, orgId));
  const retries = makeRetries(app.clock, PAUSES_MS, LEASE_MS + APART_MS);
  const mailRetries = makeRetries(app.clock, [0, ...MAIL_PAUSES_MS.mail], MAIL_LEASE_MS);
  /** Events that a server was sending when it died or was late: a receiver may get them twice. */
  const sentAgain = new Set<string>();
  /** Notices that a server was mailing when it died or was late, and how often the mail arrived then. */
  const mailedAgain = new Map<number, number>();

  async function deliver(): Promise<void> {
    const kept = await toTargets.meet();
    if (kept.length > 0) retries.noteInterrupted(toTargets.dueMs(), 1);
    for (const { what } of kept) sentAgain.add(what);
    await app.runTask('deliver', { alone: true });
  }

  async function mail(): Promise<void> {
    const kept = await mails.meet();
    // Taking a mail away from its sender counts as a try, too.
    if (kept.length > 0) mailRetries.noteInterrupted(mails.dueMs(), 2);
    for (const { id, arrived } of kept) mailedAgain.set(id, (mailedAgain.get(id) ?? 0) + (arrived ? 1 : 0));
    await app.runTask('notices');
  }

  async function isMailDue(): Promise<boolean> {
    const at = await nextDue(app.db, 'mail');
    return at !== null && at <= app.clock.now();
  }

  /** Lets everything happen that is due now. */
  async function settle(): Promise<void> {
    await toTargets.answer();
    await mails.answer();
    await until(async () => {
      await deliver();
      return (await toTargets.living()).length === 0;
    }, 'nothing is being sent to targets');
    await until(async () => {
      await mail();
      // In this order: what a claim has locked and then left is due, and nobody is sending it.
      return (await mails.living()).length === 0 && !(await isMailDue());
    }, 'no mail is being sent');
    await look();
  }

  /** When the next thing is due; infinite: nothing is. */
  async function nextDueMs(): Promise<number> {
    const now = app.clock.now();
    const { rows } = await sql<{ at: Date | null }>`
      SELECT min(at) AS at FROM (
        SELECT next_attempt_at AS at FROM delivery_queue WHERE org_id = ${orgId} AND next_attempt_at < 'infinity'
        UNION ALL SELECT greatest(next_attempt_at, leased_until) FROM notices WHERE org_id = ${orgId} AND state = 'pending'
        UNION ALL SELECT alarm_held_until FROM incidents WHERE org_id = ${orgId} AND status = 'open'
        UNION ALL SELECT scheduled_end FROM maintenance_windows WHERE org_id = ${orgId} AND ended_at IS NULL AND cancelled_at IS NULL
        UNION ALL SELECT s.due_at FROM alarm_steps s JOIN alarms a ON a.no = s.alarm_no
          WHERE a.org_id = ${orgId} AND s.done_at IS NULL AND a.ended_at IS NULL AND a.paused_at IS NULL
      ) due WHERE at > ${now}`.execute(app.db);
    const dueMs = rows[0]?.at?.getTime() ?? Number.POSITIVE_INFINITY;
    return Math.min(dueMs, toTargets.dueMs(), mails.dueMs());
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
    mailedAgain,
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
    /** A server dies with the next messages that it sends to targets, or gets the answers late. */
    interrupt({ arrive, lateMs }: Ending): void {
      toTargets.begin(() => ({ silence: pagers.beSilent(prefix, arrive), lateMs }));
    },
    /** A server dies with the next mails that it sends, or gets the answers late. */
    interruptMail({ arrive, lateMs }: Ending): void {
      mails.begin(() => ({ silence: mailbox.beSilent(arrive, isOwnMail), lateMs }));
    },
    /** From now on targets refuse everything, or accept it again. */
    turnTargets(up: boolean): void {
      pagers.refuse(prefix, !up);
      retries.turn(up);
    },
    /** From now on the mail server refuses everything, or accepts it again. */
    turnMail(up: boolean): void {
      mailbox.refuse(up ? null : '451 4.3.0 try again later');
      mailRetries.turn(up);
    },
    /** Whether something may still wait because targets refused it, or a server died with it. */
    isRetried: retries.isRetried,
    /** The same for mails. */
    isMailRetried: mailRetries.isRetried,
    /** Nothing waits for an answer any more. */
    async stop(): Promise<void> {
      for (const interruptions of [toTargets, mails]) await interruptions.stop();
    },
  };
}
