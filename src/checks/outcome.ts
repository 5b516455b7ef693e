import type { ConfirmationState, Verdict } from '../domain/confirmation.ts';
import type { LoadedSubject } from './monitored.ts';

/** What was decided of a monitor whose state is locked. */
export type Outcome = {
  subject: LoadedSubject;
  state: ConfirmationState;
  events: readonly Verdict[];
  reevaluateAtMs: number | null;
  /** The stored job of `reevaluate_at` is what runs now: if there is a next one, it has to be stored anew. */
  jobIsSpent?: boolean;
};
