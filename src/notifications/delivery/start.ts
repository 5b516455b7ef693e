// Wakes the delivery worker of this process: at once for its own commits, by NOTIFY for those of other processes, by a timer
// for the next due time, and by a slow poll for whatever these miss.
import type { Listener } from '#src/platform/db/listener.ts';
import { startPolling } from '#src/platform/polling.ts';
import type { Exchange } from '../channels/channel.ts';
import { type DeliveryOptions, type DeliveryWorker, makeDeliveryWorker } from '../deliver.ts';
import { DELIVERIES_CHANNEL, isFromOtherProcess, nextDue, registerWorker } from './queue.ts';
import { renderAhead } from './send.ts';

/** Finds leases of workers that died, targets that were switched off, and missed notifications. */
const POLL_MS = 5_000;
const AFTER_FAILURE_MS = 1_000;
/** An attempt that has not ended this long after a stop is made again when its lease has run out. */
const STOP_WITHIN_MS = 8_000;

export type StartOptions = DeliveryOptions & {
  listener: Listener;
  /** Whether time passes by itself. A clock that is moved by hand wakes nobody: a test wakes the worker. */
  timers: boolean;
};

/** Starts the delivery worker of this process. */
export function startDelivery(options: StartOptions): Pick<DeliveryWorker, 'stop'> {
  const { db, clock, log, listener } = options;
  let stopped = false;
  let due: NodeJS.Timeout | null = null;

  const worker = makeDeliveryWorker(options, (failed) => {
    if (stopped || !options.timers) return;
    if (failed) setDue(AFTER_FAILURE_MS);
    else void setNextDue();
  });

  function setDue(inMs: number): void {
    if (due) clearTimeout(due);
    due = setTimeout(worker.wake, inMs);
  }

  async function setNextDue(): Promise<void> {
    try {
      const now = clock();
      const at = await nextDue(db, now);
      // The next poll sets a timer for later times.
      if (!stopped && at) setDue(Math.min(at.getTime() - clock().getTime(), POLL_MS));
    } catch {
      // The poll goes on, and logs.
    }
  }

  const poll = () => {
    worker
      .poll()
      .catch((err: unknown) => log.warn({ err }, 'cannot look at pending deliveries; trying again'));
  };

  listener.listen(DELIVERIES_CHANNEL, (payload) => {
    if (stopped) return;
    if (payload === null) return poll();
    if (isFromOtherProcess(payload)) worker.wake();
  });
  const forget = registerWorker({
    db,
    wake: worker.wake,
    take: worker.take,
    render(messages) {
      const rendered = new Map<string, readonly Exchange[]>();
      // The statements that were issued so far are sent first.
      setImmediate(() => {
        for (const message of messages) {
          const exchanges = renderAhead(options, message);
          if (exchanges) rendered.set(message.deliveryId, exchanges);
        }
      });
      return rendered;
    },
  });
  const stopPolling = options.timers ? startPolling(poll, POLL_MS) : null;
  poll();

  return {
    async stop() {
      stopped = true;
      forget();
      stopPolling?.();
      if (due) clearTimeout(due);
      let enough: NodeJS.Timeout | undefined;
      await Promise.race([
        worker.stop().catch(() => undefined),
        new Promise<void>((resolve) => {
          enough = setTimeout(resolve, STOP_WITHIN_MS);
        }),
      ]);
      clearTimeout(enough);
    },
  };
}
