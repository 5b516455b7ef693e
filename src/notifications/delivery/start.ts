// What has the desk of a process look: commits of this process at once, those of others by NOTIFY, a timer for the next
// due time, and a slow poll as a net below.
import type { Notifications } from '#src/platform/db/listener.ts';
import { type Desk, type DeskOptions, makeDesk } from '../deliver.ts';
import { nextDue } from './waiting.ts';
import { DELIVERIES_CHANNEL, isNews, wakeHere } from './wake.ts';

/** Leases of senders that died, targets that were switched off, anything that was missed. */
const POLL_MS = 5_000;
const AFTER_FAILURE_MS = 1_000;
/** What is not settled within this of a stop is sent again when its lease has run out. */
const STOP_WITHIN_MS = 8_000;

export type StartOptions = DeskOptions & {
  notifications: Notifications;
  /** Whether time passes by itself; a clock that is moved by hand wakes nobody: who moves it has the desk look. */
  timers: boolean;
};

/** Starts delivering what is due. */
export function startDesk(options: StartOptions): Pick<Desk, 'stop'> {
  const { db, clock, log, notifications } = options;
  let stopped = false;
  let due: NodeJS.Timeout | null = null;

  const desk = makeDesk(options, (failed) => {
    if (stopped || !options.timers) return;
    if (failed) setDue(AFTER_FAILURE_MS);
    else void setNextDue();
  });

  function setDue(inMs: number): void {
    if (due) clearTimeout(due);
    due = setTimeout(desk.wake, inMs);
  }

  async function setNextDue(): Promise<void> {
    try {
      const now = clock();
      const at = await nextDue(db, now);
      // Beyond the next poll there is another one that sets it.
      if (!stopped && at) setDue(Math.min(at.getTime() - clock().getTime(), POLL_MS));
    } catch {
      // The poll goes on, and tells.
    }
  }

  const poll = () => {
    desk.poll().catch((err: unknown) => log.warn({ err }, 'waiting deliveries cannot be looked at'));
  };

  notifications.listen(DELIVERIES_CHANNEL, (payload) => {
    if (stopped) return;
    if (payload === null) return poll();
    if (isNews(payload)) desk.wake();
  });
  const forget = wakeHere(desk.wake);
  const polling = options.timers ? setInterval(poll, POLL_MS) : null;
  poll();

  return {
    async stop() {
      stopped = true;
      forget();
      if (polling) clearInterval(polling);
      if (due) clearTimeout(due);
      let enough: NodeJS.Timeout | undefined;
      await Promise.race([
        desk.stop().catch(() => undefined),
        new Promise<void>((resolve) => {
          enough = setTimeout(resolve, STOP_WITHIN_MS);
        }),
      ]);
      clearTimeout(enough);
    },
  };
}
