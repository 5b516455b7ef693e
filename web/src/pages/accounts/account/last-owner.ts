// Organizations that would be left without an owner: the account cannot be deleted until somebody else owns them.
import { useQueries, useQuery } from '@tanstack/react-query';
import { listMembers } from '#src/members/contract.ts';
import { listMyOrganizations } from '#src/organizations/contract.ts';
import { MAX_PAGE, read } from '#web/read.ts';

export type Owned = { id: string; name: string };

/** The organizations whose only owner is the signed-in person; undefined until all are loaded. */
export function useLastOwnerOf(): Owned[] | undefined {
  const organizations = useQuery(read(listMyOrganizations, {}));
  const owned = organizations.data?.filter((each) => each.role === 'owner') ?? [];
  const members = useQueries({
    queries: owned.map((each) => read(listMembers, { params: { org_id: each.id }, query: MAX_PAGE })),
  });
  if (!organizations.isSuccess || members.some((each) => each.isPending)) return undefined;
  return owned
    .filter((_, index) => (members[index]?.data?.filter((each) => each.role === 'owner').length ?? 2) === 1)
    .map(({ id, name }) => ({ id, name }));
}
