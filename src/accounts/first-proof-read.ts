import { recordActivity } from '../activity/record.ts';
import type { Work } from '../platform/work.ts';

/** Notes that the owner has read what the first proof removed, so that it is not shown again. Idempotent. */
export async function readFirstProof(work: Work, userId: string): Promise<void> {
  const read = await work.tx
    .updateTable('users')
    .set({ first_proof: null })
    .where('id', '=', userId)
    .where('first_proof', 'is not', null)
    .returning(['name', 'email'])
    .executeTakeFirst();
  if (!read) return;
  await recordActivity(work, {
    orgId: null,
    action: 'account.first_proof_read',
    resource: { kind: 'account', id: userId, name: read.name || read.email },
  });
}
