import { DEFAULT_SERIES_RANGE } from '../domain/series.ts';
import { planLimits } from '../organizations/plan.ts';
import { type Route, raw, read } from '../platform/http/mount.ts';
import { pageLink } from '../platform/http/page-link.ts';
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
    read(contract.listChecks, async ({ db, params, query, subject, now, request, reply }) => {
      const limit = query.limit ?? 100;
      const { rawCheckRetentionDays: days } = await planLimits(db, subject.orgId);
      const list = await listChecks(db, params.monitor_id, {
        region: query.region ?? null,
        limit,
        before: query.before === undefined ? null : cursorOf(query.before),
        since: days === null ? null : new Date(now.getTime() - days * DAY_MS),
      });
      pageLink(request, reply, limit, list.length, list.at(-1)?.id);
      return list;
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
