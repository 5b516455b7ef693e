import { CHANNEL_FAMILIES } from '../domain/names.ts';
import type { Database } from '../platform/work.ts';
import { planAt, readPlanInput } from './alarm-plan.ts';
import type { ChainStep } from './contract.ts';

/**
 * The alarm chain as it would run if an incident opened at `now`: each step with the people it reaches at its own time, the
 * mail step only if it mails somebody. While on-call is off, or not in the plan, there is only the start.
 */
export async function previewChain(db: Database, orgId: string, now: Date): Promise<ChainStep[]> {
  const input = await readPlanInput(db, orgId, now);
  return planAt(input, now).flatMap(({ step, afterMinutes, reaches, fallback, targets }) => {
    if (step === 'reminder' || (step === 'mail' && reaches.every(({ by }) => by.length === 0))) return [];
    const userIds = reaches.map(({ userId }) => userId);
    return {
      step,
      after_minutes: afterMinutes,
      user_ids: userIds,
      names: userIds.map((userId) => input.onCall.names.get(userId) ?? ''),
      targets: targets
        .filter(({ active, kind }) => active && CHANNEL_FAMILIES[kind] !== 'webhook')
        .map(({ name }) => name),
      fallback,
    };
  });
}
