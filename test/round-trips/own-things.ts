// What no configuration file has: links to the wall, saved views and reports by mail.
import type { Act } from './walk.ts';

/** The request that makes it. */
export function ownThing(
  act: Extract<Act, { do: 'wall' | 'view' | 'report' }>,
  pick: (kind: 'project' | 'page', number: number) => string | undefined,
): { path: string; body: object } {
  switch (act.do) {
    case 'wall':
      return { path: 'wall-links', body: { name: act.name } };
    case 'view': {
      const project = act.project === null ? undefined : pick('project', act.project);
      const search = { ...act.search, ...(project ? { project } : {}) };
      return { path: 'monitor-views', body: { name: act.name, shared: act.shared, search } };
    }
    case 'report':
      return { path: 'report-subscriptions', body: { ...subjectOf(act, pick), timezone: act.timezone } };
  }
}

function subjectOf(
  { of, which }: Extract<Act, { do: 'report' }>,
  pick: (kind: 'project' | 'page', number: number) => string | undefined,
): object {
  if (of === 'project') return { project_id: pick('project', which) };
  if (of === 'tag') return { tag: 'web' };
  const page = of === 'page' ? pick('page', which) : undefined;
  return page ? { status_page_id: page } : {};
}
