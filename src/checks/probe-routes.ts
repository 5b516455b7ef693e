// Routes for probes, which get assignments and post results, outcomes of checks on demand, and failure capsules.
import { storeCapsule } from '../capsules/hand-out.ts';
import type { DiskGuard } from '../platform/db/disk-guard.ts';
import { type Route, raw } from '../platform/http/route.ts';
import type { Log } from '../platform/log.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import type { Vault } from '../platform/secrets.ts';
import type { Database } from '../platform/work.ts';
import type { AssignmentsEndpoint } from '../probe-protocol/assignments.ts';
import { storeOutcome } from '../probe-protocol/check-now.ts';
import {
  getAssignments,
  leaveProbe,
  postCapsule,
  postResults,
  postTestResult,
} from '../probe-protocol/contract.ts';
import type { ResultRateLimit } from '../probe-protocol/result-rate-limit.ts';
import { noteDelivered, noteTrouble, PROBE_TROUBLES, touchProbe } from '../regions/liveness.ts';
import { releaseShare } from '../regions/sharing.ts';
import { makeIngest } from './ingest.ts';
import { countBatch, observeLateness } from './metrics.ts';
import { makeKeepResponses } from './responses.ts';

const RETRY_WHEN_FULL_SECONDS = 10;

export type ProbeRoutesOptions = {
  db: Database;
  vault: Vault;
  log: Log;
  rateLimit: ResultRateLimit;
  assignments: AssignmentsEndpoint;
  disk: Pick<DiskGuard, 'resultsPaused'>;
};

export function probeRoutes({ db, vault, log, rateLimit, assignments, disk }: ProbeRoutesOptions): Route[] {
  const ingest = makeIngest(db, rateLimit, log);
  const keepResponses = makeKeepResponses(db, vault, log);
  return [
    raw(getAssignments, (call) => assignments.answer(call)),
    raw(leaveProbe, async ({ caller, body, db, now }) => {
      if (caller?.kind !== 'probe') return notFound('probe');
      await touchProbe(db, caller, body.probe_id, now);
      return { left: await releaseShare(db, caller, body.probe_id, now) };
    }),
    raw(postTestResult, async ({ caller, body, db, now }) => {
      if (caller?.kind !== 'probe') return notFound('probe');
      const { test_id, ...outcome } = body;
      await touchProbe(db, caller, body.probe_id, now);
      return { accepted: await storeOutcome(db, caller, test_id, outcome) };
    }),
    raw(postCapsule, async ({ caller, body, db, now, work }) => {
      if (caller?.kind !== 'probe') return notFound('probe');
      await touchProbe(db, caller, body.probe_id, now);
      return { accepted: await work((unit) => storeCapsule(unit, vault, caller, body)) };
    }),
    raw(postResults, async ({ caller, body, db, now, work }) => {
      if (caller?.kind !== 'probe') return notFound('probe');
      const startedAt = performance.now();
      await touchProbe(db, caller, body.probe_id, now);
      if (disk.resultsPaused()) {
        // The probe has results that cannot be stored now: it must not look stalled.
        if (body.results.length > 0) await noteDelivered(db, caller, body.probe_id, now);
        refuse(
          'unavailable',
          'The disk of the database is full, or nearly: results of checks are not taken until there is space again. Keep them.',
          { retryAfterSeconds: RETRY_WHEN_FULL_SECONDS },
        );
      }
      const reply = await rateLimit.count(caller, body.results.length, now, () =>
        ingest(caller, body.results, work, now),
      );
      if (reply.accepted + reply.duplicates > 0) await noteDelivered(db, caller, body.probe_id, now);
      await keepResponses(caller, { results: body.results, refused: reply.refused }, work);
      for (const trouble of PROBE_TROUBLES)
        if (body.results.some((result) => classOf(result) === trouble))
          await noteTrouble(db, caller, body.probe_id, { trouble, now });
      const tookMs = performance.now() - startedAt;
      countBatch(reply, tookMs);
      observeLateness(caller.regionSlug, body.results, now.getTime() + tookMs);
      return reply;
    }),
  ];
}

/** The failure class of a result that is not validated yet. */
const classOf = (result: unknown) => (result as { failure_class?: unknown } | null)?.failure_class;
