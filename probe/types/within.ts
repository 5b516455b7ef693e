import { guard } from '#src/platform/outbound/deadline.ts';
import { calledOff } from '#src/platform/outbound/failures.ts';
import { answerTimeout } from './answer-failures.ts';
import type { RunningCheck } from './run-check.ts';

/**
 * What a library answers, or OutboundFailure (`answer_timeout`, `aborted`) once the check's deadline has passed. What
 * the library does after that comes to nothing: the end of the check destroys its socket. `where` names the other side.
 */
export function within<T>(running: RunningCheck, where: string, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const release = guard(running.deadlineAtMs, running.signal, (aborted) =>
      reject(aborted ? calledOff() : answerTimeout(where)),
    );
    work.finally(release).then(resolve, reject);
  });
}

/** How long the other side may take to say goodbye before the connection is cut. */
const GOODBYE_MS = 500;

/**
 * Takes the check's latency, then ends the connection in good order: `end` is given half a second at most. What goes
 * wrong with it is nobody's concern any more.
 */
export function goodbye(
  running: RunningCheck,
  startedAtMs: number,
  end: () => Promise<unknown>,
): Promise<void> {
  running.measured.latencyMs ??= performance.now() - startedAtMs;
  return new Promise((resolve) => {
    const untilMs = Math.min(running.deadlineAtMs, performance.now() + GOODBYE_MS);
    const release = guard(untilMs, running.signal, () => resolve());
    end()
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        release();
        resolve();
      });
  });
}
