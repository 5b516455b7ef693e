// Assignments of a probe: all of them, or the changes since a revision, as a long poll
// (docs/rules/regions-and-probes.md#assignments). The probes of a region share its monitors: each gets its share.

import { claimCapsules } from '../capsules/hand-out.ts';
import { ownerOf } from '../domain/share.ts';
import type { Listener } from '../platform/db/listener.ts';
import { makeWaiters } from '../platform/db/waiters.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { Call } from '../platform/http/route.ts';
import type { Log } from '../platform/log.ts';
import { oneAtATime } from '../platform/one-at-a-time.ts';
import { refuse } from '../platform/refusals.ts';
import type { Vault } from '../platform/secrets.ts';
import type { Database } from '../platform/work.ts';
import { refuseUnless } from '../regions/admission.ts';
import { noteClock } from '../regions/liveness.ts';
import {
  epochOf,
  keepShare,
  type RegionNow,
  readRegionFor,
  sharersOf,
  takeShare,
} from '../regions/sharing.ts';
import { ASSIGNMENTS_CHANNEL } from '../regions/wake.ts';
import { readPage } from './assignment-pages.ts';
import { claimCheckRequests } from './check-now.ts';
import type { Assignments, getAssignments } from './contract.ts';
import { type Cursor, cursorAfter, cursorAtStart, readEpoch, writeEpoch } from './cursor.ts';
import { makeLoadRecorder } from './load-recorder.ts';

export type ProbeCaller = Extract<Caller, { kind: 'probe' }>;

export type AssignmentsEndpoint = {
  answer: (call: Call<typeof getAssignments>) => Promise<Assignments>;
  stop: () => void;
};

/** A waiting request is a sign of life, recorded this often; the other probes and the token are checked as often. */
const POLL_MS = 4_000;
/** Changes within this time of an answer are sent together in the next one. */
const APART_MS = 100;

/** A request for assignments: who asks, and what the probe has already. */
type Poll = {
  probe: ProbeCaller;
  /** Absent: the request is no sign of life, and gets no secrets. */
  probeId: string | undefined;
  /** The revision that the probe has; absent: none. */
  since: number | undefined;
  known: { name: string; cursor: Cursor | null } | undefined;
};

/** The region as a poll finds it: which monitors are the probe's, and what it must be sent of them. */
type Found = {
  seen: RegionNow;
  epoch: string;
  isMine: (monitorId: string) => boolean;
  /** The probe must forget all it has: another database, or another share. */
  isFull: boolean;
  /** Where the last page ended, if there is another one. */
  nextCursor: Cursor | null;
};

