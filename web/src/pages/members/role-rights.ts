// Who may assign which roles: nobody may assign one above their own (docs/rules/access.md#members).
import { ROLES } from '#src/domain/names.ts';
import { mayAdminister, type Role } from '#web/shell/my-role.ts';

type RoleText = string | undefined;
const HIGHEST_FIRST: readonly RoleText[] = ROLES;
const rank = (role: RoleText) => HIGHEST_FIRST.indexOf(role);

/** The roles that a person with this one may assign, highest first; none without member management. */
export function assignableRoles(mine: RoleText): Role[] {
  return mayAdminister(mine) ? ROLES.slice(rank(mine)) : [];
}

/** Whether a person with the role `mine` may change or remove a member with the role `theirs`. */
export function mayChange(mine: RoleText, theirs: string): boolean {
  return mayAdminister(mine) && rank(theirs) >= rank(mine);
}

/** Whether `to` is a lower role than `from`. */
export function isLower(from: string, to: string): boolean {
  return rank(to) > rank(from);
}
