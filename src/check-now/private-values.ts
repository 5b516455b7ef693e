// What a "test now" shows of a private network. Where several organizations reach the same one, it belongs to none of them:
// whether a check passes is for whoever may edit monitors, what the servers there say is for the operator.

import type { Caller } from '../platform/http/caller.ts';
import type { Database } from '../platform/work.ts';
import type { Outcome } from '../probe-protocol/on-demand.ts';
import type { MonitorTestReport } from './contract.ts';

/** Whether there is one organization only, or the operator asks, who could change the rules of the region anyway. */
export async function maySeePrivate(db: Database, caller: Caller | null): Promise<boolean> {
  if (caller?.kind === 'user' && caller.operator) return true;
  const organizations = await db.selectFrom('organizations').select('id').limit(2).execute();
  return organizations.length < 2;
}

type Shown = Omit<MonitorTestReport, 'region' | 'probe_id'>;

/** The outcome, without what the target said unless all of it may be seen, or no private address was connected to. */
export function shownTo({ observed, judgements, reached_private }: Outcome, maySee: boolean): Shown {
  if (maySee || reached_private === false) return { ...observed, judgements, values_withheld: false };
  const { detail, ...rest } = observed;
  return {
    ...rest,
    // Before the application answers, a detail says what the probe met, and nothing of what was said to it.
    ...(detail === undefined || rest.cause_layer === 'target_app' ? {} : { detail }),
    judgements: judgements.map((judgement) => ({ ...judgement, actual: '' })),
    values_withheld: true,
  };
}
