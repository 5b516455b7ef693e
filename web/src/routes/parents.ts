// The routes that others stand below, and how they read their searches.

import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { ownPath } from '../pages/accounts/own-path.ts';
import { sessionQuery } from '../session.ts';
import { ManagersOnly } from '../shell/ManagersOnly.tsx';
import { NotFound } from '../shell/NotFound.tsx';
import { Root } from '../shell/Root.tsx';
import { Shell } from '../shell/Shell.tsx';
import { SignedIn } from '../shell/SignedIn.tsx';

/** A search value that is a text with something in it. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/**
 * Only our own pages: an address handed in from outside must not lead away after signing in. It is named also when it
 * is refused: what validation leaves out stays in the search as it came.
 */
export function backOf(search: Record<string, unknown>): { back?: string } {
  return { back: ownPath(search.back) };
}

export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: NotFound,
});

/** Everything below needs a session; without one the way leads over the sign-in page and back. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: SignedIn,
  beforeLoad: async ({ location, context }) => {
    // A server that is away is not a lost session: the page's own reads then say so and offer to retry.
    const session = await context.queryClient.ensureQueryData(sessionQuery).catch(() => undefined);
    if (session === null) {
      throw redirect({
        to: '/sign-in',
        search: location.pathname === '/' ? {} : backOf({ back: location.href }),
      });
    }
  },
});

/** Pages of one organization, in its frame. */
export const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/o/$orgId',
  component: Shell,
});

/** Pages of an organization that only project management may open. */
export const managing = createRoute({
  getParentRoute: () => organization,
  id: 'managing',
  component: ManagersOnly,
});
