// The lock for counting against an organization's limits.
import { advisoryLock } from '../platform/db/advisory-lock.ts';
import type { Tx } from '../platform/work.ts';

/**
 * Held by one transaction per organization until its end, so that counts against a limit cannot change meanwhile. It is not
 * the organization's row: everything else locks that row's live-event counter last, so locking it first would deadlock.
 */
export async function lockLimits(tx: Tx, orgId: string): Promise<void> {
  await advisoryLock(tx, `limits ${orgId}`);
}
