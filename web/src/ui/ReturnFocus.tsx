import { useEffect, useState } from 'react';
import { isFocusNowhere } from './focus-nowhere.ts';

/** Within a menu, the button that opened it: the menu is gone when the dialog closes. */
function openerOf(focused: Element | null): HTMLElement | null {
  const opener = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return opener ? document.getElementById(opener) : (focused as HTMLElement | null);
}

/**
 * Inside a dialog: gives the focus back to what had it before, once the dialog is gone. Mantine does so itself only for a dialog
 * that stays mounted, and in which no field took the focus before Mantine looked.
 */
export function ReturnFocus() {
  const [opener] = useState(() => openerOf(document.activeElement));
  useEffect(
    () => () => {
      // The field that has the focus is removed after this.
      requestAnimationFrame(() => {
        if (isFocusNowhere()) opener?.focus();
      });
    },
    [opener],
  );
  return null;
}
