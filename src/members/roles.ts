// Nobody assigns or removes a role above their own (docs/rules/access.md#members).

import type { Role } from '../domain/names.ts';
import { ROLES } from '../domain/names.ts';
import { roleOf } from '../organizations/rights.ts';
import { refuse } from '../platform/refusals.ts';
import type { Tx } from '../platform/work.ts';

/** Whether a role stands above another. */
export const isAbove = (role: Role, other: Role): boolean => ROLES.indexOf(role) < ROLES.indexOf(other);

/** Roles that manage members (docs/rules/access.md#roles). */
export const managesMembers = (role: Role): boolean => role === 'owner' || role === 'admin';

/**
 * The actor's role inside this unit of work; it may have changed since the request was let in. Refuses a former member
 * with `forbidden`.
 */
export async function roleNow(tx: Tx, orgId: string, userId: string): Promise<Role> {
  const role = await roleOf(tx, orgId, userId);
  return role ?? refuse('forbidden', 'You are not a member of this organization.');
}

/** Refuses with `forbidden` a role without the right to manage members. */
export function refuseUnlessManaging(role: Role): void {
  if (!managesMembers(role)) refuse('forbidden', `Your role (${role}) may not do this.`);
}

/** Refuses to give a role above one's own. */
export function refuseGrantingAbove(own: Role, given: Role): void {
  if (isAbove(given, own))
    refuse('forbidden', `role must not be above your own (${own}): you cannot make somebody ${given}.`, {
      field: 'role',
    });
}

/** Refuses to touch somebody whose role is above one's own. */
export function refuseChangingAbove(own: Role, theirs: Role): void {
  if (isAbove(theirs, own))
    refuse('forbidden', `Your role (${own}) may not change or remove somebody who is ${theirs}.`);
}
