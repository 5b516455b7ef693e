import { useRouter } from '@tanstack/react-router';
import { acceptInvitation, type lookUpInvitation } from '#src/members/contract.ts';
import type { ReplyOf } from '#src/platform/contract.ts';
import { clearCache } from '#web/session.ts';
import { send } from '#web/write.ts';

export type InvitationOpened = ReplyOf<typeof lookUpInvitation>;

/**
 * Returns a function that accepts an invitation and opens its organization. With a name and a password it also creates the
 * account. The function throws ApiError.
 */
export function useAccept(token: string, onSpent: () => void) {
  const router = useRouter();
  return async (account?: { name: string; password: string }): Promise<void> => {
    const { organization } = await send(acceptInvitation, { body: { token, ...account } });
    onSpent();
    clearCache();
    await router.navigate({ to: '/o/$orgId/overview', params: { orgId: organization.id } });
  };
}
