// What time alone changes, and what people change: the same function, the same application.
import { type ConfirmationState, closeByHand, passTime } from '../domain/confirmation.ts';
import type { Work } from '../platform/work.ts';
import { applyDecisions } from './apply.ts';
import { describeSubjects, lockStates } from './monitored.ts';

/** The stored job of `reevaluate_at`: opens the incidents of outages that are due. Too early it only puts itself back. */
export async function confirmInTime(work: Work, monitorNos: readonly number[]): Promise<void> {
  const subjects = await describeSubjects(work, await lockStates(work, monitorNos));
  const outcomes = subjects.map((subject) => {
    const { state, events, reevaluateAtMs } = passTime(subject.subject, subject.state, subject.around);
    return { subject, state, events, reevaluateAtMs, jobIsSpent: true };
  });
  await applyDecisions(work, outcomes);
}

/** A person closed the automatic incident: streaks start anew (docs/rules/confirmation.md#closing-by-hand). */
export async function restartAfterClosing(work: Work, monitorNo: number): Promise<void> {
  const [subject] = await describeSubjects(work, await lockStates(work, [monitorNo]));
  if (!subject) return;
  const state: ConfirmationState = closeByHand(subject.state);
  await applyDecisions(work, [{ subject, state, events: [], reevaluateAtMs: null }]);
}
