// Posts results once, and interprets the answer.
import type { Result, ResultsReply } from '../src/probe-protocol/contract.ts';
import type { Clock } from './clock.ts';
import type { Link } from './link.ts';
import type { Log } from './log.ts';

export type PostOptions = {
  link: Link;
  clock: Clock;
  probeId: string;
  log: Log;
  onClockMoved: (byMs: number) => void;
};

const ANSWER_WITHIN_MS = 10_000;

type Reply = Pick<ResultsReply, 'accepted' | 'refused'> & Partial<ResultsReply>;

/** The server is trusted; this only tells it from something else that answers 200, which has stored nothing. */
function isReply(body: unknown): body is Reply {
  const { accepted, refused } = Object(body) as Partial<ResultsReply>;
  return Number.isInteger(accepted) && Array.isArray(refused);
}

/**
 * Posts results. `sent`: the server has processed all of them, those that it refused included. If not, the next attempt is
 * made after at least `waitMs`.
 */
export async function postResults(
  results: readonly Result[],
  options: PostOptions,
  signal: AbortSignal,
): Promise<{ sent: boolean; waitMs: number }> {
  const { link, clock, probeId, log, onClockMoved } = options;
  const outcome = await link.call({
    method: 'POST',
    path: '/probe/results',
    body: JSON.stringify({ probe_id: probeId, results }),
    timeoutMs: ANSWER_WITHIN_MS,
    signal,
    isAnswer: isReply,
  });
  if (outcome.kind === 'unavailable') return { sent: false, waitMs: outcome.waitMs };
  if (outcome.kind === 'ok') {
    const reply = outcome.body as Reply;
    for (const { index, error } of reply.refused)
      log('warn', 'The server refused a result', { monitor_id: results[index]?.monitor_id, reason: error });
    if (reply.server_time_ms !== undefined)
      onClockMoved(clock.observe(outcome.sentAtMs, reply.server_time_ms, outcome.receivedAtMs));
    return { sent: true, waitMs: 0 };
  }
  // One result that the server refuses must not hold up the others forever.
  if (results.length > 1) {
    const half = results.length >> 1;
    const first = await postResults(results.slice(0, half), options, signal);
    return first.sent ? postResults(results.slice(half), options, signal) : first;
  }
  log('error', 'The server does not accept a result; it is dropped', {
    monitor_id: results[0]?.monitor_id,
    status: outcome.status,
    reason: outcome.message,
  });
  return { sent: true, waitMs: 0 };
}
