// Posts results once, and interprets the answer.
import type { Result, ResultsReply } from '../src/probe-protocol/contract.ts';
import type { Clock } from './clock.ts';
import type { Link, Outcome } from './link.ts';
import { type Log, reasonOf } from './log.ts';

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

export type Posted = {
  /** The server has processed all of them, those that it refused included. */
  sent: boolean;
  /** If not, the next attempt is made after at least this long. */
  waitMs: number;
  /** None of them could be posted, because of a defect of this probe. */
  defect?: string;
};

/** Posts results. One that is at fault itself, by the server's judgement or by ours, is found by halving, and dropped. */
export async function postResults(
  results: readonly Result[],
  options: PostOptions,
  signal: AbortSignal,
): Promise<Posted> {
  const { link, probeId, log } = options;
  let outcome: Outcome;
  try {
    outcome = await link.call({
      method: 'POST',
      path: '/probe/results',
      body: JSON.stringify({ probe_id: probeId, results }),
      timeoutMs: ANSWER_WITHIN_MS,
      signal,
      isAnswer: isReply,
    });
  } catch (error) {
    return results.length > 1
      ? postHalves(results, options, signal)
      : { sent: false, waitMs: 0, defect: reasonOf(error) };
  }
  if (outcome.kind === 'unavailable') return { sent: false, waitMs: outcome.waitMs };
  if (outcome.kind === 'ok') {
    processReply(outcome, results, options);
    return { sent: true, waitMs: 0 };
  }
  // One result that the server refuses must not hold up the others forever.
  if (results.length > 1) return postHalves(results, options, signal);
  log('error', 'The server does not accept a result; it is dropped', {
    monitor_id: results[0]?.monitor_id,
    status: outcome.status,
    reason: outcome.message,
  });
  return { sent: true, waitMs: 0 };
}

/** While one half passes and the other cannot be posted, that one is at fault: without it, the others go on. */
async function postHalves(
  results: readonly Result[],
  options: PostOptions,
  signal: AbortSignal,
): Promise<Posted> {
  const half = results.length >> 1;
  const halves = [results.slice(0, half), results.slice(half)] as const;
  const first = await postResults(halves[0], options, signal);
  if (!first.sent && first.defect === undefined) return first;
  const second = await postResults(halves[1], options, signal);
  if (first.sent === second.sent || (second.defect === undefined && !second.sent)) return second;
  const [faulty, reason] = first.sent ? [halves[1], second.defect] : [halves[0], first.defect];
  options.log('error', 'Results that cannot be posted are dropped: a defect in this probe', {
    dropped: faulty.length,
    monitor_id: faulty[0]?.monitor_id,
    reason,
  });
  return { sent: true, waitMs: 0 };
}

/** The server has the results, whatever its reply makes of the rest: nothing here may cause them to be sent again. */
function processReply(
  { body, sentAtMs, receivedAtMs }: Outcome & { kind: 'ok' },
  results: readonly Result[],
  { clock, log, onClockMoved }: PostOptions,
): void {
  try {
    const reply = body as Reply;
    for (const { index, error } of reply.refused)
      log('warn', 'The server refused a result', { monitor_id: results[index]?.monitor_id, reason: error });
    if (typeof reply.server_time_ms === 'number')
      onClockMoved(clock.observe(sentAtMs, reply.server_time_ms, receivedAtMs));
  } catch (error) {
    log('error', 'The answer to results could not be processed: a defect in this probe, or in the server', {
      reason: reasonOf(error),
    });
  }
}
