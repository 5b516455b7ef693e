import { Outlet } from '@tanstack/react-router';

/** Nothing but the page: signed-out pages have no shell. */
export function Root() {
  return <Outlet />;
}
