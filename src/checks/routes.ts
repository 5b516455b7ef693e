import { DEFAULT_SERIES_RANGE } from '../domain/series.ts';
import { planLimits } from '../organizations/plan.ts';
import { type Route, raw, read } from '../platform/http/mount.ts';
import { paged } from '../platform/http/page.ts';
import { notFound, refuse } from '../platform/refusals.ts';
import { touchProbe } from '../regions/liveness.ts';
import type { AssignmentDesk } from './assignments.ts';
import * as contract from './contract.ts';
import type { Ingest } from './ingest.ts';
import { countBatch } from './metrics.ts';
import { getAssignments, postResults } from './probe-contract.ts';
import { cursorOf, listChecks, recentChecks } from './records.ts';
import { getSeries } from './series.ts';

const DAY_MS = 86_400_000;

export function checkRoutes({ ingest, desk }: { ingest: Ingest; desk: AssignmentDesk }): Route[] {
  return [
    read(contract.listChecks, async (call) => {
      const { db, params, query, subject, now } = call;
      const { rawCheckRetentionDays: days } = await planLimits(db, subject.orgId);
      const filter = {
        region: query.region ?? null,
        since: days === null ? null : new Date(now.getTime() - days * DAY_MS),
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
    read(contract.getSeries, ({ db, params, query, now }) => {
      if (query.series_metric !== undefined)
        refuse('invalid_request', 'series_metric is for service monitors only.', { field: 'series_metric' });
      return getSeries(db, params.monitor_id, query.range ?? DEFAULT_SERIES_RANGE, now);
    }),
    read(contract.listRecentChecks, ({ db, params, query, now, within }) =>
      recentChecks(db, params.project_id, query.limit ?? 30, now, within),
    ),
    raw(getAssignments, (call) => desk.answer(call)),
    raw(postResults, async ({ caller, body, db, now, work }) => {
      if (caller?.kind !== 'probe') return notFound('probe');
      const startedAt = performance.now();
      await touchProbe(db, caller.regionNo, body.probe_id, now);
      const reply = await ingest(caller, body.results, work, now);
      countBatch(reply, performance.now() - startedAt);
      return reply;
    }),
  ];
}
