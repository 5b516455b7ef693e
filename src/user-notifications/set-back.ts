import { sql } from 'kysely';
import { countFromNow, type SetBack } from '../platform/db/set-back.ts';
import type { Work } from '../platform/work.ts';
import { LEASE_MS } from './claim.ts';
import { wakeNotices } from './enqueue.ts';

/**
 * The clock was set back: notices are tried again as soon as they were meant to be, also those whose sender has died since
 * (docs/rules/confirmation.md#a-clock-that-was-set-back).
 */
export async function rightNotices(work: Work, setBack: SetBack): Promise<void> {
  // A sender finds its notice by the lease: one that is not much too long is left to it.
  const lasting = new Date(work.now.getTime() + 2 * LEASE_MS);
  const isPending = sql`state = 'pending'`;
  await countFromNow(work, setBack, 'notices', ['next_attempt_at'], isPending);
  await countFromNow(
    work,
    setBack,
    'notices',
    ['leased_until'],
    sql`state = 'pending' AND leased_until > ${lasting}`,
  );
  await wakeNotices(work);
}
