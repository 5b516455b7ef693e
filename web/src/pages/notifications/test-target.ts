import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { listDeliveries, listWebhooks, testWebhook } from '#src/notifications/contract.ts';
import type { ReplyOf } from '#src/platform/contract.ts';
import { call } from '#web/call.ts';
import { everyRead, queryClient } from '#web/read.ts';

export type TargetTest = UseMutationResult<ReplyOf<typeof testWebhook>, unknown, void>;

/** Asks again for what a delivery, or a change of a target, shows in. */
export const reloadTargets = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: everyRead(listWebhooks) }),
    queryClient.invalidateQueries({ queryKey: everyRead(listDeliveries) }),
  ]);

/** Sends a test to a target, and keeps what it answered. */
export function useTargetTest(orgId: string, targetId: string): TargetTest {
  return useMutation({
    mutationFn: () => call(testWebhook, { params: { org_id: orgId, target_id: targetId } }),
    onSettled: reloadTargets,
  });
}
