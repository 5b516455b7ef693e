// Who is signed in: the sign-in library's own routes under /auth (docs/rules/access.md#sign-in).
import { queryOptions } from '@tanstack/react-query';
import { type ApiError, fetchJson } from './call.ts';
import { queryClient } from './read.ts';
import { post } from './write.ts';

export type SignedIn = { user: { id: string; name: string; email: string }; session: { id: string } };

export const sessionQuery = queryOptions<SignedIn | null, ApiError>({
  queryKey: ['session'],
  queryFn: async () => ((await fetchJson('GET', '/auth/get-session')) as SignedIn | null | undefined) ?? null,
  staleTime: 60_000,
});

/** Clears the cache: after signing in it may belong to an earlier user. */
export function clearCache(): void {
  queryClient.clear();
}

/**
 * Signs in with a password. `second_step`: the password is correct, and a code is required (verifyCode). Throws ApiError
 * (401 for a wrong password, 429 after too many attempts).
 */
export async function signIn(email: string, password: string): Promise<'signed_in' | 'second_step'> {
  type Reply = { twoFactorRedirect?: boolean } | undefined;
  const reply = await post<Reply>('/auth/sign-in/email', { email, password });
  if (reply?.twoFactorRedirect) return 'second_step';
  clearCache();
  return 'signed_in';
}

/** The second step of signing in, with a code of the authenticator app. Throws ApiError (401 for a wrong one). */
export async function signInWithCode(code: string): Promise<void> {
  await post('/auth/two-factor/verify-totp', { code }, clearCache);
}

/** The second step of signing in, with a recovery code, which is then consumed. Throws ApiError. */
export async function signInWithRecoveryCode(code: string): Promise<void> {
  await post('/auth/two-factor/verify-backup-code', { code }, clearCache);
}

/** Redirects to the OIDC provider, which returns to `to`, or to `onError` with ?error=. Throws ApiError. */
export async function signInWithProvider(to: string, onError: string): Promise<void> {
  const { url } = await post<{ url: string }>('/auth/sign-in/oauth2', {
    providerId: 'oidc',
    callbackURL: to,
    errorCallbackURL: onError,
  });
  window.location.assign(url);
}

/**
 * Signs up, if the installation allows it. `mailed`: following the link in a mail creates the account; the answer is the
 * same for an address that has one. Throws ApiError.
 */
export async function signUp(name: string, email: string, password: string): Promise<'signed_in' | 'mailed'> {
  type Reply = { mailed_to?: string } | undefined;
  const reply = await post<Reply>('/auth/sign-up/email', { name, email, password });
  if (reply?.mailed_to !== undefined) return 'mailed';
  clearCache();
  return 'signed_in';
}

/** Ends the session and clears the cache. */
export async function signOut(): Promise<void> {
  await post('/auth/sign-out', {}, clearCache);
}
