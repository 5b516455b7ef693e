import type { Assignments } from '../src/checks/probe-contract.ts';
import type { Clock } from './clock.ts';
import type { Link } from './link.ts';
import type { Log } from './log.ts';
import { pause, type Retry } from './retry.ts';

export type SubscriptionOptions = {
  link: Link;
  clock: Clock;
  probeId: string;
  retry: Retry;
  log: Log;
  /** Called with everything the server says, in order; `clockMovedMs` is how far its clock turned out to be elsewhere. */
  onAssignments: (assignments: Assignments, clockMovedMs: number) => void;
};

/** Seconds the server holds a request open, and what may pass until its answer must be here. */
const WAIT_SECONDS = 25;
const ANSWER_WITHIN_MS = (WAIT_SECONDS + 10) * 1000;
/** A server that answers a waiting request at once with nothing new is not asked faster than this. */
const LEAST_ROUND_MS = 1_000;

/** Keeps the assignments up to date by long-polling until stopped (decisions, section 9, probe protocol). */
export function startSubscription(options: SubscriptionOptions): { stop(): Promise<void> } {
  const { link, clock, probeId, retry, log, onAssignments } = options;
  const stopping = new AbortController();

  const loop = async () => {
    let revision: number | undefined;
    let attempt = 0;
    while (!stopping.signal.aborted) {
      const since = revision === undefined ? '' : `&since=${revision}&wait=${WAIT_SECONDS}`;
      const outcome = await link.call({
        method: 'GET',
        path: `/probe/assignments?probe_id=${encodeURIComponent(probeId)}${since}`,
        timeoutMs: ANSWER_WITHIN_MS,
        signal: stopping.signal,
      });
      if (stopping.signal.aborted) return;
      if (outcome.kind !== 'ok' || !isAssignments(outcome.body)) {
        if (outcome.kind !== 'unavailable')
          log('error', 'The server did not answer with assignments', {
            reason: outcome.kind === 'refused' ? outcome.message : 'unknown shape',
          });
        await pause(
          retry.delayMs(attempt, outcome.kind === 'unavailable' ? outcome.waitMs : LEAST_ROUND_MS),
          stopping.signal,
        );
        attempt += 1;
        continue;
      }
      attempt = 0;
      const { body, sentAtMs, receivedAtMs } = outcome;
      const clockMovedMs = clock.observe(sentAtMs, body.server_time_ms, receivedAtMs);
      const news = body.full || body.revision !== revision || body.monitors.length + body.removed.length > 0;
      revision = body.revision;
      onAssignments(body, clockMovedMs);
      const roundMs = receivedAtMs - sentAtMs;
      if (!news && roundMs < LEAST_ROUND_MS) await pause(LEAST_ROUND_MS - roundMs, stopping.signal);
    }
  };

  const ended = loop();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** The server is trusted; this only tells it from something else that answers 200. */
function isAssignments(body: unknown): body is Assignments {
  const candidate = body as Partial<Assignments> | null;
  return (
    typeof candidate === 'object' &&
    candidate !== null &&
    Number.isInteger(candidate.revision) &&
    Number.isInteger(candidate.server_time_ms) &&
    Array.isArray(candidate.monitors) &&
    Array.isArray(candidate.removed)
  );
}
