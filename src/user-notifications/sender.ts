// Sends personal notices: after the commit only, each by one sender of all processes, mail and push side by side.
import { isPassing } from '../platform/db/away.ts';
import type { Notifications } from '../platform/db/listener.ts';
import { inTransaction } from '../platform/db/transaction.ts';
import type { Log } from '../platform/log.ts';
import { ownFailure, PROBE_EXHAUSTED } from '../platform/outbound/failures.ts';
import { noteSetAside } from '../platform/set-aside.ts';
import { runWork, SYSTEM } from '../platform/work.ts';
import { type Claimed, claimNotices, nextDue, type Room } from './claim.ts';
import type { NoticeChannel } from './data.ts';
import { NOTICES_CHANNEL } from './enqueue.ts';
import { type MailNoticeOptions, sendMailNotice } from './mails/send-mail.ts';
import { type PushNoticeOptions, sendPushNotice } from './push/send-push.ts';
import { type NoticeResult, recordNoticeOutcome } from './record-outcome.ts';

export type NoticeSenderOptions = MailNoticeOptions & PushNoticeOptions & { log: Log; random: () => number };

/**
 * So many at a time of each channel and process, shared out among organizations: a mail server that hangs takes no place
 * of web push, and one organization's notices not all of the others'. Some are for what wakes people alone.
 */
const PLACES: Readonly<Record<NoticeChannel, number>> = { mail: 10, push: 24 };
const RESERVED: Readonly<Record<NoticeChannel, number>> = { mail: 2, push: 4 };
const CHANNELS = Object.keys(PLACES) as NoticeChannel[];

/** What a lost notification, or a step of the clock, can cost at most. */
const LOOK_AT_LEAST_EVERY_MS = 10_000;
const LOOK_AT_MOST_EVERY_MS = 100;
const LOOK_AGAIN_AFTER_MS = 1_000;

/** A try that takes longer is left to its lease: another process makes it again. */
const STOP_WITHIN_MS = 5_000;

/** Sends everything that is due, and resolves when nothing is left that could be sent now. */
export async function sendDueNotices(options: NoticeSenderOptions): Promise<void> {
  await Promise.all(
    CHANNELS.map(async (channel) => {
      for (;;) {
        const room = { free: PLACES[channel], reserved: RESERVED[channel] };
        const claimed = await claimIn(options, channel, room);
        if (claimed.length === 0) return;
        await Promise.all(claimed.map((notice) => sendOne(options, notice)));
      }
    }),
  );
}

const claimIn = ({ db, clock }: NoticeSenderOptions, channel: NoticeChannel, room: Room) =>
  inTransaction(db, (tx) => claimNotices(tx, clock(), channel, room));

/** Starts sending: woken by the commit that stores a notice, by the time of the next one, and every 10 s in any case. */
export function startNoticeSender(
  options: NoticeSenderOptions,
  notifications: Notifications,
): { stop: () => Promise<void> } {
  const lanes = CHANNELS.map((channel) => startChannel(options, channel));
  notifications.listen(NOTICES_CHANNEL, () => {
    for (const lane of lanes) lane.wake();
  });
  return {
    async stop() {
      await Promise.all(lanes.map((lane) => lane.stop()));
    },
  };
}

type ChannelSender = { wake: () => void; stop: () => Promise<void> };

function startChannel(options: NoticeSenderOptions, channel: NoticeChannel): ChannelSender {
  const { db, clock, log } = options;
  const sending = new Set<Promise<void>>();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | null = null;
  let again = false;

  const wake = () => {
    if (stopped) return;
    if (looking !== null) {
      again = true;
      return;
    }
    clearTimeout(timer);
    looking = look()
      .catch((err: unknown) => {
        log.warn({ err, channel }, 'cannot look for notices that are due; trying again');
        return LOOK_AT_LEAST_EVERY_MS / 10;
      })
      .then((waitMs) => {
        looking = null;
        if (stopped) return;
        if (again) {
          again = false;
          wake();
        } else timer = setTimeout(wake, waitMs);
      });
  };

  /** Fills the free places; answers how long nothing is to be done, in milliseconds. */
  const look = async (): Promise<number> => {
    const free = PLACES[channel] - sending.size;
    // Whoever ends wakes.
    if (free <= 0) return LOOK_AT_LEAST_EVERY_MS;
    const all = await claimIn(options, channel, { free, reserved: RESERVED[channel] });
    for (const claimed of all) {
      const sent = sendOne(options, claimed).finally(() => {
        sending.delete(sent);
        wake();
      });
      sending.add(sent);
    }
    const next = await nextDue(db, channel);
    const inMs = next === null ? LOOK_AT_LEAST_EVERY_MS : next.getTime() - clock().getTime();
    // What is due and was not claimed is another sender's, or beyond a share.
    const atMost = all.length > 0 ? LOOK_AT_MOST_EVERY_MS : LOOK_AGAIN_AFTER_MS;
    return Math.min(Math.max(inMs, inMs > 0 ? LOOK_AT_MOST_EVERY_MS : atMost), LOOK_AT_LEAST_EVERY_MS);
  };

  wake();
  return {
    wake,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await looking;
      await Promise.race([
        Promise.all(sending),
        new Promise((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref()),
      ]);
    },
  };
}

/** One try of one notice, and what came of it. Never rejects: what cannot be written down is tried again after its lease. */
async function sendOne(options: NoticeSenderOptions, claimed: Claimed): Promise<void> {
  const { db, clock, log, random } = options;
  try {
    const tried = await attempt(options, claimed);
    if (tried.error !== null)
      log.warn(
        { notice: claimed.no, channel: claimed.channel, kind: claimed.kind, failure_class: tried.error },
        'a notice could not be sent',
      );
    const settle = (tell: boolean) =>
      runWork(db, clock(), SYSTEM, (work) => recordNoticeOutcome(work, claimed, tried, random(), tell));
    await settle(true).catch((err: unknown) => {
      if (isPassing(err)) throw err;
      // Else it would come back, and be sent again, each time its lease has run out.
      noteSetAside(log, 'notice', { notice: claimed.no }, err);
      return settle(false);
    });
  } catch (err) {
    log.error({ err, notice: claimed.no }, 'what came of a notice could not be written down');
  }
}

/** A fault of ours counts as a failed try: a notice that cannot be put into words does not come back for ever. */
async function attempt(options: NoticeSenderOptions, claimed: Claimed): Promise<NoticeResult> {
  try {
    return claimed.channel === 'mail'
      ? await sendMailNotice(options, claimed)
      : await sendPushNotice(options, claimed);
  } catch (err) {
    if (ownFailure(err).failureClass === PROBE_EXHAUSTED)
      return { done: false, notTried: true, error: PROBE_EXHAUSTED, reached: false };
    options.log.error({ err, notice: claimed.no }, 'a notice could not be sent for a fault of our own');
    return { done: false, error: 'internal', reached: false };
  }
}
