// Waiting for a notification that concerns one thing: one LISTEN of the process wakes all that wait for it.
import type { Notifications } from './listener.ts';

export type Ear = {
  /** Resolves at the first notification since the last time, or after `ms`. */
  change: (ms: number) => Promise<void>;
  wake: () => void;
  end: () => void;
};

export type Ears = {
  /** Hears of `key` from now on, so that nothing falls between a look and the wait after it. */
  hear: (key: string) => Ear;
  wakeAll: () => void;
};

/** Listens on a channel whose payloads are keys; after a lost connection everybody is woken. */
export function makeEars(notifications: Notifications, channel: string): Ears {
  const listening = new Map<string, Set<() => void>>();
  const wakeAll = () => {
    for (const wakes of listening.values()) for (const wake of [...wakes]) wake();
  };
  notifications.listen(channel, (payload) => {
    if (payload === null) return wakeAll();
    for (const wake of [...(listening.get(payload) ?? [])]) wake();
  });

  return {
    wakeAll,
    hear(key) {
      const wakes = listening.get(key) ?? new Set();
      listening.set(key, wakes);
      let heard = false;
      let resume: () => void = () => undefined;
      const wake = () => {
        heard = true;
        resume();
      };
      wakes.add(wake);
      return {
        wake,
        async change(ms) {
          if (!heard)
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, ms);
              resume = () => {
                clearTimeout(timer);
                resolve();
              };
            });
          heard = false;
        },
        end() {
          wakes.delete(wake);
          if (wakes.size === 0 && listening.get(key) === wakes) listening.delete(key);
        },
      };
    },
  };
}