/** Starts answering assignment requests in this process: one LISTEN wakes all waiting requests. */
export function startAssignments(
  db: Database,
  vault: Vault,
  listener: Listener,
  clock: () => Date,
  log: Log,
): AssignmentsEndpoint {
  const waiters = makeWaiters(listener, ASSIGNMENTS_CHANNEL);
  const inTurn = oneAtATime();
  const loads = makeLoadRecorder(db, clock);
  /** By probe: the time of the last answer with changes. */
  const answeredAt = new Map<string, number>();
  let stopped = false;

  /** Milliseconds to wait for further changes before a probe that has just been answered is answered again. */
  const waitsFor = (name: string) =>
    stopped ? 0 : APART_MS - (performance.now() - (answeredAt.get(name) ?? Number.NEGATIVE_INFINITY));

  /** Records that a probe asks: from now on it has a share of the region. */
  async function arrive(
    { probe, probeId }: Poll,
    { query, now }: Call<typeof getAssignments>,
  ): Promise<void> {
    if (probeId === undefined) return;
    // The load of a probe that returns is recorded again, even if its share is the same.
    if (await takeShare(db, probe, probeId, now)) loads.forget(probe, probeId);
    if (query.clock_ms !== undefined) await noteClock(db, probe, probeId, { clockMs: query.clock_ms, now });
  }

  async function read(poll: Poll): Promise<Found> {
    const { probe, probeId } = poll;
    const seen = await readRegionFor(db, probe, probeId, clock());
    if (!seen?.isToken)
      return refuse('unauthenticated', 'This probe token has been revoked; ask the operator for a new one.');
    if (probeId !== undefined) refuseUnless(seen.admission, probe, probeId);
    return foundBy(poll, seen);
  }

  /** Claims the checks on demand and the failure capsules that this probe makes. */
  async function claimOnDemand({ probe, probeId, since }: Poll, { seen, isMine, isFull, nextCursor }: Found) {
    if (probeId === undefined) return { tests: [], capsules: [] };
    // A stalled probe gets no checks on demand while others deliver.
    const mayTest = seen.working.length === 0 || seen.working.includes(probeId);
    const tests = seen.testsWaiting && mayTest ? await claimCheckRequests(db, vault, probe, probeId) : [];
    const capsules =
      seen.capsulesWaiting && since !== undefined && !isFull && !nextCursor
        ? await claimCapsules(db, probe, probeId, isMine, clock())
        : [];
    return { tests, capsules };
  }

  /** The next page of monitors, as the envelope with everything but checks on demand and capsules. */
  async function page(
    { probe, probeId, since = 0 }: Poll,
    { seen, epoch, isMine, isFull, nextCursor }: Found,
  ) {
    const from = nextCursor ?? (isFull ? cursorAtStart(seen.revision) : cursorAfter(since));
    const { next, ...monitors } = await inTurn(() =>
      readPage(
        { db, vault, log },
        // Secrets go only to the probe that checks the monitor.
        { regionNo: probe.regionNo, from, isMine, withSecrets: probeId !== undefined },
      ),
    );
    return {
      ...envelope(seen, writeEpoch(epoch, next), clock()),
      full: isFull && !nextCursor,
      ...monitors,
      more: next !== null,
    };
  }

  async function answer(call: Call<typeof getAssignments>): Promise<Assignments> {
    const { since, wait = 25, probe_id: probeId, epoch } = call.query;
    const probe = call.caller as ProbeCaller;
    const poll = { probe, probeId, since, known: epoch === undefined ? undefined : readEpoch(epoch) };
    await arrive(poll, call);
    const until = call.now.getTime() + wait * 1000;
    const connection = call.request.raw.socket;
    const waiter = waiters.waitFor(String(probe.regionNo));
    connection.once('close', waiter.wake);
    try {
      for (;;) {
        const found = await read(poll);
        const { seen } = found;
        // The probe hung up: no sign of life, and nobody reads the answer.
        if (connection.destroyed) return envelope(seen, found.epoch, clock());
        if (probeId !== undefined) await loads.record(probe, probeId, found);
        const left = until - clock().getTime();
        if (probeId !== undefined && left > 0 && hasOnlyChanges(poll, found)) {
          const name = `${probe.regionNo} ${probeId}`;
          const leftMs = waitsFor(name);
          if (leftMs > 0) {
            await waiter.more(Math.min(left, leftMs));
            continue;
          }
          answeredAt.set(name, performance.now());
        }
        const { tests, capsules } = await claimOnDemand(poll, found);
        const isOnDemand = tests.length > 0 || capsules.length > 0;
        if (isOnDemand || hasNews(poll, found) || left <= 0 || stopped)
          return { ...(await page(poll, found)), tests, capsules };
        await waiter.change(Math.min(left, POLL_MS));
        if (connection.destroyed) continue;
        if (probeId !== undefined) await keepShare(db, probe, probeId, clock());
      }
    } finally {
      waiter.end();
      connection.off('close', waiter.wake);
    }
  }

  return {
    answer,
    stop() {
      stopped = true;
      waiters.wakeAll();
    },
  };
}

function foundBy({ probeId, since, known }: Poll, seen: RegionNow): Found {
  const epoch = epochOf(seen, probeId);
  const sharers = sharersOf(seen, probeId);
  // An unknown revision means another database; another epoch means another share or another database.
  const isFull =
    since === undefined || since > seen.revision || (known !== undefined && known.name !== epoch);
  return {
    seen,
    epoch,
    isMine: (id) => probeId === undefined || ownerOf(sharers, id) === probeId,
    isFull,
    nextCursor: isFull ? null : (known?.cursor ?? null),
  };
}

/** Whether there are monitors to send. */
const hasNews = ({ since = 0 }: Poll, { seen, isFull, nextCursor }: Found): boolean =>
  isFull || nextCursor !== null || seen.revision > since;

/** Whether there are changed monitors to send, and nothing else: those can wait for further ones. */
const hasOnlyChanges = (poll: Poll, found: Found): boolean =>
  hasNews(poll, found) &&
  !(found.isFull || found.nextCursor || found.seen.testsWaiting || found.seen.capsulesWaiting);

/** An answer without monitors. */
function envelope(seen: RegionNow, epoch: string, now: Date): Assignments {
  return {
    revision: seen.revision,
    full: false,
    server_time_ms: now.getTime(),
    allow_private_targets: seen.allowPrivateTargets,
    keep_private_responses: seen.keepPrivateResponses,
    monitors: [],
    removed: [],
    more: false,
    epoch,
    canaries: seen.canaries,
    tests: [],
    capsules: [],
  };
}
