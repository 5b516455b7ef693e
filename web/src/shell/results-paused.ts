// Since when the server takes no results of checks, because the disk of its database is full or nearly (/readyz).
import { queryOptions } from '@tanstack/react-query';

const EVERY_MS = 30_000;
/** While it lasts, so that its end is seen soon. */
const MEANWHILE_MS = 5_000;
const PATIENCE_MS = 15_000;

/** Unix seconds; null while results are taken. A server that is not ready for another reason says it too. */
export const resultsPausedQuery = queryOptions({
  queryKey: ['results-paused'],
  queryFn: async () => {
    const answer = await fetch('/readyz', { signal: AbortSignal.timeout(PATIENCE_MS) });
    const { results_paused_since_unix: since } = (await answer.json()) as {
      results_paused_since_unix?: number | null;
    };
    return since ?? null;
  },
  retry: false,
  refetchInterval: ({ state }) => (state.data == null ? EVERY_MS : MEANWHILE_MS),
});
