// Waits for one of a series of things that arrive: on the condition, never on the clock.

export type Awaited<T> = {
  /** Call it whenever something has arrived. */
  look: () => void;
  /** Resolves with the first that fits, including earlier ones. */
  next: (fits: (item: T) => boolean, withinMs?: number) => Promise<T>;
};

/** Waits on a list that other code appends to; `missing` describes the thing that did not arrive. */
export function awaited<T>(items: readonly T[], missing: () => string): Awaited<T> {
  const waiting = new Set<() => void>();
  return {
    look: () => {
      for (const look of [...waiting]) look();
    },
    next: (fits, withinMs = 60_000) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const found = items.find(fits);
          if (found === undefined) return;
          clearTimeout(timer);
          waiting.delete(look);
          resolve(found);
        };
        const timer = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`${missing()} within ${withinMs} ms`));
        }, withinMs);
        waiting.add(look);
        look();
      }),
  };
}
