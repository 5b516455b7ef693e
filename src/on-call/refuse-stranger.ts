import { roleOf } from '../organizations/rights.ts';
import { refuse } from '../platform/refusals.ts';
import type { Tx } from '../platform/work.ts';

/** Refuses with `invalid_request` a `user_id` in a body that names nobody of the organization. */
export async function refuseStranger(tx: Tx, orgId: string, userId: string): Promise<void> {
  if ((await roleOf(tx, orgId, userId)) === null)
    refuse('invalid_request', 'user_id must be a member of the organization.', { field: 'user_id' });
}
