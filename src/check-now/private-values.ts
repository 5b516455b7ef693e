// Limits what a "test now" reveals about a private network. A network that several organizations reach belongs to none of
// them: editors of monitors learn whether a check passes, and only the operator sees the servers' responses.

import type { Caller } from '../platform/http/caller.ts';
import type { Database } from '../platform/work.ts';
import type { Outcome } from '../probe-protocol/check-now.ts';
import type { MonitorTestReport } from './contract.ts';

/** True if there is only one organization, or for the operator, who could change the region's rules anyway. */
export async function maySeePrivate(db: Database, caller: Caller | null): Promise<boolean> {
  if (caller?.kind === 'user' && caller.operator) return true;
  const organizations = await db.selectFrom('organizations').select('id').limit(2).execute();
  return organizations.length < 2;
}

export type Shown = Omit<MonitorTestReport, 'region' | 'probe_id'>;

/** The outcome; without the target's response, unless the caller may see it or the check reached no private address. */
export function shownTo({ observed, judgements, reached_private }: Outcome, maySee: boolean): Shown {
  if (maySee || reached_private === false) return { ...observed, judgements, values_withheld: false };
  const { detail, ...rest } = observed;
  return {
    ...rest,
    ...(detail === undefined || mayQuote(observed, judgements) ? {} : { detail }),
    judgements: judgements.map((judgement) => ({ ...judgement, actual: '' })),
    values_withheld: true,
  };
}

/** Details of these layers come from the probe itself: the target has said nothing yet. */
const UNSPOKEN: readonly unknown[] = ['probe', 'target_dns', 'target_connect'];

/** Whether a detail may hold text of a target: of a record, a certificate, or an address that it redirected to. */
const mayQuote = (
  { cause_layer, failure_class }: Outcome['observed'],
  judgements: Outcome['judgements'],
): boolean =>
  !UNSPOKEN.includes(cause_layer) ||
  failure_class === 'answer_mismatch' ||
  judgements.some(({ what }) => what === 'Redirect');
