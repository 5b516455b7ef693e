import { LATER_STEPS, minutesUntil, type Step } from '../domain/escalation.ts';
import { CHANNEL_FAMILIES, type ChannelName } from '../domain/names.ts';
import type { Database } from '../platform/work.ts';
import type { ChainStep } from './contract.ts';
import { reachedBy, readOnCall } from './on-call-config.ts';

/** The event that targets get for a step; the mail step has none. */
const EVENT_OF_STEP: Partial<Record<Step, string>> = {
  start: 'opened',
  stage1: 'escalated',
  stage2: 'escalated',
};

/**
 * The alarm chain as it would run if an incident opened at `now`: each step with the people it reaches at its own time.
 * While on-call is off, or not in the plan, there is only the start.
 */
export async function previewChain(db: Database, orgId: string, now: Date): Promise<ChainStep[]> {
  const [onCall, targets] = await Promise.all([readOnCall(db, orgId), pagingAndChatTargets(db, orgId)]);
  const minutes = minutesUntil(onCall.settings);
  const later = onCall.rota.active
    ? [...LATER_STEPS].sort(
        (a, b) => minutes[a] - minutes[b] || LATER_STEPS.indexOf(a) - LATER_STEPS.indexOf(b),
      )
    : [];
  const reached = new Set<string>();
  return (['start', ...later] as const).map((step) => {
    const at = new Date(now.getTime() + minutes[step] * 60_000);
    const { userIds, fallback } = reachedBy(onCall, step, at, reached);
    for (const userId of userIds) reached.add(userId);
    const event = EVENT_OF_STEP[step];
    return {
      step,
      after_minutes: minutes[step],
      user_ids: userIds,
      names: userIds.map((userId) => onCall.names.get(userId) ?? ''),
      targets: targets.flatMap(({ name, events }) => (event && events.includes(event) ? [name] : [])),
      fallback,
    };
  });
}

async function pagingAndChatTargets(db: Database, orgId: string) {
  const rows = await db
    .selectFrom('webhook_targets')
    .select(['name', 'kind', 'events'])
    .where('org_id', '=', orgId)
    .where('active', '=', true)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.filter(({ kind }) => CHANNEL_FAMILIES[kind as ChannelName] !== 'webhook');
}
