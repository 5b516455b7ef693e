// Cached reads: one shape of query key for every GET of the contracts, so that the live stream can find them.
import { QueryClient, queryOptions } from '@tanstack/react-query';
import type { Operation, ReplyOf } from '#src/platform/contract.ts';
import { ApiError, call, type RequestOf } from './call.ts';

/** Query options of a GET operation; the key is `[operation id, params, query]`. */
export function read<O extends Operation>(operation: O, request: RequestOf<O>) {
  return queryOptions<ReplyOf<O>, ApiError>({
    queryKey: [operation.id, request.params ?? {}, request.query ?? {}],
    queryFn: () => call(operation, request),
  });
}

/** The most that a list gives at once, for those that the dashboard shows whole. */
export const WHOLE = { limit: 1000 } as const;

/** Key prefix that matches every cached read of an operation. */
export function everyRead(operation: Operation): readonly [string] {
  return [operation.id];
}

const TOO_MANY = 429;
/** Longer than a minute no limit lasts. */
const LONGEST_WAIT_SECONDS = 60;

/** A refusal will be the same next time; only a server that was away or failed, or wants us to wait, is asked again. */
function worthRetrying(failures: number, error: unknown): boolean {
  const status = error instanceof ApiError ? error.status : 500;
  return (status === 0 || status >= 500 || status === TOO_MANY) && failures < 2;
}

/** As long as the server asked for; otherwise a moment that doubles. */
function pauseBefore(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  return asked === undefined ? 1000 * 2 ** failures : 1000 * Math.min(asked, LONGEST_WAIT_SECONDS);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // A machine without a way to the internet still reaches a server of its own network, or itself: what the browser thinks
    // of its line decides nothing, and no read waits for it.
    queries: {
      staleTime: 5_000,
      retry: worthRetrying,
      retryDelay: pauseBefore,
      refetchOnWindowFocus: true,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});
