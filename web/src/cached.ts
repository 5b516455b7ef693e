// Invalidates the cache after changes.
import type { QueryFilters, QueryKey } from '@tanstack/react-query';
import { ApiError } from './call.ts';
import { queryClient } from './read.ts';

const DELETED = new ApiError(404, { error: 'not_found', message: 'It has been deleted.' });

/**
 * Refetches the matching reads: at once if they are on screen, otherwise when they are next shown. A request in flight may
 * predate the change, so it is sent again when it completes. What was deleted is not asked for again.
 */
export async function readAgain({ predicate = () => true, ...rest }: QueryFilters): Promise<void> {
  const filters: QueryFilters = {
    ...rest,
    predicate: (query) => query.state.error !== DELETED && predicate(query),
  };
  for (const query of queryClient.getQueryCache().findAll(filters)) {
    // By itself the library refetches only active reads that already have data.
    if (query.state.fetchStatus === 'idle' || (query.isActive() && query.state.data !== undefined)) continue;
    const onceMore = () => void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
    query.promise?.then(onceMore, onceMore);
  }
  await queryClient.invalidateQueries(filters);
}

/**
 * Updates cached data in place. This is not a read: stale data stays stale, and its age does not change. `change` returns
 * the same object if nothing changes.
 */
export function patch<T>(queryKey: QueryKey, change: (data: T) => T): void {
  for (const [key, data] of queryClient.getQueriesData<T>({ queryKey })) {
    const state = queryClient.getQueryState(key);
    if (data === undefined || state === undefined) continue;
    const changed = change(data);
    if (changed === data) continue;
    queryClient.setQueryData<T>(key, changed, { updatedAt: state.dataUpdatedAt });
    if (state.isInvalidated)
      void queryClient.invalidateQueries({ queryKey: key, exact: true, refetchType: 'none' });
  }
}

/**
 * Marks a cached read as refused because what it reads was deleted. Its page then says so at once, and the reads of that page
 * end, each of which would be refused.
 */
export async function markMissing(queryKey: QueryKey): Promise<void> {
  // An answer in flight may predate the deletion.
  await queryClient.cancelQueries({ queryKey, exact: true });
  queryClient.getQueryCache().find({ queryKey })?.setState({ status: 'error', error: DELETED });
}

/** Whether a request is in flight that may predate the change just received. */
export function isBeingRead(queryKey: QueryKey): boolean {
  return queryClient.isFetching({ queryKey }) > 0;
}
