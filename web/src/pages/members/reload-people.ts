import { getOrganizationPlan } from '../../../../src/organizations/contract.ts';
import { listInvitations, listMembers } from '../../../../src/organizations/member-contract.ts';
import { everyRead, queryClient } from '../../read.ts';

/** Reads members, invitations and the seats they take again. */
export async function reloadPeople(): Promise<void> {
  await Promise.all(
    [listMembers, listInvitations, getOrganizationPlan].map((operation) =>
      queryClient.invalidateQueries({ queryKey: everyRead(operation) }),
    ),
  );
}
