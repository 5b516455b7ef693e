// Wake-ups by organization: one run at a time for each, and a record of the runs that failed.

export type WakeUps = {
  /** Runs `pump` for an organization; during a run, queues another one behind it. */
  wake(orgId: string): void;
  /** Runs `pump` again where the last run failed and `isWatched` still holds; forgets the other failures. */
  retryFailed(isWatched: (orgId: string) => boolean): void;
};

export function makeWakeUps(pump: (orgId: string) => Promise<void>): WakeUps {
  const pumping = new Map<string, Promise<unknown>>();
  const failed = new Set<string>();

  function wake(orgId: string): void {
    const running = pumping.get(orgId) ?? Promise.resolve();
    const next = running
      .then(() => pump(orgId))
      .then(
        () => failed.delete(orgId),
        () => failed.add(orgId),
      );
    pumping.set(orgId, next);
    void next.then(() => {
      if (pumping.get(orgId) === next) pumping.delete(orgId);
    });
  }

  return {
    wake,
    retryFailed(isWatched) {
      for (const orgId of failed)
        if (isWatched(orgId)) wake(orgId);
        else failed.delete(orgId);
    },
  };
}
