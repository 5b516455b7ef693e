// Limits how much of failing targets' responses is stored: per organization and day, and for all organizations of an owner
// together. Counted in this process's memory, like request limits. A response beyond the budget is not kept; its check always
// is.
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { TENANTS_OF_AN_OWNER } from '../platform/http/tenant-limits.ts';

/** Sealed: some 40,000 answers. */
export const ANSWER_KIB_A_DAY = 128 * 1024;
const DAY_SECONDS = 86_400;

export type AnswerBudget = (orgId: string, owner: string | null, bytes: number) => Promise<boolean>;

/** Takes from the budgets of an organization and of its owner; false if either is used up. */
export function answerBudget(kibADay = ANSWER_KIB_A_DAY): AnswerBudget {
  const ofOne = new RateLimiterMemory({ points: kibADay, duration: DAY_SECONDS });
  const ofOwner = new RateLimiterMemory({
    points: TENANTS_OF_AN_OWNER * kibADay,
    duration: DAY_SECONDS,
  });
  const takes = (budget: RateLimiterMemory, of: string, kib: number) =>
    budget.consume(of, kib).then(
      () => true,
      () => false,
    );
  return async (orgId, owner, bytes) => {
    const kib = Math.ceil(bytes / 1024);
    if (!(await takes(ofOne, orgId, kib))) return false;
    return owner === null || takes(ofOwner, owner, kib);
  };
}
