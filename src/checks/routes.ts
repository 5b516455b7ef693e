import { DAY_MS } from '../domain/durations.ts';
import { planLimits } from '../plans/plan.ts';
import type { DiskGuard } from '../platform/db/disk-guard.ts';
import { type Route, raw, read } from '../platform/http/mount.ts';
import { paged } from '../platform/http/page.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import type { AssignmentsEndpoint } from '../probe-protocol/assignments.ts';
import { storeOutcome } from '../probe-protocol/check-now.ts';
import { getAssignments, leaveProbe, postResults, postTestResult } from '../probe-protocol/contract.ts';
import type { ResultPace } from '../probe-protocol/result-pace.ts';
import { noteDelivered, noteTrouble, PROBE_TROUBLES, touchProbe } from '../regions/liveness.ts';
import { giveShareBack } from '../regions/sharing.ts';
import * as contract from './contract.ts';
import type { Ingest } from './ingest.ts';
import { countBatch, observeLateness } from './metrics.ts';
import { cursorOf, listChecks, recentChecks } from './records.ts';
import { listRegionStatuses } from './region-statuses.ts';

const RETRY_WHEN_FULL_SECONDS = 10;

export type CheckRoutesOptions = {
  ingest: Ingest;
  pace: ResultPace;
  assignments: AssignmentsEndpoint;
  disk: Pick<DiskGuard, 'resultsPaused'>;
};

export function checkRoutes({ ingest, pace, assignments, disk }: CheckRoutesOptions): Route[] {
  return [
    read(contract.listChecks, async (call) => {
      const { db, params, query, resource, now } = call;
      const { rawCheckRetentionDays: days } = await planLimits(db, resource.orgId);
      const filter = {
        region: query.region ?? null,
        since: shownSince(days, now),
      };
      return paged(
        call,
        ({ limit, before }) =>
          listChecks(db, params.monitor_id, {
            ...filter,
            limit,
            before: before === null ? null : cursorOf(before),
          }),
        ({ id }) => id,
      );
    }),
    read(contract.listRecentChecks, ({ db, params, query, now, within }) =>
      recentChecks(db, params.project_id, query.limit ?? 30, now, within),
    ),
    read(contract.listRegionStatuses, async ({ db, params, resource, now }) => {
      const since = shownSince((await planLimits(db, resource.orgId)).rawCheckRetentionDays, now);
      return listRegionStatuses(db, params.monitor_id, { now, since });
    }),
    raw(getAssignments, (call) => assignments.answer(call)),
    raw(leaveProbe, async ({ caller, body, db, now }) => {
      if (caller?.kind !== 'probe') return notFound('probe');
      await touchProbe(db, caller, body.probe_id, now);
      return { left: await giveShareBack(db, caller, body.probe_id, now) };
    }),
    raw(postTestResult, async ({ caller, body, db, now }) => {
      if (caller?.kind !== 'probe') return notFound('probe');
      const { test_id, ...outcome } = body;
      await touchProbe(db, caller, body.probe_id, now);
      return { accepted: await storeOutcome(db, caller, test_id, outcome) };
    }),
    raw(postResults, async ({ caller, body, db, now, work }) => {
      if (caller?.kind !== 'probe') return notFound('probe');
      const startedAt = performance.now();
      await touchProbe(db, caller, body.probe_id, now);
      if (disk.resultsPaused()) {
        // The probe has results that cannot be stored now: it must not look like a probe that delivers none.
        if (body.results.length > 0) await noteDelivered(db, caller, body.probe_id, now);
        refuse(
          'unavailable',
          'The disk of the database is full, or nearly: results of checks are not taken until there is space again. Keep them.',
          { retryAfterSeconds: RETRY_WHEN_FULL_SECONDS },
        );
      }
      const reply = await pace.count(caller, body.results.length, now, () =>
        ingest(caller, body.results, work, now),
      );
      if (reply.accepted + reply.duplicates > 0) await noteDelivered(db, caller, body.probe_id, now);
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

/** The time from which on the plan shows single checks; null: there is no limit. */
function shownSince(days: number | null, now: Date): Date | null {
  return days === null ? null : new Date(now.getTime() - days * DAY_MS);
}

/** The failure class of a result that is not validated yet. */
const classOf = (result: unknown) => (result as { failure_class?: unknown } | null)?.failure_class;
