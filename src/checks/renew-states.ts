import { sql } from 'kysely';
import { cannotCheck } from '../domain/cannot-check.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import { alongside, type Work } from '../platform/work.ts';
import type { Numbered } from './store.ts';

/**
 * Writes the states of those monitors of a batch anew, as they are, whose check cannot be made. A probe fault decides nothing,
 * but one of these ends what was heard before: whoever remembers that such a monitor reports sees another version of its state
 * (`monitors/shown`), and looks again.
 */
export function renewStates(work: Work, batch: readonly Numbered[]): void {
  const nos = new Set<number>();
  for (const { no, result } of batch)
    if (result.cause_layer === 'probe' && cannotCheck(result.failure_class ?? null) !== null) nos.add(no);
  if (nos.size === 0) return;
  const renewed = sql`UPDATE monitor_state SET calm = calm WHERE monitor_no IN (
    SELECT monitor_no FROM monitor_state WHERE monitor_no = ANY(${pgArray([...nos])}::int[]) ORDER BY monitor_no FOR UPDATE)`;
  alongside(work, renewed);
}
