// Cached reads: one form of query key for every GET of the contracts, so that the live stream can find them.
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

/** The maximum page size, for lists that the dashboard shows whole. */
export const MAX_PAGE = { limit: 1000 } as const;

/** The key prefix that matches every cached read of an operation. */
export function readKeyOf(operation: Operation): readonly [string] {
  return [operation.id];
}

const TOO_MANY = 429;
/** No rate limit lasts longer than a minute. */
const LONGEST_WAIT_SECONDS = 60;

/** A refusal would repeat; only an unreachable, failing or rate-limiting server is retried. */
function worthRetrying(failures: number, error: unknown): boolean {
  const status = error instanceof ApiError ? error.status : 500;
  return (status === 0 || status >= 500 || status === TOO_MANY) && failures < 2;
}

/** As long as the server asked for; otherwise with exponential backoff. */
function pauseBefore(failures: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  return asked === undefined ? 1000 * 2 ** failures : 1000 * Math.min(asked, LONGEST_WAIT_SECONDS);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    // A machine without internet access may still reach a server in its own network, or on itself, so reads ignore the
    // browser's online status.
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
