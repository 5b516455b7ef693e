// Tokens in the fragment of a link (#token=…): browsers send fragments to no server, so no log has them.
import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError } from '#web/call.ts';

const keyOf = (purpose: string) => `tocsin-${purpose}-token`;

function stored(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function store(key: string, token: string | null): void {
  try {
    if (token === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, token);
  } catch {
    // Storage may be blocked: then the token lives as long as the page.
  }
}

const tokenIn = (hash: string) => new URLSearchParams(hash).get('token') || null;

/**
 * The token of the link that opened this page. It is removed from the address bar and kept for this tab alone, so that
 * signing in or reloading does not lose it. `forget` removes it once it is used.
 */
export function useLinkToken(purpose: 'invitation' | 'new-password' | 'sign-up'): {
  token: string | null;
  forget: () => void;
} {
  const router = useRouter();
  const key = keyOf(purpose);
  // Opening another link in this tab changes only the fragment.
  const hash = useRouterState({ select: (state) => state.location.hash });
  const [token, setToken] = useState(() => tokenIn(hash) ?? stored(key));
  useEffect(() => {
    const given = tokenIn(hash);
    if (given !== null) {
      store(key, given);
      setToken(given);
    }
    if (hash !== '') router.history.replace(window.location.pathname);
  }, [router, hash, key]);
  return { token, forget: () => store(key, null) };
}

/** Whether the server refused the token of a link: it is spent, expired or mistyped. */
export const isVoidLink = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === 'invalid_token';
