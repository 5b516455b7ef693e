// The lock under which is counted what an organization may have.
import { advisoryLock } from '../platform/db/advisory-lock.ts';
import type { Tx } from '../platform/work.ts';

/**
 * One at a time per organization until the end of the transaction: what is counted against a limit cannot change
 * meanwhile. Not the organization's row: its counter of live events is locked last by everything else, and the other
 * way round here would be a deadlock.
 */
export async function lockLimits(tx: Tx, orgId: string): Promise<void> {
  await advisoryLock(tx, `limits ${orgId}`);
}
