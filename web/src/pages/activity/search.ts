// The filters of the activity page as URL parameters, and the query they stand for.
import { ACTOR_KINDS, type listActivity } from '#src/activity/contract.ts';
import type { QueryOf } from '#src/platform/contract.ts';

export const RANGES = ['day', 'week', 'month', 'between'] as const;
type ActorKind = (typeof ACTOR_KINDS)[number];
type Range = (typeof RANGES)[number];

export type ActivitySearch = {
  by?: ActorKind;
  action?: string;
  range?: Range;
  /** Days in the reader's time zone, YYYY-MM-DD, for `between`; `to` is included. */
  from?: string;
  to?: string;
  actor?: string;
  resource?: string;
};

const DAYS: Partial<Record<Range, number>> = { day: 1, week: 7, month: 30 };
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const day = (value: unknown) => (/^\d{4}-\d{2}-\d{2}$/.test(text(value) ?? '') ? text(value) : undefined);

/** The filters in an address; other parameters are dropped. */
export function readActivitySearch(search: Record<string, unknown>): ActivitySearch {
  const found = {
    by: ACTOR_KINDS.find((kind) => kind === search.by),
    action: text(search.action),
    range: RANGES.find((range) => range === search.range),
    from: day(search.from),
    to: day(search.to),
    actor: text(search.actor),
    resource: text(search.resource),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

function midnight(date: string, daysLater = 0): number {
  const [year = 0, month = 1, dayOfMonth = 1] = date.split('-').map(Number);
  return Math.floor(new Date(year, month - 1, dayOfMonth + daysLater).getTime() / 1_000);
}

/** The query for the filters; `now` in Unix seconds. */
export function activityQuery(
  search: ActivitySearch,
  now: number,
): NonNullable<QueryOf<typeof listActivity>> {
  const { by, action, range, from, to, actor, resource } = search;
  const days = range === undefined ? undefined : DAYS[range];
  const between = range === 'between';
  return {
    ...(by && { actor_kind: by }),
    ...(action && { action }),
    ...(actor && { actor_id: actor }),
    ...(resource && { resource_id: resource }),
    ...(days && { from_unix: now - days * 86_400 }),
    ...(between && from && { from_unix: midnight(from) }),
    ...(between && to && { to_unix: midnight(to, 1) }),
  };
}
