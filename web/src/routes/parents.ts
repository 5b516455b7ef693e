// The parent routes, and how they parse their search parameters.

import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, redirect } from '@tanstack/react-router';
import { ownPath } from '../pages/accounts/own-path.ts';
import { sessionQuery } from '../session.ts';
import { ManagersOnly } from '../shell/ManagersOnly.tsx';
import { NotFound } from '../shell/NotFound.tsx';
import { Root } from '../shell/Root.tsx';
import { Shell } from '../shell/Shell.tsx';
import { SignedIn } from '../shell/SignedIn.tsx';

/** A non-empty text in the search parameters. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/**
 * Only paths of the dashboard: an address from outside must not redirect to another site after signing in. A refused one is
 * set to undefined explicitly, since parameters that validation omits stay unchanged.
 */
export function backPathOf(search: Record<string, unknown>): { back?: string } {
  return { back: ownPath(search.back) };
}

export const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: NotFound,
});

/** Everything below needs a session; without one the reader goes to the sign-in page, and then returns. */
export const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: SignedIn,
  beforeLoad: async ({ location, context }) => {
    // An unreachable server is not a lost session: the page's own reads then show it and offer to retry.
    const session = await context.queryClient.ensureQueryData(sessionQuery).catch(() => undefined);
    if (session === null) {
      throw redirect({
        to: '/sign-in',
        search: location.pathname === '/' ? {} : backPathOf({ back: location.href }),
      });
    }
  },
});

/** The pages of one organization, in its layout. */
export const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/o/$orgId',
  component: Shell,
});

/** The pages of an organization that require project management. */
export const managementRoute = createRoute({
  getParentRoute: () => organization,
  id: 'managing',
  component: ManagersOnly,
});
