import type { Assignments } from '../src/probe-protocol/contract.ts';
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

export type Subscription = {
  stop(): Promise<void>;
  /** After the stop: the others of the region take over at once. Where the server cannot be reached, they do in time. */
  leave(): Promise<void>;
};

/**
 * Seconds the server holds a request open, and what may pass until its answer must be here. As long as it waits the server
 * takes this probe for alive: a machine that loses its power must be replaced by the others within 30 s all the same.
 */
const WAIT_SECONDS = 8;
const ANSWER_WITHIN_MS = (WAIT_SECONDS + 10) * 1000;
const LEAVE_WITHIN_MS = 2_000;
/** A server that answers a waiting request at once with nothing new is not asked faster than this. */
const LEAST_ROUND_MS = 1_000;

/** Keeps the assignments up to date by long-polling until stopped (docs/rules/regions-and-probes.md#assignments). */
export function startSubscription(options: SubscriptionOptions): Subscription {
  const { link, clock, probeId, retry, log, onAssignments } = options;
  const stopping = new AbortController();

  const loop = async () => {
    let revision: number | undefined;
    let epoch = '';
    let attempt = 0;
    const gather = gatherPages();
    while (!stopping.signal.aborted) {
      const known = `&since=${revision}&epoch=${encodeURIComponent(epoch)}&wait=${WAIT_SECONDS}`;
      const outcome = await link.call({
        method: 'GET',
        path: `/probe/assignments?probe_id=${encodeURIComponent(probeId)}${revision === undefined ? '' : known}`,
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
      const changes = body.monitors.length + body.removed.length + body.tests.length;
      const news = body.full || body.more === true || body.revision !== revision || changes > 0;
      revision = body.revision;
      epoch = body.epoch;
      onAssignments(gather(body), clockMovedMs);
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
    async leave() {
      await link.call({
        method: 'POST',
        path: '/probe/leave',
        body: JSON.stringify({ probe_id: probeId }),
        timeoutMs: LEAVE_WITHIN_MS,
      });
    },
  };
}

/**
 * Pages of a full answer are one answer, which counts once it is whole: until then what is checked goes on, so that no
 * monitor is dropped because a page is late. What is removed meanwhile is gone at once.
 */
function gatherPages(): (page: Assignments) => Assignments {
  let gathered: Map<string, Assignments['monitors'][number]> | undefined;
  return (page) => {
    if (page.full) gathered = new Map();
    if (gathered === undefined) return page;
    for (const id of page.removed) gathered.delete(id);
    for (const monitor of page.monitors) gathered.set(monitor.monitor_id, monitor);
    if (page.more) return { ...page, full: false, monitors: [] };
    const monitors = [...gathered.values()];
    gathered = undefined;
    return { ...page, full: true, monitors, removed: [] };
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
    Array.isArray(candidate.removed) &&
    typeof candidate.epoch === 'string' &&
    Array.isArray(candidate.canaries) &&
    Array.isArray(candidate.tests)
  );
}
