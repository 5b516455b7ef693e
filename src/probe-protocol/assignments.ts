// Assignments of a probe: all of them, or the changes since a revision, as a long poll
// (docs/rules/regions-and-probes.md#assignments). The probes of a region share its monitors: each gets its share.

import { claimCapsules } from '../capsules/hand-out.ts';
import { ownerOf } from '../domain/share.ts';
import type { Listener } from '../platform/db/listener.ts';
import { makeWaiters } from '../platform/db/waiters.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { Call } from '../platform/http/route.ts';
import type { Log } from '../platform/log.ts';
import { refuse } from '../platform/refusals.ts';
import type { Vault } from '../platform/secrets.ts';
import { takeTurns } from '../platform/turns.ts';
import type { Database } from '../platform/work.ts';
import { refuseUnless } from '../regions/admission.ts';
import { noteClock, noteGiven } from '../regions/liveness.ts';
import {
  epochOf,
  keepShare,
  type RegionNow,
  readRegionFor,
  sharersOf,
  takeShare,
} from '../regions/sharing.ts';
import { ASSIGNMENTS_CHANNEL } from '../regions/wake.ts';
import { readPage, shortestInterval } from './assignment-pages.ts';
import { claimCheckRequests } from './check-now.ts';
import type { Assignments, getAssignments } from './contract.ts';
import { cursorAfter, cursorAtStart, readEpoch, writeEpoch } from './cursor.ts';

export type ProbeCaller = Extract<Caller, { kind: 'probe' }>;

export type AssignmentsEndpoint = {
  answer: (call: Call<typeof getAssignments>) => Promise<Assignments>;
  stop: () => void;
};

/** A waiting request is a sign of life, recorded this often; the other probes and the token are checked as often. */
const LOOK_MS = 4_000;
/** Changes within this time of an answer are sent together in the next one. */
const APART_MS = 100;
/** A probe's load is recorded at most this often, since it keeps changing while many monitors fail. */
const GIVEN_EVERY_MS = 1_000;

const nameOf = ({ regionNo }: ProbeCaller, probeId: string) => `${regionNo} ${probeId}`;

