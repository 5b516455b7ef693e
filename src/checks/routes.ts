// Routes that show checks.
import { DAY_MS } from '../domain/durations.ts';
import { planLimits } from '../plans/plan.ts';
import { hasRight } from '../platform/http/authorize.ts';
import { paged } from '../platform/http/page.ts';
import { type Route, show } from '../platform/http/route.ts';
import type { Vault } from '../platform/secrets.ts';
import * as contract from './contract.ts';
import { cursorOf, listChecks, oneCheck, recentChecks } from './records.ts';
import { listRegionStatuses } from './region-statuses.ts';
import { withResponses } from './responses.ts';

/** Members may see a target's response, and so may keys that can change the monitor. */
const SEES_RESPONSES = { right: 'member', method: 'GET', scope: 'monitors:write' } as const;

export function checkRoutes({ vault }: { vault: Vault }): Route[] {
  return [
    show(contract.listChecks, async (call) => {
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
    show(contract.getCheck, async (call) => {
      const { db, params, resource, now } = call;
      const { rawCheckRetentionDays: days } = await planLimits(db, resource.orgId);
      const check = await oneCheck(db, params.monitor_id, params.check_id, shownSince(days, now));
      const [shown] = hasRight(SEES_RESPONSES, call) ? await withResponses(db, vault, [check]) : [check];
      return shown ?? check;
    }),
    show(contract.listRecentChecks, ({ db, params, query, now, within }) =>
      recentChecks(db, params.project_id, query.limit ?? 30, now, within),
    ),
    show(contract.listRegionStatuses, async ({ db, params, resource, now }) => {
      const since = shownSince((await planLimits(db, resource.orgId)).rawCheckRetentionDays, now);
      return listRegionStatuses(db, params.monitor_id, { now, since });
    }),
  ];
}

/** The plan shows single checks from this time on; null: no limit. */
function shownSince(days: number | null, now: Date): Date | null {
  return days === null ? null : new Date(now.getTime() - days * DAY_MS);
}
