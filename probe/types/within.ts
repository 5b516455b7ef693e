import { onDeadline } from '#src/platform/outbound/deadline.ts';
import { cancelledByCaller } from '#src/platform/outbound/failures.ts';
import { answerTimeout } from './answer-failures.ts';
import type { RunningCheck } from './run-check.ts';

/**
 * The library's result, or OutboundFailure (`answer_timeout`, `aborted`) after the check's deadline. Later work of the library
 * has no effect, since the end of the check destroys its socket. `where` names the target.
 */
export function within<T>(running: RunningCheck, where: string, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const release = onDeadline(running.deadlineAtMs, running.signal, (aborted) =>
      reject(aborted ? cancelledByCaller() : answerTimeout(where)),
    );
    work.finally(release).then(resolve, reject);
  });
}

/** How long the target may take to close before the connection is cut. */
const CLOSE_WITHIN_MS = 500;

/** Records the latency, then closes the connection in good order: `end` gets at most half a second, and its errors are ignored. */
export function endGracefully(
  running: RunningCheck,
  startedAtMs: number,
  end: () => Promise<unknown>,
): Promise<void> {
  running.measured.latencyMs ??= performance.now() - startedAtMs;
  return new Promise((resolve) => {
    const untilMs = Math.min(running.deadlineAtMs, performance.now() + CLOSE_WITHIN_MS);
    const release = onDeadline(untilMs, running.signal, () => resolve());
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
