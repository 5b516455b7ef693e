import { storeCapsule } from '../capsules/hand-out.ts';
import { DAY_MS } from '../domain/durations.ts';
import { planLimits } from '../plans/plan.ts';
import type { DiskGuard } from '../platform/db/disk-guard.ts';
import { hasRight } from '../platform/http/authorize.ts';
import { type Route, raw, read } from '../platform/http/mount.ts';
import { paged } from '../platform/http/page.ts';
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
import type { ResultPace } from '../probe-protocol/result-pace.ts';
import { noteDelivered, noteTrouble, PROBE_TROUBLES, touchProbe } from '../regions/liveness.ts';
import { giveShareBack } from '../regions/sharing.ts';
import * as contract from './contract.ts';
import { makeIngest } from './ingest.ts';
import { countBatch, observeLateness } from './metrics.ts';
import { cursorOf, listChecks, oneCheck, recentChecks } from './records.ts';
import { listRegionStatuses } from './region-statuses.ts';
import { makeKeepResponses, withResponses } from './responses.ts';

const RETRY_WHEN_FULL_SECONDS = 10;

export type CheckRoutesOptions = {
  db: Database;
  vault: Vault;
  log: Log;
  pace: ResultPace;
  assignments: AssignmentsEndpoint;
  disk: Pick<DiskGuard, 'resultsPaused'>;
};

/** Who may see what a target answered: members, and keys that may change the monitor. */
const SEES_RESPONSES = { right: 'member', scope: 'monitors:write' } as const;

export function checkRoutes(options: CheckRoutesOptions): Route[] {
  const { db, vault, log, pace, assignments, disk } = options;
  const ingest = makeIngest(db, pace, log);
  const keepResponses = makeKeepResponses(db, vault, log);
  return [
    read(contract.listChecks, async (call) => {
      const { db, params, query, resource, now } = call;
      const withThem = query.responses !== 'false' && hasRight(SEES_RESPONSES, call);
      const { rawCheckRetentionDays: days } = await planLimits(db, resource.orgId);
      const filter = {
        region: query.region ?? null,
        since: shownSince(days, now),
      };
      return paged(
        call,
        async ({ limit, before }) => {
          const checks = await listChecks(db, params.monitor_id, {
            ...filter,
            limit,
            before: before === null ? null : cursorOf(before),
          });
          return withThem ? withResponses(db, vault, checks) : checks;
        },
        ({ id }) => id,
      );
    }),
    read(contract.getCheck, async (call) => {
      const { db, params, resource, now } = call;
      const { rawCheckRetentionDays: days } = await planLimits(db, resource.orgId);
      const check = await oneCheck(db, params.monitor_id, params.check_id, shownSince(days, now));
      const [shown] = hasRight(SEES_RESPONSES, call) ? await withResponses(db, vault, [check]) : [check];
      return shown ?? check;
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

/** The time from which on the plan shows single checks; null: there is no limit. */
function shownSince(days: number | null, now: Date): Date | null {
  return days === null ? null : new Date(now.getTime() - days * DAY_MS);
}

/** The failure class of a result that is not validated yet. */
const classOf = (result: unknown) => (result as { failure_class?: unknown } | null)?.failure_class;
