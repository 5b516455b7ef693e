import { Outlet } from '@tanstack/react-router';
import { NotConnected } from './NotConnected.tsx';
import { useThemeColour } from './theme-colour.ts';
import { useFocusAfterNavigation } from './use-focus-after-navigation.ts';

/** Only the page, and whether its server is reachable: signed-out pages have no shell. */
export function Root() {
  useThemeColour();
  useFocusAfterNavigation();
  return (
    <>
      <NotConnected />
      <Outlet />
    </>
  );
}
