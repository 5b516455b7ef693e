// How many tests an organization may run on this server: in a minute, and at a time.
import { perMinute } from '../platform/http/per-minute.ts';
import { refuse } from '../platform/refusals.ts';

/** Per organization, on this server. */
export const TESTS_PER_MINUTE = 30;

/** Per organization, on this server: each occupies a probe for up to a minute. */
export const TESTS_AT_A_TIME = 5;

export type TestLimits = {
  /** Refuses with 429 `rate_limited`, or takes one slot for `tests` tests in turn; returns a function that frees it. */
  begin(orgId: string, tests?: number): Promise<() => void>;
};

/** `limited` false: no limits. */
export function makeTestLimits(limited: boolean): TestLimits {
  const limit = perMinute(
    TESTS_PER_MINUTE,
    `An organization may run ${TESTS_PER_MINUTE} tests a minute; wait a moment.`,
  );
  const running = new Map<string, number>();

  function takeSlot(orgId: string): () => void {
    const before = running.get(orgId) ?? 0;
    if (before >= TESTS_AT_A_TIME)
      refuse(
        'rate_limited',
        `Your organization already has ${TESTS_AT_A_TIME} tests running; wait for one to finish.`,
        { retryAfterSeconds: 5 },
      );
    running.set(orgId, before + 1);
    return () => {
      const left = (running.get(orgId) ?? 1) - 1;
      if (left === 0) running.delete(orgId);
      else running.set(orgId, left);
    };
  }

  return {
    async begin(orgId, tests) {
      if (!limited) return () => undefined;
      await limit.count(orgId, tests);
      return takeSlot(orgId);
    },
  };
}
