import { roleOf } from '../organizations/rights.ts';
import { refuse } from '../platform/refusals.ts';
import type { Tx } from '../platform/work.ts';

/** Refuses with `invalid_request` a `user_id` in a body that names nobody of the organization, or a viewer, who takes no shift. */
export async function refuseIneligible(tx: Tx, orgId: string, userId: string): Promise<void> {
  const role = await roleOf(tx, orgId, userId);
  if (role === 'viewer')
    refuse('invalid_request', 'user_id names a viewer, who only reads; choose somebody with another role.', {
      field: 'user_id',
    });
  if (role === null)
    refuse('invalid_request', 'user_id must be a member of the organization.', { field: 'user_id' });
}
