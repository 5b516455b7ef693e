// One attempt of the delivery worker: whatever happens, it ends with a result that can be recorded.
import { outlastsAttempt } from '#src/domain/attempt-time.ts';
import type { Log } from '#src/platform/log.ts';
import { noteSetAside } from '#src/platform/set-aside.ts';
import { type Attempt, type AttemptResult, type SendOptions, type SendResult, sendMessage } from './send.ts';

/** It goes back to the queue at once. */
const LATE: SendResult = {
  outcome: { kind: 'not_tried', late: true },
  statusCode: null,
  error: 'late',
  latencyMs: 0,
};

/** Sends the message of an attempt; an unexpected error becomes a network failure, which is retried. */
export async function makeAttempt(
  options: SendOptions & { log: Log },
  attempt: Attempt,
): Promise<AttemptResult> {
  const [first, ...others] = attempt.deliveries;
  if (!first) throw new Error('an attempt without a delivery');
  if (!outlastsAttempt(first.leased_until, options.clock())) return { attempt, result: LATE };
  const result = await sendMessage(options, {
    deliveryId: first.id,
    attempt: first.attempts,
    events: [first, ...others],
    group: attempt.group,
    target: attempt.target,
    rendered: attempt.rendered,
  }).catch((err: unknown) => {
    options.log.error({ err, delivery: first.id }, 'an attempt failed with an unexpected error');
    return { outcome: { kind: 'network' as const }, statusCode: null, error: 'internal', latencyMs: 0 };
  });
  if (result.outcome.kind === 'unsendable')
    noteSetAside(
      options.log,
      'delivery',
      { delivery: first.id },
      new Error('it cannot be made into a request'),
    );
  return { attempt, result };
}
