import { countAsNow, countFromNow, type SetBack } from '../platform/db/set-back.ts';
import type { Work } from '../platform/work.ts';

/**
 * The clock was set back: troubles and silences that it dated later have begun by now, and what was mailed about them keeps no mail
 * back until then (docs/rules/confirmation.md#a-clock-that-was-set-back).
 */
export async function rightTroubles(work: Work, setBack: SetBack): Promise<void> {
  await countFromNow(work, setBack, 'troubles', ['sending_until']);
  await countAsNow(work, 'troubles', ['began_at', 'ended_at', 'notified_at', 'end_notified_at']);
  await countAsNow(work, 'silences', ['since']);
}
