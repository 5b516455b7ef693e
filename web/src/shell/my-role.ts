// What the caller may do in the organization on screen, so that nobody is offered what the server will refuse.
import { useQuery } from '@tanstack/react-query';
import { listMyOrganizations } from '../../../src/organizations/contract.ts';
import { read } from '../read.ts';
import { useOrgId } from './chosen-project.ts';

/** Project management: owner, admin, manager (decisions, section 2). Members view, acknowledge and resolve. */
export function mayManage(role: string | null | undefined): boolean {
  return role !== 'member';
}

/** Whether the caller manages projects here; until the role is known nothing is withheld, the server decides anyway. */
export function useMayManage(): boolean {
  const orgId = useOrgId();
  const organizations = useQuery(read(listMyOrganizations, {}));
  return mayManage(organizations.data?.find((each) => each.id === orgId)?.role);
}
