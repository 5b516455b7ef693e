// Waits for notifications about one key. A single LISTEN of the process wakes every waiter of that key.
import type { Listener } from './listener.ts';

export type Waiter = {
  /** Resolves at the first notification since the last call, or after `ms`. */
  change: (ms: number) => Promise<void>;
  /** Resolves after `ms`, whatever happens meanwhile. */
  more: (ms: number) => Promise<void>;
  wake: () => void;
  end: () => void;
};

export type Waiters = {
  /** Records notifications of `key` from now on, so that none is lost between a look and the wait after it. */
  waitFor: (key: string) => Waiter;
  wakeAll: () => void;
};

/** Listens on a channel whose payloads are keys; after a lost connection it wakes every waiter. */
export function makeWaiters(listener: Listener, channel: string): Waiters {
  const listening = new Map<string, Set<() => void>>();
  const wakeAll = () => {
    for (const wakes of listening.values()) for (const wake of [...wakes]) wake();
  };
  listener.listen(channel, (payload) => {
    if (payload === null) return wakeAll();
    for (const wake of [...(listening.get(payload) ?? [])]) wake();
  });

  return {
    wakeAll,
    waitFor(key) {
      const wakes = listening.get(key) ?? new Set();
      listening.set(key, wakes);
      let isWoken = false;
      let resume: () => void = () => undefined;
      const wake = () => {
        isWoken = true;
        resume();
      };
      wakes.add(wake);
      return {
        wake,
        async change(ms) {
          if (!isWoken)
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, ms);
              resume = () => {
                clearTimeout(timer);
                resolve();
              };
            });
          isWoken = false;
        },
        more: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        end() {
          wakes.delete(wake);
          if (wakes.size === 0 && listening.get(key) === wakes) listening.delete(key);
        },
      };
    },
  };
}