/** Starts answering assignment requests in this process: one LISTEN wakes all waiting requests. */
export function startAssignments(
  db: Database,
  vault: Vault,
  listener: Listener,
  clock: () => Date,
  log: Log,
): AssignmentsEndpoint {
  const waiters = makeWaiters(listener, ASSIGNMENTS_CHANNEL);
  const inTurn = takeTurns();
  /** By probe: the revision and epoch of the share recorded last. */
  const given = new Map<string, { key: string; atMs: number }>();
  /** By probe: the time of the last answer with changes. */
  const answeredAt = new Map<string, number>();
  let stopped = false;

  /** Milliseconds to wait for further changes before a probe that has just been answered is answered again. */
  const waitsFor = (name: string) =>
    stopped ? 0 : APART_MS - (performance.now() - (answeredAt.get(name) ?? Number.NEGATIVE_INFINITY));

  async function look(probe: ProbeCaller, probeId: string | undefined): Promise<RegionNow> {
    const seen = await readRegionFor(db, probe, probeId, clock());
    if (!seen?.isToken)
      return refuse('unauthenticated', 'This probe token has been revoked; ask the operator for a new one.');
    if (probeId !== undefined) refuseUnless(seen.admission, probe, probeId);
    return seen;
  }

  /** Records the load of a probe, if its share may have changed. */
  async function keepGiven(
    probe: ProbeCaller,
    probeId: string,
    { key, isMine }: { key: string; isMine: (id: string) => boolean },
  ): Promise<void> {
    const name = nameOf(probe, probeId);
    const now = clock();
    const last = given.get(name);
    if (last?.key === key || Math.abs(now.getTime() - (last?.atMs ?? 0)) < GIVEN_EVERY_MS) return;
    given.set(name, { key, atMs: now.getTime() });
    const shortestSeconds = await shortestInterval(db, probe.regionNo, isMine);
    await noteGiven(db, probe, probeId, { shortestSeconds, now });
  }

  async function answer(call: Call<typeof getAssignments>): Promise<Assignments> {
    const probe = call.caller as ProbeCaller;
    const { since, wait = 25, probe_id: probeId } = call.query;
    const known = call.query.epoch === undefined ? undefined : readEpoch(call.query.epoch);
    // A request without a probe id is no sign of life, and gets no secrets.
    // A returning probe gets its share recorded again, even if it is the same.
    if (probeId !== undefined && (await takeShare(db, probe, probeId, call.now)))
      given.delete(nameOf(probe, probeId));
    if (probeId !== undefined && call.query.clock_ms !== undefined)
      await noteClock(db, probe, probeId, { clockMs: call.query.clock_ms, now: call.now });
    const until = call.now.getTime() + wait * 1000;
    const connection = call.request.raw.socket;
    const waiter = waiters.waitFor(String(probe.regionNo));
    connection.once('close', waiter.wake);
    try {
      for (;;) {
        const seen = await look(probe, probeId);
        const epoch = epochOf(seen, probeId);
        // The probe hung up: no sign of life, and nobody reads the answer.
        if (connection.destroyed) return envelope(seen, epoch);
        const { revision } = seen;
        const sharers = sharersOf(seen, probeId);
        const isMine = (id: string) => probeId === undefined || ownerOf(sharers, id) === probeId;
        if (probeId !== undefined) await keepGiven(probe, probeId, { key: `${revision} ${epoch}`, isMine });
        // An unknown revision means another database; another epoch means another share or another database.
        const isNews =
          since === undefined || since > revision || (known !== undefined && known.name !== epoch);
        const nextCursor = isNews ? null : (known?.cursor ?? null);
        const left = until - clock().getTime();
        const onlyChanged = !isNews && !nextCursor && !seen.testsWaiting && !seen.capsulesWaiting;
        if (probeId !== undefined && onlyChanged && revision > since && left > 0) {
          const leftMs = waitsFor(nameOf(probe, probeId));
          if (leftMs > 0) {
            await waiter.more(Math.min(left, leftMs));
            continue;
          }
          answeredAt.set(nameOf(probe, probeId), performance.now());
        }
        const tests =
          // A stalled probe gets no checks on demand while others deliver.
          seen.testsWaiting &&
          probeId !== undefined &&
          (seen.working.length === 0 || seen.working.includes(probeId))
            ? await claimCheckRequests(db, vault, probe, probeId)
            : [];
        const capsules =
          seen.capsulesWaiting && probeId !== undefined && since !== undefined && !isNews && !nextCursor
            ? await claimCapsules(db, probe, probeId, isMine, clock())
            : [];
        if (
          capsules.length > 0 ||
          isNews ||
          nextCursor ||
          revision > since ||
          tests.length > 0 ||
          left <= 0 ||
          stopped
        ) {
          const from = nextCursor ?? (isNews ? cursorAtStart(revision) : cursorAfter(since));
          const { next, ...page } = await inTurn(() =>
            readPage(
              { db, vault, log },
              // Secrets go only to the probe that checks the monitor.
              { regionNo: probe.regionNo, from, isMine, withSecrets: probeId !== undefined },
            ),
          );
          return {
            ...envelope(seen, writeEpoch(epoch, next)),
            full: isNews && !nextCursor,
            ...page,
            more: next !== null,
            tests,
            capsules,
          };
        }
        await waiter.change(Math.min(left, LOOK_MS));
        if (connection.destroyed) continue;
        if (probeId !== undefined) await keepShare(db, probe, probeId, clock());
      }
    } finally {
      waiter.end();
      connection.off('close', waiter.wake);
    }
  }

  function envelope(seen: RegionNow, epoch: string): Assignments {
    return {
      revision: seen.revision,
      full: false,
      server_time_ms: clock().getTime(),
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

  return {
    answer,
    stop() {
      stopped = true;
      waiters.wakeAll();
    },
  };
}
