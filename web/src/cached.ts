// What is cached, against what has changed since it was read.
import type { QueryFilters, QueryKey } from '@tanstack/react-query';
import { queryClient } from './read.ts';

/**
 * Has what matches read again: at once where it is on screen, otherwise when it is shown next. An answer that is under way
 * may be older than the change, so it is asked for once more when it is here.
 */
export async function readAgain(filters: QueryFilters): Promise<void> {
  for (const query of queryClient.getQueryCache().findAll(filters)) {
    // The library itself repeats a read that is on screen and has been answered before, and no other.
    if (query.state.fetchStatus === 'idle' || (query.isActive() && query.state.data !== undefined)) continue;
    const onceMore = () => void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
    query.promise?.then(onceMore, onceMore);
  }
  await queryClient.invalidateQueries(filters);
}

/**
 * Changes cached answers in place. That is no read: an answer that was out of date stays so, and grows no younger by it.
 * `change` returns the same object where there is nothing to change.
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

/** Whether an answer is under way, which may be older than what has just been heard of. */
export function isBeingRead(queryKey: QueryKey): boolean {
  return queryClient.isFetching({ queryKey }) > 0;
}
