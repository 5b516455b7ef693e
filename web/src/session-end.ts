// A session can end while a page is open: the first 401 of any read or write leads to the sign-in page and back.
import { ApiError } from './call.ts';
import { queryClient } from './read.ts';
import { router } from './router.tsx';
import { sessionQuery } from './session.ts';

function onError(error: unknown): void {
  // An error with a reason is about the request (a code, a password), not the session.
  if (!(error instanceof ApiError) || error.status !== 401 || error.reason !== undefined) return;
  const { href, pathname } = router.state.location;
  if (!['/o/', '/account', '/operator'].some((place) => pathname.startsWith(place))) return;
  queryClient.setQueryData(sessionQuery.queryKey, null);
  void router.navigate({ to: '/sign-in', search: { back: href } });
}

/** Watches all reads and writes for the end of the session. */
export function leaveWhenSignedOut(): void {
  queryClient.getQueryCache().config.onError = onError;
  queryClient.getMutationCache().config.onError = onError;
}
