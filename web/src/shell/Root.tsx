import { Outlet } from '@tanstack/react-router';
import { NotConnected } from './NotConnected.tsx';
import { useThemeColour } from './theme-colour.ts';

/** Nothing but the page, and whether it has its server: signed-out pages have no shell. */
export function Root() {
  useThemeColour();
  return (
    <>
      <NotConnected />
      <Outlet />
    </>
  );
}
