// Who is signed in: the sign-in library's own routes under /auth (decisions, section 2).
import { queryOptions } from '@tanstack/react-query';
import { type ApiError, fetchJson } from './call.ts';
import { queryClient } from './read.ts';

export type SignedIn = { user: { id: string; name: string; email: string } };

export const sessionQuery = queryOptions<SignedIn | null, ApiError>({
  queryKey: ['session'],
  queryFn: async () => ((await fetchJson('GET', '/auth/get-session')) as SignedIn | null | undefined) ?? null,
  staleTime: 60_000,
});

/** Signs in and forgets what an earlier user had loaded. Throws ApiError (401 for a wrong password). */
export async function signIn(email: string, password: string): Promise<void> {
  await fetchJson('POST', '/auth/sign-in/email', { email, password });
  queryClient.clear();
}

/** Creates an account where the installation is open for it, and signs in. Throws ApiError. */
export async function signUp(name: string, email: string, password: string): Promise<void> {
  await fetchJson('POST', '/auth/sign-up/email', { name, email, password });
  queryClient.clear();
}

/** Ends the session; the cache goes with it. */
export async function signOut(): Promise<void> {
  await fetchJson('POST', '/auth/sign-out', {});
  queryClient.clear();
}
