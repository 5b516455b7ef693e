import type { Assignments } from '../src/probe-protocol/contract.ts';
import type { Clock } from './clock.ts';
import type { Link } from './link.ts';
import { type Log, reasonOf } from './log.ts';
import { pause, type Retry } from './retry.ts';

export type SubscriptionOptions = {
  link: Link;
  clock: Clock;
  probeId: string;
  retry: Retry;
  log: Log;
  /** The wall clock of this machine, in whole milliseconds; the operator sees one that is wrong. */
  wallClockMs: () => number;
  /** Called with every answer of the server, in order; `clockMovedMs` is the correction of its clock. */
  onAssignments: (assignments: Assignments, clockMovedMs: number) => void;
};

export type Subscription = {
  stop(): Promise<void>;
  /** After the stop: the region's other probes take over at once. If the server cannot be reached, they do so later. */
  leave(): Promise<void>;
};

/**
 * Seconds that the server holds a request open, and the limit until its answer must have arrived. While it waits, the
 * server considers this probe alive; a machine that loses power must still be replaced by the others within 30 s.
 */
const WAIT_SECONDS = 8;
const ANSWER_WITHIN_MS = (WAIT_SECONDS + 10) * 1000;
const LEAVE_WITHIN_MS = 2_000;
/** The least pause between requests if the server answers at once with nothing new. */
const MIN_ROUND_MS = 1_000;
/** The pause after an answer that this probe failed to apply: it then asks for everything again. */
const AFTER_DEFECT_MS = 10_000;

/** Keeps the assignments up to date by long-polling until stopped (docs/rules/regions-and-probes.md#assignments). */
export function startSubscription(options: SubscriptionOptions): Subscription {
  const { link, clock, probeId, retry, log, wallClockMs, onAssignments } = options;
  const stopping = new AbortController();

  let logged: string | undefined;

  const follow = async () => {
    let revision: number | undefined;
    let epoch = '';
    let attempt = 0;
    const gather = gatherPages();
    while (!stopping.signal.aborted) {
      const known = `&since=${revision}&epoch=${encodeURIComponent(epoch)}&wait=${WAIT_SECONDS}`;
      const outcome = await link.call({
        method: 'GET',
        path: `/probe/assignments?probe_id=${encodeURIComponent(probeId)}&clock_ms=${wallClockMs()}${revision === undefined ? '' : known}`,
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
          retry.delayMs(attempt, outcome.kind === 'unavailable' ? outcome.waitMs : MIN_ROUND_MS),
          stopping.signal,
        );
        attempt += 1;
        continue;
      }
      attempt = 0;
      const { body, sentAtMs, receivedAtMs } = outcome;
      const clockMovedMs = clock.observe(sentAtMs, body.server_time_ms, receivedAtMs);
      const changes =
        body.monitors.length + body.removed.length + body.tests.length + (body.capsules?.length ?? 0);
      const news = body.full || body.more === true || body.revision !== revision || changes > 0;
      revision = body.revision;
      epoch = body.epoch;
      onAssignments(gather({ ...body, monitors: body.monitors.filter(isUsable) }), clockMovedMs);
      logged = undefined;
      const roundMs = receivedAtMs - sentAtMs;
      if (!news && roundMs < MIN_ROUND_MS) await pause(MIN_ROUND_MS - roundMs, stopping.signal);
    }
  };

  const isUsable = (monitor: Assignments['monitors'][number]): boolean => {
    const { monitor_id, type, interval_seconds, offset_ms } = Object(monitor) as Partial<typeof monitor>;
    const isWhole = typeof monitor_id === 'string' && typeof type === 'string';
    if (isWhole && Number(interval_seconds) > 0 && Number.isFinite(offset_ms)) return true;
    log('error', 'This probe cannot use a monitor that the server assigned: it is not checked', {
      monitor_id,
    });
    return false;
  };

  /** What was applied in part is asked for as a whole: the probe goes on with what it knows until then. */
  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        await follow();
      } catch (error) {
        const reason = reasonOf(error);
        if (reason !== logged)
          log(
            'error',
            'Assignments could not be applied: a defect in this probe; it asks for all of them again',
            {
              reason,
            },
          );
        logged = reason;
        await pause(retry.delayMs(0, AFTER_DEFECT_MS), stopping.signal);
      }
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
 * The pages of a full answer are one answer, applied once complete: until then checks continue as before, so that a late
 * page drops no monitor. Monitors removed meanwhile are dropped at once.
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

/** The server is trusted; this only distinguishes it from something else that answers 200. */
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
