import { useEffect } from 'react';
import { focusContent, isFocusNowhere } from './focus-nowhere.ts';

/** For a button that its own action removes: the focus goes to the content of the page, and not to another button. */
export function useFocusWhenGone(): void {
  useEffect(
    () => () => {
      // The button that has the focus is removed after this.
      requestAnimationFrame(() => {
        if (isFocusNowhere()) focusContent();
      });
    },
    [],
  );
}
