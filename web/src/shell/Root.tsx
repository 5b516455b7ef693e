import { Outlet } from '@tanstack/react-router';
import { NotConnected } from './NotConnected.tsx';
import { useThemeColour } from './theme-colour.ts';

/** Only the page, and whether its server is reachable: signed-out pages have no shell. */
export function Root() {
  useThemeColour();
  return (
    <>
      <NotConnected />
      <Outlet />
    </>
  );
}
