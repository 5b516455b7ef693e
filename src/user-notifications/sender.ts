// Sends user notifications, after the commit that stored them. Over all processes, exactly one sender sends each; mail and
// push have separate slots.
import { isPassing } from '../platform/db/away.ts';
import type { Listener } from '../platform/db/listener.ts';
import { recordPatiently } from '../platform/db/record-patiently.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import type { Log } from '../platform/log.ts';
import { ownFailure, PROBE_EXHAUSTED } from '../platform/outbound/failures.ts';
import { withJitter } from '../platform/polling.ts';
import { noteSetAside } from '../platform/set-aside.ts';
import { runWork, SYSTEM } from '../platform/work.ts';
import { type Claimed, claimNotices, nextDue, type Room } from './claim.ts';
import type { NoticeChannel } from './data.ts';
import { NOTICES_CHANNEL } from './enqueue.ts';
import { type MailNoticeOptions, sendMailNotice } from './mails/send-mail.ts';
import { type PushNoticeOptions, sendPushNotice } from './push/send-push.ts';
import { ClaimedElsewhere, type NoticeResult, recordNoticeOutcome } from './record-outcome.ts';

export type NoticeSenderOptions = MailNoticeOptions & PushNoticeOptions & { log: Log; random: () => number };

/**
 * Notices that a process sends at a time on each channel, shared among organizations: a mail server that hangs takes no
 * slot from web push, and one organization cannot take every slot. RESERVED slots are for notices that wake people.
 */
const SLOTS: Readonly<Record<NoticeChannel, number>> = { mail: 10, push: 24 };
const RESERVED: Readonly<Record<NoticeChannel, number>> = { mail: 2, push: 4 };
const CHANNELS = Object.keys(SLOTS) as NoticeChannel[];

/** PostgreSQL notifies of a commit before it answers it: this process may have a webhook to send, which is the quicker one. */
const AFTER_COMMIT_MS = 5;
/** The longest delay after a lost notification or a step of the clock. */
const MAX_POLL_MS = 10_000;
const MIN_POLL_MS = 100;
const RETRY_POLL_MS = 1_000;

/** An attempt that takes longer is abandoned: its lease runs out, and another process makes it again. */
const STOP_WITHIN_MS = 5_000;

/** Sends every due notice, and resolves when no further one can be sent now. */
export async function sendDueNotices(options: NoticeSenderOptions): Promise<void> {
  await Promise.all(
    CHANNELS.map(async (channel) => {
      for (;;) {
        const room = { free: SLOTS[channel], reserved: RESERVED[channel] };
        const claimed = await claimIn(options, channel, room);
        if (claimed.length === 0) return;
        await Promise.all(claimed.map((notice) => sendOne(options, notice)));
      }
    }),
  );
}

const claimIn = ({ db, clock }: NoticeSenderOptions, channel: NoticeChannel, room: Room) =>
  inTransaction(db, (tx) => claimNotices(tx, clock(), channel, room));

/** Starts the senders. They wake on a commit that stores a notice, when the next one is due, and at least every 10 s. */
export function startNoticeSender(
  options: NoticeSenderOptions,
  listener: Listener,
): { stop: () => Promise<void> } {
  const senders = CHANNELS.map((channel) => startChannel(options, channel));
  let waking: NodeJS.Timeout | undefined;
  listener.listen(NOTICES_CHANNEL, () => {
    waking ??= setTimeout(() => {
      waking = undefined;
      for (const sender of senders) sender.wake();
    }, AFTER_COMMIT_MS);
  });
  return {
    async stop() {
      clearTimeout(waking);
      await Promise.all(senders.map((sender) => sender.stop()));
    },
  };
}

type ChannelSender = { wake: () => void; stop: () => Promise<void> };

function startChannel(options: NoticeSenderOptions, channel: NoticeChannel): ChannelSender {
  const { db, clock, log } = options;
  const sending = new Set<Promise<void>>();
  let stopped = false;
  let abandoned = false;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | null = null;
  let again = false;

  const wake = () => {
    if (stopped) return;
    if (polling !== null) {
      again = true;
      return;
    }
    clearTimeout(timer);
    polling = poll()
      .catch((err: unknown) => {
        log.warn({ err, channel }, 'cannot look for notices that are due; trying again');
        return MAX_POLL_MS / 10;
      })
      .then((waitMs) => {
        polling = null;
        if (stopped) return;
        if (again) {
          again = false;
          wake();
        } else timer = setTimeout(wake, waitMs);
      });
  };

  /** Fills the free slots; returns the time until the next poll, in milliseconds. */
  const poll = async (): Promise<number> => {
    const free = SLOTS[channel] - sending.size;
    // The next attempt that ends wakes this sender.
    if (free <= 0) return MAX_POLL_MS;
    const all = await claimIn(options, channel, { free, reserved: RESERVED[channel] });
    for (const claimed of all) {
      const sent = sendOne(options, claimed, () => abandoned).finally(() => {
        sending.delete(sent);
        wake();
      });
      sending.add(sent);
    }
    const next = await nextDue(db, channel);
    const inMs = next === null ? MAX_POLL_MS : next.getTime() - clock().getTime();
    // A due notice that was not claimed belongs to another sender, or exceeds its organization's share.
    const atMost = all.length > 0 ? MIN_POLL_MS : RETRY_POLL_MS;
    return Math.min(Math.max(inMs, inMs > 0 ? MIN_POLL_MS : atMost), withJitter(MAX_POLL_MS));
  };

  wake();
  return {
    wake,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await polling;
      await Promise.race([
        Promise.all(sending),
        new Promise((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref()),
      ]);
      abandoned = true;
    },
  };
}

/** One attempt, and its outcome recorded. Never rejects: without a record the notice is tried again after its lease. */
async function sendOne(
  options: NoticeSenderOptions,
  claimed: Claimed,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const { db, clock, log, random } = options;
  try {
    const tried = await attempt(options, claimed);
    if (tried.error !== null)
      log.warn(
        { notice: claimed.no, channel: claimed.channel, kind: claimed.kind, failure_class: tried.error },
        'a notice could not be sent',
      );
    const record = (announce: boolean) =>
      runWork(db, clock(), SYSTEM, (work) => recordNoticeOutcome(work, claimed, tried, random(), announce));
    await recordPatiently(
      () =>
        record(true).catch((err: unknown) => {
          if (err instanceof ClaimedElsewhere) return;
          if (isPassing(err)) throw err;
          // Otherwise it would be sent again each time its lease runs out.
          noteSetAside(log, 'notice', { notice: claimed.no }, err);
          return record(false);
        }),
      isStopped,
    );
  } catch (err) {
    log.error({ err, notice: claimed.no }, 'cannot record the outcome of a notice; its lease will run out');
  }
}

/** An internal error counts as a failed attempt, so that a notice that cannot be rendered does not return forever. */
async function attempt(options: NoticeSenderOptions, claimed: Claimed): Promise<NoticeResult> {
  try {
    return claimed.channel === 'mail'
      ? await sendMailNotice(options, claimed)
      : await sendPushNotice(options, claimed);
  } catch (err) {
    if (ownFailure(err).failureClass === PROBE_EXHAUSTED)
      return { done: false, notTried: true, error: PROBE_EXHAUSTED, reached: false };
    options.log.error({ err, notice: claimed.no }, 'a notice could not be sent because of an internal error');
    // The database went away before anything was sent: mail and push turn their own failures into results.
    return { done: false, notTried: isPassing(err), error: 'internal', reached: false };
  }
}
