import { sql } from 'kysely';
import { cannotCheck } from '../domain/cannot-check.ts';
import { pgArray } from '../platform/db/pg-array.ts';
import { sendUnawaited, type Work } from '../platform/work.ts';
import type { NumberedResult } from './store.ts';

/**
 * Touches the state rows, unchanged, of the monitors in a batch whose check cannot be made. A probe fault decides nothing, but
 * after one of these earlier results no longer count: the new row version makes caches (`monitors/shown`) read the monitor
 * again.
 */
export function touchStates(work: Work, batch: readonly NumberedResult[]): void {
  const nos = new Set<number>();
  for (const { no, result } of batch)
    if (result.cause_layer === 'probe' && cannotCheck(result.failure_class ?? null) !== null) nos.add(no);
  if (nos.size === 0) return;
  const touched = sql`UPDATE monitor_state SET calm = calm WHERE monitor_no IN (
    SELECT monitor_no FROM monitor_state WHERE monitor_no = ANY(${pgArray([...nos])}::int[]) ORDER BY monitor_no FOR UPDATE)`;
  sendUnawaited(work, touched);
}
