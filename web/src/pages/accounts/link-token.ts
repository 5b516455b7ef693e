// Tokens that arrive in the fragment of a link (#token=…): a fragment is sent to no server and kept in no log.
import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

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
 * The token of the link that led here. It is taken out of the address bar and kept for this tab alone, so that
 * signing in on the way (or loading the page again) does not lose it; `forget` when it is spent.
 */
export function useLinkToken(purpose: 'invitation' | 'new-password' | 'sign-up'): {
  token: string | null;
  forget: () => void;
} {
  const router = useRouter();
  const key = keyOf(purpose);
  // Another link opened in this tab changes the fragment and nothing else.
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
