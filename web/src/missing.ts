// What somebody deletes while its page is open: the first read that is refused because of it leads the page to say so. Not every
// deletion is announced by the live stream, and a part of a page may be read sooner than what the page is about.
import type { Query } from '@tanstack/react-query';
import { readAgain } from './cached.ts';
import { ApiError } from './call.ts';
import { queryClient } from './read.ts';

/** The read that says whether something still exists, by the name that paths have for its id. */
const SAYS_WHETHER: Record<string, string> = {
  agent_id: 'getAgent',
  id: 'getStatusPage',
  incident_id: 'getIncident',
  monitor_id: 'getMonitor',
  project_id: 'listProjects',
  target_id: 'listWebhookTargets',
};

/** Whether the server said that it does not exist. */
export const isMissing = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** What else to read after a refused read, as first elements of query keys. */
export function saysWhether([operation, params]: readonly unknown[]): string[] {
  const names = Object.keys((params ?? {}) as object);
  return names.flatMap((name) => SAYS_WHETHER[name] ?? []).filter((read) => read !== operation);
}

/** Watches all reads for what no longer exists. */
export function noticeMissing(): void {
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'error' || !isMissing(event.action.error)) return;
    for (const first of saysWhether(event.query.queryKey))
      void readAgain({ queryKey: [first], predicate: isShown });
  });
}

/** What is already known to be missing is not asked for again: two reads would go on leading to each other. */
const isShown = (query: Query): boolean => query.isActive() && query.state.status === 'success';
