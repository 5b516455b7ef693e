import { listApiKeys } from '#src/api-keys/contract.ts';
import { listInvitations, listMembers } from '#src/members/contract.ts';
import { getOrganizationPlan } from '#src/plans/contract.ts';
import { everyRead, queryClient } from '#web/read.ts';

/** Reads members, invitations, the seats they take and the keys they made again. */
export async function reloadPeople(): Promise<void> {
  await Promise.all(
    [listMembers, listInvitations, listApiKeys, getOrganizationPlan].map((operation) =>
      queryClient.invalidateQueries({ queryKey: everyRead(operation) }),
    ),
  );
}
