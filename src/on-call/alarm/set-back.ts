import { sql } from 'kysely';
import { countAsNow, countFromNow, type SetBack } from '#src/platform/db/set-back.ts';
import type { Work } from '#src/platform/work.ts';

/**
 * The clock was set back: the steps of running alarms, and the daily reminders of commanders, come as soon as they were meant to
 * (docs/rules/confirmation.md#a-clock-that-was-set-back). Their jobs are righted as well, or added again by the audit.
 */
export async function rightAlarms(work: Work, setBack: SetBack): Promise<void> {
  await countFromNow(work, setBack, 'alarm_steps', ['due_at'], sql`done_at IS NULL`);
  await countFromNow(work, setBack, 'commander_reminders', ['due_at']);
  await countAsNow(work, 'alarms', ['started_at']);
}
