import { testWebhook } from '#src/notifications/contract.ts';
import type { ReplyOf } from '#src/platform/contract.ts';
import { useWrite, type Write } from '#web/use-write.ts';
import { send } from '#web/write.ts';

type Reply = ReplyOf<typeof testWebhook>;

export type TargetTest = Pick<Write<Reply>, 'busy' | 'reply' | 'refusal'> & { run: () => Promise<boolean> };

/** Sends a test to a target, and stores its result. */
export function useTargetTest(orgId: string, targetId: string): TargetTest {
  const write = useWrite<Reply>();
  const params = { org_id: orgId, target_id: targetId };
  return { ...write, run: () => write.run(() => send(testWebhook, { params })) };
}
