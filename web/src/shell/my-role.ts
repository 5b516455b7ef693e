// The caller's rights in the current organization, so that the dashboard offers nothing that the server would refuse.
import { useQuery } from '@tanstack/react-query';
import { getMe } from '#src/accounts/contract.ts';
import { ROLES } from '#src/domain/names.ts';

import { listMyOrganizations } from '#src/organizations/contract.ts';
import { read } from '../read.ts';
import { useOrgId } from './chosen-project.ts';

export type Role = (typeof ROLES)[number];

/** Project management: owner, admin, manager (docs/rules/access.md#rights). Members view, acknowledge and resolve. */
export function mayManage(role: string | null | undefined): boolean {
  return role !== 'member' && mayAct(role);
}

/** Whether a role may acknowledge, resolve, write notes and take shifts; viewers only read. */
export function mayAct(role: string | null | undefined): boolean {
  return role !== 'viewer';
}

/** Organization admin rights and member management: owner, admin (docs/rules/access.md#rights). */
export function mayAdminister(role: string | null | undefined): boolean {
  return role === 'owner' || role === 'admin';
}

/** The caller's role in the current organization; undefined until it is known. */
export function useMyRole(): Role | undefined {
  const orgId = useOrgId();
  const organizations = useQuery(read(listMyOrganizations, {}));
  const role = organizations.data?.find((each) => each.id === orgId)?.role;
  return ROLES.find((each) => each === role);
}

/** Whether the caller manages projects; true until the role is known, since the server decides anyway. */
export function useMayManage(): boolean {
  return mayManage(useMyRole());
}

/** Whether the caller may act on incidents; true until the role is known. */
export function useMayAct(): boolean {
  return mayAct(useMyRole());
}

/** Whether the caller operates the installation; false until that is known. */
export function useIsOperator(): boolean {
  const me = useQuery(read(getMe, {}));
  return me.data?.operator ?? false;
}
